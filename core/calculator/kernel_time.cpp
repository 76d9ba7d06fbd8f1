#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/layout_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/calculator/work_fields.h"
#include "core/compute/kernel_price.h"

namespace commcost::calculations {
namespace kernel_time_table {

/// What is run, as a model meets it.
enum class KernelKind { gemm, grouped_gemm, attention_prefill, attention_decode, elementwise };

/// What products multiply; blocks of any size are scaled alike.
enum class KernelPrecision { bf16, fp8, fp8_block, mxfp8, nvfp4, int8 };

/// What attention multiplies.
enum class AttentionPrecision { bf16, fp8 };

enum class Routing { balanced, power_law };

struct KernelTimeInputs {
  KernelKind kind = KernelKind::gemm;
  std::size_t recipe = 0;
  Machine machine;
  KernelPrecision precision = KernelPrecision::bf16;
  AttentionPrecision attention_precision = AttentionPrecision::bf16;
  bool quantize_inputs = true;
  double m = 0;
  double n = 0;
  double k = 0;
  double tokens = 0;
  ModelShape shape;
  Work work;
  Layout layout;
  Routing routing = Routing::balanced;
  double routing_exponent = 0;
  bool causal = true;
  double window = 0;
  double read_bytes_per_element = 2;
  double write_bytes_per_element = 2;
  Load load = Load::burst;
  bool backward = false;
  bool warm_cache = true;
};

struct KernelTimeResults : KernelPrice {
  double tflops = 0;
};

using Inputs = KernelTimeInputs;
using Results = KernelTimeResults;

constexpr std::string_view kind_names[] = {"gemm", "grouped_gemm", "attention_prefill", "attention_decode",
                                           "elementwise"};
constexpr std::string_view precision_names[] = {"bf16", "fp8", "fp8_block", "mxfp8", "nvfp4", "int8"};
constexpr std::string_view attention_precision_names[] = {"bf16", "fp8"};
constexpr std::string_view routing_names[] = {"balanced", "power_law"};
constexpr double most_elements = 4294967296;

void fill_library(void* inputs, std::size_t recipe) {
  static_cast<Inputs*>(inputs)->recipe = recipe;
}

constexpr InputField kind_fields[] = {
    choice<&Inputs::kind>(
        kind_names,
        "The kernel: a GEMM, the routed experts of one rank, attention over a prompt or for one "
        "new token per sequence, or an element-wise kernel")
        .labelled("Kernel"),
    preset<fill_library>("recipe", recipe_ids, recipe_field[0].field.help)
        .labelled(recipe_field[0].field.label)
        .or_default(0)};

constexpr InputField precision_fields[] = {
    choice<&Inputs::precision>(precision_names,
                               "GEMM precision: 16 bits, 8 bits scaled per tensor or token (fp8), per block "
                               "(fp8_block) or per 32 values (mxfp8), 4 bits, or 8-bit integers")
        .labelled("Multiplied as")
        .or_default(0),
    choice<&Inputs::attention_precision>(attention_precision_names, "Precision of attention over a prompt")
        .labelled("Attention precision")
        .or_default(0),
    flag<&Inputs::quantize_inputs>("Whether a GEMM in fewer bits first quantizes its 16-bit input")
        .labelled("Quantize the input")
        .or_default(1),
};

constexpr InputField gemm_fields[] = {
    whole<&Inputs::m>(1, most_elements,
                      "Rows of the output of a GEMM or element-wise kernel, usually the tokens")
        .or_default(4096),
    whole<&Inputs::n>(1, most_elements, "Columns of that output").or_default(4096),
    whole<&Inputs::k>(1, most_elements, "Elements that a GEMM sums up for each output").or_default(4096),
    whole<&Inputs::tokens>(1, most_tokens, "Tokens of all expert ranks together, before routing")
        .in("tokens")
        .or_default(4096),
};

constexpr auto with_defaults = [](auto fields) {
  struct Default {
    std::string_view name;
    double value;
  };
  constexpr Default defaults[] = {
      {"hidden_size", 4096}, {"num_heads", 1}, {"sequence_length", 4096}, {"batch_size", 1}};
  for (InputField& input : fields) {
    for (const Default& known : defaults) {
      if (input.field.name == known.name) input = input.or_default(known.value);
    }
    input.field.filled_by = {};
  }
  return fields;
};

constexpr auto kernel_shape_fields = with_defaults(picked(
    model_shape_fields, {"hidden_size", "num_heads", "num_kv_heads", "head_size", "value_head_size",
                         "ffn_hidden_size", "gated_mlp", "num_experts", "experts_per_token", "kv_rank"}));
constexpr auto kernel_work_fields = with_defaults(picked(work_fields, {"sequence_length", "batch_size"}));
constexpr auto kernel_layout_fields = picked(layout_fields, {"expert_parallel", "expert_tensor_parallel"});

constexpr InputField other_fields[] = {
    choice<&Inputs::routing>(
        routing_names,
        "Distribution of tokens over experts: even, or a power law, whose busiest rank is priced")
        .labelled("Expert routing")
        .or_default(0),
    real<&Inputs::routing_exponent>(0, 4, "Exponent of that power law").or_default(1.2),
    flag<&Inputs::causal>("Whether a token attends only to the tokens before it")
        .labelled("Causal mask")
        .or_default(1),
    whole<&Inputs::window>(0, most_tokens,
                           "Number of preceding tokens that a token can attend to, itself included; 0: all")
        .in("tokens")
        .labelled("Attention window")
        .or_default(0),
    real<&Inputs::read_bytes_per_element>(
        0, 64, "Bytes that an element-wise kernel reads for each of m x n elements")
        .or_default(2),
    real<&Inputs::write_bytes_per_element>(0, 64, "Bytes that it writes for each; 0: a reduction")
        .or_default(2),
    choice<&Inputs::load>(load_names,
                          "Load: a burst of a few milliseconds, or sustained as in training, where the power "
                          "limit lowers the clock")
        .or_default(0),
    flag<&Inputs::backward>("Whether the backward pass is priced instead: gradients of inputs and weights")
        .labelled("Backward pass")
        .or_default(0),
    flag<&Inputs::warm_cache>("Whether activations and KV caches that fit in L2 are still there, as when a "
                              "kernel is timed by itself")
        .labelled("Operands in L2")
        .or_default(1),
};

constexpr auto kernel_accelerator_field = picked(system_machine_fields, {"accelerator"});

constexpr FieldGroup groups[] = {
    group<Inputs>(kind_fields),
    group_of<&Inputs::machine>(system_field),
    group_of<&Inputs::machine>(kernel_accelerator_field),
    group<Inputs>(precision_fields),
    group_of<&Inputs::work>(serving_type_fields),
    group<Inputs>(gemm_fields),
    group_of<&Inputs::shape>(kernel_shape_fields),
    group_of<&Inputs::work>(kernel_work_fields),
    group_of<&Inputs::layout>(kernel_layout_fields),
    group<Inputs>(other_fields),
};

constexpr ResultField results[] = {
    result<&Results::time_us>("Time of the kernel, launched within a graph").labelled("Kernel time"),
    result<&Results::low_us>("Lower end of its range: 80 % of unseen measurements fall in it"),
    result<&Results::high_us>("Upper end of the range"),
    choice_result<&Results::basis>(
        basis_names,
        "Basis of the time: kernels measured on this accelerator, on its generation, or on others"),
    choice_result<&Results::limit>(kernel_limit_names, "The part that takes most of the time"),
    result<&Results::start_us>(
        "Time before and between the work: set-up, quantizing an empty input, routing"),
    result<&Results::compute_us>("Time to multiply, alone and unthrottled"),
    result<&Results::memory_us>("Time to read and write, alone"),
    result<&Results::flops>("FLOPs that the result needs"),
    result<&Results::bytes>("Bytes that must be read and written"),
    result<&Results::tflops>("FLOPs over the time").in("TFLOP/s"),
};

// How an operand of a precision is multiplied, and its bytes.
struct Operand {
  KernelFormat format;
  double bytes;
};

Operand operand_of(KernelPrecision precision) {
  constexpr double block_scaled_4_bits = 0.5625;
  switch (precision) {
    case KernelPrecision::fp8:
    // As a step has it (kernel_pricer.cpp).
    case KernelPrecision::mxfp8:
      return {KernelFormat::fp8, 1};
    case KernelPrecision::fp8_block:
      return {KernelFormat::fp8_block, 1};
    case KernelPrecision::nvfp4:
      return {KernelFormat::nvfp4, block_scaled_4_bits};
    case KernelPrecision::int8:
      return {KernelFormat::int8, 1};
    case KernelPrecision::bf16:
      break;
  }
  return {KernelFormat::bf16, 2};
}

// Weights may have fewer bits than what multiplies them.
Operand with_weights(Operand operand, double weight_bytes) {
  constexpr double up_to_4_bits = 0.75;
  if (weight_bytes <= 0 || weight_bytes >= operand.bytes) return operand;
  if (operand.format == KernelFormat::bf16)
    operand.format =
        weight_bytes <= up_to_4_bits ? KernelFormat::bf16_weights_4 : KernelFormat::bf16_weights_8;
  else if (operand.bytes == 1 && weight_bytes <= up_to_4_bits)
    operand.format = KernelFormat::fp8_weights_4;
  return operand;
}

KernelLibrary library_of(std::size_t recipe) {
  const auto* found = std::find(std::begin(kernel_library_names), std::end(kernel_library_names),
                                std::string_view(all_recipes()[recipe].id));
  return found == std::end(kernel_library_names)
             ? KernelLibrary::any
             : static_cast<KernelLibrary>(found - std::begin(kernel_library_names));
}

KernelQuestion product(const Inputs& inputs) {
  const Operand own = operand_of(inputs.precision);
  const double given = inputs.work.weight_bytes_per_element;
  const Operand operand = with_weights(own, given);
  const double weight_bytes = given > 0 ? given : own.bytes;
  KernelQuestion question;
  question.format = operand.format;
  const auto whole = [](std::int64_t number) { return static_cast<double>(number); };
  if (inputs.kind == KernelKind::gemm) {
    question.call = GemmCall{.m = inputs.m,
                             .n = inputs.n,
                             .k = inputs.k,
                             .input_bytes = own.bytes,
                             .weight_bytes = weight_bytes,
                             .quantizes_input = inputs.quantize_inputs && own.bytes < 2};
    return question;
  }
  question.call =
      GroupedGemmCall{.tokens = inputs.tokens,
                      .hidden_size = whole(inputs.shape.hidden_size),
                      .ffn_hidden_size = whole(inputs.shape.ffn_hidden_size),
                      .num_experts = whole(inputs.shape.num_experts),
                      .experts_per_token = whole(inputs.shape.experts_per_token),
                      .expert_parallel = whole(inputs.layout.expert_parallel),
                      .expert_tensor_parallel = std::max(1.0, whole(inputs.layout.expert_tensor_parallel)),
                      .gated = inputs.shape.gated_mlp,
                      .routing_exponent = inputs.routing == Routing::power_law ? inputs.routing_exponent : 0,
                      .input_bytes = own.bytes,
                      .weight_bytes = weight_bytes};
  return question;
}

KernelQuestion attention(const Inputs& inputs) {
  constexpr double narrow = 1;
  const bool narrow_cache =
      inputs.work.kv_bytes_per_element > 0 && inputs.work.kv_bytes_per_element <= narrow;
  const bool latent = inputs.shape.kv_rank > 0;
  const auto whole = [](std::int64_t number) { return static_cast<double>(number); };
  const double key_size = whole(inputs.shape.head_size);
  const double value_size = inputs.shape.value_head_size > 0 ? whole(inputs.shape.value_head_size) : key_size;
  const double heads = whole(inputs.shape.num_heads);
  const double kv_heads = whole(inputs.shape.num_kv_heads);
  KernelQuestion question;
  if (inputs.kind == KernelKind::attention_prefill) {
    question.format = inputs.attention_precision == AttentionPrecision::fp8 ? KernelFormat::fp8
                      : narrow_cache                                        ? KernelFormat::bf16_cache_8
                                                                            : KernelFormat::bf16;
    question.call = PrefillCall{.batch = whole(inputs.work.batch_size),
                                .sequence = whole(inputs.work.sequence_length),
                                .heads = heads,
                                .kv_heads = kv_heads,
                                .key_size = key_size,
                                .value_size = value_size,
                                .causal = inputs.causal,
                                .window = inputs.window,
                                .latent = latent};
    return question;
  }
  question.format = narrow_cache ? KernelFormat::fp8 : KernelFormat::bf16;
  const double cache_bytes = inputs.work.kv_bytes_per_element > 0 ? inputs.work.kv_bytes_per_element : 2;
  question.call = DecodeCall{.batch = whole(inputs.work.batch_size),
                             .sequence = whole(inputs.work.sequence_length),
                             .heads = heads,
                             .kv_heads = latent ? 1 : kv_heads,
                             .key_size = key_size,
                             .value_size = latent ? whole(inputs.shape.kv_rank) : value_size,
                             .cache_bytes = cache_bytes,
                             .window = inputs.window,
                             .latent = latent};
  return question;
}

KernelQuestion question_of(const Inputs& inputs) {
  KernelQuestion question;
  switch (inputs.kind) {
    case KernelKind::gemm:
    case KernelKind::grouped_gemm:
      question = product(inputs);
      break;
    case KernelKind::attention_prefill:
    case KernelKind::attention_decode:
      question = attention(inputs);
      break;
    case KernelKind::elementwise:
      question.call = ElementwiseCall{.elements = inputs.m * inputs.n,
                                      .read_bytes = inputs.read_bytes_per_element,
                                      .write_bytes = inputs.write_bytes_per_element};
      question.format = KernelFormat::any;
      break;
  }
  question.library = library_of(inputs.recipe);
  question.run = {.load = inputs.load, .backward = inputs.backward, .warm_cache = inputs.warm_cache};
  return question;
}

// Whether the matrix units multiply the format asked for; in a decode step only the cache is narrow.
bool has(const Accelerator& accelerator, const Inputs& inputs, KernelFormat format) {
  if (inputs.kind == KernelKind::attention_decode || inputs.kind == KernelKind::elementwise) return true;
  const bool product = inputs.kind == KernelKind::gemm || inputs.kind == KernelKind::grouped_gemm;
  if (product && inputs.precision == KernelPrecision::mxfp8 && !accelerator.scales_blocks()) return false;
  return peak_tflops(accelerator, format) > 0;
}

Problems problems_of(const Inputs& inputs, const Accelerator& accelerator, KernelFormat format) {
  Problems problems;
  const auto inconsistent = [&](std::string field, const std::string& must, std::string allowed) {
    problems.push_back({field, ProblemCode::inconsistent, field + " must " + must, std::move(allowed)});
  };
  if (!has(accelerator, inputs, format)) {
    const bool product = inputs.kind == KernelKind::gemm || inputs.kind == KernelKind::grouped_gemm;
    inconsistent(product ? "precision" : "attention_precision",
                 "be one that the matrix units of " + std::string(accelerator.name) + " multiply", "bf16");
  }
  const bool attends =
      inputs.kind == KernelKind::attention_prefill || inputs.kind == KernelKind::attention_decode;
  if (attends && inputs.shape.num_heads % inputs.shape.num_kv_heads != 0)
    inconsistent("num_kv_heads", "divide num_heads", "a divisor of num_heads");
  if (attends && inputs.shape.head_size < 1)
    inconsistent("head_size", "be given where hidden_size is less than num_heads", "a whole number from 1");
  if (inputs.kind == KernelKind::grouped_gemm) {
    if (inputs.shape.experts_per_token > inputs.shape.num_experts)
      inconsistent("experts_per_token", "be at most num_experts",
                   "at most " + std::to_string(inputs.shape.num_experts));
    if (inputs.layout.expert_parallel > inputs.shape.num_experts)
      inconsistent("expert_parallel", "be at most num_experts",
                   "at most " + std::to_string(inputs.shape.num_experts));
  }
  if (inputs.backward && inputs.kind == KernelKind::attention_decode)
    inconsistent("backward", "be false: a decode step has no backward pass", "false");
  return problems;
}

Outcome<Results> compute(const Inputs& given) {
  Inputs inputs = given;
  inputs.shape = completed(inputs.shape);
  const Accelerator& accelerator = accelerator_of(inputs.machine);
  const KernelQuestion question = question_of(inputs);
  if (Problems problems = problems_of(inputs, accelerator, question.format); !problems.empty())
    return problems;
  Results all;
  static_cast<KernelPrice&>(all) = price_of(question, accelerator);
  constexpr double flops_per_us = 1e6;
  all.tflops = all.flops / (all.time_us * flops_per_us);
  return all;
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
                                  "kernel_time", "Time of one GPU kernel by its shape and precision", groups)
                                  .apart();

}  // namespace kernel_time_table

const Calculation kernel_time = kernel_time_table::table;

}  // namespace commcost::calculations
