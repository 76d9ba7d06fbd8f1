#include <gtest/gtest.h>

#include <map>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/hardware/accelerator_rows.h"
#include "core/hardware/systems.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::with;

double step_time_ms(const Value::Object& inputs) {
  const Outcome<Value> step = run("training_step", inputs);
  return step ? number(*step, "step_time_ms") : -1;
}

// Llama 3.1 70B on 1,024 GPUs of nodes of eight, sharded by ZeRO-3 across nodes.
const Value::Object sharded = {
    {"model", "llama-3.1-70b"},  {"sequence_length", 8192}, {"batch_size", 1},
    {"global_batch_size", 1024}, {"tensor_parallel", 8},    {"sequence_parallel", true},
    {"data_parallel", 128},      {"zero_stage", 3},         {"accelerator", "h100-sxm"}};

// Four stages, so that what lies between them counts too.
const Value::Object staged = {
    {"model", "llama-3.1-70b"}, {"sequence_length", 8192},        {"batch_size", 1},
    {"global_batch_size", 64},  {"tensor_parallel", 4},           {"pipeline_parallel", 4},
    {"data_parallel", 4},       {"accelerator", "a100-sxm-80gb"}, {"zero_stage", 1}};

TEST(Presets, AModelFillsItsShape) {
  const auto named = run("plan", Value::Object{{"model", "llama-3.1-70b"},
                                               {"system", "dgx-h100"},
                                               {"cluster_gpus", 64},
                                               {"global_batch_size", 1024},
                                               {"sequence_length", 8192}});
  ASSERT_TRUE(named);
  const auto spelled = run("plan", Value::Object{{"num_layers", 80},
                                                 {"hidden_size", 8192},
                                                 {"num_heads", 64},
                                                 {"num_kv_heads", 8},
                                                 {"head_size", 128},
                                                 {"ffn_hidden_size", 28672},
                                                 {"gated_mlp", true},
                                                 {"vocab_size", 128256},
                                                 {"accelerator", "h100-sxm"},
                                                 {"gpus_per_node", 8},
                                                 {"nic_gb_per_sec", 50},
                                                 {"network", "infiniband"},
                                                 {"cluster_gpus", 64},
                                                 {"global_batch_size", 1024},
                                                 {"sequence_length", 8192}});
  ASSERT_TRUE(spelled);
  EXPECT_EQ(number(named->find("layouts")->list()->front(), "step_time_ms"),
            number(spelled->find("layouts")->list()->front(), "step_time_ms"));
}

TEST(Presets, WhatIsGivenWins) {
  EXPECT_NE(step_time_ms(with(sharded, {{"num_layers", 40}})), step_time_ms(sharded));
  const Value::Object system = with(sharded, {{"system", "aws-p5"}});
  EXPECT_EQ(step_time_ms(with(system, {{"network", "infiniband"}})), step_time_ms(sharded));
  EXPECT_EQ(step_time_ms(with(system, {{"recipe", "megatron-2021"}, {"flash_attention", true}})),
            step_time_ms(with(system, {{"flash_attention", true}, {"recipe", "megatron-2021"}})));
}

const Value::List& rows_of(const Value& catalog, std::string_view rows) {
  return *catalog.find(rows)->list();
}

// A preset and all that its row says it fills, given together, are the preset alone; they fill every field
// that is said to be filled by it.
void expect_filled(std::string_view preset, const Value::List& rows, const Value::Object& inputs) {
  for (const Value& row : rows) {
    if (const Value* use = row.find("use"); use != nullptr && *use->text() != "training") continue;
    const Value::Object picked = with(inputs, {{std::string(preset), *row.find("id")}});
    const Value& fills = *row.find("fills");
    Value::Object spelled = picked;
    std::erase_if(spelled, [&](const Member& member) { return member.name == preset; });
    for (const FieldGroup& group : find_calculation("training_step")->inputs) {
      for (const InputField& input : group.fields) {
        if (input.field.filled_by != preset) continue;
        const Value* value = fills.find(input.field.name);
        ASSERT_TRUE(value != nullptr || input.field.name == "network") << input.field.name;
        if (value != nullptr) spelled.push_back({std::string(input.field.name), *value});
      }
    }
    EXPECT_EQ(step_time_ms(spelled), step_time_ms(picked)) << *row.find("id")->text();
    for (const Member& member : picked) spelled = with(spelled, {member});
    EXPECT_EQ(step_time_ms(spelled), step_time_ms(picked)) << *row.find("id")->text();
  }
}

TEST(Presets, ARowSaysAllThatItFills) {
  const Value recipes = *run("recipe_catalog", Value::Object{});
  const Value models = *run("model_catalog", Value::Object{});
  const Value hardware = *run("hardware_catalog", Value::Object{});
  expect_filled("recipe", rows_of(recipes, "recipes"), staged);
  expect_filled("model", rows_of(models, "models"), {{"sequence_length", 2048}, {"batch_size", 1}});
  Value::Object of_any_machine = staged;
  std::erase_if(of_any_machine, [](const Member& member) { return member.name == "accelerator"; });
  expect_filled("system", rows_of(hardware, "systems"), of_any_machine);
  for (const Value& row : rows_of(hardware, "accelerators")) {
    const Value::Object picked = with(staged, {{"accelerator", *row.find("id")}});
    EXPECT_EQ(step_time_ms(with(picked, *row.find("fills")->object())), step_time_ms(picked))
        << *row.find("id")->text();
    EXPECT_EQ(row.find("fills")->object()->size(), 4u);
  }
}

// An accelerator's stack runs there, and a stack that is given holds.
TEST(Presets, AnAcceleratorHasTheStackThatTrainsOnIt) {
  for (const auto& [accelerator, stack] : {std::pair{"h100-sxm", "megatron-core"},
                                           {"mi300x", "megatron-core"},
                                           {"gaudi3", "megatron-core"},
                                           {"tpu-v5p", "maxtext"},
                                           {"trainium2", "fsdp"}}) {
    const Value::Object job = with(sharded, {{"accelerator", accelerator}});
    const Value::Object told = with(job, {{"recipe", stack}});
    EXPECT_EQ(step_time_ms(job), step_time_ms(told)) << accelerator;
    EXPECT_EQ(*run("training_step", Value(job))->find("stack_rule")->text(), "") << accelerator;
    EXPECT_NE(step_time_ms(with(job, {{"recipe", "deepspeed"}})), step_time_ms(job)) << accelerator;
  }
}

// A form that shows the accelerator's rate in 16 bits says nothing against its 8-bit units.
TEST(Presets, TheAcceleratorsRateTypedOutChangesNothingInAnyPrecision) {
  for (const char* precision : {"stored", "bf16", "fp16", "fp8"}) {
    for (const int bytes : {1, 2, 4}) {
      const Value::Object inputs =
          with(staged,
               {{"accelerator", "h100-sxm"}, {"matmul_precision", precision}, {"bytes_per_element", bytes}});
      EXPECT_NEAR(step_time_ms(with(inputs, {{"peak_tflops", 989}})) / step_time_ms(inputs), 1, 1e-3)
          << precision << ' ' << bytes;
    }
  }
}

TEST(Presets, EachFieldThatARecipeFillsChangesAStep) {
  for (const char* name : {"flash_attention", "dropout", "scatter_gather", "regather_input", "overlap_tensor",
                           "balanced_stages", "overlap_data"}) {
    bool acts = false;
    for (const bool sequence : {false, true}) {
      const Value::Object inputs =
          with(staged, {{"sequence_parallel", sequence}, {"model", "llama-3.1-8b"}, {"data_parallel", 16}});
      acts =
          acts || step_time_ms(with(inputs, {{name, true}})) != step_time_ms(with(inputs, {{name, false}}));
    }
    EXPECT_TRUE(acts) << name;
  }
  const auto gib = [](double bytes) {
    return number(*run("training_step", with(staged, {{"gradient_bytes_per_element", bytes}})), "memory_gib");
  };
  EXPECT_LT(gib(2), gib(4));
}

TEST(Machine, AQuickerNetworkLinkMemoryOrPeakNeverSlowsAStep) {
  const std::map<std::string, std::vector<double>> rates = {
      {"nic_gb_per_sec", {5, 6.25, 11.3, 12, 12.5, 25, 26, 45, 49, 49.9, 50, 51, 55, 100}},
      {"bandwidth_gb_per_sec", {10, 50, 150, 300, 448, 450, 900, 1800}},
      {"hbm_gb_per_sec", {300, 900, 2039, 3350, 8000}},
      {"peak_tflops", {60, 125, 312, 500, 660, 989, 1500, 2250}}};
  for (const std::string_view accelerator : accelerator_ids) {
    for (const auto& [name, values] : rates) {
      double before = 0;
      for (const double value : values) {
        const double now = step_time_ms(with(sharded, {{"accelerator", accelerator}, {name, value}}));
        ASSERT_GT(now, 0) << accelerator;
        if (before > 0) {
          EXPECT_LE(now, before * (1 + 1e-12)) << accelerator << " " << name << " " << value;
        }
        before = now;
      }
    }
  }
}

TEST(Machine, ARateTypedOverActs) {
  EXPECT_GT(step_time_ms(with(sharded, {{"bandwidth_gb_per_sec", 400}})), step_time_ms(sharded));
  EXPECT_GT(step_time_ms(with(sharded, {{"hbm_gb_per_sec", 2000}})), step_time_ms(sharded));
  EXPECT_GT(step_time_ms(with(sharded, {{"peak_tflops", 800}})), step_time_ms(sharded));
  EXPECT_GT(step_time_ms(with(sharded, {{"nic_gb_per_sec", 25}})), step_time_ms(sharded));
  EXPECT_GT(step_time_ms(with(sharded, {{"network", "efa"}})),
            step_time_ms(with(sharded, {{"network", "infiniband"}})));
  EXPECT_EQ(step_time_ms(with(
                sharded, {{"bandwidth_gb_per_sec", 450}, {"hbm_gb_per_sec", 3350}, {"peak_tflops", 989}})),
            step_time_ms(sharded));
}

TEST(Machine, SaysWhatItAssumes) {
  const auto assumed = [](const Value::Object& inputs) {
    return run("training_step", inputs)->find("assumed")->list()->size();
  };
  EXPECT_EQ(assumed(sharded), 2u);
  EXPECT_EQ(assumed(with(sharded, {{"system", "dgx-h100"}})), 0u);
  EXPECT_EQ(assumed(with(sharded, {{"nic_gb_per_sec", 50}})), 1u);
}

}  // namespace
}  // namespace commcost
