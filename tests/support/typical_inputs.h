#pragma once

#include "core/base/field.h"
#include "core/base/value.h"
#include "core/calculator/calculation.h"

namespace commcost::test {

/// What is usual under the field's name, or its default, or its first choice or least value.
Value typical_value(const Field& field);

/// Whether an input pins what a search decides: left out it is searched, where a training step has a default
/// or asks for it.
bool is_pin(const Field& field);

/// A field as a run needs it: what fit_step leaves to its rows, as training_step asks for it.
const Field& asked_for(const Calculation& calculation, const Field& field);

/// Inputs that the calculation accepts: every field's typical value, nothing pinned.
Value::Object typical_inputs(const Calculation& calculation);

}  // namespace commcost::test
