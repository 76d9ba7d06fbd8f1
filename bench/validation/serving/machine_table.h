#pragma once

namespace commcost::validation::serving {

/// Prints the predicted times of known models on today's nodes and racks, next to published figures if there
/// are any.
void print_machines();

}  // namespace commcost::validation::serving
