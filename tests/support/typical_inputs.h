#pragma once

#include "core/base/field.h"
#include "core/base/value.h"
#include "core/calculator/calculation.h"

namespace commcost::test {

/// What is usual under the field's name, or its default, or its first choice or least value.
Value typical_value(const Field& field);

/// Inputs that the calculation accepts: every field's typical value.
Value::Object typical_inputs(const Calculation& calculation);

}  // namespace commcost::test
