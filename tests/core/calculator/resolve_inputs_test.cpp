#include <gtest/gtest.h>

#include "core/base/field.h"
#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/print_calculation.h"
#include "support/random_inputs.h"
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
                                      {"cluster_gpus", 64},
                                      {"global_batch_size", 1024},
                                      {"sequence_length", 8192}});
  EXPECT_EQ(said(all, "cluster_gpus"), "64 given");
  EXPECT_EQ(said(all, "model"), "\"llama-3.1-70b\" given");
  EXPECT_EQ(said(all, "hidden_size"), "8192 model");
  EXPECT_EQ(said(all, "accelerator"), "\"h100-sxm\" system");
  EXPECT_EQ(said(all, "network"), "\"infiniband\" system");
  EXPECT_EQ(said(all, "bandwidth_gb_per_sec"), "450 derived");
  EXPECT_EQ(said(all, "hbm_gb_per_sec"), "3350 derived");
  EXPECT_EQ(said(all, "bytes_per_element"), "2 default");
  // By the stack that trains on the system's accelerator.
  EXPECT_EQ(said(all, "gradient_bytes_per_element"), "2 system");
  const Value step = resolved(
      "training_step",
      {{"model", "llama-3.1-8b"}, {"accelerator", "tpu-v5p"}, {"sequence_length", 4096}, {"batch_size", 1}});
  EXPECT_EQ(said(step, "gradient_bytes_per_element"), "4 accelerator");
}

TEST(ResolveInputs, KeepWhatIsGiven) {
  const Value all = resolved("predict_collective", {{"collective", "all_reduce"},
                                                    {"num_gpus", 16},
                                                    {"message_size_bytes", 1e8},
                                                    {"system", "dgx-h100"},
                                                    {"nic_gb_per_sec", 25}});
  EXPECT_EQ(said(all, "nic_gb_per_sec"), "25 given");
}

TEST(ResolveInputs, NameAnInputAsItIsCalledNow) {
  const Value all = resolved("plan", {{"model", "llama-3.1-8b"},
                                      {"system", "dgx-h100"},
                                      {"num_gpus", 64},
                                      {"global_batch_size", 64},
                                      {"sequence_length", 4096}});
  EXPECT_EQ(said(all, "cluster_gpus"), "64 given");
  EXPECT_EQ(all.find("num_gpus"), nullptr);
}

TEST(ResolveInputs, NameAllProblems) {
  const Outcome<Value> all = resolve_inputs(
      Value::Object{{"calculation", "plan"}, {"inputs", Value::Object{{"cluster_gpus", 0}, {"colour", 1}}}});
  ASSERT_FALSE(all);
  EXPECT_GE(all.problems().size(), 2u);
  EXPECT_FALSE(resolve_inputs(Value::Object{{"calculation", "nothing"}, {"inputs", Value::Object{}}}));
  EXPECT_FALSE(resolve_inputs(Value::Object{{"calculation", "plan"}}));
}

TEST(ResolveInputs, ReadAGivenPeakBackWhateverThePrecision) {
  Value::Object inputs = {{"model", "llama-3.1-8b"},
                          {"system", "dgx-h100"},
                          {"sequence_length", 4096},
                          {"batch_size", 1},
                          {"matmul_precision", "fp8"}};
  EXPECT_EQ(said(resolved("training_step", inputs), "peak_tflops"), "989 derived");
  inputs.push_back({"peak_tflops", 500});
  EXPECT_EQ(said(resolved("training_step", inputs), "peak_tflops"), "500 given");
}

// Whole, in any case.
TEST(ResolveInputs, TakesAModelByItsNameOnTheHub) {
  const auto resolve = [](const char* model) {
    return resolve_inputs(Value::Object{{"calculation", "plan"},
                                        {"inputs", Value::Object{{"model", model},
                                                                 {"cluster_gpus", 64},
                                                                 {"global_batch_size", 64},
                                                                 {"sequence_length", 4096},
                                                                 {"system", "dgx-h100"}}}});
  };
  for (const char* name :
       {"llama-3.1-70b", "meta-llama/Llama-3.1-70B-Instruct", "META-LLAMA/llama-3.1-70b"}) {
    const auto all = resolve(name);
    ASSERT_TRUE(all) << name;
    EXPECT_EQ(said(*all, "num_layers"), "80 model");
  }
  for (const char* other : {"meta-llama/Llama-3.1-70B-", "meta-llama/", "", " ", "Llama-3.1-70B"})
    EXPECT_FALSE(resolve(other)) << other;
}

// The answer to them, without what it had to assume: what was resolved is said, not assumed.
std::string answer_to(const Calculation& calculation, const Value::Object& inputs) {
  Outcome<Value> results = run(calculation.name, inputs);
  if (!results) return "";
  Value::Object kept = *results->object();
  std::erase_if(kept, [](const Member& result) { return result.name == "assumed"; });
  WireBytes wire;
  WireWriter(wire).value(kept);
  return std::string(std::string_view(wire));
}

// What inputs resolve to, as inputs, with the lists among them.
Value::Object resolved_again(const Calculation& calculation, const Value::Object& inputs) {
  const Value all = resolved(calculation.name, inputs);
  Value::Object again;
  for (const Member& member : inputs) {
    if (member.value.list() != nullptr || member.value.numbers() != nullptr) again.push_back(member);
  }
  for (const Member& member : *all.object()) again.push_back({member.name, *member.value.find("value")});
  return again;
}

void expect_given_values_back(const Calculation& calculation, const Value::Object& inputs) {
  const Value all = resolved(calculation.name, inputs);
  for (const Member& member : inputs) {
    const Value* row = all.find(member.name);
    const bool usual = member.value.number() != nullptr && *member.value.number() == 0;
    if (row == nullptr || usual) continue;  // 0 stands for what is usual
    EXPECT_EQ(text_of(*row->find("value")), text_of(member.value)) << calculation.name << " " << member.name;
  }
}

class ResolvedInputs : public testing::TestWithParam<const Calculation*> {};

// What is read back is accepted again and answers the same: nothing is filled that could not have been given.
TEST_P(ResolvedInputs, TakesWhatItResolved) {
  const Calculation& calculation = *GetParam();
  const Value::Object inputs = test::typical_inputs(calculation);
  EXPECT_NE(answer_to(calculation, inputs), "");
  EXPECT_EQ(answer_to(calculation, resolved_again(calculation, inputs)), answer_to(calculation, inputs));
}

INSTANTIATE_TEST_SUITE_P(Table, ResolvedInputs,
                         testing::ValuesIn(all_calculations().begin(), all_calculations().end()),
                         [](const auto& test) { return std::string(test.param->name); });

std::string written(const Value::Object& inputs) {
  std::string all;
  for (const Member& member : inputs) all += " " + member.name + "=" + text_of(member.value);
  return all;
}

// Presets, precisions and rates typed over presets; layouts that most models can have.
Value::Object drawn_presets(const Calculation& calculation, test::Random& random) {
  Value::Object inputs;
  for (const FieldIndex::Place& place : fields_of(calculation).places()) {
    const Field& field = place.input->field;
    const bool preset = field.name == "model" || field.name == "system" || field.name == "recipe";
    const bool filled = !field.filled_by.empty();
    if (field.name == "tensor_parallel") {
      inputs.push_back({"tensor_parallel", 1 + random.below(2)});
    } else if (preset && !random.one_in(4)) {
      inputs.push_back({std::string(field.name), field.choices[random.below(field.choices.size())]});
    } else if (field.name.ends_with("_precision")) {
      inputs.push_back({std::string(field.name), field.choices[random.below(field.choices.size())]});
    } else if (field.name.ends_with("_tflops") || field.name.ends_with("_gb_per_sec")) {
      if (random.one_in(3)) inputs.push_back({std::string(field.name), 1 + 2000 * random.unit()});
    } else if (field.name == "bytes_per_element") {
      inputs.push_back({"bytes_per_element", 1 << random.below(3)});
    } else if (field.required || random.one_in(filled ? 20 : 8)) {
      inputs.push_back({std::string(field.name), test::typical_value(field)});
    }
  }
  return inputs;
}

TEST(ResolveInputs, AnswerTheSameAgainForAThousandInputs) {
  test::Random random(11);
  const Calculation* const priced[] = {
      &calculations::training_step,  &calculations::serving_step,       &calculations::communication_ledger,
      &calculations::layer_roofline, &calculations::layer_timeline,     &calculations::overlap_ratio,
      &calculations::model_sizes,    &calculations::predict_collective,
  };
  int answered = 0;
  for (int drawn = 0; answered < 1000; ++drawn) {
    ASSERT_LT(drawn, 10000);
    const Calculation& calculation = *priced[random.below(std::size(priced))];
    const Value::Object inputs = drawn_presets(calculation, random);
    const std::string answer = answer_to(calculation, inputs);
    if (answer.empty()) continue;
    ++answered;
    expect_given_values_back(calculation, inputs);
    ASSERT_TRUE(answer_to(calculation, resolved_again(calculation, inputs)) == answer)
        << calculation.name << written(inputs);
  }
}

}  // namespace
}  // namespace commcost
