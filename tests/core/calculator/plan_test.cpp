#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/number_text.h"
#include "core/calculator/engine.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::rows;
using test::text;
using test::with;

const Value& member(const Value& object, std::string_view name) {
  static const Value none;
  const Value* found = object.find(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? none : *found;
}

// Llama 3.1 8B on nodes of eight H100.
Value::Object llama8b(Value::Object more) {
  Value::Object inputs = {{"num_layers", 32},          {"hidden_size", 4096},    {"num_heads", 32},
                          {"num_kv_heads", 8},         {"head_size", 128},       {"ffn_hidden_size", 14336},
                          {"gated_mlp", true},         {"vocab_size", 128256},   {"accelerator", "h100-sxm"},
                          {"global_batch_size", 64.0}, {"sequence_length", 8192}};
  for (Member& one : more) inputs.push_back(std::move(one));
  return inputs;
}

Value answer(const char* calculation, Value::Object inputs) {
  const Outcome<Value> outcome = run(calculation, std::move(inputs));
  if (!outcome) {
    ADD_FAILURE() << outcome.problems().front().message;
    return {};
  }
  return *outcome;
}

std::string problem_of(const char* calculation, Value::Object inputs) {
  const Outcome<Value> outcome = run(calculation, std::move(inputs));
  return outcome ? "" : outcome.problems().front().message;
}

TEST(Plan, StopsAfterTheEffortAskedForWithTheBestUntilThen) {
  const Value whole = answer("plan", llama8b({{"cluster_gpus", 64}}));
  EXPECT_EQ(number(whole, "progress"), 1);
  const Value part = answer("plan", llama8b({{"cluster_gpus", 64}, {"evaluations", 2000}}));
  EXPECT_LT(number(part, "progress"), 1);
  EXPECT_LT(number(part, "evaluated"), number(whole, "evaluated"));
  EXPECT_EQ(number(part, "searched"), number(whole, "searched"));
  ASSERT_FALSE(rows(part, "layouts").empty());
  EXPECT_GE(number(rows(part, "fastest").front(), "step_time_ms"),
            number(rows(whole, "fastest").front(), "step_time_ms"));
  // What families hold is known once all of them is searched.
  EXPECT_TRUE(rows(part, "families").empty());
  EXPECT_EQ(rows(whole, "families").size(), rows(whole, "layouts").size());
}

TEST(Plan, SaysWhatIsShortAndByHowMuch) {
  const Value found = answer("plan", llama8b({{"cluster_gpus", 1}}));
  EXPECT_EQ(*member(found, "possible").flag(), false);
  ASSERT_EQ(rows(found, "smallest").size(), 1u);
  EXPECT_GT(number(found, "deficit_gib"), 0);
  EXPECT_DOUBLE_EQ(number(found, "deficit_gib"),
                   number(rows(found, "smallest").front(), "memory_gib") - number(found, "memory_limit_gib"));
  const Value fitting = answer("plan", llama8b({{"cluster_gpus", 64}}));
  EXPECT_EQ(*member(fitting, "possible").flag(), true);
  EXPECT_EQ(number(fitting, "deficit_gib"), 0);
}

// What fit_collective found is an input wherever a machine is: the plan is priced by it as its rows are.
TEST(Plan, FollowsTheMachinesCalibration) {
  const auto slow = [](Value::Object more) {
    more.push_back({"latency_scale", 3});
    more.push_back({"bandwidth_scale", 0.25});
    return llama8b(std::move(more));
  };
  const Value as_fitted = answer("plan", slow({{"cluster_gpus", 64}}));
  const Value usual = answer("plan", llama8b({{"cluster_gpus", 64}}));
  const Value& best = rows(as_fitted, "layouts").front();
  EXPECT_GT(number(best, "step_time_ms"), number(rows(usual, "layouts").front(), "step_time_ms"));
  Value::Object step;
  for (const char* name : {"tensor_parallel", "pipeline_parallel", "virtual_stages", "data_parallel",
                           "zero_stage", "context_parallel", "expert_parallel", "batch_size"})
    step.push_back({name, number(best, name)});
  for (const char* name : {"sequence_parallel", "pipeline_schedule", "recompute"})
    step.push_back({name, member(best, name)});
  EXPECT_NEAR(number(answer("training_step", slow(std::move(step))), "step_time_ms"),
              number(best, "step_time_ms"), 1e-9 * number(best, "step_time_ms"));
}

TEST(Plan, SaysHowLongTheWholeRunTakes) {
  const Value found = answer("plan", llama8b({{"cluster_gpus", 64}, {"token_budget", 15e12}}));
  for (const Value& row : rows(found, "layouts")) {
    const double tokens_per_sec = number(row, "tokens_per_sec_per_gpu") * 64;
    EXPECT_NEAR(number(row, "training_days"), 15e12 / tokens_per_sec / 86400, 1e-9 * 15e12 / tokens_per_sec);
  }
}

// The step of a planned layout.
Value::Object step_of(const Value& row) {
  Value::Object step = llama8b({});
  for (const char* name : {"tensor_parallel", "pipeline_parallel", "virtual_stages", "data_parallel",
                           "zero_stage", "context_parallel", "expert_parallel", "batch_size"})
    step.push_back({name, number(row, name)});
  for (const char* name : {"sequence_parallel", "pipeline_schedule", "recompute"})
    step.push_back({name, member(row, name)});
  return step;
}

TEST(Plan, SpellsOtherDecisionsAsTheyAreTyped) {
  const Value found = answer("plan", llama8b({{"cluster_gpus", 64}}));
  const Value::Object step = step_of(rows(found, "layouts").front());
  int tried = 0;
  for (const Value& other : rows(found, "alternatives")) {
    const std::string decision = text(other, "decision");
    const std::string typed = text(other, "value");
    if (decision != "recompute" && decision != "batch_size" && decision != "zero_stage") continue;
    ++tried;
    const Value value = decision == "recompute" ? Value(typed) : Value(parse_number(typed).value());
    const Value priced = answer("training_step", with(step, {{decision, value}}));
    EXPECT_NEAR(number(priced, "step_time_ms"), number(other, "step_time_ms"),
                1e-9 * number(other, "step_time_ms"))
        << decision << ' ' << typed;
  }
  EXPECT_GE(tried, 3);
}

TEST(Plan, RowsCarryTheStepsBandHeadroomAndPrice) {
  const Value found = answer("plan", llama8b({{"cluster_gpus", 64}, {"price_per_gpu_hour", 2.5}}));
  const Value& best = rows(found, "layouts").front();
  EXPECT_EQ(*member(best, "tie").flag(), true);
  for (const Value& row : rows(found, "layouts")) {
    const Value priced = answer("training_step", step_of(row));
    EXPECT_NEAR(number(row, "step_time_ms"), number(priced, "step_time_ms"),
                1e-9 * number(row, "step_time_ms"));
    EXPECT_EQ(number(row, "step_time_low_ms"), number(priced, "step_time_low_ms"));
    EXPECT_EQ(number(row, "step_time_high_ms"), number(priced, "step_time_high_ms"));
    EXPECT_EQ(*member(row, "basis").text(), *member(priced, "basis").text());
    EXPECT_EQ(number(row, "mfu_percent"), number(priced, "mfu_percent"));
    EXPECT_EQ(number(row, "model_tflops_per_gpu"), number(priced, "model_tflops_per_gpu"));
    EXPECT_EQ(*member(row, "tie").flag(),
              number(row, "step_time_ms") <= number(rows(found, "fastest").front(), "step_time_ms") *
                                                 (1 + number(found, "noise_floor_percent") / 100));
    EXPECT_GE(number(row, "headroom_percent"), 8);
    EXPECT_NEAR(number(row, "memory_gib"),
                number(found, "memory_limit_gib") * (1 - number(row, "headroom_percent") / 100), 1e-9);
    EXPECT_DOUBLE_EQ(number(row, "gpu_hours"), number(row, "training_days") * 24 * 64);
    EXPECT_DOUBLE_EQ(number(row, "cost"), number(row, "gpu_hours") * 2.5);
  }
  const Value& roomiest = rows(found, "roomiest").front();
  for (const Value& row : rows(found, "pareto_front")) {
    if (*member(row, "tie").flag()) {
      EXPECT_LE(number(roomiest, "memory_gib"), number(row, "memory_gib"));
    }
  }
}

// A family opens by pins of its degrees: all its layouts, none of which is in another family.
TEST(Plan, OpensAFamilyByItsDegrees) {
  const Value found = answer("plan", llama8b({{"cluster_gpus", 64}}));
  ASSERT_EQ(rows(found, "layouts").size(), 8u);
  EXPECT_TRUE(rows(found, "variants").empty());
  for (std::size_t at = 0; at < 8; ++at) {
    const Value& row = rows(found, "layouts")[at];
    EXPECT_EQ(number(row, "family"), static_cast<double>(at + 1));
    Value::Object pinned{{"cluster_gpus", 64}, {"list_variants", 1000}};
    for (const char* degree : {"tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel",
                               "expert_parallel", "expert_tensor_parallel"})
      pinned.push_back({degree, number(row, degree)});
    const Value opened = answer("plan", llama8b(std::move(pinned)));
    const Value& family = rows(found, "families")[at];
    ASSERT_EQ(rows(opened, "layouts").size(), 1u);
    EXPECT_EQ(static_cast<double>(rows(opened, "variants").size()), number(family, "layouts"));
    double slowest = 0;
    for (const Value& variant : rows(opened, "variants"))
      slowest = std::max(slowest, number(variant, "step_time_ms"));
    EXPECT_EQ(number(family, "slowest_ms"), slowest);
    EXPECT_LE(number(family, "fastest_ms"), number(row, "step_time_ms"));
  }
  for (const Value& row : rows(found, "pareto_front")) EXPECT_LE(number(row, "family"), 8);
  EXPECT_GT(number(rows(found, "pareto_front").front(), "family"), 0);
}

TEST(Plan, CountsAddUpHoweverFarTheSearchCame) {
  for (const double evaluations : {0.0, 100.0, 5000.0}) {
    const Value found = answer("plan", llama8b({{"cluster_gpus", 64}, {"evaluations", evaluations}}));
    EXPECT_EQ(number(found, "compared") + number(found, "out_of_memory") + number(found, "dominated") +
                  number(found, "unsearched"),
              number(found, "searched"));
    EXPECT_EQ(number(found, "unsearched") > 0, number(found, "progress") < 1) << evaluations;
  }
}

TEST(PlanScaling, SaysOnHowManyGpusTheModelFirstFits) {
  const Value found = answer("plan_scaling", llama8b({{"cluster_gpus", 1}}));
  double first = 0;
  for (const Value& row : rows(found, "rows")) {
    if (first == 0 && *member(row, "possible").flag()) first = number(row, "cluster_gpus");
  }
  // 8.03 G parameters of 2 + 4 + 12 bytes are 135 GiB, more than one H100 has.
  EXPECT_GE(first, 2);
  EXPECT_EQ(number(found, "fits_from_gpus"), first);
  // While numbers of GPUs are left to search it is not known.
  const Value begun = answer("plan_scaling", llama8b({{"cluster_gpus", 1}, {"searches", 1}}));
  EXPECT_EQ(number(begun, "fits_from_gpus"), 0);
  // The doubles of the last where none of those asked for is enough.
  const Value few = answer("plan_scaling", llama8b({{"cluster_gpus", 1}, {"gpu_counts", Value::Numbers{1}}}));
  EXPECT_EQ(number(few, "fits_from_gpus"), first);
}

TEST(PlanScaling, IsThePlanAtEachNumberOfGpus) {
  const Value found = answer("plan_scaling", llama8b({{"cluster_gpus", 32}}));
  EXPECT_EQ(*member(found, "gpu_counts").numbers(), (Value::Numbers{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  ASSERT_EQ(rows(found, "rows").size(), 10u);
  for (const Value& row : rows(found, "rows")) {
    const Value plan = answer("plan", llama8b({{"cluster_gpus", number(row, "cluster_gpus")}}));
    EXPECT_EQ(*member(row, "possible").flag(), *member(plan, "possible").flag());
    EXPECT_EQ(number(row, "deficit_gib"), number(plan, "deficit_gib"));
    EXPECT_EQ(number(row, "searched"), number(plan, "searched"));
    if (rows(plan, "layouts").empty()) continue;
    EXPECT_EQ(number(row, "step_time_ms"), number(rows(plan, "layouts").front(), "step_time_ms"));
    EXPECT_EQ(number(rows(row, "layout").front(), "tensor_parallel"),
              number(rows(plan, "layouts").front(), "tensor_parallel"));
  }
}

TEST(PlanScaling, GoesOnBehindWhatIsKnown) {
  const Value whole = answer("plan_scaling", llama8b({{"cluster_gpus", 32}}));
  Value::Numbers known;
  for (const Value& row : rows(whole, "rows")) {
    const Value next = answer(
        "plan_scaling", llama8b({{"cluster_gpus", 32}, {"known_step_time_ms", known}, {"searches", 1}}));
    ASSERT_EQ(rows(next, "rows").size(), 1u);
    const Value& one = rows(next, "rows").front();
    EXPECT_EQ(number(one, "cluster_gpus"), number(row, "cluster_gpus"));
    for (const char* name : {"speedup", "efficiency", "marginal_efficiency", "linear_step_time_ms"})
      EXPECT_EQ(number(member(one, "gain"), name), number(member(row, "gain"), name)) << name;
    known.push_back(number(one, "step_time_ms"));
  }
}

TEST(PlanScaling, ComparesTheNumbersAskedForAndKnowsThoseThatCannotBeDivided) {
  const Value found =
      answer("plan_scaling", llama8b({{"cluster_gpus", 64}, {"gpu_counts", Value::Numbers{7919, 16384}}}));
  ASSERT_EQ(rows(found, "rows").size(), 2u);
  EXPECT_EQ(number(rows(found, "rows").front(), "searched"), 0);
  EXPECT_EQ(*member(rows(found, "rows").front(), "possible").flag(), false);
}

TEST(PlanScaling, NamesCountsAndTimesThatCannotBe) {
  EXPECT_EQ(problem_of("plan_scaling", llama8b({{"cluster_gpus", 64}, {"gpu_counts", Value::Numbers{8, 4}}})),
            "gpu_counts must be ascending whole numbers from 1 to 1048576; got 4 after 8");
  EXPECT_EQ(
      problem_of("plan_scaling",
                 llama8b({{"cluster_gpus", 2}, {"known_step_time_ms", Value::Numbers{1, 2, 3, 4, 5, 6, 7}}})),
      "known_step_time_ms must hold at most one time for each of gpu_counts (6); got 7");
  EXPECT_EQ(
      problem_of("plan_scaling", llama8b({{"cluster_gpus", 2}, {"known_step_time_ms", Value::Numbers{-1}}})),
      "known_step_time_ms must not be negative; got -1");
}

TEST(TrainingStep, SaysHowLongTheWholeRunTakes) {
  const Value step =
      answer("training_step", llama8b({{"batch_size", 1}, {"data_parallel", 8}, {"token_budget", 1e12}}));
  const double tokens_per_sec = number(step, "tokens_per_sec_per_gpu") * number(step, "cluster_gpus");
  EXPECT_DOUBLE_EQ(number(step, "training_days"), 1e12 / tokens_per_sec / 86400);
}

}  // namespace
}  // namespace commcost
