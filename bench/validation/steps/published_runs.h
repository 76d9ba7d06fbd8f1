#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/training/training_step.h"

namespace commcost::validation::steps {

/// A published run of tests/data/measured_steps_2.csv, and its prediction.
struct PublishedRun {
  std::string id;
  std::string source;             ///< where it was published, without the version of the stack
  std::string version;            ///< of the stack
  std::string family;             ///< stacks that are judged together
  std::string_view recipe;        ///< id of what the stack does
  std::string_view generation;    ///< of the accelerator
  std::string gpu;                ///< as the table names it
  std::string model;              ///< as the table names it
  std::string precision;          ///< of the matrices
  std::string details;            ///< sharding, recomputation and overlap, as the table says them
  bool recompute_stated = false;  ///< whether the table says what was recomputed
  bool suspicious = false;        ///< whether the table's note doubts the run
  double gpus = 0;
  double measured_ms = 0;            ///< a step
  Job job;                           ///< what ran, as near as inputs come
  Job as_other;                      ///< the same by the recipe `other`, as if its stack were not known
  std::optional<TrainingStep> step;  ///< as predicted; none: refused

  bool has_experts() const { return job.model.num_experts > 1; }
  double error() const { return step->step_time_ms / measured_ms - 1; }
  bool in_band() const {
    return measured_ms >= step->step_time_low_ms && measured_ms <= step->step_time_high_ms;
  }
};

/// The table's runs, and how many rows were left out for which reason.
struct PublishedRuns {
  std::vector<PublishedRun> runs;
  std::map<std::string, int> left_out;
};

/// Reads the table in the folder `data` and predicts every run.
PublishedRuns published_runs(const std::string& data);

/// Framework, generation, dense or with experts: runs whose errors belong together.
std::string class_of(const PublishedRun& run);

/// Stage and batch sizes in short: "tp2 pp4 v2 cp1 ep1 dp8 mb1 gb512".
std::string layout_of(const PublishedRun& run);

}  // namespace commcost::validation::steps
