#include "core/textbook/sizes_report.h"

#include "core/model/activations.h"
#include "core/parallel/ledger.h"
#include "core/parallel/memory.h"

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

// What a GPU sends: in all, and to its replicas.
struct Sent {
  double total = 0;
  double data = 0;
};

Sent sent_by(const Setting& setting, const Stage& stage) {
  constexpr double gpus_per_domain = 8;  // matters to kernels that send tokens once to each node
  Sent sent;
  for (const LedgerEntry& entry : ledger_of(setting, stage, gpus_per_domain)) {
    if (!takes_part(entry.message, stage)) continue;
    sent.total += entry.sent.total();
    if (entry.message.dimension == Dimension::data) sent.data += entry.sent.total();
  }
  return sent;
}

ZeroRow zero_row(Setting setting, std::int64_t zero_stage) {
  setting.layout.zero_stage = zero_stage;
  const StageShare share = stage_share(setting);
  const auto& [stage, memory] = fullest_gpu(setting);
  const double state = memory.weights + memory.gradients + memory.optimizer;
  Sent most;
  for (const Stage& one : distinct_stages(setting, share)) {
    const Sent sent = sent_by(setting, one);
    if (sent.total > most.total) most = sent;
  }
  return {zero_stage,       memory.weights, memory.gradients,
          memory.optimizer, state,          state / parameters_on_gpu(holdings_of(setting, share, stage)),
          memory.total(),   most.data};
}

}  // namespace

SizesReport sizes_report(const Setting& setting) {
  const auto& [shape, work, layout, pace] = setting;
  const auto sequences = static_cast<double>(sequences_per_step(work, layout));
  SizesReport report;
  report.sizes = model_sizes(shape, work);
  report.parameters = parameters_of(shape);
  report.layer_flops = layer_flops(shape, work, usual_layer(shape));
  report.step_flops = step_flops(shape, work, sequences);
  const double step_tokens = tokens(work) / static_cast<double>(work.batch_size) * sequences;
  report.rule_of_thumb_flops = (work.mode == Mode::training ? 6 : 2) * report.parameters.active * step_tokens;
  for (const Splitting& splitting : splittings)
    report.activations.push_back(activation_row(setting, splitting));
  for (std::int64_t stage = 0; stage <= 3; ++stage) report.zero_stages.push_back(zero_row(setting, stage));
  return report;
}

}  // namespace commcost
