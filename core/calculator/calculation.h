#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/field.h"
#include "core/base/outcome.h"
#include "core/base/result.h"

namespace commcost {

/// One axis of a sweep: the input that varies and the checked values that it takes.
struct SweepAxis {
  const InputField* field = nullptr;        ///< the input
  void* (*select)(void* inputs) = nullptr;  ///< where its struct lies
  std::vector<FieldValue> values;           ///< in the order given
};

/// What a sweep has computed: a column per numeric result, NaN where a point is refused.
struct SweepColumns {
  std::vector<std::vector<double>> columns;  ///< in the order of the calculation's numeric results
  double refused = 0;                        ///< how many points have a problem
  Problems problems;                         ///< those of the first refused point
};

/// A calculation offered to the outside: its name, its tables, and how to run it.
struct Calculation {
  std::string_view name;                 ///< as JavaScript calls it
  std::string_view help;                 ///< one line
  std::span<const FieldGroup> inputs;    ///< its input fields
  std::span<const ResultField> results;  ///< its result fields
  Outcome<Value> (*run)(const Calculation& self, const Value& inputs);
  /// The calculation at every point of `axes` (last axis fastest), other inputs from `inputs`.
  Outcome<SweepColumns> (*sweep)(const Calculation& self, const Value& inputs,
                                 std::span<const SweepAxis> axes);
};

/// The points of a sweep: the product of its axes' lengths.
std::size_t points_of(std::span<const SweepAxis> axes);

namespace detail {

/// Marks a point as refused: NaN in every column, and counted.
void refuse(SweepColumns& swept, std::size_t point, const Problems& problems);

/// Fills the columns from point `first` on with the inner axis' values, one point each.
using SweepRow = void (*)(void* inputs, const SweepAxis& inner,
                          std::span<double (*const)(const void*)> readers, std::size_t first,
                          SweepColumns& swept);

/// The loop over all but the innermost axis, and all else that does not depend on the calculation's types.
Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes,
                            void* inputs, SweepRow row);

template <class Inputs, class Results, auto Compute>
Outcome<Value> run(const Calculation& self, const Value& object) {
  Inputs inputs{};
  if (Problems problems = read_inputs(self.name, self.inputs, object, &inputs); !problems.empty())
    return problems;
  const Outcome<Results> results = Compute(inputs);
  if (!results.ok()) return results.problems();
  return value_of(self.results, &results.value());
}

template <class Inputs, class Results, auto Compute>
void sweep_row(void* inputs, const SweepAxis& inner, std::span<double (*const)(const void*)> readers,
               std::size_t first, SweepColumns& swept) {
  void* owner = inner.select(inputs);
  std::size_t point = first;
  for (const FieldValue& value : inner.values) {
    inner.field->assign(owner, value);
    const Outcome<Results> results = Compute(*static_cast<const Inputs*>(inputs));
    if (results.ok()) {
      for (std::size_t column = 0; column < readers.size(); ++column) {
        swept.columns[column][point] = readers[column](&results.value());
      }
    } else {
      refuse(swept, point, results.problems());
    }
    ++point;
  }
}

template <class Inputs, class Results, auto Compute>
Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes) {
  Inputs inputs{};
  return sweep(self, object, axes, &inputs, sweep_row<Inputs, Results, Compute>);
}

}  // namespace detail

/// A row of the table: a core function from `Inputs` to Outcome<Results>, with its names and help.
template <class Inputs, class Results, auto Compute>
constexpr Calculation calculation(std::string_view name, std::string_view help,
                                  std::span<const FieldGroup> inputs, std::span<const ResultField> results) {
  return {name,
          help,
          inputs,
          results,
          detail::run<Inputs, Results, Compute>,
          detail::sweep<Inputs, Results, Compute>};
}

/// As calculation(), for one whose results no sweep makes sense of: catalogs, schedules, logs.
template <class Inputs, class Results, auto Compute>
constexpr Calculation unswept_calculation(std::string_view name, std::string_view help,
                                          std::span<const FieldGroup> inputs,
                                          std::span<const ResultField> results) {
  return {name, help, inputs, results, detail::run<Inputs, Results, Compute>, nullptr};
}

}  // namespace commcost
