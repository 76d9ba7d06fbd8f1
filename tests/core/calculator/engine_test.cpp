#include "core/calculator/engine.h"

#include <gtest/gtest.h>

#include "core/calculator/calculations.h"
#include "support/typical_inputs.h"

namespace commcost {
namespace {

Value::Object example() {
  return {{"hidden_size", 4096},
          {"sequence_length", 2048},
          {"batch_size", 8},
          {"num_gpus", 8},
          {"num_layers", 32}};
}

TEST(Run, AnswersTheExercise) {
  const auto results = run("tensor_parallel_allreduce_cost", example());
  ASSERT_TRUE(results);
  EXPECT_EQ(*results->find("message_size_bytes")->number(), 134217728);
  EXPECT_EQ(*results->find("comm_volume_per_allreduce_bytes")->number(), 234881024);
  EXPECT_EQ(*results->find("total_comm_volume_bytes")->number(), 15032385536);
  EXPECT_EQ(*results->find("total_comm_time_ms")->number(), 50.108);
}

TEST(Run, TellsWhichCalculationsThereAre) {
  const auto results = run("tensor_parallel", example());
  ASSERT_FALSE(results);
  ASSERT_EQ(results.problems().size(), 1u);
  const Problem& problem = results.problems().front();
  EXPECT_EQ(problem.field, "calculation");
  EXPECT_EQ(problem.code, ProblemCode::not_a_choice);
  EXPECT_EQ(problem.message.find("calculation must be one of tensor_parallel_allreduce_cost, "), 0u);
  EXPECT_NE(problem.message.find("; got \"tensor_parallel\""), std::string::npos);
}

// The cluster had the name of the group that calls, kinds of kernels had percentages: links, scripts and
// pages of before give them.
TEST(Run, TakesFormerNamesAndNotesIt) {
  std::size_t renamed = 0;
  for (const Calculation* calculation : all_calculations()) {
    for (const FieldIndex::Place& place : fields_of(*calculation).places()) {
      const Field& field = place.input->field;
      if (field.former.empty()) continue;
      ++renamed;
      constexpr double percent = 80;
      Value::Object typical = test::typical_inputs(*calculation);
      std::erase_if(typical,
                    [&](const Member& one) { return field.former_product > 0 && one.name == field.name; });
      if (field.former_product > 0) typical.push_back({std::string(field.name), modern(field, percent)});
      Value::Object former;
      for (const Member& member : typical) {
        if (member.name != field.name) {
          former.push_back(member);
        } else {
          former.push_back(
              {std::string(field.former), field.former_product > 0 ? Value(percent) : member.value});
        }
      }
      const auto now = run(calculation->name, typical);
      const auto before = run(calculation->name, former);
      ASSERT_TRUE(now && before) << calculation->name;
      EXPECT_EQ(now->find("notes"), nullptr) << calculation->name;
      Value::Object noted = *now->object();
      noted.push_back({"notes", Value::List{renaming_of(field)}});
      WireBytes one;
      WireBytes other;
      WireWriter(one).value(noted);
      WireWriter(other).value(*before);
      EXPECT_EQ(one, other) << calculation->name;
    }
  }
  EXPECT_EQ(renamed, 51u);
}

TEST(Run, TellsEveryProblemOfTheInputs) {
  const auto results = run("tensor_parallel_allreduce_cost", Value::Object{{"num_gpus", 1.5}, {"gpus", 8}});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.problems().size(), 6u);
}

TEST(Run, TellsAProductThatIsNotExact) {
  Value::Object inputs = example();
  inputs[0].value = 9007199254740991.0;
  const auto results = run("tensor_parallel_allreduce_cost", inputs);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.problems().front().field, "message_size_bytes");
  EXPECT_EQ(results.problems().front().code, ProblemCode::overflow);
}

TEST(Describe, HoldsEveryCalculationByName) {
  const Value described = describe();
  ASSERT_EQ(described.object()->size(), all_calculations().size());
  for (const Calculation* calculation : all_calculations()) {
    const Value* row = described.find(calculation->name);
    ASSERT_NE(row, nullptr) << calculation->name;
    EXPECT_EQ(*row->find("help")->text(), calculation->help);
    EXPECT_EQ(*row->find("sweep")->flag(), calculation->sweep_points > 0);
    EXPECT_EQ(*row->find("of_scenario")->flag(),
              calculation->name != "kernel_time" && calculation->name != "diagnose");
    std::size_t inputs = 0;
    for (const FieldGroup& group : calculation->inputs) inputs += group.fields.size();
    EXPECT_EQ(row->find("inputs")->list()->size(), inputs);
    EXPECT_EQ(row->find("results")->list()->size(), calculation->results.size());
  }
}

TEST(Describe, TellsOfAnInputWhatValidationReads) {
  const Value described = describe();
  const Value::List& inputs = *described.find("tensor_parallel_allreduce_cost")->find("inputs")->list();
  const Value& required = inputs[3];
  EXPECT_EQ(*required.find("name")->text(), "num_gpus");
  EXPECT_EQ(*required.find("kind")->text(), "whole");
  EXPECT_EQ(*required.find("unit")->text(), "GPUs");
  EXPECT_EQ(*required.find("least")->number(), 1);
  EXPECT_EQ(*required.find("greatest")->number(), 1048576);
  EXPECT_EQ(*required.find("allowed")->text(), "a whole number from 1 to 1048576");
  EXPECT_TRUE(*required.find("required")->flag());
  EXPECT_EQ(required.find("default"), nullptr);
  const Value& optional = inputs[6];
  EXPECT_EQ(*optional.find("name")->text(), "bandwidth_gb_per_sec");
  EXPECT_FALSE(*optional.find("required")->flag());
  EXPECT_EQ(*optional.find("default")->number(), 300);
}

TEST(ValueOfProblems, IsAListOfPlainObjects) {
  const Value value = value_of(Problems{{"ranks", ProblemCode::not_whole, "ranks must be whole", "whole"}});
  ASSERT_EQ(value.list()->size(), 1u);
  const Value& problem = value.list()->front();
  EXPECT_EQ(*problem.find("field")->text(), "ranks");
  EXPECT_EQ(*problem.find("code")->text(), "not_whole");
  EXPECT_EQ(*problem.find("message")->text(), "ranks must be whole");
  EXPECT_EQ(*problem.find("allowed")->text(), "whole");
}

}  // namespace
}  // namespace commcost
