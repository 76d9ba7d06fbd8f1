#include "core/plan/rules_of_thumb.h"

#include <algorithm>

#include "core/parallel/data_or_tensor.h"

namespace commcost {
namespace {

constexpr std::string_view narayanan = "arXiv:2104.04473, section 3";
constexpr std::string_view exacomm = "ExaComm'24 panel, recommendations (DOI 10.1145/3639034)";

constexpr RuleRow rules[] = {
    {Rule::tensor_within_node, "tensor_within_node", narayanan},
    {Rule::pipeline_across_nodes, "pipeline_across_nodes", exacomm},
    {Rule::largest_micro_batch, "largest_micro_batch", exacomm},
    {Rule::recompute_last, "recompute_last", "arXiv:2205.05198, section 5"},
    {Rule::shard_optimizer, "shard_optimizer", "arXiv:1910.02054, section 7"},
    {Rule::sequence_with_tensor, "sequence_with_tensor", "arXiv:2205.05198, section 4.2"},
    {Rule::data_before_tensor, "data_before_tensor", exacomm},
};

// Whether an alternative that fits and can run changes the decision towards `better`.
bool fitting(const std::vector<Alternative>& others, Decision decision, double now, bool greater) {
  return std::any_of(others.begin(), others.end(), [&](const Alternative& other) {
    return other.decision == decision && other.fits && other.stack_rule.empty() &&
           (greater ? other.value > now : other.value < now);
  });
}

}  // namespace

std::span<const RuleRow> all_rules() {
  return rules;
}

std::vector<RuleVerdict> rules_of_thumb(const PlannedLayout& winner, const std::vector<Alternative>& others) {
  const Layout& layout = winner.job.layout;
  const Work& work = winner.job.work;
  const double domain = scale_up_domain(winner.job.machine);
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  // GPUs that hold one copy of the model.
  const double replica = tensor * static_cast<double>(layout.context_parallel * layout.pipeline_parallel);
  const double step_tokens =
      static_cast<double>(work.global_batch_size) * static_cast<double>(work.sequence_length);
  const double condition = data_or_tensor(completed(winner.job.model), completed(work), step_tokens,
                                          tensor * static_cast<double>(layout.data_parallel))
                               .ratio;
  const bool shared = layout.tensor_parallel > 1 || layout.data_parallel > 1;
  return {
      {Rule::tensor_within_node, layout.tensor_parallel > 1, tensor <= domain},
      {Rule::pipeline_across_nodes, replica > domain,
       static_cast<double>(layout.pipeline_parallel) >= replica / domain},
      {Rule::largest_micro_batch, true,
       !fitting(others, Decision::batch_size, static_cast<double>(work.batch_size), true)},
      {Rule::recompute_last, work.recompute != Recompute::none,
       !fitting(others, Decision::recompute, static_cast<double>(work.recompute), false)},
      {Rule::shard_optimizer, layout.data_parallel > 1, layout.zero_stage >= 1},
      {Rule::sequence_with_tensor, layout.tensor_parallel > 1, layout.sequence_parallel},
      {Rule::data_before_tensor, shared && condition > 1,
       !fitting(others, Decision::tensor_parallel, tensor, false), condition},
  };
}

}  // namespace commcost
