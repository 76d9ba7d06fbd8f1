#pragma once

#include "core/compute/kernel_table.h"

namespace commcost {

/// A kernel to be priced.
struct KernelQuestion {
  KernelCall call;
  KernelFormat format = KernelFormat::bf16;
  KernelLibrary library = KernelLibrary::any;
  KernelRun run;
};

/// What a kernel spends most of its time on.
enum class KernelLimit { compute, memory, start };
inline constexpr std::string_view kernel_limit_names[] = {"compute", "memory", "start"};

/// A kernel's time with its band.
struct KernelPrice : KernelParts {
  double low_us = 0;
  double high_us = 0;
  Basis basis = Basis::estimated;
  KernelLimit limit = KernelLimit::compute;
};

/// The constants of a family on an accelerator: the most specific that the table has, with the matrix share
/// that this accelerator reaches.
KernelConstants constants_for(KernelFamily family, KernelFormat format, KernelLibrary library,
                              const Accelerator& accelerator, const KernelTable& table);

/// The backward pass of a fused attention core whose forward pass is given.
KernelParts attention_backward(KernelParts forward, Generation generation);

/// The time by that table, without a band. The accelerator must support the format.
KernelParts parts_of(const KernelQuestion& question, const Accelerator& accelerator,
                     const KernelTable& table);

/// Which measurements apply to a kernel: how it multiplies, and whose kernels run it.
struct KernelEvidence {
  KernelFamily family = KernelFamily::gemm;
  KernelFormat format = KernelFormat::bf16;
  KernelLibrary library = KernelLibrary::any;
  bool backward = false;
};

/// A time with its band, by kernel_table().
KernelPrice banded(const KernelParts& parts, const KernelEvidence& evidence, const Accelerator& accelerator);

/// The time and its band, by kernel_table(). The accelerator must support the format.
KernelPrice price_of(const KernelQuestion& question, const Accelerator& accelerator);

}  // namespace commcost
