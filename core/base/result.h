#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/field.h"

namespace commcost {

/// One result of a calculation, or one column of a list of rows: what describes it and what reads it.
struct ResultField {
  std::string_view name;  ///< snake_case, with its unit where it has one
  FieldKind kind;         ///< list where it is a list of rows, object where one row
  std::string_view unit;  ///< as shown; empty for a plain number
  std::string_view help;  ///< one line
  Value (*value)(const ResultField& field, const void* results);  ///< for the outside
  double (*number)(const void* results) = nullptr;                ///< for sweeps; null where it is no number
  std::span<const std::string_view> choices = {};                 ///< of a choice
  std::span<const ResultField> columns = {};                      ///< of a list's rows, or of an object
};

/// The members of a struct as named values, by its table.
Value value_of(std::span<const ResultField> fields, const void* results);

namespace detail {

template <auto Member>
const TypeOf<Member>& read(const void* results) {
  static_assert(in_named_namespace<Member>(),
                "a result's struct needs a name of its own in a named namespace");
  return static_cast<const OwnerOf<Member>*>(results)->*Member;
}

template <class Type>
constexpr FieldKind kind_of() {
  if constexpr (std::is_same_v<Type, bool>) return FieldKind::flag;
  if constexpr (std::is_integral_v<Type>) return FieldKind::whole;
  if constexpr (std::is_floating_point_v<Type>) return FieldKind::real;
  if constexpr (std::is_same_v<Type, Value::Numbers>) return FieldKind::numbers;
  if constexpr (std::is_same_v<Type, Value>) return FieldKind::object;
  return FieldKind::text;
}

template <auto Member>
Value simple_value(const ResultField&, const void* results) {
  using Type = TypeOf<Member>;
  const Type& from = read<Member>(results);
  if constexpr (std::is_arithmetic_v<Type> && !std::is_same_v<Type, bool>) {
    return Value(static_cast<double>(from));
  } else {
    return Value(from);
  }
}

template <const auto& Fields, auto Member, std::size_t Index>
Value input_value(const ResultField&, const void* row) {
  return Fields[Index].read(Fields[Index].field, &read<Member>(row));
}

template <const auto& Fields, auto Member, std::size_t... Index>
constexpr std::array<ResultField, sizeof...(Index)> input_columns(std::index_sequence<Index...>) {
  return {ResultField{Fields[Index].field.name, Fields[Index].field.kind, Fields[Index].field.unit,
                      Fields[Index].field.help, input_value<Fields, Member, Index>, nullptr,
                      Fields[Index].field.choices}...};
}

}  // namespace detail

/// A result that is a number, a flag, text, a list of numbers or a ready Value (member: of that type).
template <auto Member>
constexpr ResultField result(std::string_view name, std::string_view unit, std::string_view help) {
  using Type = detail::TypeOf<Member>;
  ResultField field{name, detail::kind_of<Type>(), unit, help, detail::simple_value<Member>};
  if constexpr (std::is_arithmetic_v<Type> && !std::is_same_v<Type, bool>) {
    field.number = [](const void* results) { return static_cast<double>(detail::read<Member>(results)); };
  }
  return field;
}

/// A result that is a whole number kept in a double.
template <auto Member>
constexpr ResultField whole_result(std::string_view name, std::string_view unit, std::string_view help) {
  ResultField field = result<Member>(name, unit, help);
  field.kind = FieldKind::whole;
  return field;
}

/// A result that is one of `choices` (member: an enum whose values follow their order).
template <auto Member>
constexpr ResultField choice_result(std::string_view name, std::span<const std::string_view> choices,
                                    std::string_view help) {
  ResultField field{name, FieldKind::choice, "", help, [](const ResultField& self, const void* results) {
                      return Value(self.choices[static_cast<std::size_t>(detail::read<Member>(results))]);
                    }};
  field.choices = choices;
  return field;
}

/// A result that is the name of one of `names`, or empty text (member: an optional enum whose values follow
/// their order).
template <auto Member, const auto& names>
constexpr ResultField optional_choice_result(std::string_view name, std::string_view help) {
  return {name, FieldKind::text, "", help, [](const ResultField&, const void* results) {
            const auto& chosen = detail::read<Member>(results);
            return Value(chosen ? std::string_view(names[static_cast<std::size_t>(*chosen)])
                                : std::string_view());
          }};
}

/// A result that is a list of some of `choices` (member: a vector of an enum whose values follow their
/// order).
template <auto Member>
constexpr ResultField choices_result(std::string_view name, std::span<const std::string_view> choices,
                                     std::string_view help) {
  ResultField field{name, FieldKind::list, "", help, [](const ResultField& self, const void* results) {
                      Value::List names;
                      for (const auto chosen : detail::read<Member>(results)) {
                        names.emplace_back(self.choices[static_cast<std::size_t>(chosen)]);
                      }
                      return Value(std::move(names));
                    }};
  field.choices = choices;
  return field;
}

/// A result that is a list of rows, each described by `columns` (member: a container of structs).
template <auto Member>
constexpr ResultField rows_result(std::string_view name, std::span<const ResultField> columns,
                                  std::string_view help) {
  ResultField field{name, FieldKind::list, "", help, [](const ResultField& self, const void* results) {
                      Value::List rows;
                      for (const auto& row : detail::read<Member>(results)) {
                        rows.push_back(value_of(self.columns, &row));
                      }
                      return Value(std::move(rows));
                    }};
  field.columns = columns;
  return field;
}

/// A result that is one struct described by `columns` (member: that struct).
template <auto Member>
constexpr ResultField object_result(std::string_view name, std::span<const ResultField> columns,
                                    std::string_view help) {
  ResultField field{name, FieldKind::object, "", help, [](const ResultField& self, const void* results) {
                      return value_of(self.columns, &detail::read<Member>(results));
                    }};
  field.columns = columns;
  return field;
}

/// Columns that give back a struct (member: that struct) under the names by which `Fields` accepts it.
template <const auto& Fields, auto Member>
constexpr std::array<ResultField, std::size(Fields)> input_columns() {
  return detail::input_columns<Fields, Member>(std::make_index_sequence<std::size(Fields)>());
}

/// Tables of columns, one after the other.
template <std::size_t... Sizes>
constexpr std::array<ResultField, (Sizes + ...)> joined(const std::array<ResultField, Sizes>&... tables) {
  std::array<ResultField, (Sizes + ...)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& table) {
    for (const ResultField& column : table) all[next++] = column;
  };
  (append(tables), ...);
  return all;
}

}  // namespace commcost
