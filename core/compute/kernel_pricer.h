#pragma once

#include <array>
#include <vector>

#include "core/compute/kernel_price.h"
#include "core/hardware/machine.h"
#include "core/model/kernels.h"

namespace commcost {

/// How a stack runs kernels.
struct KernelHabits {
  double gemm_time_scale = 1;          ///< factors on the times of measured kernels: of products,
  double grouped_gemm_time_scale = 1;  ///< of routed experts' products,
  double attention_time_scale = 1;     ///< of the fused attention core,
  double elementwise_time_scale = 1;   ///< and of all others
  bool flash_attention_2 = false;      ///< whether attention knows no instructions newer than Ampere's
  KernelLibrary library = KernelLibrary::any;

  bool operator==(const KernelHabits&) const = default;
};

/// How a job's products are multiplied, by their precision and how weights are kept.
KernelFormat product_format(const Work& work);

/// Prices the kernels of one job: rates and constants are looked up once. If no kernel of an accelerator's
/// generation was measured, it is priced by peak, memory rate and the shares that others usually reach.
class KernelPricer {
 public:
  /// By kernel_table().
  KernelPricer(const Machine& machine, const Work& work, const KernelHabits& habits,
               const MachineScales& scales = {});

  /// The rates of a data sheet, at which products hide what they stream.
  static KernelPricer at_line_rates(double peak_tflops, double hbm_gb_per_sec);

  /// The time of a kernel of a list.
  KernelParts parts(const Kernel& kernel) const;
  double time_us(const Kernel& kernel) const;
  /// The same with its band; at line rates, which are no measurements, the band has no width.
  KernelPrice price(const Kernel& kernel) const;

  /// From now on keeps the times of products and attention: a search of one model's layouts meets the same
  /// ones over and over. Room for `most` of them.
  void remember(std::size_t most);

  /// The part of a kernel's time that goes into reading weights or a cache, us.
  double read_us(const Kernel& kernel, const KernelParts& parts) const;
  /// Rate of kernels that only convert and move, bytes per microsecond.
  double streamed_bytes_per_us() const { return streamed_bytes_per_us_; }

 private:
  // A kind of kernel on this machine.
  struct Bound {
    Chip chip;
    KernelConstants constants{};
    double scale = 1;
    KernelFamily family = KernelFamily::gemm;
    KernelFormat format = KernelFormat::any;
  };
  // What replaces the tables; FLOPs and bytes per microsecond.
  struct Plain {
    double products = 0;
    double wide_products = 0;
    double attention = 0;
    double grouped = 0;
    double bytes = 0;
    double read_share = 1;      // of bytes, at which inference reads weights and cache
    double matrix_traffic = 1;  // times that products stream their matrices on top of multiplying
    KernelHabits habits;
  };

  KernelPricer() = default;
  const Bound& bound_of(const Kernel& kernel) const;
  KernelParts plain(const Kernel& kernel) const;
  KernelParts product(const Kernel& kernel, const Bound& bound) const;
  KernelParts separate(const Kernel& kernel) const;
  KernelParts grouped(const Kernel& kernel) const;
  KernelParts attention(const Kernel& kernel, const Bound& bound) const;
  KernelParts elementwise(const Kernel& kernel) const;
  double moving_us_per_byte(const Kernel& kernel) const {
    return kernel.owner == MatrixOwner::routed_expert && kernel.routine != Routine::accumulation
               ? permuted_us_per_byte_
               : streamed_us_per_byte_;
  }

  // A product, or fused attention of one model, that was already priced.
  struct Known {
    Gemm gemm;  // of attention: sequences, keys, heads, and those of keys
    double bytes = 0;
    int kind = 0;  // what prices it; 0: not kept
    double time_us = 0;
  };

  static Known key_of(const Kernel& kernel);

  mutable std::vector<Known> known_;          // by hash; empty: nothing is kept
  const Accelerator* accelerator_ = nullptr;  // of line rates: none
  KernelLibrary library_ = KernelLibrary::any;
  bool measured_ = false;  // whether its generation has tables
  bool trains_ = true;
  Plain plain_;
  KernelRun run_;
  Generation attends_as_ = Generation::none;  // by which backward passes of attention go
  double cache_bytes_ = 2;                    // of an element
  double streamed_bytes_per_us_ = 1;
  double moving_start_us_ = 0;  // of a launch of an element-wise kernel
  double streamed_us_per_byte_ = 1;
  double permuted_us_per_byte_ = 1;  // of what lies between the products of routed experts
  Bound product_;
  Bound wide_product_;
  Bound grouped_;
  Bound prefill_;
  Bound latent_prefill_;
  Bound decode_;
  Bound latent_decode_;
  Bound elementwise_;
};

/// What the kernels of one micro-batch take, us: sums over their list.
struct ComputeTime {
  std::array<double, num_operations> forward_of{};   ///< forward pass, by Operation
  std::array<double, num_operations> backward_of{};  ///< gradients of inputs and weights, by Operation
  double weight_gradient_us = 0;                     ///< gradients of weights alone
  double recompute_us = 0;                           ///< run again in the backward pass
  double launches = 0;                               ///< of all passes
  double repeated_launches = 0;                      ///< of them, those of what whole layers run again

  double forward_us() const;
  double backward_us() const;
  double forward_us(Operation operation) const { return forward_of[static_cast<std::size_t>(operation)]; }
  double backward_us(Operation operation) const { return backward_of[static_cast<std::size_t>(operation)]; }
};
ComputeTime compute_time(const Kernels& kernels, const KernelPricer& pricer);

/// The same for an inference step, whose products have few rows: reading weights and cache dominates.
struct InferenceTime {
  double weights_us = 0;  ///< reading weights
  double cache_us = 0;    ///< reading keys and values
  double compute_us = 0;  ///< multiplying, beyond what reading hides, and all other kernels
  double start_us = 0;    ///< before and between the work of kernels
  double launches = 0;
};
InferenceTime inference_time(const Kernels& kernels, const KernelPricer& pricer);

}  // namespace commcost
