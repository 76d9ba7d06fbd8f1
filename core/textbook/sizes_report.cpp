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

ActivationRow activation_row(const Job& job, const Splitting& splitting) {
  const ModelShape& shape = job.model;
  Work work = job.work;
  work.recompute = splitting.recompute;
  const ActivationSplit split{splitting.tensor ? matrix_ranks(job.layout) : MatrixRanks(), splitting.sequence,
                              static_cast<double>(job.layout.context_parallel)};
  const auto layer = [&](LayerKind kind) { return layer_activations(shape, work, split, kind).total(); };
  return {splitting.name, layer(usual_layer(shape)), over_layers(shape, layer),
          rule_of_thumb_activations(shape, work, split)};
}

// What a GPU sends to its replicas, on the stage that sends most.
double sent_to_replicas(const Job& job) {
  constexpr double gpus_per_domain = 8;  // matters for kernels that send tokens once per node
  const Stage stage = busiest_stage(job, gpus_per_domain);
  double sent = 0;
  for (const SentMessage& message : ledger_of(job, stage, gpus_per_domain)) {
    const bool data = message.dimension == Dimension::data;
    if (data && takes_part(message, stage)) sent += message.sent_bytes_per_gpu;
  }
  return sent;
}

ZeroRow zero_row(Job job, std::int64_t zero_stage) {
  job.layout.zero_stage = zero_stage;
  const auto [stage, memory] = fullest_gpu(job);
  const double state = memory.weights + memory.gradients + memory.optimizer;
  const Holdings holdings = holdings_of(job, stage_share(job), stage);
  return {zero_stage,
          memory.weights,
          memory.gradients,
          memory.optimizer,
          state,
          state / parameters_on_gpu(holdings),
          memory.total(),
          sent_to_replicas(job)};
}

}  // namespace

SizesReport sizes_report(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  const auto sequences = static_cast<double>(sequences_per_step(work, layout));
  SizesReport report;
  report.sizes = model_sizes(shape, work);
  report.parameters = parameters_of(shape);
  report.layer_flops = layer_flops(shape, work, usual_layer(shape));
  report.step_flops = step_flops(shape, work, sequences, repeated_share(job, stage_share(job)));
  const double step_tokens = tokens(work) / static_cast<double>(work.batch_size) * sequences;
  report.rule_of_thumb_flops = (work.mode == Mode::training ? 6 : 2) * report.parameters.active * step_tokens;
  for (const Splitting& splitting : splittings) report.activations.push_back(activation_row(job, splitting));
  for (std::int64_t stage = 0; stage <= 3; ++stage) report.zero_stages.push_back(zero_row(job, stage));
  return report;
}

}  // namespace commcost
