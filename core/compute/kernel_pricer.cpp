#include "core/compute/kernel_pricer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/compute/attention_time.h"
#include "core/compute/elementwise_time.h"
#include "core/compute/gemm_time.h"
#include "core/compute/kernel_price.h"
#include "core/compute/matrix_peak.h"

namespace commcost {
namespace {

constexpr double flops_per_us = 1e6;
constexpr double gb_per_sec_in_bytes_per_us = 1e3;

// Power that a step's products draw, as a share of what products of random numbers draw back to back: a
// step's numbers are not random, and other kernels run in between. Fitted to steps by `validation steps
// --fit`; these say nothing about other generations.
constexpr double power_share(Generation generation) {
  constexpr double of_blackwell = 0.72;
  return generation == Generation::blackwell ? of_blackwell : 1;
}
// Share of the 16-bit peak that Ampere's instructions reach on later generations (arXiv:2402.13499).
constexpr double older_instructions_share = 0.63;
// What moves between an expert's products is both read and written; the tables count it once.
constexpr double passes_over_moved = 2;

// Used where nothing was measured: shares of the rate of large products that a layer's products, flash
// attention and routed experts reach, then shares of the memory rate that streaming kernels and reads for few
// rows reach. Fitted to steps and serving of all stacks together.
constexpr double usual_product_share = 0.9;
constexpr double usual_attention_share = 0.6;
constexpr double usual_expert_share = 0.75;
constexpr double usual_streaming_share = 0.92;
constexpr double usual_reading_share = 0.8;

constexpr double wide_bytes = 2;

// Format of products in the stored precision: the LM head, a stored attention core.
KernelFormat wide_format(const Work& work) {
  const auto kept = static_cast<double>(work.bytes_per_element);
  if (work.matmul_precision != MatmulPrecision::stored) return KernelFormat::bf16;
  if (kept > wide_bytes) return KernelFormat::any;
  return kept < wide_bytes ? KernelFormat::fp8 : KernelFormat::bf16;
}

bool is_measured(Generation generation) {
  const KernelTableRow* row =
      find_constants(kernel_table(), KernelFamily::gemm, generation, KernelFormat::any, KernelLibrary::any);
  return row != nullptr && row->generation != Generation::none;
}

KernelParts times(KernelParts parts, double scale) {
  parts.time_us *= scale;
  parts.start_us *= scale;
  parts.compute_us *= scale;
  parts.memory_us *= scale;
  return parts;
}

}  // namespace

KernelFormat product_format(const Work& work) {
  const auto kept = static_cast<double>(work.bytes_per_element);
  const double weight = work.mode == Mode::training ? wide_bytes : served_weight_bytes(work);
  switch (work.matmul_precision) {
    case MatmulPrecision::fp8:
      if (work.fp8_scaling == Fp8Scaling::block) return KernelFormat::fp8_block;
      [[fallthrough]];
    // Scaled by the matrix units themselves, as per-tensor FP8 is.
    case MatmulPrecision::mxfp8:
      return weight < 1 ? KernelFormat::fp8_weights_4 : KernelFormat::fp8;
    case MatmulPrecision::nvfp4:
      return KernelFormat::nvfp4;
    case MatmulPrecision::stored:
      if (kept > wide_bytes) return KernelFormat::any;
      if (kept < wide_bytes) return KernelFormat::fp8;
      break;
    default:
      break;
  }
  if (weight >= wide_bytes) return KernelFormat::bf16;
  return weight < 1 ? KernelFormat::bf16_weights_4 : KernelFormat::bf16_weights_8;
}

KernelPricer::KernelPricer(const Machine& machine, const Work& work, const KernelHabits& habits,
                           const MachineScales& scales)
    : accelerator_(&accelerator_of(machine)),
      library_(habits.library),
      trains_(work.mode == Mode::training),
      cache_bytes_(cached_bytes(work)) {
  const Accelerator& accelerator = *accelerator_;
  measured_ = is_measured(accelerator.generation);
  const double hbm = (machine.hbm_gb_per_sec > 0 ? machine.hbm_gb_per_sec : accelerator.hbm_gb_per_sec) *
                     gb_per_sec_in_bytes_per_us * scales.hbm;
  const double products = matrix_peak_tflops(machine, work) * flops_per_us * scales.matmul;
  const double wide = wide_peak_tflops(machine, work) * flops_per_us * scales.matmul;
  const auto bind = [&](KernelFamily family, KernelFormat format, double flops, double scale) {
    Bound bound{.chip = {}, .scale = scale, .family = family, .format = format};
    if (!measured_) return bound;
    bound.chip = chip_of(accelerator, format);
    bound.chip.limit_flops_per_us *= flops / bound.chip.flops_per_us;
    bound.chip.flops_per_us = flops;
    bound.chip.wide_flops_per_us = wide;
    bound.chip.hbm_bytes_per_us = hbm;
    bound.constants = constants_for(family, format, habits.library, accelerator, kernel_table());
    return bound;
  };
  const bool narrow_cache = !trains_ && cached_bytes(work) < wide_bytes;
  const KernelFormat prompt = narrow_cache ? KernelFormat::bf16_cache_8 : KernelFormat::bf16;
  const KernelFormat token = narrow_cache ? KernelFormat::fp8 : KernelFormat::bf16;
  product_ = bind(KernelFamily::gemm, product_format(work), products, habits.gemm_time_scale);
  wide_product_ = bind(KernelFamily::gemm, wide_format(work), wide, habits.gemm_time_scale);
  grouped_ = bind(KernelFamily::grouped_gemm, product_format(work), products, habits.grouped_gemm_time_scale);
  prefill_ = bind(KernelFamily::prefill, prompt, wide, habits.attention_time_scale);
  latent_prefill_ = bind(KernelFamily::latent_prefill, prompt, wide, habits.attention_time_scale);
  if (!trains_) {
    decode_ = bind(KernelFamily::decode, token, wide, habits.attention_time_scale);
    latent_decode_ = bind(KernelFamily::latent_decode, token, wide, habits.attention_time_scale);
  }
  elementwise_ = bind(KernelFamily::elementwise, KernelFormat::any, wide, habits.elementwise_time_scale);
  if (!measured_) {
    const double reached = accelerator.product_rate.share;
    plain_.products = products * reached * usual_product_share;
    plain_.wide_products = wide * reached * usual_product_share;
    plain_.attention = wide * reached * usual_attention_share;
    plain_.grouped = plain_.products * usual_expert_share;
    plain_.bytes = hbm * usual_streaming_share;
    plain_.read_share = usual_reading_share;
    plain_.habits = habits;
    streamed_bytes_per_us_ = plain_.bytes / habits.elementwise_time_scale;
    return;
  }
  run_ = {.load = trains_ ? Load::sustained : Load::burst,
          .power_share = trains_ ? power_share(accelerator.generation) * scales.power : 1,
          .warm_cache = false};
  attends_as_ = accelerator.generation;
  if (habits.flash_attention_2) {
    const bool newer =
        accelerator.generation == Generation::hopper || accelerator.generation == Generation::blackwell;
    for (Bound* bound : {&prefill_, &latent_prefill_}) {
      // No table has it.
      bound->format = KernelFormat::any;
      for (std::size_t at = 0; at < num_kernel_constants; ++at)
        bound->constants[at] = prefill_constants[at].prior;
      if (newer) bound->constants[prefill_constant::matrix_share] *= older_instructions_share;
    }
    attends_as_ = Generation::ampere;
  }
  streamed_bytes_per_us_ =
      streaming_rate(elementwise_.chip, elementwise_.constants[elementwise_constant::memory_share]) /
      elementwise_.scale;
  moving_start_us_ = elementwise_.constants[elementwise_constant::start_us] * elementwise_.scale;
  streamed_us_per_byte_ = 1 / streamed_bytes_per_us_;
  permuted_us_per_byte_ =
      grouped_.constants[grouped_constant::move_passes] * elementwise_.scale / (passes_over_moved * hbm);
}

KernelPricer KernelPricer::at_line_rates(double peak_tflops, double hbm_gb_per_sec) {
  KernelPricer pricer;
  Plain& plain = pricer.plain_;
  plain.products = plain.wide_products = plain.attention = plain.grouped = peak_tflops * flops_per_us;
  plain.bytes = pricer.streamed_bytes_per_us_ = hbm_gb_per_sec * gb_per_sec_in_bytes_per_us;
  plain.matrix_traffic = 0;
  return pricer;
}

// A product takes its FLOPs plus the time to stream its three matrices, so that thin products are slow:
// 1/share + (peak / HBM) (1/rows + 1/columns + 1/inner) per FLOP. In inference, reading weights or cache only
// partly overlaps multiplying: the root of the sum of squares.
KernelParts KernelPricer::plain(const Kernel& kernel) const {
  const KernelHabits& habits = plain_.habits;
  KernelParts parts;
  parts.flops = kernel.flops;
  parts.bytes = kernel.bytes;
  double scale = habits.elementwise_time_scale;
  switch (kernel.routine) {
    case Routine::product:
      scale = habits.gemm_time_scale;
      parts.compute_us = kernel.flops / (kernel.precision == MatmulPrecision::stored ? plain_.wide_products
                                                                                     : plain_.products);
      break;
    case Routine::grouped_product:
    case Routine::separate_products:
      scale = habits.grouped_gemm_time_scale;
      parts.compute_us = kernel.flops / plain_.grouped;
      break;
    case Routine::fused_attention:
    case Routine::cached_attention:
      scale = habits.attention_time_scale;
      parts.compute_us = kernel.flops / plain_.attention;
      break;
    default:
      parts.memory_us = parts.time_us = kernel.bytes / plain_.bytes;
      return times(parts, scale);
  }
  const double read_us = trains_ ? 0 : kernel.held_bytes / (plain_.bytes * plain_.read_share);
  const double rest = kernel.routine == Routine::fused_attention ? 0 : plain_.matrix_traffic;
  const double moved_us = rest * (kernel.bytes - (trains_ ? 0 : kernel.held_bytes)) / plain_.bytes;
  parts.memory_us = read_us + moved_us;
  parts.time_us = std::sqrt(read_us * read_us + parts.compute_us * parts.compute_us) + moved_us;
  return times(parts, scale);
}

KernelParts KernelPricer::product(const Kernel& kernel, const Bound& bound) const {
  KernelParts parts = product_parts(kernel.gemm, kernel.bytes, bound.chip, bound.constants, run_);
  parts.bytes = kernel.bytes;
  return times(parts, bound.scale);
}

KernelParts KernelPricer::separate(const Kernel& kernel) const {
  Gemm one = kernel.gemm;
  const double experts = std::exchange(one.batch, 1);
  KernelParts parts =
      times(product_parts(one, kernel.bytes / experts, product_.chip, product_.constants, run_),
            experts * grouped_.scale);
  parts.flops = kernel.flops;
  parts.bytes = kernel.bytes;
  return parts;
}

KernelParts KernelPricer::grouped(const Kernel& kernel) const {
  using namespace grouped_constant;
  const KernelConstants& constants = grouped_.constants;
  const auto& [rows, columns, inner, experts] = kernel.gemm;
  // The tables time a whole MLP: two products.
  constexpr double share_of_mlp = 0.5;
  const ExpertLoad load{experts, rows};
  const ExpertProduct product{{&load, 1}, columns, inner, kernel.bytes};
  KernelParts parts = expert_product_parts({&product, 1}, grouped_.chip, constants, run_);
  parts.bytes = kernel.bytes;
  parts.start_us = share_of_mlp * (constants[start_us] + constants[expert_us] * experts);
  parts.time_us += parts.start_us;
  return times(parts, grouped_.scale);
}

KernelParts KernelPricer::attention(const Kernel& kernel, const Bound& bound) const {
  const Attended& attended = kernel.attended;
  if (kernel.routine == Routine::cached_attention) {
    const DecodeCall call{.batch = attended.sequences,
                          .sequence = attended.keys,
                          .heads = attended.heads,
                          .kv_heads = attended.kv_heads,
                          .key_size = attended.key_size,
                          .value_size = attended.value_size,
                          .cache_bytes = cache_bytes_,
                          .latent = attended.latent};
    return times(decode_parts(call, bound.chip, bound.constants, run_), bound.scale);
  }
  const PrefillCall call{.batch = attended.sequences,
                         .sequence = attended.keys,
                         .heads = attended.heads,
                         .kv_heads = attended.kv_heads,
                         .key_size = attended.key_size,
                         .value_size = attended.value_size,
                         .latent = attended.latent};
  const KernelParts forward = prefill_parts(call, bound.chip, bound.constants, run_);
  return times(kernel.pass == KernelPass::forward ? forward : attention_backward(forward, attends_as_),
               bound.scale);
}

KernelParts KernelPricer::elementwise(const Kernel& kernel) const {
  KernelParts parts;
  parts.bytes = kernel.bytes;
  parts.start_us = kernel.launches * moving_start_us_;
  parts.memory_us = kernel.bytes * moving_us_per_byte(kernel);
  parts.time_us = parts.start_us + parts.memory_us;
  return parts;
}

void KernelPricer::remember(std::size_t most) {
  known_.assign(most, {});
}

KernelPricer::Known KernelPricer::key_of(const Kernel& kernel) {
  switch (kernel.routine) {
    case Routine::product:
      return {kernel.gemm, kernel.bytes, kernel.precision == MatmulPrecision::stored ? 1 : 2};
    case Routine::grouped_product:
      return {kernel.gemm, kernel.bytes, 3};
    case Routine::separate_products:
      return {kernel.gemm, kernel.bytes, 6};
    case Routine::fused_attention: {
      const Attended& attended = kernel.attended;
      return {{attended.sequences, attended.keys, attended.heads, attended.kv_heads},
              kernel.bytes,
              kernel.pass == KernelPass::forward ? 4 : 5};
    }
    default:
      return {};
  }
}

double KernelPricer::time_us(const Kernel& kernel) const {
  if (known_.empty() || !measured_ || kernel.routine == Routine::cached_attention)
    return parts(kernel).time_us;
  const Known key = key_of(kernel);
  if (key.kind == 0) return kernel.launches * moving_start_us_ + kernel.bytes * moving_us_per_byte(kernel);
  const auto& [rows, columns, inner, batch] = key.gemm;
  const double mixed = rows + 31 * columns + 1009 * inner + 7919 * batch;
  const auto hash = static_cast<std::uint64_t>(std::min(mixed, 0x1p62));
  Known& known = known_[(hash ^ (hash >> 12)) % known_.size()];
  if (known.kind != key.kind || known.gemm.rows != rows || known.gemm.columns != columns ||
      known.gemm.inner != inner || known.gemm.batch != batch || known.bytes != key.bytes) {
    known = key;
    known.time_us = parts(kernel).time_us;
  }
  return known.time_us;
}

const KernelPricer::Bound& KernelPricer::bound_of(const Kernel& kernel) const {
  switch (kernel.routine) {
    case Routine::product:
      return kernel.precision == MatmulPrecision::stored ? wide_product_ : product_;
    case Routine::separate_products:
      return product_;
    case Routine::grouped_product:
      return grouped_;
    case Routine::fused_attention:
      return kernel.attended.latent ? latent_prefill_ : prefill_;
    case Routine::cached_attention:
      return kernel.attended.latent ? latent_decode_ : decode_;
    default:
      return elementwise_;
  }
}

KernelParts KernelPricer::parts(const Kernel& kernel) const {
  if (!measured_) return plain(kernel);
  switch (kernel.routine) {
    case Routine::product:
      return product(kernel, bound_of(kernel));
    case Routine::separate_products:
      return separate(kernel);
    case Routine::grouped_product:
      return grouped(kernel);
    case Routine::fused_attention:
    case Routine::cached_attention:
      return attention(kernel, bound_of(kernel));
    default:
      return elementwise(kernel);
  }
}

KernelPrice KernelPricer::price(const Kernel& kernel) const {
  if (accelerator_ == nullptr) {
    const KernelParts known = parts(kernel);
    return {known, known.time_us, known.time_us};
  }
  const Bound& bound = bound_of(kernel);
  return banded(parts(kernel), {bound.family, bound.format, library_, kernel.pass != KernelPass::forward},
                *accelerator_);
}

double KernelPricer::read_us(const Kernel& kernel, const KernelParts& parts) const {
  if (kernel.held_bytes <= 0) return 0;
  if (measured_) return parts.memory_us * kernel.held_bytes / kernel.bytes;
  const double moved = (kernel.bytes - kernel.held_bytes) * plain_.read_share * plain_.matrix_traffic;
  return parts.memory_us * kernel.held_bytes / (kernel.held_bytes + moved);
}

double ComputeTime::forward_us() const {
  return std::accumulate(forward_of.begin(), forward_of.end(), 0.0);
}

double ComputeTime::backward_us() const {
  return std::accumulate(backward_of.begin(), backward_of.end(), 0.0);
}

ComputeTime compute_time(const Kernels& kernels, const KernelPricer& pricer) {
  ComputeTime time;
  // Sums in registers: in the struct each addition waits for the one before to be stored.
  double weight_gradient_us = 0;
  double recompute_us = 0;
  double launches = 0;
  double repeated_launches = 0;
  for (const Kernel& kernel : kernels) {
    const double us = pricer.time_us(kernel);
    const bool forward = kernel.pass == KernelPass::forward;
    (forward ? time.forward_of : time.backward_of)[static_cast<std::size_t>(kernel.operation)] += us;
    if (kernel.pass == KernelPass::weight_gradient) weight_gradient_us += us;
    recompute_us += kernel.recomputed * us;
    // Paces are fitted with the launches of whole passes, so selected recomputation adds none.
    const double again = kernel.recomputed_by == RecomputedBy::full ? kernel.launches : 0;
    repeated_launches += again;
    launches += kernel.launches + again;
  }
  time.weight_gradient_us = weight_gradient_us;
  time.recompute_us = recompute_us;
  time.launches = launches;
  time.repeated_launches = repeated_launches;
  return time;
}

InferenceTime inference_time(const Kernels& kernels, const KernelPricer& pricer) {
  InferenceTime time;
  for (const Kernel& kernel : kernels) {
    time.launches += kernel.launches;
    const KernelParts parts = pricer.parts(kernel);
    const double read_us = pricer.read_us(kernel, parts);
    (kernel.routine == Routine::cached_attention ? time.cache_us : time.weights_us) += read_us;
    time.compute_us += parts.time_us - parts.start_us - read_us;
    time.start_us += parts.start_us;
  }
  return time;
}

}  // namespace commcost
