// An input has one table: kind, unit, range, default, choices, label, place in forms and help of a name are
// the same in every calculation. Whether it must be given depends on what the calculation needs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calculator/calculations.h"

namespace commcost {
namespace {

/// A name, and the calculations where it is an exception.
struct Exception {
  std::string_view name;
  std::vector<std::string_view> calculations;
};

// Some names mean several things. bandwidth_gb_per_sec: here a link by itself, elsewhere those of the
// accelerator.
const Exception other_meanings[] = {
    {"bandwidth_gb_per_sec",
     {"tensor_parallel_allreduce_cost", "check_answers", "collective_cost", "collective_timeline",
      "collective_crossovers"}},
    // A server answers, by a stack of another kind, and may leave GPUs idle.
    {"cluster_gpus", {"plan_serving", "plan_goodput"}},
    // A rate to find servers for, and one that given servers receive.
    {"requests_per_sec", {"plan_serving", "plan_goodput"}},
    // Most of a step, that are sought where they are not given.
    {"step_tokens", {"plan_serving", "plan_goodput"}},
    {"mode", {"serving_step", "serving_roofline"}},
    // Copies of a model that trains, and groups of a server's ranks.
    {"data_parallel", {"serving_step", "serving_roofline"}},
    // A stack that serves, and any.
    {"recipe",
     {"serving_step", "serving_roofline", "plan_serving", "plan_goodput", "serving_load", "fit_serving",
      "export_deployment"}},
    {"recipe", {"model_sizes", "layer_timeline", "kernel_time"}},
};

// Greatest values of their own: the exercise counts in 128 bits; what is drawn message by message must fit a
// page.
const Exception other_limits[] = {
    {"cluster_gpus", {"plan_serving", "plan_goodput"}},
    {"mode", {"serving_step", "serving_roofline"}},
    {"recipe",
     {"serving_step", "serving_roofline", "plan_serving", "plan_goodput", "serving_load", "fit_serving",
      "export_deployment"}},
    {"recipe", {"model_sizes", "layer_timeline", "kernel_time"}},
    {"hidden_size", {"tensor_parallel_allreduce_cost", "check_answers"}},
    {"sequence_length", {"tensor_parallel_allreduce_cost", "check_answers"}},
    {"batch_size", {"tensor_parallel_allreduce_cost", "check_answers"}},
    {"bytes_per_element", {"tensor_parallel_allreduce_cost", "check_answers"}},
    {"ranks", {"collective_schedule", "collective_timeline"}},
    {"group_size", {"collective_schedule", "collective_timeline"}},
    {"pieces", {"collective_schedule", "collective_timeline"}},
};

/// Which exception a name is in a calculation, from 1; 0: none.
template <std::size_t Count>
std::size_t place_of(const Exception (&exceptions)[Count], std::string_view name,
                     std::string_view calculation) {
  const auto* const found = std::find_if(std::begin(exceptions), std::end(exceptions), [&](const auto& one) {
    return one.name == name && std::find(std::begin(one.calculations), std::end(one.calculations),
                                         calculation) != std::end(one.calculations);
  });
  return found == std::end(exceptions) ? 0 : static_cast<std::size_t>(found - exceptions) + 1;
}

constexpr std::string_view zero_stands_for = "; 0:";

// A field that must be given does not take the 0 that stands for something where it need not be.
Field without_zero(Field field) {
  field.help = field.help.substr(0, field.help.find(zero_stands_for));
  field.least = 1;
  return field;
}

void expect_same(Field one, Field other, const std::string& where) {
  if (one.required != other.required) {
    Field& optional = one.required ? other : one;
    const Field& needed = one.required ? one : other;
    if (optional.help != needed.help) optional = without_zero(optional);
  }
  EXPECT_EQ(one.kind, other.kind) << where;
  EXPECT_EQ(one.unit, other.unit) << where;
  EXPECT_EQ(one.least, other.least) << where;
  EXPECT_EQ(one.help, other.help) << where;
  EXPECT_EQ(one.label, other.label) << where;
  EXPECT_EQ(one.group, other.group) << where;
  EXPECT_EQ(one.shown, other.shown) << where;
  EXPECT_TRUE(std::equal(one.choices.begin(), one.choices.end(), other.choices.begin(), other.choices.end()))
      << where;
  EXPECT_TRUE(std::equal(one.aliases.begin(), one.aliases.end(), other.aliases.begin(), other.aliases.end()))
      << where;
}

TEST(OneTable, SaysTheSameOfANameInEveryCalculation) {
  // By name and meaning; of greatest values also by limit.
  std::map<std::pair<std::string_view, std::size_t>, Field> tables;
  std::map<std::pair<std::string_view, std::size_t>, double> greatest;
  std::map<std::pair<std::string_view, std::size_t>, double> defaults;
  for (const Calculation* calculation : all_calculations()) {
    for (const FieldIndex::Place& place : fields_of(*calculation).places()) {
      const Field& field = place.input->field;
      const std::string where = std::string(calculation->name) + " " + std::string(field.name);
      const std::pair meaning{field.name, place_of(other_meanings, field.name, calculation->name)};
      expect_same(tables.try_emplace(meaning, field).first->second, field, where);
      const std::pair limit{field.name, place_of(other_limits, field.name, calculation->name)};
      EXPECT_EQ(greatest.try_emplace(limit, field.greatest).first->second, field.greatest) << where;
      if (field.required || std::isnan(field.default_value)) continue;
      EXPECT_EQ(defaults.try_emplace(meaning, field.default_value).first->second, field.default_value)
          << where;
    }
  }
}

TEST(OneTable, ListsNoExceptionThatIsNone) {
  const auto expect_taken = [](const Exception& exception) {
    for (const std::string_view name : exception.calculations) {
      const FieldIndex& fields = fields_of(*find_calculation(name));
      EXPECT_LT(fields.find(exception.name), fields.places().size()) << name << " " << exception.name;
    }
  };
  for (const Exception& exception : other_meanings) expect_taken(exception);
  for (const Exception& exception : other_limits) expect_taken(exception);
}

}  // namespace
}  // namespace commcost
