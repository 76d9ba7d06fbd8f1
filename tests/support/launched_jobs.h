#pragma once

#include <vector>

#include "core/launches/launched_job.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "support/random_jobs.h"

namespace commcost::test {

/// Random trainings, or work of servers, without problems, that a launch can express; of the model with that
/// id, if given.
inline std::vector<LaunchedJob> launched_jobs(std::uint64_t seed, std::size_t count,
                                              std::string_view model = {}, bool serves = false) {
  std::vector<LaunchedJob> all;
  Random random(seed);
  Random settings(seed + 1);
  const ModelRow* row = find_model(model);
  while (all.size() < count) {
    Job job = serves ? random_job(random) : random_training(random);
    if (serves == (job.work.mode == Mode::training)) continue;
    if (row != nullptr) job.model = row->shape;
    job = completed(job);
    if (!can_exist(job)) continue;
    LaunchedJob launched{.job = job, .model = model_of_shape(job.model, row)};
    launched.step_tokens = std::int64_t{32} << settings.below(12);
    launched.chunked_prefill = settings.one_in(2);
    if (settings.one_in(2)) launched.memory_share = static_cast<double>(1 + settings.below(100)) / 100;
    all.push_back(launched);
  }
  return all;
}

/// A published model with a recipe's choices, one sequence of 4,096 tokens on each replica of an H100 node.
inline LaunchedJob launched_model(std::string_view model, std::string_view recipe) {
  LaunchedJob launched;
  launched.model = find_model(model);
  Job& job = launched.job;
  job.model = launched.model->shape;
  fill(job, *find_recipe(recipe));
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  fill(job.machine, *find_system("dgx-h100"));
  job = completed(job);
  return launched;
}

}  // namespace commcost::test
