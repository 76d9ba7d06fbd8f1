#pragma once

#include <span>
#include <string_view>

#include "core/compute/kernel_parts.h"
#include "core/hardware/basis.h"

namespace commcost {

/// Whose kernels run: what a stack calls.
enum class KernelLibrary {
  any,  ///< cuBLAS, cuDNN and their like: what all libraries reach together
  tensorrt_llm,
  sglang,
  vllm,
};
inline constexpr std::string_view kernel_library_names[] = {"any", "tensorrt-llm", "sglang", "vllm"};

/// Fitted constants of a kind of kernel. Generation none, format any and library any: all of them together,
/// for kernels without rows of their own.
struct KernelTableRow {
  KernelFamily family;
  Generation generation;
  KernelFormat format;
  KernelLibrary library;
  KernelConstants constants;
  int rows;  ///< measurements that they were fitted to
};

/// An accelerator's matrix rate relative to others of its generation, each as a share of its data sheet.
struct MatrixClockRow {
  std::string_view accelerator;
  double factor;
};

/// An accelerator and a format in which a family was measured.
struct MeasuredKernelsRow {
  KernelFamily family;
  std::string_view accelerator;
  KernelFormat format;
  int series;  ///< shapes by libraries
};

/// Measured over predicted time: 80 % of the held-out measurements lie between.
struct KernelBand {
  double low = 1;
  double high = 1;
};

/// Bands of a family on one basis: for kernels dominated by starting, and for all others.
struct KernelBandRow {
  KernelFamily family;
  Basis basis;
  KernelBand starting;
  KernelBand working;
};

/// Everything that was fitted: `validation kernels --fit` writes it.
struct KernelTable {
  std::span<const KernelTableRow> constants;  ///< by family, in KernelFamily's order
  std::span<const MatrixClockRow> clocks;
  std::span<const MeasuredKernelsRow> measured;
  std::span<const KernelBandRow> bands;
};

/// The table as it was fitted to tests/data/kernels_*.csv (kernels.md says where these come from).
const KernelTable& kernel_table();

/// The most specific row for a kernel: of its format and library, of its format, of its generation, of all.
/// Null if the table has none of its family.
const KernelTableRow* find_constants(const KernelTable& table, KernelFamily family, Generation generation,
                                     KernelFormat format, KernelLibrary library);

}  // namespace commcost
