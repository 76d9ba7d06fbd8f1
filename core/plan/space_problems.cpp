#include "core/plan/space_problems.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/value.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"
#include "core/plan/settings.h"

namespace commcost {
namespace {

std::string text(std::int64_t number) {
  return text_of(static_cast<double>(number));
}

std::string named(std::string_view name, std::int64_t number) {
  return std::string(name) + " (" + text(number) + ")";
}

bool has_layout(const PlanInputs& inputs) {
  bool found = false;
  for_all_products(inputs, [&](const Degrees& degrees) {
    const Job job = completed(job_of(inputs, degrees));
    const std::vector<ScheduleChoice> schedules = possible_schedules(inputs, job);
    if (schedules.empty()) return false;
    for (const LayerChoice& choice : all_layer_choices(inputs, job)) {
      const std::int64_t count = inputs.job.work.global_batch_size / (degrees.data * choice.micro_batch);
      found = found || !filled(schedules, degrees.pipeline, count).empty();
    }
    return found;
  });
  return found;
}

// With all pins; chunks that are pinned alone are those of the interleaved schedule.
Job pinned_job(const PlanInputs& inputs, const Degrees& degrees) {
  Job job = with_pins(inputs.allowed, job_of(inputs, degrees));
  if (job.layout.virtual_stages > 1 && !inputs.allowed.pipeline_schedule.is_pinned())
    job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  return completed(job);
}

// The problems of each pin whatever the others are.
Problems problems_of_pins(const PlanInputs& inputs) {
  Problems problems;
  for (const SearchedField& field : searched_fields()) {
    const AllowedValues& values = inputs.allowed.*field.allowed;
    if (!values.is_pinned()) continue;
    const std::int64_t pin = values.pinned_or(0);
    if (!field.list.empty() && pin > 0 && !values.is_listed(pin)) {
      problems.push_back({std::string(field.name), ProblemCode::inconsistent,
                          named(field.name, pin) + " must be one of " + std::string(field.list),
                          "one of " + std::string(field.list)});
    }
    PlanInputs alone = inputs;
    alone.allowed = {};
    alone.allowed.*field.allowed = values;
    // Experts have enough ranks.
    const std::int64_t ranks = alone.allowed.expert_parallel.pinned_or(1) *
                               std::max<std::int64_t>(1, alone.allowed.expert_tensor_parallel.pinned_or(1));
    Job job = pinned_job(alone, {1, 1, 1, 0, 1, ranks});
    job.work.global_batch_size = 0;
    for (const Problem& problem : layout_problems(job))
      if (problem.field == field.name) problems.push_back(problem);
  }
  return problems;
}

// The degrees that multiply to the cluster; the last is tried first where one has to change.
struct ProductDegree {
  std::string_view name;
  AllowedValues AllowedLayouts::*allowed;
};
constexpr ProductDegree product_degrees[] = {{"tensor_parallel", &AllowedLayouts::tensor_parallel},
                                             {"context_parallel", &AllowedLayouts::context_parallel},
                                             {"pipeline_parallel", &AllowedLayouts::pipeline_parallel},
                                             {"data_parallel", &AllowedLayouts::data_parallel}};

// "; try pipeline_parallel 2 or 4": other values of one pinned degree with which the pins divide the cluster,
// or multiply to it where all are pinned.
std::string other_degree(const AllowedLayouts& allowed, std::int64_t gpus, bool all) {
  for (std::size_t at = std::size(product_degrees); at-- > 0;) {
    const ProductDegree& changed = product_degrees[at];
    const AllowedValues& values = allowed.*changed.allowed;
    if (!values.is_pinned() || (values.pinned_or(1) == 1 && !all)) continue;
    std::int64_t others = 1;
    for (const ProductDegree& other : product_degrees)
      if (other.name != changed.name && others <= gpus) others *= (allowed.*other.allowed).pinned_or(1);
    const std::string near = nearest_numbers(values.pinned_or(1), [&](std::int64_t degree) {
      const std::int64_t product = others <= gpus ? others * degree : others;
      return all ? product == gpus : gpus % product == 0;
    });
    if (!near.empty()) return "; try " + std::string(changed.name) + ' ' + near;
  }
  return ": change one of them, or leave one out";
}

// "tensor_parallel * pipeline_parallel (8 * 4 = 32) must divide cluster_gpus (48)". Degrees of 1 are left
// out, unless all are pinned.
std::optional<Problem> problem_of_product(const PlanInputs& inputs) {
  const AllowedLayouts& allowed = inputs.allowed;
  const bool all =
      std::all_of(std::begin(product_degrees), std::end(product_degrees),
                  [&allowed](const ProductDegree& degree) { return (allowed.*degree.allowed).is_pinned(); });
  std::string names;
  std::string numbers;
  std::int64_t product = 1;
  std::size_t said = 0;
  const std::int64_t gpus = inputs.job.layout.cluster_gpus;
  for (const auto& [name, member] : product_degrees) {
    const std::int64_t degree = (allowed.*member).pinned_or(1);
    if (degree == 1 && !all) continue;
    const std::string_view between = said++ == 0 ? "" : " * ";
    names += std::string(between) + std::string(name);
    numbers += std::string(between) + text(degree);
    if (product <= gpus) product *= degree;
  }
  if (all ? product == gpus : gpus % product == 0) return std::nullopt;
  if (said > 1 && product <= gpus) numbers += " = " + text(product);
  const std::string must = all ? " must be " : " must divide ";
  return Problem{
      "cluster_gpus", ProblemCode::inconsistent,
      names + " (" + numbers + ")" + must + named("cluster_gpus", gpus) + other_degree(allowed, gpus, all),
      all ? "the product of the degrees" : "a multiple of " + names};
}

// The problems of the allowed layout that has fewest; of several, the one that splits sequences least, then
// the one with fewest replicas, whose global batch has to be a multiple of least.
Problems problems_of_closest(const PlanInputs& inputs) {
  std::optional<Problems> fewest;
  std::pair<std::int64_t, std::int64_t> splits;
  for_all_products(inputs, [&](const Degrees& degrees) {
    Problems problems = layout_problems(pinned_job(inputs, degrees));
    const std::pair own{degrees.context, degrees.data};
    const bool as_few = fewest && problems.size() == fewest->size() && own < splits;
    if (!fewest || problems.size() < fewest->size() || as_few) {
      fewest = std::move(problems);
      splits = own;
    }
    return fewest->empty();
  });
  return fewest.value_or(Problems{});
}

Problem refused_by_stack(const PlanInputs& inputs, const Job& plainest) {
  PlanInputs other = inputs;
  const auto able = recipes_for(inputs.job, [&other](const Job& job) {
    other.job = job;
    return has_layout(other);
  });
  return problem_of_stack(
      plainest, "layout of " + named("cluster_gpus", inputs.job.layout.cluster_gpus) + " that is allowed",
      able);
}

Problem nothing_left(const PlanInputs& inputs) {
  std::string given;
  for (const SearchedField& field : searched_fields()) {
    const AllowedValues& values = inputs.allowed.*field.allowed;
    const std::string_view name = values.is_pinned()      ? field.name
                                  : values.listed.empty() ? std::string_view()
                                                          : field.list;
    if (!name.empty()) given += (given.empty() ? "" : ", ") + std::string(name);
  }
  const std::string cluster = named("cluster_gpus", inputs.job.layout.cluster_gpus);
  if (!given.empty())
    return {"cluster_gpus", ProblemCode::inconsistent,
            "no layout of " + cluster + " keeps " + given + ": leave one of them out",
            "one that can be divided as they ask"};
  return {"cluster_gpus", ProblemCode::inconsistent,
          cluster + " cannot be divided over heads, layers, sequence and " +
              named("global_batch_size", inputs.job.work.global_batch_size) + " without rest",
          "a cluster_gpus that shares factors with num_heads, global_batch_size and sequence_length"};
}

// With the given settings, or with others that the search may choose.
bool has_any_layout(const PlanInputs& inputs) {
  if (has_layout(inputs)) return true;
  const std::vector<Combination> combinations = all_combinations(inputs);
  return std::any_of(combinations.begin() + 1, combinations.end(), [&inputs](const Combination& one) {
    PlanInputs other = inputs;
    other.job = one.job;
    return has_layout(other);
  });
}

}  // namespace

Problems space_problems(const PlanInputs& inputs) {
  if (has_any_layout(inputs)) return {};
  Problems problems = problems_of_pins(inputs);
  if (std::optional<Problem> product = problem_of_product(inputs)) problems.push_back(std::move(*product));
  if (!problems.empty()) return problems;
  PlanInputs any_stack = inputs;
  any_stack.job.stack.recipe = -1;
  if (has_layout(any_stack))
    return {refused_by_stack(inputs, pinned_job(inputs, all_degrees(any_stack).front()))};
  const bool is_pinned =
      std::any_of(searched_fields().begin(), searched_fields().end(),
                  [&](const auto& field) { return (inputs.allowed.*field.allowed).is_pinned(); });
  if (is_pinned) problems = problems_of_closest(inputs);
  return problems.empty() ? Problems{nothing_left(inputs)} : problems;
}

}  // namespace commcost
