#include "core/training/step_memo.h"

#include "core/parallel/job_problems.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

// For one micro-batch: its kernels do not depend on how many there are.
Work of_micro_batch(Work work) {
  work.global_batch_size = 0;
  return work;
}

// Whether two machines differ only in the speed of their links.
bool same_but_links(const Machine& one, Machine other) {
  other.nic_gb_per_sec = one.nic_gb_per_sec;
  other.host_gb_per_sec = one.host_gb_per_sec;
  other.file_gb_per_sec = one.file_gb_per_sec;
  other.bandwidth_gb_per_sec = one.bandwidth_gb_per_sec;
  other.latency_scale = one.latency_scale;
  other.bandwidth_scale = one.bandwidth_scale;
  other.link_bandwidth_scale = one.link_bandwidth_scale;
  other.network_bandwidth_scale = one.network_bandwidth_scale;
  return one == other;
}

// Whether they differ only in the rate between nodes.
bool same_but_network(const Machine& one, Machine other) {
  other.nic_gb_per_sec = one.nic_gb_per_sec;
  return one == other;
}

// Whether step_facts() gives the same for both.
bool same_step_facts(const Job& one, const Job& other) {
  return one.work == other.work && one.layout == other.layout && one.stack == other.stack &&
         one.model == other.model && same_but_links(one.machine, other.machine);
}

// Products and attentions of some dozen layouts.
constexpr std::size_t most_kept = 512;

}  // namespace

bool StepMemo::take(const Job& job, const MachineScales& scales) {
  const KernelRates rates = kernel_rates(job, scales);
  const bool same_pace = model_ && scales_ == scales && time_scale(job_) == time_scale(job);
  const bool same_machine = job_.machine == job.machine;
  const StepModel::Shared shared{
      .rates = model_ && rates_ == rates,
      .collectives = same_pace && same_machine,
      .in_domains = same_pace && !same_machine && same_but_network(job_.machine, job.machine)};
  // Kernels are kept by their sizes, which do not identify models.
  const bool same_kernels = shared.rates && job_.model == job.model;
  if (!facts_ || !same_step_facts(job_, job)) {
    if (!can_run(job)) return false;
    facts_.reset();
    lists_.reset();
  }
  job_ = job;
  scales_ = scales;
  if (!shared.rates) {
    rates_ = rates;
    compute_.forget();
    remembers_ = false;
    ++models_built_;
  }
  if (!model_) {
    model_.emplace(job_, scales_);
    return true;
  }
  model_ = model_->bound_to(job_, scales_, shared);
  // Worth its memory only for callers that ask again.
  if (shared.rates && (!remembers_ || !same_kernels)) {
    model_ = model_->remembering(most_kept);
    remembers_ = true;
  }
  return true;
}

const StepCompute& StepMemo::compute() {
  return compute_.of({job_.model, of_micro_batch(job_.work), rank_share(job_.work, job_.layout)},
                     [&] { return step_compute(*model_); });
}

const StepLists& StepMemo::lists() {
  if (!lists_) lists_.emplace(job_);
  return *lists_;
}

const StepFacts& StepMemo::facts() {
  if (!facts_) {
    facts_ = step_facts(job_);
    ++facts_found_;
  }
  return *facts_;
}

const std::vector<DimensionBytes>& StepMemo::sent(std::size_t at) {
  facts();
  auto& sent = facts_->sent[at];
  if (!sent) sent = dimension_bytes(job_, lists(), at, facts_->scale_up_domain);
  return *sent;
}

}  // namespace commcost
