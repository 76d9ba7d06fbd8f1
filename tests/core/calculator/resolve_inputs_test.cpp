#include <gtest/gtest.h>

#include "core/base/field.h"
#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/print_calculation.h"
#include "support/typical_inputs.h"

namespace commcost {
namespace {

Value::Object resolved(std::string_view calculation, const Value::Object& inputs) {
  const Outcome<Value> all = resolve_inputs(Value::Object{{"calculation", calculation}, {"inputs", inputs}});
  EXPECT_TRUE(all) << calculation << ": " << (all ? "" : all.problems().front().message);
  return all ? *all->object() : Value::Object{};
}

std::string said(const Value& all, std::string_view name) {
  const Value* row = all.find(name);
  return row == nullptr ? "nothing" : text_of(*row->find("value")) + " " + *row->find("from")->text();
}

TEST(ResolveInputs, TellWhatPresetsFill) {
  const Value all = resolved("plan", {{"model", "llama-3.1-70b"},
                                      {"system", "dgx-h100"},
                                      {"num_gpus", 64},
                                      {"global_batch_size", 1024},
                                      {"sequence_length", 8192}});
  EXPECT_EQ(said(all, "num_gpus"), "64 given");
  EXPECT_EQ(said(all, "hidden_size"), "8192 model");
  EXPECT_EQ(said(all, "accelerator"), "\"h100-sxm\" system");
  EXPECT_EQ(said(all, "network"), "\"infiniband\" system");
  EXPECT_EQ(said(all, "bandwidth_gb_per_sec"), "450 derived");
  EXPECT_EQ(said(all, "hbm_gb_per_sec"), "3350 derived");
  EXPECT_EQ(said(all, "bytes_per_element"), "2 default");
}

TEST(ResolveInputs, KeepWhatIsGiven) {
  const Value all = resolved("predict_collective", {{"collective", "all_reduce"},
                                                    {"num_gpus", 16},
                                                    {"message_size_bytes", 1e8},
                                                    {"system", "dgx-h100"},
                                                    {"nic_gb_per_sec", 25}});
  EXPECT_EQ(said(all, "nic_gb_per_sec"), "25 given");
}

TEST(ResolveInputs, NameAllProblems) {
  const Outcome<Value> all = resolve_inputs(
      Value::Object{{"calculation", "plan"}, {"inputs", Value::Object{{"num_gpus", 0}, {"colour", 1}}}});
  ASSERT_FALSE(all);
  EXPECT_GE(all.problems().size(), 2u);
  EXPECT_FALSE(resolve_inputs(Value::Object{{"calculation", "nothing"}, {"inputs", Value::Object{}}}));
  EXPECT_FALSE(resolve_inputs(Value::Object{{"calculation", "plan"}}));
}

class ResolvedInputs : public testing::TestWithParam<const Calculation*> {};

// What is read back is accepted again and answers the same: nothing is filled that could not have been given.
TEST_P(ResolvedInputs, TakesWhatItResolved) {
  const Calculation& calculation = *GetParam();
  const Value::Object inputs = test::typical_inputs(calculation);
  const Outcome<Value> before = run(calculation.name, inputs);
  ASSERT_TRUE(before);
  const Value typical = inputs;
  Value::Object again = inputs;
  for (const Member& member : resolved(calculation.name, inputs)) {
    const bool given = typical.find(member.name) != nullptr;
    if (!given) again.push_back({member.name, *member.value.find("value")});
  }
  const Outcome<Value> after = run(calculation.name, again);
  ASSERT_TRUE(after) << after.problems().front().message;
  WireBytes wire_before;
  WireBytes wire_after;
  WireWriter(wire_before).value(*before);
  WireWriter(wire_after).value(*after);
  EXPECT_EQ(wire_before, wire_after);
}

INSTANTIATE_TEST_SUITE_P(Table, ResolvedInputs,
                         testing::ValuesIn(all_calculations().begin(), all_calculations().end()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace commcost
