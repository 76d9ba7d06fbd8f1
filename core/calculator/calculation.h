#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/field.h"
#include "core/base/outcome.h"
#include "core/base/result.h"

namespace commcost {

/// One axis of a sweep: the input that varies and the checked values that it takes.
struct SweepAxis {
  const InputField* field = nullptr;        ///< the input
  void* (*select)(void* inputs) = nullptr;  ///< where its struct lies
  std::vector<FieldValue> values;           ///< in the order given; empty where they are numbers
  std::vector<double> numbers;              ///< the same for a field that is a number

  std::size_t size() const { return values.size() + numbers.size(); }
  /// Puts the value of that index into the inputs' struct `owner`.
  void assign(void* owner, std::size_t index) const {
    field->assign(owner, values.empty() ? FieldValue{numbers[index], nullptr} : values[index]);
  }
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
using SweepRow = void (*)(void* inputs, const SweepAxis& inner, std::size_t first, SweepColumns& swept);

/// The loop over all but the innermost axis, and all else that does not depend on the calculation's types.
Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes,
                            void* inputs, SweepRow row);

template <class Inputs, class Results, auto Compute>
Outcome<Value> run(const Calculation& self, const Value& object) {
  Inputs inputs{};
  if (Problems problems = read_inputs(self.name, self.inputs, object, &inputs); !problems.empty())
    return problems;
  const Outcome<Results> results = Compute(inputs);
  if (!results) return results.problems();
  return value_of(self.results, &*results);
}

// The table is a template argument so that its readers are known, and inlined, in this loop.
template <class Inputs, class Results, auto Compute, const auto& Fields>
void sweep_row(void* inputs, const SweepAxis& inner, std::size_t first, SweepColumns& swept) {
  void* owner = inner.select(inputs);
  const std::size_t size = inner.size();
  for (std::size_t index = 0; index < size; ++index) {
    inner.assign(owner, index);
    const Outcome<Results> results = Compute(*static_cast<const Inputs*>(inputs));
    if (!results) {
      refuse(swept, first + index, results.problems());
      continue;
    }
    [&]<std::size_t... Field>(std::index_sequence<Field...>) {
      auto column = swept.columns.begin();
      const auto write = [&]<std::size_t Index>() {
        if constexpr (Fields[Index].number != nullptr) {
          (*column++)[first + index] = Fields[Index].number(&*results);
        }
      };
      (write.template operator()<Field>(), ...);
    }
    (std::make_index_sequence<std::size(Fields)>());
  }
}

template <class Inputs, class Results, auto Compute, const auto& Fields>
Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes) {
  Inputs inputs{};
  return sweep(self, object, axes, &inputs, sweep_row<Inputs, Results, Compute, Fields>);
}

}  // namespace detail

/// A row of the table: a core function from `Inputs` to Outcome<Results>, with its names and help.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation calculation(std::string_view name, std::string_view help,
                                  std::span<const FieldGroup> inputs) {
  return {name,
          help,
          inputs,
          Fields,
          detail::run<Inputs, Results, Compute>,
          detail::sweep<Inputs, Results, Compute, Fields>};
}

/// As calculation(), for one whose results no sweep makes sense of: catalogs, schedules, logs.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation unswept_calculation(std::string_view name, std::string_view help,
                                          std::span<const FieldGroup> inputs) {
  return {name, help, inputs, Fields, detail::run<Inputs, Results, Compute>, nullptr};
}

}  // namespace commcost
