#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/calculator/engine.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::with;

const Value::Object shared = {{"model", "llama-3.1-8b"}, {"system", "dgx-h100"},     {"recipe", "torchtitan"},
                              {"sequence_length", 8192}, {"batch_size", 1},          {"data_parallel", 8},
                              {"zero_stage", 3},         {"global_batch_size", 64.0}};

double step_ms(const Value::Object& more) {
  const Outcome<Value> step = run("training_step", with(shared, more));
  return step ? number(*step, "step_time_ms") : std::nan("");
}

Value::Object row(const Value::Object& differs, double measured) {
  return with(differs, {{"measured_step_ms", measured}});
}

// Layouts of three kinds, as a slower stack would take them.
const Value::Object layouts[] = {{},
                                 {{"data_parallel", 64}},
                                 {{"tensor_parallel", 4}, {"data_parallel", 2}, {"zero_stage", 1}},
                                 {{"sequence_length", 2048}},
                                 {{"data_parallel", 32}, {"sequence_length", 4096}}};

Value::List slow_rows() {
  Value::List rows;
  for (const Value::Object& layout : layouts)
    rows.push_back(
        row(layout, step_ms(with(layout, {{"gemm_time_scale", 1.7}, {"host_us_per_kernel", 30}}))));
  return rows;
}

TEST(FitStep, ReturnsFieldsThatEveryCalculationOfAStepTakes) {
  const Outcome<Value> fit = run("fit_step", with(shared, {{"rows", slow_rows()}}));
  ASSERT_TRUE(fit);
  const Value::Object& fields = *fit->find("fields")->object();
  ASSERT_FALSE(fields.empty());
  EXPECT_LT(number(*fit, "median_error_percent"), 3);
  EXPECT_GT(number(*fit, "recipe_error_percent"), 20);
  const Value::List& rows = *fit->find("rows")->list();
  ASSERT_EQ(rows.size(), std::size(layouts));
  for (std::size_t at = 0; at < rows.size(); ++at) {
    EXPECT_EQ(number(rows[at], "row"), static_cast<double>(at + 1));
    EXPECT_NEAR(number(rows[at], "recipe_step_ms"), step_ms(layouts[at]), 1e-9);
    const double fitted = step_ms(with(layouts[at], fields));
    EXPECT_NEAR(number(rows[at], "fitted_step_ms"), fitted, 1e-6 * fitted);
    // The limit of what fit_step may be off by, drawn towards the recipe as it is.
    EXPECT_NEAR(number(rows[at], "error_percent"), 0, 4);
  }
  const Value::List& changes = *fit->find("changes")->list();
  ASSERT_EQ(changes.size(), fields.size());
  for (std::size_t at = 0; at < changes.size(); ++at) {
    EXPECT_EQ(*changes[at].find("field")->text(), fields[at].name);
    EXPECT_EQ(number(changes[at], "after"), *fields[at].value.number());
    EXPECT_NE(number(changes[at], "before"), number(changes[at], "after"));
  }
}

TEST(FitStep, KeepsTheRecipeWhereItIsRight) {
  Value::List rows;
  for (const Value::Object& layout : layouts) rows.push_back(row(layout, step_ms(layout)));
  const Outcome<Value> fit = run("fit_step", with(shared, {{"rows", rows}}));
  ASSERT_TRUE(fit);
  EXPECT_EQ(*fit->find("choice")->text(), "recipe");
  EXPECT_TRUE(fit->find("fields")->object()->empty());
}

// One run says nothing of how far off another would be: no error is not an error of 0.
TEST(FitStep, OneRowHasNoErrors) {
  const Value::List one = {row(layouts[0], 5000)};
  const Outcome<Value> fit = run("fit_step", with(shared, {{"rows", one}}));
  ASSERT_TRUE(fit);
  for (const char* name :
       {"median_error_percent", "recipe_error_percent", "one_scale_error_percent", "constants_error_percent"})
    EXPECT_TRUE(fit->find(name)->empty()) << name;
}

// What a row gives wins, also over what a preset of its own fills; its GPUs are as many as its degrees need.
TEST(FitStep, ARowMayDifferInAnyInput) {
  const Value::Object other = {{"model", "llama-2-7b"}, {"recipe", "fsdp"}, {"data_parallel", 16}};
  const Outcome<Value> fit =
      run("fit_step", with(shared, {{"cluster_gpus", 8}, {"rows", Value::List{row(other, 5000)}}}));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(number(fit->find("rows")->list()->front(), "recipe_step_ms"), step_ms(other), 1e-9);
}

TEST(FitStep, ARowTakesFormerNames) {
  const Value::Object now = {{"data_parallel", 16}, {"cluster_gpus", 16}};
  const Value::Object former = {{"data_parallel", 16}, {"num_gpus", 16}};
  const auto fitted = [](const Value::Object& differs) {
    return run("fit_step", with(shared, {{"rows", Value::List{row(differs, 5000)}}}));
  };
  ASSERT_TRUE(fitted(now));
  ASSERT_TRUE(fitted(former));
  EXPECT_EQ(number(fitted(former)->find("rows")->list()->front(), "recipe_step_ms"),
            number(fitted(now)->find("rows")->list()->front(), "recipe_step_ms"));
  const Outcome<Value> both = fitted(with(now, {{"num_gpus", 16}}));
  ASSERT_FALSE(both);
  EXPECT_EQ(both.problems().front().field, "rows[0].cluster_gpus");
  EXPECT_FALSE(fitted({{"data_parallel", 16}, {"num_gpus", 8}}));
}

TEST(FitStep, NamesEveryProblemOfEveryRow) {
  const Value::List rows = {row({{"tensor_parallel", 3}}, 100), Value::Object{{"batch_size", 0}},
                            row({{"tensor_paralel", 2}}, 100), Value(7)};
  const Outcome<Value> fit = run("fit_step", with(shared, {{"rows", rows}}));
  ASSERT_FALSE(fit);
  std::vector<std::string> fields;
  for (const Problem& problem : fit.problems()) fields.push_back(problem.field);
  for (const char* wanted : {"rows[0].tensor_parallel", "rows[1].batch_size", "rows[1].measured_step_ms",
                             "rows[2].tensor_paralel", "rows[3]"})
    EXPECT_NE(std::find(fields.begin(), fields.end(), wanted), fields.end()) << wanted;
}

TEST(FitStep, NamesRowsThatContradictEachOther) {
  Value::List rows = slow_rows();
  rows.push_back(row({}, 3 * step_ms({})));
  const Outcome<Value> fit = run("fit_step", with(shared, {{"rows", rows}}));
  ASSERT_TRUE(fit);
  const Value::List& found = *fit->find("contradictions")->list();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(number(found[0], "row"), 1);
  EXPECT_EQ(number(found[0], "other_row"), 6);
}

// A table of runs gives everything itself: what is in every row need not be given outside it.
TEST(FitStep, RowsMayStateWhatACallMust) {
  const Value::Object stated = {{"model", "llama-3.1-8b"}, {"sequence_length", 8192}, {"batch_size", 1}};
  Value::Object rest = shared;
  for (const Member& one : stated)
    std::erase_if(rest, [&](const Member& held) { return held.name == one.name; });
  Value::List differing;
  Value::List whole;
  for (const Value& differs : slow_rows()) {
    differing.push_back(differs);
    whole.push_back(with(stated, *differs.object()));
  }
  const Outcome<Value> beside = run("fit_step", with(shared, {{"rows", differing}}));
  const Outcome<Value> within = run("fit_step", with(rest, {{"rows", whole}}));
  ASSERT_TRUE(beside);
  ASSERT_TRUE(within);
  for (const char* name : {"median_error_percent", "recipe_error_percent"})
    EXPECT_EQ(number(*beside, name), number(*within, name)) << name;

  whole[2] = with(differing[2].object() == nullptr ? Value::Object{} : *differing[2].object(),
                  {{"model", "llama-3.1-8b"}, {"batch_size", 1}});
  const Outcome<Value> lacking = run("fit_step", with(rest, {{"rows", whole}}));
  ASSERT_FALSE(lacking);
  ASSERT_EQ(lacking.problems().size(), 1u);
  EXPECT_EQ(lacking.problems()[0].field, "rows[2].sequence_length");
  EXPECT_EQ(lacking.problems()[0].code, ProblemCode::missing);
}

// A missing value is nothing, not 0.
TEST(FitStep, ItsInputsResolveWithoutWhatRowsState) {
  Value::Object rest = shared;
  std::erase_if(rest, [](const Member& held) { return held.name == "sequence_length"; });
  rest.push_back({"rows", Value::List{row({{"sequence_length", 8192}}, 5000)}});
  const Outcome<Value> resolved =
      resolve_inputs(Value::Object{{"calculation", "fit_step"}, {"inputs", rest}});
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->find("sequence_length"), nullptr);
  EXPECT_NE(resolved->find("batch_size"), nullptr);
}

// A plan is priced with what a fit sets.
TEST(FitStep, ItsFieldsPriceAPlan) {
  const Value::Object cluster = {{"model", "llama-3.1-8b"},
                                 {"system", "dgx-h100"},
                                 {"cluster_gpus", 16},
                                 {"global_batch_size", 64.0},
                                 {"sequence_length", 8192}};
  const auto best_ms = [&](const Value::Object& more) {
    const Outcome<Value> plan = run("plan", with(cluster, more));
    return plan ? number(plan->find("layouts")->list()->front(), "step_time_ms") : std::nan("");
  };
  EXPECT_NEAR(best_ms({{"time_scale", 1.5}}), 1.5 * best_ms({}), 1e-9 * best_ms({}));
}

}  // namespace
}  // namespace commcost
