#include "core/training/step_facts.h"

#include <algorithm>

#include "core/compute/matrix_peak.h"
#include "core/parallel/ledger.h"
#include "core/parallel/stacks.h"
#include "core/training/step_band.h"
#include "core/training/update_time.h"

namespace commcost {
namespace {

// The heading under which the step waits for a dimension.
Dimension heading_of(Dimension dimension) {
  const bool with_tensor = dimension == Dimension::sequence || dimension == Dimension::vocabulary;
  return with_tensor ? Dimension::tensor : dimension;
}

// The inputs that place something in host memory, listed after others: no published run has any.
std::string offloaded_names(const Work& work, bool after_others) {
  std::string names;
  const auto add = [&](bool is, std::string_view name) {
    if (is) names.append(names.empty() && !after_others ? "" : ", ").append(name);
  };
  add(work.offloaded_layers > 0, "offloaded_layers");
  add(work.offloaded_optimizer_percent > 0, "offloaded_optimizer_percent");
  return names;
}

double slowest_host_updates_us(const Job& job) {
  if (job.work.offloaded_optimizer_percent == 0) return 0;
  const StageShare share = stage_share(job);
  double us = 0;
  for (const Stage& stage : distinct_stages(job, share))
    us = std::max(us, host_updates_us(holdings_of(job, share, stage), job));
  return us;
}

}  // namespace

StepFacts step_facts(const Job& job) {
  StepFacts facts;
  facts.memory = fullest_gpu(job).memory;
  facts.flops = step_flops(job.model, job.work, static_cast<double>(sequences_per_step(job.work, job.layout)),
                           repeated_share(job, stage_share(job)));
  facts.peak_tflops = matrix_peak_tflops(job.machine, job.work);
  facts.run_kind = run_kind(job);
  facts.band = step_band(job);
  facts.beyond_runs = beyond_names(facts.band) + offloaded_names(job.work, facts.band.beyond != 0);
  facts.stack_checked = is_checked(job);
  facts.stack_rule = broken_rule(job);
  facts.host_updates_us = slowest_host_updates_us(job);
  facts.scale_up_domain = scale_up_domain(job.machine);
  return facts;
}

std::vector<DimensionBytes> dimension_bytes(const Job& job, const StepLists& lists, std::size_t at,
                                            double scale_up_domain) {
  const Stage& stage = lists.stages[at];
  const auto count = static_cast<double>(micro_batches(job.work, job.layout));
  std::vector<DimensionBytes> rows;
  for (const Communications* list :
       {&lists.of_layers, &lists.of_ends, &lists.of_boundaries, &lists.updates[at]}) {
    for (const Communication& message : *list) {
      const double times = calls(message, stage, count);
      if (times == 0 || !takes_part(message, stage)) continue;
      const MessageBytes bytes = bytes_of(message, job);
      const SentMessage sent =
          sent_message(message, bytes, sent_bytes(message, bytes.message, scale_up_domain), times);
      const Dimension heading = heading_of(message.dimension);
      auto row = std::find_if(rows.begin(), rows.end(),
                              [heading](const DimensionBytes& other) { return other.dimension == heading; });
      if (row == rows.end()) row = rows.insert(row, {heading});
      row->network += sent.network_bytes_per_gpu;
      row->scale_up += sent.scale_up_bytes_per_gpu();
    }
  }
  return rows;
}

}  // namespace commcost
