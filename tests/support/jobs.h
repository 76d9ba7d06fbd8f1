#pragma once

#include <iterator>
#include <string_view>

#include "core/parallel/stage_share.h"
#include "support/csv.h"

namespace commcost::test {

/// A whole number of a table, or what the struct has by default where the table has no such column.
inline std::int64_t whole(const CsvRow& row, const std::string& name) {
  return static_cast<std::int64_t>(row.number(name));
}

/// The place of `name` among `names`; -1, with a failed expectation, where it is none of them.
template <class Names>
int place_of(std::string_view name, const Names& names) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no name " << name;
  return -1;
}

/// GPT's classic shape: as many key heads as heads, an MLP of four hidden sizes, biases.
inline ModelShape classic_shape(std::int64_t num_layers, std::int64_t hidden_size, std::int64_t num_heads,
                                std::int64_t vocab_size = 0) {
  ModelShape shape;
  shape.num_layers = num_layers;
  shape.hidden_size = hidden_size;
  shape.num_heads = num_heads;
  shape.vocab_size = vocab_size;
  shape.tied_embeddings = true;
  shape.biases = true;
  return completed(shape);
}

/// A job of one micro-batch of one sequence, nothing split.
inline Job plain_job(const ModelShape& shape, std::int64_t sequence_length, std::int64_t batch_size = 1) {
  Job job;
  job.model = shape;
  job.work.sequence_length = sequence_length;
  job.work.batch_size = batch_size;
  return completed(job);
}

/// The job on another machine, completed.
inline Job on(Job job, const Machine& machine) {
  job.machine = completed(machine);
  return job;
}

/// The machine of a system, by its id in the catalogue.
inline Machine of_system(std::string_view id) {
  Machine machine;
  fill(machine, *find_system(id));
  return completed(machine);
}

/// The job after a change, completed anew.
template <class Change>
Job changed(Job job, Change change) {
  job.layout.cluster_gpus = 0;
  change(job);
  return completed(job);
}

}  // namespace commcost::test
