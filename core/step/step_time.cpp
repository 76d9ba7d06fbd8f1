#include "core/step/step_time.h"

#include <algorithm>
#include <cmath>

#include "core/base/natural_log.h"
#include "core/step/constants.h"
#include "core/step/hiding.h"

namespace commcost {
namespace {

// One micro-batch on one stage: device and host work side by side, us.
struct Slot {
  double layers = 0;
  double device_us = 0;
  double joint_us = 0;
};

Slot slot_of(const LayerTime& layer, double layers, const HeadTime* head) {
  Slot slot;
  slot.layers = layers;
  slot.device_us = layers * layer.device_us() + (head ? head->compute_us + head->tensor_us : 0);
  slot.joint_us = joint_us(slot.device_us, layers * layer.launch_us + (head ? head->launch_us : 0));
  return slot;
}

}  // namespace

StepParts step_parts(const LayerTime& layer, const HeadTime& head, const UpdateTime& update,
                     const PipelinePlan& plan) {
  const Slot last = slot_of(layer, plan.layers.last, &head);
  Slot slowest = last;
  bool with_head = true;
  Slot first = last;
  if (plan.stages > 1) {
    first = slot_of(layer, plan.layers.first, nullptr);
    if (first.joint_us > last.joint_us) {
      slowest = first;
      with_head = false;
    }
  }
  const double count = plan.micro_batches;
  StepParts parts;
  parts.compute_us =
      count * (slowest.layers * (layer.forward_us + layer.backward_us) + (with_head ? head.compute_us : 0));
  parts.recompute_us = count * slowest.layers * layer.recompute_us;
  parts.tensor_us = count * (slowest.layers * layer.tensor.exposed_us() + (with_head ? head.tensor_us : 0));
  parts.context_us = count * slowest.layers * layer.context.exposed_us();
  parts.expert_us = count * slowest.layers * layer.expert.exposed_us();
  parts.launch_us = count * (slowest.joint_us - slowest.device_us);

  const double ways = plan.training ? 2 : 1;
  if (plan.stages > 1) {
    const double hop = plan.transfer_us + plan.sync_us;
    const double stretch = first.device_us > 0 ? first.joint_us / first.device_us : 1;
    // Exposed communication is split evenly between the passes: what matters is their sum.
    const double forward = plan.layers.first * layer.forward_us * stretch;
    const StagePass pass{forward, first.joint_us - forward,
                         plan.layers.first * layer.weight_gradient_us * stretch};
    parts.pipeline_us = ways * hop * plan.virtual_stages * count;
    parts.bubble_us =
        bubble_us(plan.schedule, plan.stages, plan.virtual_stages, pass) + ways * hop * (plan.stages - 1);
  }

  // Weights follow the optimizer: nothing runs beside them.
  parts.data_us = update.gradients_us + update.weights_us;
  if (plan.overlap_data && update.gradients_us > 0) {
    const double backward_us =
        slowest.layers * (layer.backward_us + layer.recompute_us + layer.tensor.backward_us);
    const double hidden = std::min(backward_us * constants::data_overlap_window,
                                   update.gradients_us * plan.data_overlap_share) *
                          plan.overlap_scale;
    const double possible = std::min(hidden, update.gradients_us);
    parts.data_us += (constants::overlap_slow_down - 2) * possible;
  }
  if (update.per_micro_batch_us > 0) {
    const double compute_us = slowest.layers * layer.compute_us();
    const double share =
        plan.overlap_data ? std::min(1.0, constants::gather_overlap_share * plan.overlap_scale) : 0;
    parts.data_us +=
        count * hide(update.per_micro_batch_us, compute_us, share).exposed_us(update.per_micro_batch_us);
  }
  parts.optimizer_us = update.optimizer_us;
  if (plan.replica_nodes > 1) {
    const double share = plan.straggler_share * std::sqrt(2 * natural_log(plan.replica_nodes));
    parts.straggler_us = share * (count * slowest.joint_us + parts.pipeline_us + parts.bubble_us);
  }
  return parts;
}

double hop_us(const Setting& setting, const Machine& machine, const Pricing& pricing) {
  const auto& [shape, work, layout] = setting;
  if (layout.pipeline_parallel <= 1) return 0;
  const bool shared = layout.sequence_parallel || layout.scatter_gather;
  const double bytes = tokens(work) / static_cast<double>(layout.context_parallel) *
                       static_cast<double>(shape.hidden_size) * layout.activation_wire_bytes_per_element /
                       (shared ? static_cast<double>(layout.tensor_parallel) : 1);
  const StridedGroup line = pipeline_group(layout);
  // The slowest boundary counts: within a node only where the whole pipeline fits into one.
  const double within = line.size * line.stride <= scale_up_domain(machine) ? 2 : 1;
  return pricing.us(Collective::send_receive, {2, within}, bytes);
}

double replica_nodes(const Layout& layout, const Machine& machine) {
  const RankGroup group = place(data_group(layout), machine);
  return group.ranks / group.ranks_per_node;
}

}  // namespace commcost
