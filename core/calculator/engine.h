#pragma once

#include <string_view>

#include "core/base/outcome.h"
#include "core/base/value.h"
#include "core/base/wire.h"
#include "core/calculator/calculation.h"

namespace commcost {

/// Runs the calculation on an object and writes its results as a row of their table; or returns its problems,
/// and then what was written is worthless. Results that are not finite are a problem. `begun` has read
/// earlier pieces of its text, if it takes pieces.
Problems run(const Calculation& calculation, WireReader inputs, WireWriter& results,
             TextReader* begun = nullptr);
/// The same by a worker that may have run before.
Problems run(const Calculation& calculation, Worker& worker, WireReader inputs, WireWriter& results,
             TextReader* begun = nullptr);

/// Runs it on the inputs that were read into `worker`, with such notes.
Problems run(const Calculation& calculation, Worker& worker, const Notes& notes, WireWriter& results);

/// Runs a calculation at every point of one or two axes: {calculation, inputs, axes: [{field, values}]} to
/// {points, axes, results: a list of numbers for each numeric result, refused, problems of the first
/// refused}.
Problems sweep(WireReader request, WireWriter& results);

/// The same for a calculation that may be missing from the table.
Problems sweep(const Calculation& calculation, const Value& inputs, const Value& axes, WireWriter& results);

/// A calculation's inputs with presets and usual values filled in: {calculation, inputs} to {value, from} for
/// each number, flag and choice, where from is "given", the preset that set it ("model", "system", "recipe"),
/// "derived" from the others, or "default".
Problems resolve_inputs(WireReader request, WireWriter& results);

/// The same with values in and out; an unknown name is a problem that lists the known ones.
Outcome<Value> run(std::string_view calculation, const Value& inputs);
Outcome<Value> sweep(const Value& request);
Outcome<Value> resolve_inputs(const Value& request);

/// The problem of a name that belongs to no calculation.
Problem unknown_calculation(std::string_view name);

/// The problem of a result that is not finite.
Problem not_finite(const ResultField& field);

/// Every calculation's help, inputs and results, by name: the tables that validation reads.
Value describe();

/// The problems as plain values: [{field, code, message, allowed}].
Value value_of(const Problems& problems);

}  // namespace commcost
