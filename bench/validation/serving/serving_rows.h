#pragma once

#include <string>
#include <vector>

#include "core/serving/serving_time.h"

namespace commcost::validation::serving {

/// What a row of tests/data/serving.csv measured.
enum class Measured { decode, prefill, request };

/// A published figure of a serving stack, as inputs.
struct ServingRow {
  std::string id;
  std::string source;     ///< who measured, on what: what is left out together
  std::string recipe;     ///< id
  std::string model;      ///< as the source names it
  std::string series;     ///< rows that differ by their tensor degree alone
  Generation generation;  ///< of the GPUs
  Measured measured;
  Job job;  ///< the decode step at the mean length of the context, or the prefill
  double input_tokens = 0;
  double output_tokens = 0;
  double measured_ms = 0;
  double error = 0;  ///< ln(predicted / measured), by constants that had not seen the source
};

/// Rows that say enough, of sources that can be trusted; why others do not: tests/data/serving.md.
std::vector<ServingRow> serving_rows(const std::string& folder);

/// The predicted figure, ms: a step, or a request as prefill and a decode step for each token after the
/// first.
double predicted_ms(const ServingRow& row);

}  // namespace commcost::validation::serving
