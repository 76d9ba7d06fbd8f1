#include "core/compute/kernel_parts.h"

#include "core/compute/attention_time.h"
#include "core/compute/elementwise_time.h"
#include "core/compute/gemm_time.h"

namespace commcost {
namespace {

struct Parts {
  const Chip& chip;
  const KernelConstants& constants;
  const KernelRun& run;

  KernelParts operator()(const GemmCall& call) const { return gemm_parts(call, chip, constants, run); }
  KernelParts operator()(const GroupedGemmCall& call) const {
    return grouped_gemm_parts(call, chip, constants, run);
  }
  KernelParts operator()(const PrefillCall& call) const { return prefill_parts(call, chip, constants, run); }
  KernelParts operator()(const DecodeCall& call) const { return decode_parts(call, chip, constants, run); }
  KernelParts operator()(const ElementwiseCall& call) const {
    return elementwise_parts(call, chip, constants, run);
  }
};

struct Family {
  KernelFamily operator()(const GemmCall&) const { return KernelFamily::gemm; }
  KernelFamily operator()(const GroupedGemmCall&) const { return KernelFamily::grouped_gemm; }
  KernelFamily operator()(const PrefillCall& call) const {
    return call.latent ? KernelFamily::latent_prefill : KernelFamily::prefill;
  }
  KernelFamily operator()(const DecodeCall& call) const {
    return call.latent ? KernelFamily::latent_decode : KernelFamily::decode;
  }
  KernelFamily operator()(const ElementwiseCall& call) const {
    return call.write_bytes > 0 ? KernelFamily::elementwise : KernelFamily::reduction;
  }
};

}  // namespace

KernelFamily family_of(const KernelCall& call) {
  return std::visit(Family{}, call);
}

std::span<const KernelConstantRow, num_kernel_constants> constant_rows(KernelFamily family) {
  switch (family) {
    case KernelFamily::gemm:
      return gemm_constants;
    case KernelFamily::grouped_gemm:
      return grouped_gemm_constants;
    case KernelFamily::prefill:
    case KernelFamily::latent_prefill:
      return prefill_constants;
    case KernelFamily::decode:
      return decode_constants;
    case KernelFamily::latent_decode:
      return latent_decode_constants;
    default:
      return elementwise_constants;
  }
}

KernelParts parts_of(const KernelCall& call, const Chip& chip, const KernelConstants& constants,
                     const KernelRun& run) {
  return std::visit(Parts{chip, constants, run}, call);
}

}  // namespace commcost
