#include "core/textbook/overlap_ratio.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/model/flops.h"

namespace commcost {
namespace {

struct Quantities {
  double tokens;
  double hidden;
  double element;  // bytes
  double layers;
  double layer_flops;     // forward, of the mean layer's matrices, unsplit
  double layer_elements;  // of the mean layer's matrices, as far as its expert ranks hold them, unsplit
  double tensor;          // degrees
  double pipeline;
  double data;
  double flops_a_byte;  // peak over bandwidth
};

// A matrix of n elements takes 2 n FLOPs a token, but experts lie there that the token does not visit.
double unvisited_elements(const ModelShape& shape, const Layout& layout) {
  if (!has_experts(shape)) return 0;
  const double held = static_cast<double>(shape.num_experts) / static_cast<double>(layout.expert_parallel);
  return (held - static_cast<double>(shape.experts_per_token)) * parameters_of(shape).expert;
}

Quantities quantities_of(const Setting& setting, const OverlapRates& rates) {
  const ModelShape& shape = setting.shape;
  const Work& work = setting.work;
  const Layout& layout = setting.layout;
  const double all = tokens(work);
  const double sparse = static_cast<double>(expert_layers(shape)) / static_cast<double>(shape.num_layers);
  const double flops =
      over_layers(shape, [&](LayerKind kind) { return layer_flops(shape, all, 0, kind).total(); }) /
      static_cast<double>(shape.num_layers);
  return {all,
          static_cast<double>(shape.hidden_size),
          static_cast<double>(work.bytes_per_element),
          static_cast<double>(shape.num_layers),
          flops,
          flops / (2 * all) + sparse * unvisited_elements(shape, layout),
          static_cast<double>(layout.tensor_parallel),
          static_cast<double>(layout.pipeline_parallel),
          static_cast<double>(layout.data_parallel),
          rates.peak_tflops * 1e12 / (rates.bandwidth_gb_per_sec * gb_per_sec)};
}

struct Parts {
  Collective collective;
  double ranks;
  double message_bytes;
  double compute_flops;
  double printed_ratio;
  double cheat_sheet_ratio;
};

Parts data_parallel(const Quantities& of) {
  const double parameters = of.layers * of.layer_elements;
  const double printed = parameters / (2 * of.tokens) * (of.data - 1) / of.data * of.flops_a_byte;
  return {Collective::all_reduce,
          of.data,
          parameters * of.element / of.tensor,
          2 * of.layers * of.layer_flops / of.tensor,
          printed,
          printed};
}

Parts zero_3(const Quantities& of) {
  const double cheat_sheet = (of.data - 1) / (2 * of.tokens) * of.flops_a_byte;
  return {Collective::all_gather,
          of.data,
          of.layer_elements * of.element / of.tensor,
          of.layer_flops / of.tensor,
          cheat_sheet / of.data,
          cheat_sheet};
}

Parts tensor_parallel(const Quantities& of, double compute_flops) {
  const double printed = (of.tensor - 1) / (2 * of.hidden) * of.flops_a_byte;
  const double cheat_sheet = (of.tensor - 1) / (24 * of.hidden) * of.flops_a_byte;
  return {Collective::all_gather,    of.tensor, of.tokens * of.hidden * of.element,
          compute_flops / of.tensor, printed,   cheat_sheet};
}

Parts pipeline_parallel(const Quantities& of) {
  const double layers = of.layers / of.pipeline;
  const double printed = of.flops_a_byte / (32 * of.hidden * layers);
  return {Collective::send_receive, of.pipeline, of.tokens * of.hidden * of.element,
          of.layer_flops * layers,  printed,     printed};
}

Parts parts_of(OverlapScheme scheme, const Setting& setting, const Quantities& of,
               std::int64_t next_linear_size) {
  switch (scheme) {
    case OverlapScheme::data_parallel:
      return data_parallel(of);
    case OverlapScheme::zero_3:
      return zero_3(of);
    case OverlapScheme::tensor_parallel: {
      const double width = next_linear_size > 0 ? static_cast<double>(next_linear_size) : of.hidden;
      return tensor_parallel(of, 2 * of.tokens * of.hidden * width);
    }
    case OverlapScheme::tensor_parallel_region:
      return tensor_parallel(of, layer_flops(setting.shape, of.tokens, 0, usual_layer(setting.shape)).mlp);
    case OverlapScheme::pipeline_parallel:
      return pipeline_parallel(of);
  }
  return {};
}

}  // namespace

Overlap overlap_of(OverlapScheme scheme, const Setting& setting, const OverlapRates& rates,
                   std::int64_t next_linear_size) {
  const Quantities of = quantities_of(setting, rates);
  const Parts parts = parts_of(scheme, setting, of, next_linear_size);
  Overlap overlap;
  overlap.message_size_bytes = parts.message_bytes;
  if (const double bucket = setting.layout.bucket_size_bytes;
      scheme == OverlapScheme::data_parallel && bucket > 0 && bucket < parts.message_bytes) {
    overlap.message_size_bytes = bucket;
    overlap.messages = std::ceil(parts.message_bytes / bucket);
  }
  overlap.compute_flops = parts.compute_flops;
  overlap.compute_us = parts.compute_flops / (rates.peak_tflops * 1e6);
  if (parts.ranks <= 1) return overlap;
  const auto sending_us = [&](double bytes) {
    return transfer_us(ring_sent_bytes(parts.collective, parts.ranks, bytes), rates.bandwidth_gb_per_sec);
  };
  overlap.sent_bytes_per_gpu = ring_sent_bytes(parts.collective, parts.ranks, parts.message_bytes);
  overlap.communication_us = sending_us(parts.message_bytes);
  if (overlap.messages > 1) {
    const double before = (overlap.messages - 1) * overlap.message_size_bytes;
    overlap.last_message_us = sending_us(parts.message_bytes - before);
  }
  overlap.ratio = overlap.communication_us / overlap.compute_us;
  overlap.hidden = overlap.ratio <= 1;
  overlap.exposed_us = std::max(0.0, overlap.communication_us - overlap.compute_us);
  overlap.hiding_gb_per_sec = rates.bandwidth_gb_per_sec * overlap.ratio;
  overlap.printed_ratio = parts.printed_ratio;
  overlap.cheat_sheet_ratio = parts.cheat_sheet_ratio;
  return overlap;
}

}  // namespace commcost
