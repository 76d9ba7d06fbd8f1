// Every input that a calculation accepts has an effect: there are valid inputs where changing it changes some
// result.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/wire.h"
#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/print_calculation.h"
#include "support/typical_inputs.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::bytes_of;

// The typical log, with all its ranks named and messages so small that launching them counts.
const std::string eight_ranks = [] {
  std::string ranks;
  for (int rank = 1; rank < 8; ++rank) {
    const std::string number = std::to_string(rank);
    ranks += "#  Rank  " + number + " Group  0 Pid  1 on node device  " + number +
             " [0x07] NVIDIA A100-SXM4-80GB\n";
  }
  const FieldIndex& fields = fields_of(calculations::fit_collective);
  const Value log = test::typical_value(fields.places()[fields.find("log")].input->field);
  std::string all = ranks + *log.text();
  std::string small;
  for (const char* size : {"1024", "2048", "4096", "8192", "16384", "32768"}) {
    small += std::string("        ") + size +
             "           256      float     sum      -1    9.00    0.05    0.09      0    9.00    0.05    "
             "0.09      0\n";
  }
  all.insert(all.find("     1048576"), small);
  return all;
}();

// What some inputs need to have an effect; of it a calculation takes what it knows.
const Value::Object contexts[] = {
    // An exercise with four answers.
    {{"edition", 2}, {"track", "latency"}},
    {{"cluster_gpus", 8}, {"global_batch_size", 64}},
    // Hardware with several precisions.
    {{"cluster_gpus", 8}, {"global_batch_size", 64}, {"accelerator", "b200"}},
    // Switches that reduce.
    {{"tensor_parallel", 8},
     {"cluster_gpus", 8},
     {"global_batch_size", 64},
     {"batch_size", 8},
     {"sequence_length", 8192},
     {"accelerator", "h100-sxm"}},
    // Several replicas, two nodes.
    {{"data_parallel", 4}, {"global_batch_size", 64}, {"zero_stage", 2}, {"bucket_size_bytes", 1e8}},
    {{"data_parallel", 4}, {"global_batch_size", 64}, {"zero_stage", 1}},
    {{"data_parallel", 16},
     {"tensor_parallel", 1},
     {"zero_stage", 1},
     {"overlap_data", true},
     {"cluster_gpus", 16},
     {"global_batch_size", 128}},
    {{"data_parallel", 4}, {"global_batch_size", 64}, {"zero_stage", 3}},
    {{"data_parallel", 4}, {"gradient_wire_bytes_per_element", 1}, {"parameter_wire_bytes_per_element", 1}},
    // Experts with room for some tokens more than their share.
    {{"num_experts", 8},
     {"experts_per_token", 2},
     {"data_parallel", 8},
     {"tensor_parallel", 1},
     {"expert_parallel", 8},
     {"cluster_gpus", 8},
     {"global_batch_size", 64},
     {"expert_capacity_factor", 1.25},
     {"pad_expert_inputs", true}},
    // Experts on Blackwell.
    {{"accelerator", "b200"},
     {"num_experts", 8},
     {"experts_per_token", 2},
     {"data_parallel", 8},
     {"tensor_parallel", 1},
     {"expert_parallel", 8},
     {"cluster_gpus", 8},
     {"global_batch_size", 64}},
    // Products in FP8.
    {{"accelerator", "h100-sxm"}, {"matmul_precision", "fp8"}},
    {{"accelerator", "h100-sxm"},
     {"matmul_precision", "fp8"},
     {"cluster_gpus", 8},
     {"global_batch_size", 64}},
    // Requests that come at a rate.
    {{"requests_per_sec", 20}},
    {{"requests_per_sec", 20}, {"replicas", 4}},
    // Pods that leave groups a share of their uplinks.
    {{"data_parallel", 64},
     {"tensor_parallel", 1},
     {"zero_stage", 1},
     {"cluster_gpus", 64},
     {"global_batch_size", 128},
     {"num_gpus", 64},
     {"message_size_bytes", 1e9},
     {"pod_gpus", 8},
     {"rails", 2},
     {"oversubscription", 16},
     {"superpod_gpus", 32},
     {"core_oversubscription", 4}},
    {{"data_parallel", 64},
     {"tensor_parallel", 1},
     {"cluster_gpus", 64},
     {"num_experts", 64},
     {"experts_per_token", 8},
     {"ffn_hidden_size", 1024},
     {"expert_parallel", 64},
     {"pod_gpus", 8},
     {"rails", 2},
     {"oversubscription", 16},
     {"superpod_gpus", 32},
     {"core_oversubscription", 4}},
    // The same where a layout is searched.
    {{"cluster_gpus", 64},
     {"global_batch_size", 512},
     {"pod_gpus", 8},
     {"rails", 2},
     {"oversubscription", 16},
     {"superpod_gpus", 32},
     {"core_oversubscription", 4}},
    // Some layers computed again; something kept on the host.
    {{"recompute", "full"}, {"tensor_parallel", 2}, {"global_batch_size", 64}, {"offloaded_layers", 4}},
    {{"cluster_gpus", 8}, {"global_batch_size", 64}, {"recompute", "full"}, {"offloaded_layers", 32}},
    {{"cluster_gpus", 8}, {"global_batch_size", 64}, {"offloaded_optimizer_percent", 50}},
    // A pipeline.
    {{"pipeline_parallel", 4}, {"tensor_parallel", 2}, {"global_batch_size", 64}},
    {{"pipeline_parallel", 4},
     {"tensor_parallel", 2},
     {"global_batch_size", 64},
     {"pipeline_schedule", "interleaved"}},
    {{"pipeline_parallel", 4}, {"tensor_parallel", 2}, {"data_parallel", 4}, {"tied_embeddings", true}},
    // Tokens shared.
    {{"sequence_parallel", true}, {"tensor_parallel", 4}},
    {{"context_parallel", 4}, {"tensor_parallel", 2}},
    {{"activation_wire_bytes_per_element", 1}, {"tensor_parallel", 4}},
    // Attention of another kind, experts.
    {{"kv_rank", 512}, {"rope_head_size", 64}, {"value_head_size", 96}, {"num_kv_heads", 32}},
    {{"num_experts", 8},
     {"experts_per_token", 2},
     {"num_shared_experts", 1},
     {"num_dense_layers", 1},
     {"data_parallel", 8},
     {"expert_parallel", 4},
     {"tensor_parallel", 1}},
    // Experts on other ranks than the tensor ranks.
    {{"num_experts", 8},
     {"experts_per_token", 2},
     {"data_parallel", 2},
     {"expert_parallel", 4},
     {"tensor_parallel", 4},
     {"sequence_parallel", true}},
    // Experts over nodes, by kernels that know them, with compute enough to hide what they send.
    {{"num_experts", 64},
     {"experts_per_token", 8},
     {"expert_groups", 8},
     {"routed_groups", 4},
     {"ffn_hidden_size", 2048},
     {"data_parallel", 64},
     {"cluster_gpus", 64},
     {"batch_size", 1},
     {"global_batch_size", 4096},
     {"expert_parallel", 64},
     {"expert_exchange", "normal"},
     {"overlap_expert", true},
     {"tensor_parallel", 1}},
    {{"cluster_gpus", 32},
     {"global_batch_size", 64},
     {"num_experts", 64},
     {"experts_per_token", 8},
     {"ffn_hidden_size", 1024},
     {"allowed_expert_degrees", Value::Numbers{32}}},
    // Tokens on their way to experts in a precision of their own, which not every stack has.
    {{"cluster_gpus", 8},
     {"global_batch_size", 64},
     {"recipe", "hai-llm"},
     {"num_experts", 8},
     {"experts_per_token", 2},
     {"ffn_hidden_size", 1024},
     {"allowed_expert_degrees", Value::Numbers{4}}},
    // A host that is slower than its device, and attention that takes most of a layer.
    {{"host_us_per_kernel", 1000}},
    {{"host_us_per_kernel", 100000}},
    {{"flash_attention", true}, {"sequence_length", 65536}},
    // The attention core stored.
    {{"flash_attention", false}, {"dropout", true}},
    // Selective recomputation, of a search too.
    {{"recompute", "selective"}, {"gated_mlp", true}},
    {{"recompute", "selective"},
     {"flash_attention", false},
     {"kv_rank", 512},
     {"rope_head_size", 64},
     {"num_kv_heads", 32}},
    {{"allowed_recomputations", Value::List{Value{"selective"}}}, {"flash_attention", false}},
    {{"allowed_recomputations", Value::List{Value{"selective"}}},
     {"kv_rank", 512},
     {"rope_head_size", 64},
     {"num_kv_heads", 32}},
    {{"mode", "prefill"}},
    {{"mode", "decode"}},
    // A search whose best layout has replicas, or stages of tensor ranks.
    {{"cluster_gpus", 16}, {"global_batch_size", 64}, {"allowed_zero_stages", Value::Numbers{1}}},
    {{"cluster_gpus", 32},
     {"global_batch_size", 8},
     {"num_layers", 80},
     {"hidden_size", 8192},
     {"ffn_hidden_size", 28672},
     {"num_heads", 64},
     {"allowed_zero_stages", Value::Numbers{0}}},
    // A server whose batch passes its stages in parts.
    {{"tensor_parallel", 1}, {"pipeline_parallel", 4}, {"batch_size", 64}, {"micro_batch_tokens", 8}},
    // A server over two nodes.
    {{"tensor_parallel", 16}, {"num_kv_heads", 16}},
    // Collectives across nodes, in groups, from the host.
    {{"num_gpus", 16}, {"message_size_bytes", 1024}},
    {{"num_gpus", 64}, {"accelerator", "h100-sxm"}},
    {{"algorithm", "two_level"}, {"ranks", 16}, {"group_size", 4}, {"inside_bandwidth_gb_per_sec", 900}},
    {{"algorithm", "double_binary_tree"}, {"ranks", 16}, {"message_size_bytes", 67108864}},
    {{"accelerator", "a100-sxm-80gb"}, {"gpus_per_node", 8}, {"log", eight_ranks}},
    {{"accelerator", "a100-sxm-80gb"}, {"gpus_per_node", 4}, {"nic_gb_per_sec", 25}, {"log", eight_ranks}},
    {{"algorithm", "ring"}, {"ranks", 16}, {"reduce_gb_per_sec", 100}},
    // Kernels of every kind.
    {{"kind", "gemm"}, {"accelerator", "h100-sxm"}, {"precision", "fp8"}, {"m", 16384}},
    {{"kind", "grouped_gemm"},
     {"accelerator", "h100-sxm"},
     {"num_experts", 64},
     {"experts_per_token", 8},
     {"expert_parallel", 8},
     {"routing", "power_law"}},
    {{"kind", "attention_prefill"}, {"accelerator", "h100-sxm"}, {"num_heads", 32}, {"head_size", 128}},
    {{"kind", "attention_decode"},
     {"accelerator", "h100-sxm"},
     {"sequence_length", 65536},
     {"batch_size", 64}},
    {{"kind", "elementwise"}, {"accelerator", "h100-sxm"}},
    {{"scheme", "data_parallel"}, {"data_parallel", 8}},
    {{"scheme", "tensor_parallel"}},
    {{"scheme", "pipeline_parallel"}, {"pipeline_parallel", 4}},
    {{"efficiency", 0},
     {"from_gpus", 8},
     {"to_gpus", 64},
     {"from_bus_bandwidth_gb_per_sec", 200},
     {"to_bus_bandwidth_gb_per_sec", 100}},
    {{"start_us", Value::Numbers{0, 5}},
     {"duration_us", Value::Numbers{10, 10}},
     {"stream", Value::Numbers{7, 8}},
     {"communication", Value::Numbers{0, 1}}},
};

// A step's cluster_gpus says how many there are: other than what the degrees need, it is refused.
bool only_checks(const Field& field) {
  return field.name == "cluster_gpus" && field.least == 0;
}

// Expert ranks are taken from replicas: a layer's pictures need these to say so, and refuse too few.
bool only_refuses(const Calculation& calculation, const Field& field) {
  const bool of_layer = calculation.name == "layer_timeline" || calculation.name == "layer_roofline" ||
                        calculation.name == "serving_roofline";
  return only_checks(field) || (of_layer && field.name == "data_parallel");
}

bool may_be_idle(const Calculation& calculation, const Field& field) {
  // A model is given whole; all that it consists of acts on a step.
  if (field.filled_by == "model" && calculation.name != "training_step") return true;
  // They play loads as serving_load does, by its fields.
  if (calculation.name == "fit_serving" || calculation.name == "plan_goodput") {
    const FieldIndex& played = fields_of(calculations::serving_load);
    return played.find(field.name) < played.places().size();
  }
  // They search as plan does, by plan's fields.
  if (calculation.name == "plan_scaling" || calculation.name == "plan_machines") {
    const FieldIndex& searched = fields_of(calculations::plan);
    return searched.find(field.name) < searched.places().size();
  }
  return false;
}

Value::Object in_context(const Calculation& calculation, const Value::Object& context) {
  Value::Object inputs = test::typical_inputs(calculation);
  const auto put = [&](std::string_view name, const Value& value) {
    const auto held = std::find_if(inputs.begin(), inputs.end(),
                                   [name](const Member& member) { return member.name == name; });
    if (held != inputs.end()) held->value = value;
  };
  // A model with a vocabulary and several layers.
  put("vocab_size", 128256);
  put("num_layers", 32);
  for (Member& member : inputs) {
    // As many as the degrees need.
    const FieldIndex& fields = fields_of(calculation);
    const Field& field = fields.places()[fields.find(member.name)].input->field;
    if (only_checks(field)) member.value = 0;
    for (const Member& given : context) {
      if (given.name == member.name && !only_checks(field)) member.value = given.value;
    }
  }
  // What others follow from is not among typical inputs.
  for (const Member& given : context) {
    const auto same = [&given](const Member& member) { return member.name == given.name; };
    const bool takes = fields_of(calculation).find(given.name) < fields_of(calculation).places().size();
    if (takes && std::none_of(inputs.begin(), inputs.end(), same)) inputs.push_back(given);
  }
  return inputs;
}

Value::List values_of(const Field& field, const Value& held) {
  if (field.kind == FieldKind::flag) return {true, false};
  if (field.kind == FieldKind::choice) return Value::List(field.choices.begin(), field.choices.end());
  if (field.kind == FieldKind::text) {
    // The log without its last line, the configuration without the heads that share keys.
    const std::string& text = *held.text();
    std::string without_heads = text;
    if (const std::size_t at = text.find("num_key_value_heads"); at != std::string::npos)
      without_heads.insert(at, "un");
    return {text.substr(0, text.substr(0, text.size() - 1).rfind('\n') + 1), without_heads};
  }
  if (field.kind == FieldKind::list && field.choices.empty()) {
    // One item fewer.
    Value::List fewer = *held.list();
    fewer.pop_back();
    const Value rest = fewer;
    return {rest};
  }
  if (field.kind == FieldKind::list) {
    // Not within braces of its own: compilers disagree on whether that is a list of one list.
    const Value one_choice = Value::List{field.choices.front()};
    return {one_choice};
  }
  if (field.kind == FieldKind::numbers)
    return {Value::Numbers{1}, Value::Numbers{2, 4}, Value::Numbers{3, 5}, Value::Numbers{1, 0}};
  Value::List values;
  if (const double* number = held.number()) values = {*number / 2, *number * 2, *number + 1};
  for (const double number : {field.least, 1.0, 2.0, 4.0, 64.0, 1000.0}) values.push_back(number);
  return values;
}

// What tells one answer of a calculation from another; nothing where it is refused. Contexts that differ in
// what it does not take, and every input's answer before it is changed, are asked for once.
std::optional<std::size_t> answer(const Calculation& calculation, const Value::Object& inputs) {
  static std::unordered_map<std::string, std::optional<std::size_t>> known;
  const auto [asked, is_new] = known.try_emplace(std::string(calculation.name) + bytes_of(inputs));
  if (!is_new) return asked->second;
  const Outcome<Value> results = run(calculation.name, inputs);
  if (results) asked->second = std::hash<std::string>()(bytes_of(*results));
  return asked->second;
}

// Whether the input, or the preset without what it fills, changes the answer in that context.
bool acts(const Calculation& calculation, const Field& field, const Value::Object& context) {
  Value::Object inputs = in_context(calculation, context);
  const FieldIndex& fields = fields_of(calculation);
  std::erase_if(inputs, [&](const Member& member) {
    return fields.places()[fields.find(member.name)].input->field.filled_by == field.name;
  });
  auto held = std::find_if(inputs.begin(), inputs.end(),
                           [&field](const Member& member) { return member.name == field.name; });
  if (held == inputs.end()) held = inputs.insert(held, {std::string(field.name), test::typical_value(field)});
  std::optional<std::size_t> before = answer(calculation, inputs);
  for (const Value& value : values_of(field, held->value)) {
    held->value = value;
    const std::optional<std::size_t> now = answer(calculation, inputs);
    if (before && now && *before != *now) return true;
    if (!before) before = now;
  }
  return false;
}

// Whether the input, where others answer, makes inputs that do not go together.
bool refuses(const Calculation& calculation, const Field& field, const Value::Object& context) {
  Value::Object inputs = in_context(calculation, context);
  if (!answer(calculation, inputs)) return false;
  const auto held = std::find_if(inputs.begin(), inputs.end(),
                                 [&field](const Member& member) { return member.name == field.name; });
  for (const Value& value : values_of(field, Value(held->value))) {
    held->value = value;
    const Outcome<Value> results = run(calculation.name, inputs);
    if (!results && results.problems().front().code == ProblemCode::inconsistent) return true;
  }
  return false;
}

class Effects : public testing::TestWithParam<const Calculation*> {};

TEST_P(Effects, EveryInputActs) {
  const Calculation& calculation = *GetParam();
  // Where one input acts, the next is likely to.
  std::vector<const Value::Object*> likely;
  for (const Value::Object& context : contexts) likely.push_back(&context);
  for (const FieldIndex::Place& place : fields_of(calculation).places()) {
    const Field& field = place.input->field;
    if (may_be_idle(calculation, field)) continue;
    const auto found = std::find_if(likely.begin(), likely.end(), [&](const Value::Object* context) {
      return only_refuses(calculation, field) ? refuses(calculation, field, *context)
                                              : acts(calculation, field, *context);
    });
    EXPECT_NE(found, likely.end()) << field.name;
    if (found != likely.end()) std::rotate(likely.begin(), found, found + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Effects,
                         testing::ValuesIn(all_calculations().begin(), all_calculations().end()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace commcost
