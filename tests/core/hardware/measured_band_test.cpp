#include "core/hardware/measured_band.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/parallel/recipes.h"
#include "core/serving/serving_band.h"
#include "core/training/step_band.h"
#include "support/csv.h"
#include "support/files.h"

namespace commcost {
namespace {

using test::CsvRow;
using test::read_csv;

// Runs of a class, and what they ran on, as the scoreboard lists them: `validation steps --csv` and
// `validation serving --csv` write it from tests/data.
struct Listed {
  int runs = 0;
  double most_gpus = 0;
  std::set<std::string> accelerators;
};
using Class = std::tuple<std::string, std::string, std::string>;

std::map<Class, Listed> listed(const std::string& table) {
  const bool steps = table == "steps";
  std::map<Class, Listed> found;
  for (const CsvRow& row : read_csv(test::data_file("../../web/scoreboard/" + table + ".csv"))) {
    if (steps && row.number("doubtful") != 0) continue;
    Listed& one = found[{row.at("recipe"), row.at("generation"), steps ? row.at("kind") : "dense"}];
    ++one.runs;
    if (steps) one.most_gpus = std::max(one.most_gpus, row.number("num_gpus"));
    one.accelerators.insert(row.at("accelerator"));
  }
  return found;
}

void expect_as_listed(std::span<const MeasuredClass> classes, const std::string& table) {
  std::map<Class, Listed> left = listed(table);
  for (const MeasuredClass& one : classes) {
    const Class key{one.recipe, row_of(one.generation).id,
                    run_kind_names[static_cast<std::size_t>(one.kind)]};
    const std::string name = std::get<0>(key) + " " + std::get<1>(key) + " " + std::get<2>(key);
    const Listed& found = left[key];
    EXPECT_EQ(one.errors.runs, found.runs) << name;
    if (table == "steps") {
      EXPECT_EQ(one.most_gpus, found.most_gpus) << name;
    }
    std::set<std::string> ids;
    for (const std::string_view id : one.accelerators) {
      if (id.empty()) continue;
      ids.emplace(id);
      ASSERT_NE(find_accelerator(id), nullptr) << id;
      EXPECT_EQ(find_accelerator(id)->generation, one.generation) << name << ": " << id;
    }
    EXPECT_EQ(ids, found.accelerators) << name;
    left.erase(key);
  }
  EXPECT_TRUE(left.empty()) << left.size() << " classes that no band has";
}

TEST(MeasuredBand, ClassesAreThoseOfTheMeasuredTables) {
  expect_as_listed(measured_step_classes(), "steps");
  expect_as_listed(measured_serving_classes(), "serving");
}

StepBand band_on(const Accelerator& accelerator, std::string_view recipe, RunKind kind = RunKind::dense) {
  return nearest_band(measured_step_classes(), {recipe, accelerator, kind, 8});
}

// Only an accelerator with runs of its own is called measured, whatever the recipe.
TEST(MeasuredBand, IsMeasuredWhereTheAcceleratorRan) {
  const std::map<Class, Listed> runs = listed("steps");
  for (const Accelerator& accelerator : all_accelerators()) {
    for (const Recipe& recipe : all_recipes()) {
      for (const RunKind kind : {RunKind::dense, RunKind::experts, RunKind::staged}) {
        const auto found = runs.find({std::string(recipe.id), std::string(row_of(accelerator.generation).id),
                                      std::string(run_kind_names[static_cast<std::size_t>(kind)])});
        const bool ran =
            found != runs.end() && found->second.accelerators.count(std::string(accelerator.id)) > 0;
        const bool measured = band_on(accelerator, recipe.id, kind).basis == StepBasis::measured;
        EXPECT_TRUE(ran || !measured) << accelerator.id << ' ' << recipe.id;
      }
    }
  }
  EXPECT_EQ(band_on(*find_accelerator("h100-sxm"), "megatron-core").basis, StepBasis::measured);
  for (const std::string_view id : {"h20", "h100-pcie", "h100-nvl", "gh200", "h800-sxm"})
    EXPECT_EQ(band_on(*find_accelerator(id), "megatron-core").basis, StepBasis::similar) << id;
}

Accelerator row(std::string_view id, Generation generation) {
  Accelerator added{};
  added.id = id;
  added.generation = generation;
  return added;
}

// Whatever row is added, under whatever id: of a generation that was measured it is similar, half as wide
// again; of a vendor that never ran the stack, not even that.
TEST(MeasuredBand, AnAddedAcceleratorIsNotMeasured) {
  for (std::size_t at = 1; at <= std::size(generation_rows); ++at) {
    for (const std::string_view id : {"hccs-910b", "h100-sxm-2", "b400", "tpu-v9", "mi1000", ""}) {
      const Accelerator added = row(id, static_cast<Generation>(at));
      for (const Recipe& recipe : all_recipes()) {
        for (const RunKind kind : {RunKind::dense, RunKind::experts, RunKind::staged})
          EXPECT_NE(band_on(added, recipe.id, kind).basis, StepBasis::measured) << id << ' ' << recipe.id;
        EXPECT_NE(nearest_band(measured_serving_classes(), {recipe.id, added}).basis, StepBasis::measured);
      }
    }
  }
  const StepBand known = band_on(*find_accelerator("h100-sxm"), "megatron-core");
  const StepBand added = band_on(row("h9", Generation::hopper), "megatron-core");
  EXPECT_EQ(added.basis, StepBasis::similar);
  EXPECT_EQ(added.classes, known.classes);
  EXPECT_NEAR(std::log(added.high), 1.5 * std::log(known.high), 1e-12);
  EXPECT_NEAR(std::log(added.low), 1.5 * std::log(known.low), 1e-12);
  EXPECT_EQ(band_on(row("h9", Generation::gaudi), "megatron-core").basis, StepBasis::not_measured);
  EXPECT_EQ(band_on(row("h9", Generation::cdna3), "megatron-core").basis, StepBasis::similar);
}

// The classes that a band names are those whose runs it counts.
TEST(MeasuredBand, NamesTheClassesThatItIsMadeOf) {
  const auto check = [](std::span<const MeasuredClass> classes, const JudgedStep& step) {
    const StepBand band = nearest_band(classes, step);
    double runs = 0;
    for (std::size_t place = 0; place < classes.size(); ++place)
      if ((band.classes >> place & 1) != 0) runs += classes[place].errors.runs;
    EXPECT_EQ(runs, band.measured_runs);
    EXPECT_GT(runs, 0);
    EXPECT_LE(band.low, 1);
    EXPECT_GE(band.high, 1);
  };
  for (const Accelerator& accelerator : all_accelerators()) {
    for (const Recipe& recipe : all_recipes()) {
      for (const double gpus : {8.0, 512.0, std::numeric_limits<double>::infinity()}) {
        for (const RunKind kind : {RunKind::dense, RunKind::experts})
          check(measured_step_classes(), {recipe.id, accelerator, kind, gpus});
        check(measured_serving_classes(), {recipe.id, accelerator, RunKind::dense, gpus});
      }
    }
  }
}

}  // namespace
}  // namespace commcost
