// Whatever is set, and in whatever order, a prepared calculation gives what a call with all of it gives.

#include "core/calculator/prepared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/training/step_memo.h"
#include "support/print_calculation.h"
#include "support/random_inputs.h"
#include "support/typical_inputs.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::wire_of;
using test::with;

// Results as they cross, or the problems.
std::string answer(const Problems& problems, const WireBytes& results) {
  const WireBytes instead = wire_of(value_of(problems));
  return std::string(problems.empty() ? results : instead);
}

std::string called(const Calculation& calculation, const Value::Object& inputs) {
  const WireBytes given = wire_of(inputs);
  WireBytes results;
  WireWriter to(results);
  const Problems problems = run(calculation, WireReader(given), to);
  return answer(problems, results);
}

std::string ran(Prepared& prepared) {
  WireBytes results;
  WireWriter to(results);
  const Problems problems = prepared.run(to);
  return answer(problems, results);
}

Value::Object without(Value::Object inputs, std::string_view name) {
  std::erase_if(inputs, [name](const Member& member) { return member.name == name; });
  return inputs;
}

class PreparedCalculation : public testing::TestWithParam<const Calculation*> {};

TEST_P(PreparedCalculation, GivesWhatACallGives) {
  const Calculation& calculation = *GetParam();
  test::Random random(29);
  // Searches take a thousand times as long as what is swept.
  const int sequences = calculation.sweep_points > 0 ? 300 : 4;
  for (int sequence = 0; sequence < sequences; ++sequence) {
    Value::Object inputs = test::random_inputs(calculation, random);
    const WireBytes given = wire_of(inputs);
    Prepared prepared(calculation, WireReader(given));
    for (int step = 0; step < 8; ++step) {
      ASSERT_EQ(ran(prepared), called(calculation, inputs)) << "seed 29, " << sequence << ", " << step;
      const Value::Object others = test::random_inputs(calculation, random);
      if (others.empty()) break;
      const Member& changed = others[random.below(others.size())];
      if (random.one_in(5)) {
        inputs = without(inputs, changed.name);
        prepared.set(changed.name, {});
      } else {
        inputs = with(inputs, {changed});
        prepared.set(changed.name, wire_of(changed.value));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreparedCalculation, testing::ValuesIn(all_calculations()),
                         [](const auto& test) { return std::string(test.param->name); });

const Value::Object step = {{"model", "llama-3.1-70b"}, {"system", "dgx-h100"},    {"sequence_length", 8192},
                            {"batch_size", 1},          {"global_batch_size", 64}, {"tensor_parallel", 8},
                            {"data_parallel", 4}};

TEST(Prepared, ReadsAndChecksAllInputsOnce) {
  Prepared prepared(calculations::training_step, WireReader(wire_of(step)));
  ran(prepared);
  for (const Member& member : Value::Object{{"tensor_parallel", 4},
                                            {"sequence_length", 4096},
                                            {"bandwidth_gb_per_sec", 300},
                                            {"recompute", "full"},
                                            {"overlap_data", false},
                                            {"cluster_gpus", 64}}) {
    EXPECT_TRUE(prepared.set(member.name, wire_of(member.value))) << member.name;
    ran(prepared);
    EXPECT_EQ(prepared.readings(), 1) << member.name;
  }
}

TEST(Prepared, ReadsAllAgainWhereMoreThanOneFieldChanges) {
  Prepared prepared(calculations::training_step, WireReader(wire_of(step)));
  ran(prepared);
  prepared.set("model", wire_of("llama-3.1-8b"));
  ran(prepared);
  EXPECT_EQ(prepared.readings(), 2);
  prepared.set("num_gpus", wire_of(32));
  ran(prepared);
  EXPECT_EQ(prepared.readings(), 3);
  // Two changes, one reading.
  prepared.set("num_gpus", {});
  prepared.set("model", {});
  ran(prepared);
  EXPECT_EQ(prepared.readings(), 4);
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a step model is built of: the accelerator's rates, the precision, the stack's factors. Whatever else
// is set leaves it, and is the only input that is read.
TEST(Prepared, BuildsAStepModelAnewOnlyForWhatItsRatesFollowFrom) {
  constexpr std::string_view rates[] = {"accelerator",
                                        "hbm_gb_per_sec",
                                        "peak_tflops",
                                        "bytes_per_element",
                                        "matmul_precision",
                                        "fp8_scaling",
                                        "gemm_time_scale",
                                        "attention_time_scale",
                                        "grouped_gemm_time_scale",
                                        "elementwise_time_scale",
                                        "flash_attention_2",
                                        "time_scale",
                                        "matmul_scale",
                                        "hbm_scale"};
  const Calculation& calculation = calculations::training_step;
  test::Random random(3);
  Memories memories;
  Prepared prepared(calculation, WireReader(wire_of(step)), calculation.open(memories));
  ran(prepared);
  const auto memo = memories.of<StepMemo>();
  int built = memo->models_built();
  EXPECT_EQ(built, 1);
  int found = memo->facts_found();
  int settings = 0;
  int paced = 0;
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const std::string_view name = input.field.name;
      if (input.is_preset() || is_one_of(name, rates)) continue;
      paced += input.paces_links ? 1 : 0;
      for (int draw = 0; draw < 8; ++draw) {
        const WireBytes value = wire_of(test::random_value(input.field, random));
        if (!prepared.set(name, value)) continue;
        ran(prepared);
        ++settings;
        EXPECT_EQ(memo->models_built(), built) << name;
        // What a sweep moves first leaves all that is kept as it was.
        if (input.paces_links) {
          EXPECT_EQ(memo->facts_found(), found) << name;
        }
        found = memo->facts_found();
        built = memo->models_built();
      }
      prepared.set(name, {});
      const auto given =
          std::find_if(step.begin(), step.end(), [name](const Member& one) { return one.name == name; });
      if (given != step.end()) prepared.set(name, wire_of(given->value));
      ran(prepared);
      found = memo->facts_found();
    }
  }
  EXPECT_GT(settings, 500);
  EXPECT_EQ(paced, 7);
  // What they do follow from is built anew once.
  for (const Member& member : Value::Object{{"hbm_gb_per_sec", 2000}, {"matmul_precision", "fp8"}}) {
    prepared.set(member.name, wire_of(member.value));
    ran(prepared);
    EXPECT_EQ(memo->models_built(), ++built) << member.name;
    ran(prepared);
    EXPECT_EQ(memo->models_built(), built) << member.name;
  }
}

TEST(Prepared, TellsChangesFromWhatWasSetBefore) {
  Prepared prepared(calculations::training_step, WireReader(wire_of(step)));
  EXPECT_FALSE(prepared.set("tensor_parallel", wire_of(8)));
  EXPECT_TRUE(prepared.set("tensor_parallel", wire_of(4)));
  EXPECT_FALSE(prepared.set("tensor_parallel", wire_of(4)));
  EXPECT_TRUE(prepared.set("tensor_parallel", {}));
  EXPECT_FALSE(prepared.set("tensor_parallel", {}));
}

TEST(Prepared, RefusesWhatIsNoObjectAsACallDoes) {
  Prepared prepared(calculations::training_step, WireReader(wire_of("everything")));
  EXPECT_EQ(ran(prepared), [] {
    WireBytes results;
    WireWriter to(results);
    return answer(run(calculations::training_step, WireReader(wire_of("everything")), to), results);
  }());
}

}  // namespace
}  // namespace commcost
