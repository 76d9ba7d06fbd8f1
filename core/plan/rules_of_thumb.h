#pragma once

#include <string_view>
#include <vector>

#include "core/plan/alternatives.h"

namespace commcost {

/// A rule of thumb common in the field, and where it is stated.
enum class Rule {
  tensor_within_node,     ///< tensor ranks share a node
  pipeline_across_nodes,  ///< at least as many stages as a replica spans nodes
  largest_micro_batch,    ///< the largest micro-batch that fits
  recompute_last,         ///< recompute only what would not fit otherwise
  shard_optimizer,        ///< ZeRO-1 at least, wherever there are replicas
  sequence_with_tensor,   ///< sequence parallelism wherever there is tensor parallelism
  data_before_tensor,     ///< replicas rather than tensor ranks, where gradients are less than activations
};

/// The rule's name, its wording in the literature, and its source.
struct RuleRow {
  Rule rule;
  std::string_view name;
  std::string_view source;
};
std::span<const RuleRow> all_rules();

/// Whether a layout follows a rule.
struct RuleVerdict {
  Rule rule = Rule::tensor_within_node;
  bool applies = false;  ///< whether the rule concerns this layout at all
  bool held = false;
  double condition = 0;  ///< how far its condition is met, above 1 if it is; 0: it has none
};

/// The verdicts on `winner`, in the order of all_rules(); `others` are its alternatives.
std::vector<RuleVerdict> rules_of_thumb(const PlannedLayout& winner, const std::vector<Alternative>& others);

}  // namespace commcost
