#include "bench/validation/kernels/measured_kernels.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "bench/validation/csv.h"

namespace commcost::validation::kernels {
namespace {

// What the tables call a format, and how many bytes its operands have.
struct Precision {
  std::string_view name;
  KernelFormat format;
  double input_bytes;
  double weight_bytes;
};

constexpr Precision precisions[] = {
    {"bfloat16", KernelFormat::bf16, 2, 2},
    {"fp8", KernelFormat::fp8, 1, 1},
    {"fp8_block", KernelFormat::fp8_block, 1, 1},
    {"nvfp4", KernelFormat::nvfp4, 0.5625, 0.5625},
    {"int8_wo", KernelFormat::bf16_weights_8, 2, 1},
    {"int4_wo", KernelFormat::bf16_weights_4, 2, 0.5625},
    {"sq", KernelFormat::int8, 1, 1},
    {"w4a16_mxfp4", KernelFormat::bf16_weights_4, 2, 0.53},
    {"w4a8_mxfp4_mxfp8", KernelFormat::fp8_weights_4, 1, 0.53},
};

const Precision& precision_of(const Row& row) {
  const std::string_view name = text(row, "precision");
  const auto* found = std::find_if(std::begin(precisions), std::end(precisions),
                                   [name](const Precision& one) { return one.name == name; });
  if (found == std::end(precisions)) {
    std::fprintf(stderr, "no such precision: %.*s\n", static_cast<int>(name.size()), name.data());
    std::exit(2);
  }
  return *found;
}

MeasuredKernel gemm(const Row& row) {
  const Precision& precision = precision_of(row);
  MeasuredKernel measured;
  measured.question.call = GemmCall{.m = number(row, "m"),
                                    .n = number(row, "n"),
                                    .k = number(row, "k"),
                                    .input_bytes = precision.input_bytes,
                                    .weight_bytes = precision.weight_bytes,
                                    .quantizes_input = precision.input_bytes < 2};
  measured.question.format = precision.format;
  measured.question.run.load = number(row, "sustained") > 0 ? Load::sustained : Load::burst;
  measured.shape = row.at("n") + "x" + row.at("k");
  return measured;
}

MeasuredKernel grouped(const Row& row) {
  const Precision& precision = precision_of(row);
  MeasuredKernel measured;
  measured.question.call = GroupedGemmCall{.tokens = number(row, "tokens"),
                                           .hidden_size = number(row, "hidden"),
                                           .ffn_hidden_size = number(row, "inter"),
                                           .num_experts = number(row, "experts"),
                                           .experts_per_token = number(row, "topk"),
                                           .expert_parallel = number(row, "ep"),
                                           .expert_tensor_parallel = number(row, "tp"),
                                           .gated = number(row, "gated") > 0,
                                           .routing_exponent = number(row, "exponent"),
                                           .input_bytes = precision.input_bytes,
                                           .weight_bytes = precision.weight_bytes};
  measured.question.format = precision.format;
  measured.shape = row.at("hidden") + "x" + row.at("inter") + "x" + row.at("experts");
  return measured;
}

std::string heads_of(const Row& row) {
  return row.at("heads") + "/" + row.at("kv_heads") + "/" + row.at("head_size");
}

MeasuredKernel prefill(const Row& row) {
  constexpr double latent_value_size = 128;
  const bool latent = text(row, "kind") == "mla";
  MeasuredKernel measured;
  measured.question.call = PrefillCall{.batch = number(row, "batch"),
                                       .sequence = number(row, "sequence"),
                                       .heads = number(row, "heads"),
                                       .kv_heads = number(row, "kv_heads"),
                                       .key_size = number(row, "head_size"),
                                       .value_size = latent ? latent_value_size : number(row, "head_size"),
                                       .causal = text(row, "kind") != "full",
                                       .window = number(row, "window"),
                                       .latent = latent};
  measured.question.format = text(row, "compute") == "fp8" ? KernelFormat::fp8
                             : text(row, "cache") == "fp8" ? KernelFormat::bf16_cache_8
                                                           : KernelFormat::bf16;
  measured.shape = heads_of(row);
  return measured;
}

MeasuredKernel decode(const Row& row) {
  constexpr double latent_rank = 512;
  const bool latent = text(row, "kind") == "mla";
  const bool narrow = text(row, "cache") == "fp8";
  MeasuredKernel measured;
  measured.question.call = DecodeCall{.batch = number(row, "batch"),
                                      .sequence = number(row, "sequence"),
                                      .heads = number(row, "heads"),
                                      .kv_heads = number(row, "kv_heads"),
                                      .key_size = number(row, "head_size"),
                                      .value_size = latent ? latent_rank : number(row, "head_size"),
                                      .cache_bytes = narrow ? 1.0 : 2.0,
                                      .window = number(row, "window"),
                                      .latent = latent};
  measured.question.format = narrow ? KernelFormat::fp8 : KernelFormat::bf16;
  measured.shape = heads_of(row);
  return measured;
}

MeasuredKernel elementwise(const Row& row) {
  MeasuredKernel measured;
  measured.question.call = ElementwiseCall{.elements = number(row, "m") * number(row, "k"),
                                           .read_bytes = 2,
                                           .write_bytes = text(row, "kind") == "scale_matrix" ? 1.0 : 0.0};
  measured.question.format = KernelFormat::any;
  measured.shape = row.at("k");
  return measured;
}

struct Table {
  const char* file;
  MeasuredKernel (*read)(const Row& row);
};

constexpr Table tables[] = {{"kernels_gemm.csv", gemm},
                            {"kernels_grouped.csv", grouped},
                            {"kernels_prefill.csv", prefill},
                            {"kernels_decode.csv", decode},
                            {"kernels_elementwise.csv", elementwise}};

KernelLibrary library_of(const Row& row) {
  const auto* found =
      std::find(std::begin(kernel_library_names), std::end(kernel_library_names), text(row, "library"));
  return static_cast<KernelLibrary>(found - std::begin(kernel_library_names));
}

// Rows that are faster than the data sheet allows were not of the shape that they name.
bool possible(const MeasuredKernel& row) {
  constexpr double room = 0.9;
  constexpr double beyond_every_cache = 3e8;
  const Chip chip = chip_of(*row.accelerator, row.question.format);
  KernelConstants priors{};
  for (std::size_t at = 0; at < priors.size(); ++at) priors[at] = constant_rows(row.family)[at].prior;
  const KernelParts parts = parts_of(row.question.call, chip, priors, row.question.run);
  const bool reads_cache = std::holds_alternative<DecodeCall>(row.question.call);
  const double read_us =
      reads_cache && parts.bytes > beyond_every_cache ? parts.bytes / chip.hbm_bytes_per_us : 0;
  return row.time_us >= room * std::max(parts.flops / chip.limit_flops_per_us, read_us);
}

}  // namespace

std::vector<MeasuredKernel> measured_kernels(const std::string& folder) {
  std::vector<MeasuredKernel> all;
  for (const Table& table : tables) {
    for (const Row& row : read_csv(folder + "/" + table.file)) {
      MeasuredKernel measured = table.read(row);
      measured.accelerator = find_accelerator(text(row, "accelerator"));
      measured.time_us = number(row, "time_us");
      measured.question.library = library_of(row);
      measured.family = family_of(measured.question.call);
      measured.series = std::string(measured.accelerator->id) + " " +
                        std::to_string(static_cast<int>(measured.question.format)) + " " + row.at("library") +
                        " " + measured.shape;
      if (possible(measured)) all.push_back(std::move(measured));
    }
  }
  return all;
}

bool large_gemm(const MeasuredKernel& row) {
  constexpr double large = 1024;
  const auto* call = std::get_if<GemmCall>(&row.question.call);
  return call != nullptr && std::min({call->m, call->n, call->k}) >= large;
}

bool long_prefill(const MeasuredKernel& row) {
  constexpr double large = 1024;
  constexpr double usual_head = 128;
  const auto* call = std::get_if<PrefillCall>(&row.question.call);
  return call != nullptr && call->causal && !call->latent && call->window == 0 && call->sequence >= large &&
         call->key_size == usual_head;
}

bool large_decode(const MeasuredKernel& row) {
  constexpr double large_bytes = 5e7;
  const auto* call = std::get_if<DecodeCall>(&row.question.call);
  if (call == nullptr) return false;
  const double keys = call->window > 0 ? std::min(call->window, call->sequence) : call->sequence;
  return call->batch * keys * call->kv_heads * call->key_size * (call->latent ? 1 : 2) * call->cache_bytes >=
         large_bytes;
}

}  // namespace commcost::validation::kernels
