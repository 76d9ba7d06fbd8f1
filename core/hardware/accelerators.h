#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/hardware/fabric.h"

namespace commcost {

/// Accelerators whose matrix units are of one age; none: not stated, which no row may leave.
enum class Generation {
  none,
  volta,
  turing,
  ampere,
  ada,
  hopper,
  blackwell,
  cdna2,
  cdna3,
  cdna4,
  gaudi,
  trainium,
  tpu
};

/// Who makes accelerators.
enum class Vendor { nvidia, amd, intel, aws, google };
inline constexpr std::string_view vendor_names[] = {"NVIDIA", "AMD", "Intel", "AWS", "Google"};
constexpr std::string_view name_of(Vendor vendor) {
  return vendor_names[static_cast<int>(vendor)];
}

/// Some of the vendors.
class Vendors {
 public:
  constexpr Vendors(std::initializer_list<Vendor> vendors) {
    for (const Vendor vendor : vendors) bits_ |= bit_of(vendor);
  }
  constexpr bool has(Vendor vendor) const { return (bits_ & bit_of(vendor)) != 0; }

 private:
  static constexpr std::uint32_t bit_of(Vendor vendor) {
    return std::uint32_t{1} << static_cast<int>(vendor);
  }

  std::uint32_t bits_ = 0;
};

/// The products of these vendors, such as "NVIDIA GPUs, AMD GPUs and TPUs".
std::string hardware_of(Vendors vendors);

/// A generation and who makes it.
struct GenerationRow {
  std::string_view id;    ///< as in tables and results, such as "hopper"
  std::string_view name;  ///< as written
  Vendor vendor;
};

/// Every generation, in the enum's order, from volta on.
inline constexpr GenerationRow generation_rows[] = {
    {"volta", "Volta", Vendor::nvidia},    {"turing", "Turing", Vendor::nvidia},
    {"ampere", "Ampere", Vendor::nvidia},  {"ada", "Ada", Vendor::nvidia},
    {"hopper", "Hopper", Vendor::nvidia},  {"blackwell", "Blackwell", Vendor::nvidia},
    {"cdna2", "CDNA 2", Vendor::amd},      {"cdna3", "CDNA 3", Vendor::amd},
    {"cdna4", "CDNA 4", Vendor::amd},      {"gaudi", "Gaudi", Vendor::intel},
    {"trainium", "Trainium", Vendor::aws}, {"tpu", "TPU", Vendor::google},
};

/// The row of a generation other than none.
constexpr const GenerationRow& row_of(Generation generation) {
  return generation_rows[static_cast<int>(generation) - 1];
}

/// The share of an accelerator's matrix peak that large products reach, and its source.
struct ProductRate {
  double share = 0;              ///< of the dense 16-bit peak, 0 to 1
  std::string_view like = "";    ///< id of the accelerator whose share it takes; empty: its own, or of none
  std::string_view source = "";  ///< who measured it, or why another's is used
};

/// One accelerator as training software sees it (a GPU).
/// Rates are dense; 0 where the accelerator has no such format or no figure is published. Multiprocessors,
/// L2, clocks and power are NVIDIA's own (architecture white papers of Volta, Turing, GA100, GA102, Ada and
/// Hopper; data sheets), unless the row says otherwise.
struct Accelerator {
  std::string_view id;              ///< as in links and calls, such as "h100-sxm"
  std::string_view name;            ///< as written
  Generation generation;            ///< of its matrix units
  double memory_gb;                 ///< as the vendor prints it, GB
  double hbm_gb_per_sec;            ///< memory bandwidth, GB/s
  double fp32_tflops = 0;           ///< vector peak
  double tf32_tflops = 0;           ///< matrix peak
  double bf16_tflops = 0;           ///< matrix peak
  double fp16_tflops = 0;           ///< matrix peak
  double fp8_tflops = 0;            ///< matrix peak
  double fp4_tflops = 0;            ///< matrix peak
  double int8_tflops = 0;           ///< matrix peak
  double achievable_tflops = 0;     ///< greatest measured bf16 matrix rate; 0: not measured
  ProductRate product_rate = {};    ///< what large products reach
  int multiprocessors = 0;          ///< among which a kernel's tiles are dealt out; 0: not known
  double l2_mb = 0;                 ///< last cache before the memory, MB; 0: not known
  double clock_ghz = 0;             ///< at which its matrix peaks hold, GHz; 0: not known
  double l2_bytes_per_clock = 0;    ///< that its L2 delivers to all multiprocessors; 0: not known
  double power_watts = 0;           ///< limit on its power, W; 0: not known
  double exponential_rate = 1;      ///< exponentials per clock and multiprocessor, relative to its generation
  std::string_view link;            ///< id of its scale-up link
  std::string_view host_link = "";  ///< id of its link to the host; empty: not known
  Fabric fabric;                    ///< how it is joined to others
  std::string_view source;          ///< where the figures come from

  /// Matrix peak in 16 bits: bf16, or fp16 where it has no bf16, TFLOP/s.
  constexpr double peak_16_bits_tflops() const { return bf16_tflops > 0 ? bf16_tflops : fp16_tflops; }
  /// Whether its matrix units scale operands by blocks of 32 and less: those that have 4 bits do.
  constexpr bool scales_blocks() const { return fp4_tflops > 0; }
};

/// Every accelerator, by vendor and age.
std::span<const Accelerator> all_accelerators();

/// The accelerator of that id, or null.
const Accelerator* find_accelerator(std::string_view id);

/// The position in all_accelerators() of an accelerator that is among them.
int place_of_accelerator(std::string_view id);

/// The fabric of the accelerator of that id, or null.
const Fabric* find_fabric(std::string_view accelerator);

}  // namespace commcost
