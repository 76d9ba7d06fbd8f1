#pragma once

#include <span>
#include <string_view>

#include "core/hardware/fabric.h"

namespace commcost {

/// Accelerators whose matrix units are of one age.
enum class Generation { volta, ampere, hopper, blackwell, tpu, amd, other };
inline constexpr std::string_view generation_names[] = {"volta", "ampere", "hopper", "blackwell",
                                                        "tpu",   "amd",    "other"};

/// One accelerator as training software sees it (a GPU).
/// Rates are dense; 0 where the accelerator has no such format or no figure is published.
struct Accelerator {
  std::string_view id;              ///< as in links and calls, such as "h100-sxm"
  std::string_view name;            ///< as written
  double memory_gb;                 ///< as the vendor prints it, GB
  double hbm_gb_per_sec;            ///< memory bandwidth, GB/s
  double fp32_tflops = 0;           ///< vector peak
  double tf32_tflops = 0;           ///< matrix peak
  double bf16_tflops;               ///< matrix peak of 16 bits: bf16, or fp16 where bf16 does not exist
  double fp16_tflops = 0;           ///< matrix peak
  double fp8_tflops = 0;            ///< matrix peak
  double fp4_tflops = 0;            ///< matrix peak
  double achievable_tflops = 0;     ///< greatest measured bf16 matrix rate; 0: not measured
  std::string_view link;            ///< id of its scale-up link
  std::string_view host_link = "";  ///< id of its link to the host; empty: not known
  Fabric fabric;                    ///< how it is joined to others
  std::string_view source;          ///< where the figures come from

  Generation generation() const;
};

/// Every accelerator, by vendor and age.
std::span<const Accelerator> all_accelerators();

/// The accelerator of that id, or null.
const Accelerator* find_accelerator(std::string_view id);

/// The fabric of the accelerator of that id, or null.
const Fabric* find_fabric(std::string_view accelerator);

}  // namespace commcost
