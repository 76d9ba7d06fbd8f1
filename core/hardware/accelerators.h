#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// One accelerator as training software sees it (a GPU; of an MI250X both dies together).
/// Rates are dense; 0 where the accelerator has no such format or no figure is published.
struct Accelerator {
  std::string_view id;       ///< as in links and calls, such as "h100-sxm"
  std::string_view name;     ///< as written
  double memory_gb;          ///< as the vendor prints it, GB
  double hbm_gb_per_sec;     ///< memory bandwidth, GB/s
  double fp32_tflops;        ///< vector peak
  double tf32_tflops;        ///< matrix peak
  double bf16_tflops;        ///< matrix peak, bf16 or fp16
  double fp8_tflops;         ///< matrix peak
  double achievable_tflops;  ///< greatest measured bf16 matrix rate; 0: not measured
  std::string_view link;     ///< id of its scale-up link
  std::string_view source;   ///< where the figures come from
};

/// Every accelerator, by vendor and age.
std::span<const Accelerator> all_accelerators();

/// The accelerator of that id, or null.
const Accelerator* find_accelerator(std::string_view id);

}  // namespace commcost
