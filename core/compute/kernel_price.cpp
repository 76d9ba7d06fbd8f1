#include "core/compute/kernel_price.h"

#include <algorithm>

#include "core/compute/attention_time.h"
#include "core/compute/gemm_time.h"

namespace commcost {
namespace {

// Index of a family's share of the matrix peak; a family that does not multiply has none.
std::size_t matrix_share_of(KernelFamily family) {
  switch (family) {
    case KernelFamily::gemm:
      return gemm_constant::matrix_share;
    case KernelFamily::grouped_gemm:
      return grouped_constant::matrix_share;
    case KernelFamily::prefill:
    case KernelFamily::latent_prefill:
      return prefill_constant::matrix_share;
    case KernelFamily::decode:
    case KernelFamily::latent_decode:
      return decode_constant::matrix_share;
    default:
      return num_kernel_constants;
  }
}

double clock_of(const KernelTable& table, std::string_view accelerator) {
  for (const MatrixClockRow& row : table.clocks) {
    if (row.accelerator == accelerator) return row.factor;
  }
  return 1;
}

// The share of their peaks that all generations reach together, for which an accelerator's own product rate
// is known.
double usual_share(const KernelTable& table) {
  const KernelTableRow* all =
      find_constants(table, KernelFamily::gemm, Generation::none, KernelFormat::any, KernelLibrary::any);
  return all == nullptr ? 1 : all->constants[gemm_constant::matrix_share];
}

}  // namespace

KernelConstants constants_for(KernelFamily family, KernelFormat format, KernelLibrary library,
                              const Accelerator& accelerator, const KernelTable& table) {
  const KernelTableRow* row = find_constants(table, family, accelerator.generation, format, library);
  KernelConstants constants{};
  if (row == nullptr) return constants;
  constants = row->constants;
  const std::size_t share = matrix_share_of(family);
  if (share == num_kernel_constants) return constants;
  if (row->generation == Generation::none) {
    constants[share] *= accelerator.product_rate.share / usual_share(table);
  } else {
    constants[share] *= clock_of(table, accelerator.id);
  }
  return constants;
}

namespace {

// Gradients are added up in 32 bits, which are read and written.
constexpr double bytes_of_sums = 8;

// The two products of a product's gradients: of its input, and of its weights.
KernelParts gradients_of(const GemmCall& call, const Chip& chip, const KernelConstants& constants,
                         const KernelRun& run) {
  GemmCall input = call;
  input.n = call.k;
  input.k = call.n;
  GemmCall weights = call;
  weights.m = call.n;
  weights.n = call.k;
  weights.k = call.m;
  weights.weight_bytes = call.input_bytes;
  weights.output_bytes = bytes_of_sums;
  KernelParts both = gemm_parts(input, chip, constants, run);
  const KernelParts other = gemm_parts(weights, chip, constants, run);
  both.time_us += other.time_us;
  both.start_us += other.start_us;
  both.compute_us += other.compute_us;
  both.memory_us += other.memory_us;
  both.flops += other.flops;
  both.bytes += other.bytes;
  return both;
}

KernelParts part_times(KernelParts parts, double compute, double memory) {
  parts.time_us = parts.start_us + (parts.time_us - parts.start_us - parts.memory_us) * compute +
                  parts.memory_us * memory;
  parts.compute_us *= compute;
  parts.memory_us *= memory;
  parts.bytes *= memory;
  return parts;
}

}  // namespace

// Five products for the forward pass's two, at the rate of its kernels against the forward pass's
// (tests/data/kernels.md: FlashAttention's).
KernelParts attention_backward(KernelParts forward, Generation generation) {
  constexpr double products = 2.5;
  constexpr double newest_rate = 0.87;
  constexpr double older_rate = 0.66;
  const double rate = generation == Generation::blackwell ? newest_rate : older_rate;
  forward.flops *= products;
  // Queries, keys, values and results again, and four gradients.
  return part_times(forward, products / rate, 2);
}

namespace {

KernelBand band_of(const KernelTable& table, KernelFamily family, Basis basis, bool starting) {
  for (const KernelBandRow& row : table.bands) {
    if (row.family == family && row.basis == basis) return starting ? row.starting : row.working;
  }
  return {};
}

Basis basis_of(const KernelEvidence& evidence, const Accelerator& accelerator, const KernelTable& table) {
  for (const MeasuredKernelsRow& row : table.measured) {
    if (row.family == evidence.family && row.accelerator == accelerator.id && row.format == evidence.format &&
        row.series >= enough_series)
      // Only a handful of figures is known for backward passes.
      return evidence.backward ? Basis::similar : Basis::measured;
  }
  const KernelTableRow* row =
      find_constants(table, evidence.family, accelerator.generation, evidence.format, evidence.library);
  const bool of_generation =
      row != nullptr && row->generation != Generation::none && row->format != KernelFormat::any;
  return of_generation ? Basis::similar : Basis::estimated;
}

}  // namespace

KernelParts parts_of(const KernelQuestion& question, const Accelerator& accelerator,
                     const KernelTable& table) {
  const Chip chip = chip_of(accelerator, question.format);
  const KernelConstants constants =
      constants_for(family_of(question.call), question.format, question.library, accelerator, table);
  if (!question.run.backward) return parts_of(question.call, chip, constants, question.run);
  if (const auto* gemm = std::get_if<GemmCall>(&question.call))
    return gradients_of(*gemm, chip, constants, question.run);
  const KernelParts forward = parts_of(question.call, chip, constants, question.run);
  if (std::holds_alternative<PrefillCall>(question.call))
    return attention_backward(forward, accelerator.generation);
  // Two products for each, and as much again to be moved.
  KernelParts backward = part_times(forward, 2, 2);
  backward.flops *= 2;
  return backward;
}

KernelPrice banded(const KernelParts& parts, const KernelEvidence& evidence, const Accelerator& accelerator) {
  const KernelTable& table = kernel_table();
  KernelPrice price;
  static_cast<KernelParts&>(price) = parts;
  price.basis = basis_of(evidence, accelerator, table);
  const bool starting = price.start_us > price.time_us / 2;
  const KernelBand band = band_of(table, evidence.family, price.basis, starting);
  price.low_us = price.time_us * band.low;
  price.high_us = price.time_us * band.high;
  price.limit = starting                             ? KernelLimit::start
                : price.compute_us > price.memory_us ? KernelLimit::compute
                                                     : KernelLimit::memory;
  return price;
}

KernelPrice price_of(const KernelQuestion& question, const Accelerator& accelerator) {
  return banded(parts_of(question, accelerator, kernel_table()),
                {family_of(question.call), question.format, question.library, question.run.backward},
                accelerator);
}

}  // namespace commcost
