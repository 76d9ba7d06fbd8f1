#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/plan/planned_layout.h"
#include "core/plan/search.h"

namespace commcost::test {

/// What is trained, and on how many GPUs.
struct Training {
  std::string_view model;
  std::int64_t gpus;
  std::int64_t batch;
  std::int64_t sequence = 4096;
};

/// A plan of it; a stack that is no recipe leaves all as it is.
inline PlanInputs plan_of(const Training& one, std::string_view accelerator, std::string_view stack) {
  PlanInputs inputs;
  inputs.job.model = find_model(one.model)->shape;
  inputs.job.layout.cluster_gpus = one.gpus;
  inputs.job.work.global_batch_size = one.batch;
  inputs.job.work.sequence_length = one.sequence;
  inputs.job.machine.accelerator = place_of_accelerator(accelerator);
  if (const Recipe* recipe = find_recipe(stack)) fill(inputs.job, *recipe);
  return inputs;
}

/// Expects the same layout with the same price.
inline void expect_same(const PlannedLayout& one, const PlannedLayout& other) {
  EXPECT_EQ(one.job, other.job);
  EXPECT_EQ(one.step_time_ms, other.step_time_ms);
  EXPECT_EQ(one.memory_gib, other.memory_gib);
  EXPECT_EQ(one.is_tight, other.is_tight);
  EXPECT_EQ(one.parts.total_us(), other.parts.total_us());
}

/// Expects the same layouts in the same order.
inline void expect_same(const std::vector<PlannedLayout>& some, const std::vector<PlannedLayout>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t at = 0; at < some.size(); ++at) {
    SCOPED_TRACE(at);
    expect_same(some[at], others[at]);
  }
}

}  // namespace commcost::test
