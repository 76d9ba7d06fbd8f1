#include "core/textbook/layer_timeline.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/model/recomputation.h"
#include "core/parallel/ledger.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

// Two streams that each work in the order of requests; a bar starts when its stream is free and its inputs
// are there.
class Streams {
 public:
  double run(Lane lane, Pass pass, Activity operation, double duration_us, double ready_us) {
    if (duration_us <= 0) return ready_us;
    double& free = free_[static_cast<int>(lane)];
    const double start = std::max(free, ready_us);
    free = start + duration_us;
    bars.push_back({lane, pass, operation, start, duration_us, 0});
    return free;
  }

  std::vector<Bar> bars;

 private:
  double free_[2] = {0, 0};
};

// Attention or MLP: what is computed from a norm to a sum, in the order of the forward pass.
struct Block {
  Sublayer sublayer;
  Operation in;
  Operation between;
  Operation out;
};
constexpr Block attention{Sublayer::attention, Operation::query_key_value, Operation::attention_core,
                          Operation::attention_output};
constexpr Block mlp{Sublayer::mlp, Operation::mlp_in, Operation::activation, Operation::mlp_out};

constexpr Activity activity_of(Operation operation) {
  return static_cast<Activity>(operation);
}
static_assert(activity_of(Operation::residual) == Activity::residual &&
              activity_of(Operation::router) == Activity::router);

// Where a message is sent: before or after the block, in the order of the forward pass.
enum class Side { entry, exit };

Activity activity_of(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
      return Activity::all_gather;
    case Collective::reduce_scatter:
      return Activity::reduce_scatter;
    case Collective::all_to_all:
      return Activity::all_to_all;
    case Collective::send_receive:
      return Activity::send_receive;
    default:
      return Activity::all_reduce;
  }
}

// Time of each operation of a sublayer in each pass, us.
class OperationTimes {
 public:
  OperationTimes(const Kernels& kernels, const KernelPricer& rates) {
    for (const Kernel& kernel : kernels) {
      const double us = rates.time_us(kernel);
      at(pass_of(kernel.pass), kernel.sublayer, kernel.operation) += us;
      at(Pass::recompute, kernel.sublayer, kernel.operation) += kernel.recomputed * us;
    }
  }

  double operator()(Pass pass, Sublayer sublayer, Operation operation) const {
    return times_[static_cast<std::size_t>(pass)][static_cast<std::size_t>(sublayer)]
                 [static_cast<std::size_t>(operation)];
  }

 private:
  static Pass pass_of(KernelPass pass) {
    if (pass == KernelPass::forward) return Pass::forward;
    return pass == KernelPass::input_gradient ? Pass::input_gradient : Pass::weight_gradient;
  }

  double& at(Pass pass, Sublayer sublayer, Operation operation) {
    return times_[static_cast<std::size_t>(pass)][static_cast<std::size_t>(sublayer)]
                 [static_cast<std::size_t>(operation)];
  }

  double times_[4][2][num_operations] = {};
};

class Layer {
 public:
  Layer(const Job& job, const Kernels& kernels, const TimelineRates& rates)
      : job_(job),
        rates_(rates),
        times_(kernels, rates.compute),
        sequence_parallel_(job.layout.sequence_parallel),
        experts_(has_experts(job.model)) {
    add_layer_messages(job, messages_);
  }

  double forward(Pass pass, double ready) { return forward(mlp, pass, forward(attention, pass, ready)); }
  double backward(double ready) { return backward(attention, backward(mlp, ready)); }
  std::vector<Bar> take_bars() { return std::move(streams_.bars); }

 private:
  double ring_us(const Communication& message, double pieces) const {
    const double ranks = message.ranks.size;
    const double sent = ring_sent_bytes(message.collective, ranks, bytes_of(message, job_).message);
    return message.count * (ring_blocks(message.collective, ranks) * rates_.latency_us +
                            transfer_us(sent / pieces, rates_.bandwidth_gb_per_sec));
  }

  // A message, or each of its pieces, as soon as it is ready.
  double transfer(Pass pass, const Communication& message, double pieces, double ready) {
    const double end = streams_.run(Lane::communication, pass, activity_of(message.collective),
                                    ring_us(message, pieces), ready);
    if (end <= ready) return ready;
    Bar& bar = streams_.bars.back();
    bar.message_size_bytes = bytes_of(message, job_).message / pieces;
    bar.calls = message.count;
    bar.group_size = message.ranks.size;
    return end;
  }

  // Whether a block of this layer sends the message on its side: a region of both blocks begins with the
  // attention and ends with the MLP.
  bool sends(const Block& block, Side side, const Communication& message) const {
    if (message.layers == (experts_ ? AmongLayers::dense : AmongLayers::moe)) return false;
    const bool in_attention = block.sublayer == Sublayer::attention;
    if (message.part == Part::layer) return in_attention == (side == Side::entry);
    return in_attention == (message.part == Part::attention);
  }

  // The tensor ranks' messages of one collective on one side of a block.
  double send(const Block& block, Side side, Pass pass, Collective collective, double pieces, double ready) {
    double end = ready;
    for (const Communication& message : messages_) {
      const bool again = message.dimension == Dimension::sequence;
      if ((message.dimension != Dimension::tensor && !again) || again != (pass == Pass::weight_gradient) ||
          message.phase != phase_of(pass) || message.collective != collective ||
          !sends(block, side, message)) {
        continue;
      }
      end = transfer(pass, message, pieces, ready);
    }
    return end;
  }

  double gather(const Block& block, Side side, Pass pass, double pieces, double ready) {
    return send(block, side, pass, Collective::all_gather, pieces, ready);
  }

  double sum(const Block& block, Side side, Pass pass, double pieces, double ready) {
    return send(block, side, pass, sequence_parallel_ ? Collective::reduce_scatter : Collective::all_reduce,
                pieces, ready);
  }

  StepPhase phase_of(Pass pass) const {
    if (pass == Pass::recompute) return StepPhase::recompute;
    if (pass != Pass::forward) return StepPhase::backward;
    const Mode mode = job_.work.mode;
    if (mode == Mode::training) return StepPhase::forward;
    return mode == Mode::prefill ? StepPhase::prefill : StepPhase::decode;
  }

  // What lies between the products, and what ranks that share the sequence send for the attention core:
  // before it, or round a ring during it.
  double between(const Block& block, Pass pass, double ready) {
    double start = ready;
    double arrived = ready;
    for (const Communication& message : messages_) {
      if (message.dimension != Dimension::context || message.phase != phase_of(pass) ||
          !sends(block, Side::entry, message)) {
        continue;
      }
      arrived = transfer(pass, message, 1, arrived);
      if (message.overlaps_with == OverlapsWith::nothing) start = arrived;
    }
    return std::max(compute(block, pass, block.between, start), arrived);
  }

  double compute(const Block& block, Pass pass, Operation operation, double ready, double pieces = 1) {
    return streams_.run(Lane::compute, pass, activity_of(operation),
                        times_(pass, block.sublayer, operation) / pieces, ready);
  }

  // To the experts, or back.
  double exchange(const Block& block, Pass pass, Payload payload, double ready) {
    double end = ready;
    for (const Communication& message : messages_) {
      if (message.payload == payload && message.phase == phase_of(pass) &&
          sends(block, Side::entry, message)) {
        end = transfer(pass, message, 1, end);
      }
    }
    return end;
  }

  // A matrix product that waits for the gathering of its input, piece by piece.
  double gathered_product(const Block& block, Side side, Pass pass, Operation operation, double ready) {
    const auto pieces = static_cast<double>(rates_.chunks);
    double end = ready;
    for (std::int64_t piece = 0; piece < rates_.chunks; ++piece) {
      const double here = sequence_parallel_ ? gather(block, side, pass, pieces, ready) : ready;
      end = compute(block, pass, operation, here, pieces);
    }
    return end;
  }

  struct Ends {
    double product;
    double sum;
  };

  // A matrix product whose result is summed over ranks, piece by piece.
  Ends summed_product(const Block& block, Side side, Pass pass, Operation operation, double ready) {
    const auto pieces = static_cast<double>(rates_.chunks);
    Ends ends{ready, ready};
    for (std::int64_t piece = 0; piece < rates_.chunks; ++piece) {
      ends.product = compute(block, pass, operation, ready, pieces);
      ends.sum = sum(block, side, pass, pieces, ends.product);
    }
    return ends;
  }

  double forward(const Block& block, Pass pass, double ready) {
    double end = compute(block, pass, Operation::norm, ready);
    end = compute(block, pass, Operation::router, end);
    // A block whose experts are elsewhere sends its tokens away before, and takes results back after.
    end = exchange(block, pass, Payload::dispatched, end);
    end = gathered_product(block, Side::entry, pass, block.in, end);
    end = compute(block, pass, Operation::positions, end);
    end = between(block, pass, end);
    end = summed_product(block, Side::exit, pass, block.out, end).sum;
    end = exchange(block, pass, Payload::combined, end);
    return compute(block, pass, Operation::residual, end);
  }

  // What selective recomputation repeats before gradients pass what lies between a block's matrices; full
  // recomputation has already done so.
  double repeat(const Block& block, double ready) {
    if (recomputes_all(job_.work)) return ready;
    double end = ready;
    for (const Operation operation : {Operation::norm, Operation::router, block.in, Operation::positions,
                                      block.between, block.out, Operation::residual})
      end = compute(block, Pass::recompute, operation, end);
    return end;
  }

  double backward(const Block& block, double ready) {
    constexpr Pass input = Pass::input_gradient;
    constexpr Pass weight = Pass::weight_gradient;
    double end = compute(block, input, Operation::residual, ready);
    end = exchange(block, input, Payload::dispatched, end);
    end = gathered_product(block, Side::exit, input, block.out, end);
    end = compute(block, weight, block.out, end);
    end = repeat(block, end);
    end = between(block, input, end);
    end = compute(block, input, Operation::positions, end);
    const double input_ready = gather(block, Side::entry, weight, 1, end);
    const Ends ends = summed_product(block, Side::entry, input, block.in, end);
    const double may_start = job_.layout.overlap_tensor ? ends.product : ends.sum;
    compute(block, weight, block.in, std::max(may_start, input_ready));
    end = exchange(block, input, Payload::combined, ends.sum);
    end = compute(block, input, Operation::router, end);
    end = compute(block, weight, Operation::router, end);
    return compute(block, input, Operation::norm, end);
  }

  const Job& job_;
  const TimelineRates& rates_;
  const OperationTimes times_;
  const bool sequence_parallel_;
  const bool experts_;
  Communications messages_;
  Streams streams_;
};

double overlap_us(const Bar& one, const Bar& other) {
  const double start = std::max(one.start_us, other.start_us);
  const double end = std::min(one.start_us + one.duration_us, other.start_us + other.duration_us);
  return std::max(0.0, end - start);
}

}  // namespace

LayerTimeline layer_timeline(const Job& job, const TimelineRates& rates) {
  return layer_timeline(
      job, layer_kernels(job.model, usual_layer(job.model), job.work, rank_share(job.work, job.layout)),
      rates);
}

LayerTimeline layer_timeline(const Job& job, const Kernels& kernels, const TimelineRates& rates) {
  Layer layer(job, kernels, rates);
  LayerTimeline timeline;
  timeline.forward_us = layer.forward(Pass::forward, 0);
  double end = timeline.forward_us;
  if (job.work.mode == Mode::training) {
    if (recomputes_all(job.work)) end = layer.forward(Pass::recompute, end);
    end = layer.backward(end);
  }
  timeline.backward_us = end - timeline.forward_us;
  timeline.bars = layer.take_bars();
  for (Bar& bar : timeline.bars) {
    if (bar.lane == Lane::compute) {
      timeline.compute_us += bar.duration_us;
      continue;
    }
    double covered = 0;
    for (const Bar& other : timeline.bars) {
      if (other.lane == Lane::compute) covered += overlap_us(bar, other);
    }
    const double rest = bar.duration_us - covered;
    // Rounding errors in sums of times do not count as waiting.
    bar.exposed_us = rest > 1e-9 * bar.duration_us ? rest : 0;
    timeline.communication_us += bar.duration_us;
    timeline.exposed_us += bar.exposed_us;
  }
  return timeline;
}

}  // namespace commcost
