#include "core/textbook/sizes_report.h"

#include "core/collective/bus_bandwidth.h"
#include "core/model/activations.h"
#include "core/model/model_state.h"
#include "core/parallel/ranks.h"

namespace commcost {
namespace {

struct Splitting {
  ActivationSetting name;
  bool tensor;
  bool sequence;
  Recompute recompute;
};

constexpr Splitting splittings[] = {
    {ActivationSetting::unsplit, false, false, Recompute::none},
    {ActivationSetting::tensor, true, false, Recompute::none},
    {ActivationSetting::tensor_sequence, true, true, Recompute::none},
    {ActivationSetting::tensor_selective, true, false, Recompute::selective},
    {ActivationSetting::tensor_sequence_selective, true, true, Recompute::selective},
    {ActivationSetting::full, true, false, Recompute::full},
};

ActivationRow activation_row(const Setting& setting, const Splitting& splitting) {
  const ModelShape& shape = setting.shape;
  Work work = setting.work;
  work.recompute = splitting.recompute;
  const ActivationSplit split{splitting.tensor ? matrix_ranks(setting.layout) : MatrixRanks(),
                              splitting.sequence, static_cast<double>(setting.layout.context_parallel)};
  const auto layer = [&](LayerKind kind) { return layer_activations(shape, work, split, kind).total(); };
  return {splitting.name, layer(usual_layer(shape)), over_layers(shape, layer),
          rule_of_thumb_activations(shape, work, split)};
}

// With shards in groups, their copies sum what each holds.
double exchanged_bytes(const Setting& setting, double held, std::int64_t stage) {
  const double wire = setting.layout.gradient_wire_bytes_per_element;
  const DataGroups groups = data_groups(setting.layout);
  if (stage == 0) return data_parallel_bytes(held, wire, groups.all.size, stage);
  return data_parallel_bytes(held, wire, groups.shards.size, stage) +
         ring_sent_bytes(Collective::all_reduce, groups.copies.size, held / groups.shards.size * wire);
}

ZeroRow zero_row(const Setting& setting, std::int64_t stage) {
  const double held = parameters_per_gpu(setting);
  const ModelState state = model_state(held, setting.work, stage, data_groups(setting.layout).shards.size);
  return {stage,
          state.weights,
          state.gradients,
          state.optimizer,
          state.total(),
          state.total() / held,
          exchanged_bytes(setting, held, stage)};
}

}  // namespace

double data_parallel_bytes(double parameters, double bytes, double replicas, std::int64_t zero_stage) {
  const double once = ring_sent_bytes(Collective::all_gather, replicas, parameters * bytes);
  return zero_stage >= 3 ? 3 * once : 2 * once;
}

SizesReport sizes_report(const Setting& setting) {
  const auto& [shape, work, layout, pace] = setting;
  const auto sequences = static_cast<double>(sequences_per_step(work, layout));
  SizesReport report;
  report.sizes = model_sizes(shape, work);
  report.parameters = parameters_of(shape);
  report.layer_flops = layer_flops(shape, tokens(work), keys_per_query(work), usual_layer(shape));
  report.step_flops = step_flops(shape, work, sequences);
  const double step_tokens = tokens(work) / static_cast<double>(work.batch_size) * sequences;
  report.rule_of_thumb_flops = (work.mode == Mode::training ? 6 : 2) * report.parameters.active * step_tokens;
  for (const Splitting& splitting : splittings)
    report.activations.push_back(activation_row(setting, splitting));
  for (std::int64_t stage = 0; stage <= 3; ++stage) report.zero_stages.push_back(zero_row(setting, stage));
  return report;
}

}  // namespace commcost
