#pragma once

#include <string_view>

#include "core/base/outcome.h"
#include "core/base/value.h"

namespace commcost {

/// Runs the calculation of that name; an unknown name is a problem that lists those there are.
Outcome<Value> run(std::string_view calculation, const Value& inputs);

/// Runs `calculation` at every point of one or two axes: {calculation, inputs, axes: [{field, values}]} to
/// {points, axes, results: a list of numbers for each numeric result, refused, problems of the first
/// refused}.
Outcome<Value> sweep(const Value& request);

/// Every calculation's help, inputs and results, by name: the tables that validation reads.
Value describe();

/// The problems as plain values: [{field, code, message, allowed}].
Value value_of(const Problems& problems);

}  // namespace commcost
