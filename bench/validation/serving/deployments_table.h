#pragma once

#include <string>

namespace commcost::validation::serving {

/// The answers at P99 to the questions of serving_deployments.csv, a line each, and the most of a server next
/// to what its vendor published.
void print_deployments(const std::string& data);

}  // namespace commcost::validation::serving
