#pragma once

#include <cstddef>
#include <span>

#include "core/base/field.h"
#include "core/base/result.h"

namespace commcost {

/// What row `row` of the preset, the first of those groups' fields, puts into the fields that it fills:
/// {field: value}, filled as the engine fills `inputs`. A choice that it leaves open is not among them.
Value fills_of(std::span<const FieldGroup> groups, void* inputs, std::size_t row);

/// The column with that for a preset's row, in a catalog of `Row` that begins at `First()`; the groups are
/// those of an `Inputs`.
template <class Inputs, const auto& Groups, auto Rows>
constexpr ResultField fills_result(std::string_view help) {
  return {"fills", FieldKind::object, "", help, [](const ResultField&, const void* row, WireWriter& to) {
            const auto rows = Rows();
            Inputs inputs{};
            const auto at = static_cast<const typename decltype(rows)::value_type*>(row) - rows.data();
            to.value(fills_of(Groups, &inputs, static_cast<std::size_t>(at)));
          }};
}

}  // namespace commcost
