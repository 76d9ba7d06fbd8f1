#pragma once

#include "core/exercise/answer.h"

namespace commcost {

/// The exercise's own example: 134217728, 234881024.0, 15032385536.0, 50.108.
template <class Inputs = TensorParallelInputs>
Inputs exercise_example() {
  Inputs inputs;
  inputs.hidden_size = 4096;
  inputs.sequence_length = 2048;
  inputs.batch_size = 8;
  inputs.num_gpus = 8;
  inputs.num_layers = 32;
  return inputs;
}

}  // namespace commcost
