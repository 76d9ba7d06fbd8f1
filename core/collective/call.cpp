#include "core/collective/call.h"

#include <string>

#include "core/base/nearest.h"
#include "core/base/number_text.h"

namespace commcost {
namespace {

constexpr double least_bandwidth = 1e-6;

int divisor_nearest_root(int ranks) {
  int nearest = 1;
  for (int divisor = 2; divisor <= ranks / divisor; ++divisor) {
    if (ranks % divisor == 0) nearest = divisor;
  }
  return nearest;
}

Problem no_divisor(int group_size, int ranks) {
  Problem problem = must_be("group_size", ProblemCode::inconsistent,
                            "a divisor of ranks (" + text_of(static_cast<double>(ranks)) + ")",
                            text_of(static_cast<double>(group_size)));
  problem.message += nearest_allowed(group_size, [=](std::int64_t size) { return ranks % size == 0; });
  return problem;
}

void check_bandwidth(std::string_view name, double value, Problems& problems) {
  if (value == 0 || value >= least_bandwidth) return;
  problems.push_back(
      must_be(name, ProblemCode::out_of_range, "0 or at least " + text_of(least_bandwidth), text_of(value)));
}

}  // namespace

Outcome<Group> group_for(const CollectiveInputs& inputs) {
  Group group = {.ranks = inputs.ranks, .group_size = inputs.group_size, .pieces = inputs.pieces};
  if (group.group_size == 0) group.group_size = divisor_nearest_root(group.ranks);
  if (group.ranks % group.group_size != 0) return no_divisor(inputs.group_size, inputs.ranks);
  return group;
}

Outcome<PlacedMethod> placed_method_for(const MethodInputs& inputs) {
  const Outcome<const Method*> method = method_for(inputs.collective, inputs.algorithm);
  if (method && !method.value()->grouped) {
    return PlacedMethod{*method, {.ranks = inputs.ranks, .pieces = inputs.pieces}};
  }
  const Outcome<Group> group = group_for(inputs);
  if (!method || !group) return problems_of(method, group);
  return PlacedMethod{*method, *group};
}

Outcome<HockneyMachine> machine_for(const HockneyInputs& inputs) {
  Problems problems;
  check_bandwidth("reduce_gb_per_sec", inputs.reduce_gb_per_sec, problems);
  check_bandwidth("inside_bandwidth_gb_per_sec", inputs.inside_bandwidth_gb_per_sec, problems);
  if (!problems.empty()) return problems;
  HockneyMachine machine;
  machine.link = {inputs.latency_us, inputs.bandwidth_gb_per_sec};
  machine.inside = machine.link;
  if (inputs.inside_bandwidth_gb_per_sec > 0) {
    machine.inside = {inputs.inside_latency_us, inputs.inside_bandwidth_gb_per_sec};
  }
  machine.reduce_gb_per_sec = inputs.reduce_gb_per_sec;
  return machine;
}

}  // namespace commcost
