#pragma once

#include "core/parallel/layout.h"

namespace commcost {

/// One stage's work on one micro-batch, in any unit of time; the weight gradient takes no longer than either
/// of the others.
struct StagePass {
  double forward = 0;
  double input_gradient = 0;   ///< with recomputation, and weight gradients that are not put off
  double weight_gradient = 0;  ///< that schedules may put off to fill the bubble
};

/// Time that a stage idles in a step while the pipeline fills and drains, in the unit of `pass`, with F, B, W
/// as there, `chunks` v and `micro_batches` m: (p-1)(F+B+W) for gpipe and 1f1b, over v when interleaved
/// (arXiv:2104.04473); (p-1)(F+B) less W for each of min(p-1, m-1) for ZB1P, of min(2(p-1), m-1) for ZB2P,
/// whose stages begin the next step one after the other (arXiv:2401.10241, table 2). For DualPipe the greater
/// of (p/2-1)(2F+B-W) and (p/2-1)(F+2B-W) - F, both DeepSeek's (p/2-1)(F&B+B-3W) where B is F and F&B a
/// forward and a backward pass in turn; for DualPipe-V the same with p-1 and passes of half as large chunks.
/// It is what the order of passes takes.
double bubble_of(PipelineSchedule schedule, double stages, double chunks, double micro_batches,
                 const StagePass& pass);

/// Weight gradients of the last stage that need not be done before the first stage ends: those that fill the
/// bubble, and one more; 0 if the schedule delays none. If the last stage's weight gradients take longer than
/// others', that shortens the bubble by this many times the difference.
double weight_gradients_off_path(PipelineSchedule schedule, double stages, double micro_batches);

/// How long a pipeline idles by the textbook formula, as a share of two totals that must not be mixed.
struct TextbookBubble {
  double of_ideal = 0;  ///< of the time for compute alone
  double of_total = 0;  ///< of the time including the bubble
};

/// The bubble where forward pass, input gradient and weight gradient take equal time: (p-1)/m of ideal for
/// 1F1B, a third of it for ZB1P, none for ZB2P, (p-2)/(3 m) for DualPipe and (p-1)/(3 m) for DualPipe-V,
/// given micro-batches enough. Of total: x/(1+x), (p-1)/(m+p-1) for 1F1B.
TextbookBubble textbook_bubble(const Layout& layout, double micro_batches);

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
