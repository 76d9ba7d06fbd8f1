#include "core/textbook/layer_timeline.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/model/flops.h"
#include "core/model/recomputation.h"
#include "core/parallel/ledger.h"

namespace commcost {
namespace {

// Two streams that each work in the order of being asked; a bar starts when its stream is free and its inputs
// are there.
class Streams {
 public:
  double run(Lane lane, Pass pass, Operation operation, double duration_us, double ready_us) {
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

// Attention or MLP: what is computed between two norms, forward, in microseconds.
struct Block {
  Operation in;
  double in_us;
  Operation between;
  double between_matrix_us;  // of its products
  double between_memory_us;  // of its reads and writes
  Operation out;
  double out_us;
};

// Where a message is sent: before or after the block, in the order of the forward pass.
enum class Side { entry, exit };

Operation operation_of(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
      return Operation::all_gather;
    case Collective::reduce_scatter:
      return Operation::reduce_scatter;
    case Collective::all_to_all:
      return Operation::all_to_all;
    case Collective::send_receive:
      return Operation::send_receive;
    default:
      return Operation::all_reduce;
  }
}

class Layer {
 public:
  Layer(const Setting& setting, const TimelineRates& rates)
      : setting_(setting),
        rates_(rates),
        ranks_(static_cast<double>(setting.layout.tensor_parallel)),
        element_(static_cast<double>(setting.work.bytes_per_element)),
        tokens_(tokens(setting.work) / static_cast<double>(setting.layout.context_parallel)),
        state_bytes_(tokens_ * static_cast<double>(setting.shape.hidden_size) * element_),
        sequence_parallel_(setting.layout.sequence_parallel),
        experts_(has_experts(setting.shape)),
        matrices_(layer_matrices(setting.shape, usual_layer(setting.shape), matrix_ranks(setting.layout))),
        attention_(attention_block()),
        mlp_(mlp_block()) {
    add_layer_messages(setting, messages_);
  }

  double forward(Pass pass, double ready) { return forward(mlp_, pass, forward(attention_, pass, ready)); }
  double backward(double ready) { return backward(attention_, backward(mlp_, ready)); }
  std::vector<Bar> take_bars() { return std::move(streams_.bars); }

 private:
  Block attention_block() const {
    const AttentionWidths& widths = matrices_.attention;
    const double scores = tokens_ * static_cast<double>(setting_.work.sequence_length) * widths.heads;
    const double core = 2 * tokens_ * keys_per_query(setting_.work) * widths.heads * widths.head_width();
    // Softmax, and dropout where there is any, each read the scores and write them, unless the core is fused.
    const double passes = setting_.work.flash_attention ? 0 : (setting_.work.dropout ? 4 : 2);
    return {Operation::query_key_value,
            product_us(MatrixPart::query_key_value),
            Operation::attention_core,
            flops_us(core),
            memory_us(scores * passes * element_),
            Operation::attention_output,
            product_us(MatrixPart::attention_output)};
  }

  Block mlp_block() const {
    // The activation function reads what the projection in wrote, and writes what the projection out reads.
    double width = matrices_.inner_width();
    for (const Matrix& matrix : matrices_) {
      if (matrix.part == MatrixPart::mlp_in) width += matrix.outputs * matrix.passes();
    }
    return {Operation::mlp_in,
            product_us(MatrixPart::router) + product_us(MatrixPart::mlp_in),
            Operation::activation,
            0,
            memory_us(tokens_ * width * element_),
            Operation::mlp_out,
            product_us(MatrixPart::mlp_out)};
  }

  double flops_us(double flops) const { return flops / (rates_.peak_tflops * 1e6); }

  // What ranks do not divide sees the rank's own tokens alone with sequence parallelism.
  template <class Share>
  double product_us(MatrixPart part, const Share& share_of) const {
    double flops = 0;
    for (const Matrix& matrix : matrices_) {
      if (matrix.part != part) continue;
      const bool own = sequence_parallel_ && matrix.split == MatrixSplit::none;
      flops += share_of(matrix) * matrix.flops() * tokens_ / (own ? ranks_ : 1);
    }
    return flops_us(flops);
  }

  double product_us(MatrixPart part) const {
    return product_us(part, [](const Matrix&) { return 1.0; });
  }

  double repeated_us(MatrixPart part) const {
    return product_us(
        part, [this](const Matrix& matrix) { return recomputed_share(matrix, matrices_, setting_.work); });
  }

  double memory_us(double bytes) const { return transfer_us(bytes, rates_.hbm_gb_per_sec); }

  // Norms, dropout and residual work on whole tokens, or on a share of them with sequence parallelism.
  double elementwise_us(double passes) const {
    return memory_us(passes * state_bytes_ / (sequence_parallel_ ? ranks_ : 1));
  }

  double ring_us(const Communication& message, double pieces) const {
    const double ranks = message.ranks.size;
    const double sent = ring_sent_bytes(message.collective, ranks, bytes_of(message, setting_).message);
    return message.count * (ring_blocks(message.collective, ranks) * rates_.latency_us +
                            transfer_us(sent / pieces, rates_.bandwidth_gb_per_sec));
  }

  // A message, or each of its pieces, once it is ready.
  double transfer(Pass pass, const Communication& message, double pieces, double ready) {
    const double end = streams_.run(Lane::communication, pass, operation_of(message.collective),
                                    ring_us(message, pieces), ready);
    if (end <= ready) return ready;
    Bar& bar = streams_.bars.back();
    bar.message_size_bytes = bytes_of(message, setting_).message / pieces;
    bar.calls = message.count;
    bar.group_size = message.ranks.size;
    return end;
  }

  // Whether a block of this layer sends the message, at its side: a region of both blocks begins with the
  // attention and ends with the MLP.
  bool sends(const Block& block, Side side, const Communication& message) const {
    if (message.layers == (experts_ ? AmongLayers::dense : AmongLayers::moe)) return false;
    const bool attention = &block == &attention_;
    if (message.part == Part::layer) return attention == (side == Side::entry);
    return attention == (message.part == Part::attention);
  }

  // The tensor ranks' messages of one collective at a side of a block.
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
    const Mode mode = setting_.work.mode;
    if (mode == Mode::training) return StepPhase::forward;
    return mode == Mode::prefill ? StepPhase::prefill : StepPhase::decode;
  }

  // The attention core, and what ranks that share the sequence send for it: before it, or round a ring beside
  // it.
  double core(const Block& block, Pass pass, double duration, double ready) {
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
    return std::max(compute(pass, block.between, duration, start), arrived);
  }

  double compute(Pass pass, Operation operation, double duration, double ready) {
    return streams_.run(Lane::compute, pass, operation, duration, ready);
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
  double gathered_product(const Block& block, Side side, Pass pass, Operation operation, double duration,
                          double ready) {
    const auto pieces = static_cast<double>(rates_.chunks);
    double end = ready;
    for (std::int64_t piece = 0; piece < rates_.chunks; ++piece) {
      const double here = sequence_parallel_ ? gather(block, side, pass, pieces, ready) : ready;
      end = compute(pass, operation, duration / pieces, here);
    }
    return end;
  }

  struct Ends {
    double product;
    double sum;
  };

  // A matrix product whose result is summed over ranks, piece by piece.
  Ends summed_product(const Block& block, Side side, Pass pass, Operation operation, double duration,
                      double ready) {
    const auto pieces = static_cast<double>(rates_.chunks);
    Ends ends{ready, ready};
    for (std::int64_t piece = 0; piece < rates_.chunks; ++piece) {
      ends.product = compute(pass, operation, duration / pieces, ready);
      ends.sum = sum(block, side, pass, pieces, ends.product);
    }
    return ends;
  }

  double forward(const Block& block, Pass pass, double ready) {
    double end = compute(pass, Operation::norm, elementwise_us(2), ready);
    // A block without experts at hand sends its tokens away before, and takes results back after.
    end = exchange(block, pass, Payload::dispatched, end);
    end = gathered_product(block, Side::entry, pass, block.in, block.in_us, end);
    end = core(block, pass, block.between_matrix_us + block.between_memory_us, end);
    end = summed_product(block, Side::exit, pass, block.out, block.out_us, end).sum;
    end = exchange(block, pass, Payload::combined, end);
    return compute(pass, Operation::residual, elementwise_us(3), end);
  }

  // What selective recomputation does again before gradients pass what lies between a block's matrices.
  double repeat(const Block& block, double ready) {
    const bool attention = &block == &attention_;
    const bool elementwise = recomputes(setting_.work, &Work::recompute_elementwise);
    const bool between = attention ? recomputes(setting_.work, &Work::recompute_attention_core) : elementwise;
    const auto again = [this](Operation operation, double duration, double from) {
      return compute(Pass::recompute, operation, duration, from);
    };
    double end = again(Operation::norm, elementwise ? elementwise_us(2) : 0, ready);
    end = again(block.in, repeated_us(attention ? MatrixPart::query_key_value : MatrixPart::mlp_in), end);
    end = again(block.between, between ? block.between_matrix_us + block.between_memory_us : 0, end);
    return again(block.out, repeated_us(attention ? MatrixPart::attention_output : MatrixPart::mlp_out), end);
  }

  double backward(const Block& block, double ready) {
    constexpr Pass input = Pass::input_gradient;
    constexpr Pass weight = Pass::weight_gradient;
    double end = compute(input, Operation::residual, elementwise_us(2), ready);
    end = exchange(block, input, Payload::dispatched, end);
    end = gathered_product(block, Side::exit, input, block.out, block.out_us, end);
    end = compute(weight, block.out, block.out_us, end);
    end = repeat(block, end);
    end = core(block, input, 2 * (block.between_matrix_us + block.between_memory_us), end);
    const double input_ready = gather(block, Side::entry, weight, 1, end);
    const Ends ends = summed_product(block, Side::entry, input, block.in, block.in_us, end);
    const double may_start = setting_.layout.overlap_tensor ? ends.product : ends.sum;
    compute(weight, block.in, block.in_us, std::max(may_start, input_ready));
    end = exchange(block, input, Payload::combined, ends.sum);
    return compute(input, Operation::norm, elementwise_us(3), end);
  }

  const Setting& setting_;
  const TimelineRates& rates_;
  const double ranks_;
  const double element_;
  const double tokens_;
  const double state_bytes_;
  const bool sequence_parallel_;
  const bool experts_;
  Communications messages_;
  const LayerMatrices matrices_;
  const Block attention_;
  const Block mlp_;
  Streams streams_;
};

double overlap_us(const Bar& one, const Bar& other) {
  const double start = std::max(one.start_us, other.start_us);
  const double end = std::min(one.start_us + one.duration_us, other.start_us + other.duration_us);
  return std::max(0.0, end - start);
}

}  // namespace

LayerTimeline layer_timeline(const Setting& setting, const TimelineRates& rates) {
  Layer layer(setting, rates);
  LayerTimeline timeline;
  timeline.forward_us = layer.forward(Pass::forward, 0);
  double end = timeline.forward_us;
  if (setting.work.mode == Mode::training) {
    if (setting.work.recompute == Recompute::full) end = layer.forward(Pass::recompute, end);
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
    bar.exposed_us = std::max(0.0, bar.duration_us - covered);
    timeline.communication_us += bar.duration_us;
    timeline.exposed_us += bar.exposed_us;
  }
  return timeline;
}

}  // namespace commcost
