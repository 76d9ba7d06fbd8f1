#pragma once

namespace commcost::validation::serving {

/// Prints what known models take on nodes and racks of today, with published figures beside where there are
/// any.
void print_machines();

}  // namespace commcost::validation::serving
