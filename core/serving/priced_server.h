#pragma once

#include <utility>
#include <vector>

#include "core/parallel/job.h"
#include "core/serving/simulated_server.h"

namespace commcost {

/// Numbers at ascending places in two directions; linear in between, extrapolated beyond.
class PriceGrid {
 public:
  PriceGrid() = default;
  /// `at(row, column)` gives the number at each place.
  template <class At>
  PriceGrid(std::vector<double> rows, std::vector<double> columns, At at)
      : rows_(std::move(rows)), columns_(std::move(columns)) {
    values_.reserve(rows_.size() * columns_.size());
    for (const double row : rows_)
      for (const double column : columns_) values_.push_back(at(row, column));
  }

  double operator()(double row, double column) const;

 private:
  std::vector<double> rows_;
  std::vector<double> columns_;
  std::vector<double> values_;
};

/// The range that a server's steps may reach.
struct PricedReach {
  double sequences = 256;
  double tokens = 8192;   ///< of the longest request
  double prompts = 8192;  ///< tokens of prompts in a step
};

/// The steps of a job's server as serving_time prices them: on a grid once, then interpolated. A step that
/// decodes and reads a chunk takes both times, but reads the weights and starts its kernels once.
class PricedServer final : public ServerPace {
 public:
  /// Of a completed job.
  PricedServer(const Job& job, const PricedReach& reach);

  /// The same steps, each taking that many times as long.
  void scale(double factor) { scale_ = factor; }

  double step_us(const ServedStep& step) const override;
  double attention_us(double before, double tokens) const override;
  double later_us(const ServedStep& step) const override;

 private:
  double prompts_us(const ServedStep& step) const;

  double scale_ = 1;
  double stages_ = 1;
  PriceGrid decode_;         // sequences, mean context
  PriceGrid decode_shared_;  // what a chunk in the same step does not pay again
  PriceGrid prompts_;        // prompts, mean tokens of a chunk
  PriceGrid prompts_shared_;
  PriceGrid attention_;  // of one token of a prompt, to the tokens before it
};

}  // namespace commcost
