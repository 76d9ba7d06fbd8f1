#pragma once

#include <string>
#include <vector>

#include "core/training/training_step.h"

namespace commcost::validation::steps {

/// What of a step was measured.
enum class Measured { step, layer_forward, layer_backward, layer_total };

/// One measured or published step, or one of its layers, as inputs of training_step.
struct MeasuredStep {
  std::string table;        ///< group of rows that are judged together
  std::string id;           ///< of a published row; empty of a grid's
  std::string source;       ///< where it was published
  std::string_view stack;   ///< that ran it
  std::string_view recipe;  ///< id of what the stack does
  Job job;                  ///< what ran
  Job as_other;             ///< the same by a stack of which nothing is known: the recipe `other`
  Measured measured = Measured::step;
  double measured_ms = 0;  ///< how long it took
  double memory_gib = 0;   ///< peak allocated memory, 0: not given
  bool fitted = false;     ///< whether a constant was fitted on it: only rows without tensor parallelism are
};

/// Every row of tests/data, in the order of the files. `data` is the folder. Rows whose own figures do not
/// multiply out are left out.
std::vector<MeasuredStep> measured_steps(const std::string& data);

/// What the model says, ms; 0 where it refuses the row.
double predicted_ms(const MeasuredStep& row, const MachineScales& scales = {});

/// The same by the recipe `other`.
double predicted_as_other_ms(MeasuredStep row);

}  // namespace commcost::validation::steps
