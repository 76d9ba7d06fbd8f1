#pragma once

#include "core/parallel/layout.h"

namespace commcost {

/// How long a pipeline idles, as a share of two things that must not be mixed.
struct Bubble {
  double of_ideal = 0;  ///< of the time that compute alone would take
  double of_total = 0;  ///< of the time it takes with the bubble
};

/// Bubble of a schedule with `micro_batches` micro-batches: (p-1)/m of ideal for GPipe and 1F1B, over v
/// chunks (p-1)/(v m) (arXiv:2104.04473, section 2.2), a third of 1F1B's for ZB1P where forward, input
/// gradient and weight gradient take equal time, none for ZB2P (arXiv:2401.10241); where they do, and a
/// forward and a backward pass side by side take as long as in turn, (p-2)/(3 m) for DualPipe and (p-1)/(3 m)
/// for DualPipe-V (arXiv:2412.19437, table 2). Of total: x/(1+x), (p-1)/(m+p-1) for 1F1B.
Bubble bubble_of(const Layout& layout, double micro_batches);

/// Micro-batches whose activations a stage holds at once, each of a stage's layers: on the first stage, those
/// between, and the last.
struct InFlight {
  double first = 1;
  double inner = 1;
  double last = 1;
};

/// On the first stage m for GPipe, p for 1F1B and ZB1P, p (1 + (p-1)/(p v)) interleaved (arXiv:2205.05198,
/// section 4.2.3), 2 p - 1 for ZB2P, one less on each stage behind; never more than m. On every stage p + 1
/// for DualPipe, p + 1/2 for DualPipe-V (2 p + 1 chunks; deepseek-ai/DualPipe).
InFlight micro_batches_in_flight(const Layout& layout, double micro_batches);

}  // namespace commcost
