#pragma once

#include <cstddef>
#include <limits>
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

/// `inputs` with the axes' first values put in, so that the swept inputs need not be given.
Value with_first_values(const Value& inputs, std::span<const SweepAxis> axes);

namespace detail {

template <class Inputs, class Results, auto Compute>
Outcome<Value> run(const Calculation& self, const Value& object) {
  const Outcome<Inputs> inputs = read_inputs<Inputs>(self.name, self.inputs, object);
  if (!inputs.ok()) return inputs.problems();
  const Outcome<Results> results = Compute(inputs.value());
  if (!results.ok()) return results.problems();
  return value_of(self.results, &results.value());
}

template <class Inputs, class Results, auto Compute>
Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes) {
  Outcome<Inputs> read = read_inputs<Inputs>(self.name, self.inputs, with_first_values(object, axes));
  if (!read.ok()) return read.problems();
  Inputs inputs = read.value();

  std::vector<double (*)(const void*)> readers;
  for (const ResultField& field : self.results) {
    if (field.number != nullptr) readers.push_back(field.number);
  }
  const std::size_t points = points_of(axes);
  SweepColumns swept;
  swept.columns.assign(readers.size(), std::vector<double>(points));

  const SweepAxis& inner = axes.back();
  void* inner_owner = inner.select(&inputs);
  std::vector<std::size_t> outer(axes.size() - 1, 0);
  for (std::size_t point = 0; point < points;) {
    for (std::size_t axis = 0; axis < outer.size(); ++axis) {
      axes[axis].field->assign(axes[axis].select(&inputs), axes[axis].values[outer[axis]]);
    }
    for (const FieldValue& value : inner.values) {
      inner.field->assign(inner_owner, value);
      const Outcome<Results> results = Compute(inputs);
      for (std::size_t column = 0; column < readers.size(); ++column) {
        swept.columns[column][point] =
            results.ok() ? readers[column](&results.value()) : std::numeric_limits<double>::quiet_NaN();
      }
      if (!results.ok() && swept.refused++ == 0) swept.problems = results.problems();
      ++point;
    }
    for (std::size_t axis = outer.size(); axis-- > 0;) {
      if (++outer[axis] < axes[axis].values.size()) break;
      outer[axis] = 0;
    }
  }
  return swept;
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
