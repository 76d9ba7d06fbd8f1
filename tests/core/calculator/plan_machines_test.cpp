#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "core/base/wire.h"
#include "core/calculator/engine.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::bytes_of;
using test::number;

// Llama 3.1 70B on nodes of eight H200, with what else is given.
Value::Object job(Value::Object more) {
  Value::Object inputs = {{"model", "llama-3.1-70b"},
                          {"system", "dgx-h200"},
                          {"cluster_gpus", 64},
                          {"global_batch_size", 256},
                          {"sequence_length", 8192}};
  for (Member& one : more) inputs.push_back(std::move(one));
  return inputs;
}

Value answer(std::string_view calculation, const Value::Object& inputs) {
  const Outcome<Value> outcome = run(calculation, inputs);
  if (!outcome) {
    ADD_FAILURE() << outcome.problems().front().message;
    return {};
  }
  return *outcome;
}

Value::List compared(Value::List machines, Value::Object more = {}) {
  Value::Object inputs = job(std::move(more));
  inputs.push_back({"machines", Value(std::move(machines))});
  return *answer("plan_machines", inputs).find("rows")->list();
}

const Value& best(const Value& row) {
  return row.find("layout")->list()->front();
}

std::string best_of_plan(const Value::Object& inputs) {
  const Value found = answer("plan", inputs);
  return bytes_of(best(Value(Value::Object{{"layout", *found.find("layouts")}})));
}

TEST(PlanMachines, EachRowIsAPlanOfThatMachine) {
  const Value::Object machines[] = {
      {{"system", "dgx-b200"}}, {{"nic_gb_per_sec", 100}}, {{"gpus_per_node", 4}}};
  const Value::List rows = compared({Value(machines[0]), Value(machines[1]), Value(machines[2])});
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(bytes_of(best(rows[0])), best_of_plan(job({})));
  for (std::size_t at = 0; at < std::size(machines); ++at) {
    Value::Object alone = job({});
    for (const Member& member : machines[at]) {
      std::erase_if(alone, [&](const Member& own) { return own.name == member.name; });
      alone.push_back(member);
    }
    EXPECT_EQ(bytes_of(best(rows[at + 1])), best_of_plan(alone));
  }
}

TEST(PlanMachines, ARunCostsTheSameAtThePriceThatItIsWorth) {
  const Value::List rows =
      compared({Value(Value::Object{{"system", "dgx-b200"}})}, {{"price_per_gpu_hour", 2}});
  const double worth = number(rows[1], "worth");
  EXPECT_GT(worth, 1.5);
  EXPECT_EQ(number(rows[0], "worth"), 1);
  const Value::List fair =
      compared({Value(Value::Object{{"system", "dgx-b200"}, {"price_per_gpu_hour", 2 * worth}})},
               {{"price_per_gpu_hour", 2}});
  EXPECT_NEAR(number(best(fair[1]), "cost"), number(best(fair[0]), "cost"),
              1e-6 * number(best(fair[0]), "cost"));
}

TEST(PlanMachines, ATieIsMarked) {
  const Value::List rows =
      compared({Value(Value::Object{{"nic_gb_per_sec", 51}}), Value(Value::Object{{"system", "dgx-b200"}})});
  EXPECT_TRUE(*rows[0].find("tie")->flag());
  EXPECT_TRUE(*rows[1].find("tie")->flag());
  EXPECT_FALSE(*rows[2].find("tie")->flag());
}

TEST(PlanMachines, FewerGpusOfAnotherKindAreComparedByTheirHours) {
  const Value::List rows = compared({Value(Value::Object{{"system", "dgx-b200"}, {"cluster_gpus", 32}})});
  const double ratio = number(best(rows[0]), "step_time_ms") / number(best(rows[1]), "step_time_ms");
  EXPECT_NEAR(number(rows[1], "worth"), 2 * ratio, 1e-9);
}

TEST(PlanMachines, ASystemBringsItsOwnRates) {
  const Value::List rows = compared({Value(Value::Object{{"system", "dgx-h200"}})},
                                    {{"hbm_gb_per_sec", 1000}, {"latency_scale", 3}});
  EXPECT_EQ(bytes_of(best(rows[1])), best_of_plan(job({})));
  EXPECT_GT(number(best(rows[0]), "step_time_ms"), number(best(rows[1]), "step_time_ms"));
}

TEST(PlanMachines, SwitchesThatReduceAreNeverSlower) {
  const Value::List rows = compared({Value(Value::Object{{"in_network_reduction", "off"}})},
                                    {{"tensor_parallel", 8}, {"sequence_parallel", false}});
  EXPECT_GT(number(best(rows[1]), "step_time_ms"), number(best(rows[0]), "step_time_ms"));
}

TEST(PlanMachines, WhereNothingFitsThereIsNoPrice) {
  const Value::List rows = compared({Value(Value::Object{{"system", "dgx-b200"}, {"cluster_gpus", 1}})});
  EXPECT_FALSE(*rows[1].find("possible")->flag());
  EXPECT_GT(number(rows[1], "deficit_gib"), 0);
  EXPECT_EQ(number(rows[1], "worth"), 0);
}

TEST(PlanMachines, EveryProblemNamesItsMachine) {
  Value::Object inputs = job({});
  inputs.push_back(
      {"machines",
       Value(Value::List{Value(Value::Object{{"system", "dgx-a100"}, {"colour", 1}}),
                         Value(Value::Object{{"system", "dgx-a100"}, {"in_network_reduction", "on"}}),
                         Value(Value::Object{{"cluster_gpus", 0}})})});
  const Outcome<Value> outcome = run("plan_machines", inputs);
  ASSERT_FALSE(outcome);
  std::vector<std::string> fields;
  for (const Problem& problem : outcome.problems()) fields.push_back(problem.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"machines[0].colour", "machines[1].in_network_reduction",
                                              "machines[2].cluster_gpus"}));
}

}  // namespace
}  // namespace commcost
