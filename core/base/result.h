#pragma once

#include <array>
#include <cstddef>
#include <optional>
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
  void (*write)(const ResultField& field, const void* results, WireWriter& to);
  Scalar scalar = Scalar::none;                          ///< how the member holds a number, flag or choice
  const void* (*member)(const void* results) = nullptr;  ///< that member
  std::span<const std::string_view> choices = {};        ///< of a choice
  std::span<const ResultField> columns = {};             ///< of a list's rows, or of an object
  std::string_view label = {};                           ///< as pages call it; empty: its name in words
  bool may_be_missing = false;                           ///< then it is nothing

  /// The same result under another name than its member's.
  constexpr ResultField named(std::string_view other) const { return with(&ResultField::name, other); }

  /// The same result with a unit that its name does not say.
  constexpr ResultField in(std::string_view other) const { return with(&ResultField::unit, other); }

  /// The same result, as pages call it.
  constexpr ResultField labelled(std::string_view other) const { return with(&ResultField::label, other); }

  /// Whether it is a column of a sweep: a number that a member holds.
  constexpr bool swept() const {
    return scalar != Scalar::none && (kind == FieldKind::whole || kind == FieldKind::real);
  }

 private:
  constexpr ResultField with(std::string_view ResultField::*text, std::string_view other) const {
    ResultField field = *this;
    field.*text = other;
    return field;
  }
};

/// Writes a struct as a row of its table. Returns the first field whose number is not finite; null if all
/// are.
const ResultField* write_row(std::span<const ResultField> fields, const void* results, WireWriter& to);

/// Writes `count` structs of a table, `stride` bytes apart, column by column.
void write_rows(std::span<const ResultField> columns, const void* rows, std::size_t count, std::size_t stride,
                WireWriter& to);

/// The next value, in which a row is an object of its fields; a choice is one of `choices`.
Value read_value(WireReader& from, std::span<const ResultField> columns,
                 std::span<const std::string_view> choices = {});

/// A struct's members as named values, by its table.
Value value_of(std::span<const ResultField> fields, const void* results);

namespace detail {

template <auto Member>
const TypeOf<Member>& read(const void* results) {
  static_assert(in_named_namespace<Member>(),
                "a result's struct needs a name of its own in a named namespace");
  return static_cast<const OwnerOf<Member>*>(results)->*Member;
}

template <class Type>
inline constexpr bool may_be_missing = std::is_same_v<Type, std::optional<double>>;

template <class Type>
constexpr FieldKind kind_of() {
  if constexpr (std::is_same_v<Type, bool>) return FieldKind::flag;
  if constexpr (std::is_integral_v<Type>) return FieldKind::whole;
  if constexpr (std::is_floating_point_v<Type> || may_be_missing<Type>) return FieldKind::real;
  if constexpr (std::is_same_v<Type, Value::Numbers>) return FieldKind::numbers;
  if constexpr (std::is_same_v<Type, Value>) return FieldKind::object;
  if constexpr (std::is_same_v<Type, Wholes>) return FieldKind::list;
  if constexpr (std::is_same_v<Type, std::vector<Wholes>> ||
                std::is_same_v<Type, std::vector<Value::Numbers>>)
    return FieldKind::lists;
  return FieldKind::text;
}

// By its kind: a number, a flag or a choice, as it would be given.
void write_number(const ResultField& field, double number, WireWriter& to);
void write_scalar(const ResultField& field, const void* results, WireWriter& to);

inline void write_one(std::string_view text, WireWriter& to) {
  to.text(text);
}
inline void write_one(const std::optional<double>& number, WireWriter& to) {
  if (number) {
    to.number(*number);
  } else {
    to.nothing();
  }
}
inline void write_one(const std::string& text, WireWriter& to) {
  to.text(text);
}
inline void write_one(const Value::Numbers& numbers, WireWriter& to) {
  to.numbers(numbers);
}
inline void write_one(const Value& value, WireWriter& to) {
  to.value(value);
}
inline void write_one(const Wholes& numbers, WireWriter& to) {
  to.wholes(numbers);
}
template <class Number>
void write_one(const std::vector<std::vector<Number>>& lists, WireWriter& to) {
  to.list(lists.size());
  for (const std::vector<Number>& numbers : lists) write_one(numbers, to);
}

template <class Rows>
void write_rows(std::span<const ResultField> columns, const Rows& rows, WireWriter& to) {
  const void* first = rows.size() == 0 ? nullptr : &*rows.begin();
  commcost::write_rows(columns, first, rows.size(), sizeof(*rows.begin()), to);
}

template <auto Member>
void write_simple(const ResultField&, const void* results, WireWriter& to) {
  write_one(read<Member>(results), to);
}

template <auto Member>
const void* member_of(const void* results) {
  return &read<Member>(results);
}

template <const auto& Fields, auto Member, std::size_t Index>
void write_input_of(const ResultField& field, const void* row, WireWriter& to) {
  if constexpr (Fields[Index].scalar == Scalar::none) {
    to.nothing();
  } else {
    write_number(field, Fields[Index].number(&read<Member>(row)), to);
  }
}

template <const auto& Fields, auto Member, std::size_t... Index>
constexpr std::array<ResultField, sizeof...(Index)> input_columns(std::index_sequence<Index...>) {
  return {ResultField{Fields[Index].field.name,
                      Fields[Index].field.kind,
                      Fields[Index].field.unit,
                      Fields[Index].field.help,
                      write_input_of<Fields, Member, Index>,
                      Scalar::none,
                      nullptr,
                      Fields[Index].field.choices,
                      {},
                      Fields[Index].field.label}...};
}

}  // namespace detail

/// A result that is a number, one that may be missing, a flag, text, one or several lists of numbers or of
/// whole numbers, or a ready Value (member: of that type).
template <auto Member>
constexpr ResultField result(std::string_view help) {
  using Type = detail::TypeOf<Member>;
  static_assert(!std::is_enum_v<Type>, "choice_result() names what an enum holds");
  constexpr Scalar scalar = scalar_of<Type>();
  constexpr FieldKind kind = detail::kind_of<Type>();
  constexpr bool counts = kind == FieldKind::whole || kind == FieldKind::real || kind == FieldKind::numbers;
  constexpr std::string_view unit = counts ? detail::member_unit<Member> : std::string_view();
  if constexpr (scalar != Scalar::none) {
    return {detail::member_name<Member>, kind, unit, help, detail::write_scalar, scalar,
            detail::member_of<Member>};
  } else {
    ResultField field{detail::member_name<Member>, kind, unit, help, detail::write_simple<Member>};
    field.may_be_missing = detail::may_be_missing<Type>;
    return field;
  }
}

/// A result that is a whole number kept in a double.
template <auto Member>
constexpr ResultField whole_result(std::string_view help) {
  ResultField field = result<Member>(help);
  field.kind = FieldKind::whole;
  return field;
}

/// A result that is one of `choices` (member: an enum whose values follow their order).
template <auto Member>
constexpr ResultField choice_result(std::span<const std::string_view> choices, std::string_view help) {
  return {detail::member_name<Member>,         FieldKind::choice,         "",     help, detail::write_scalar,
          scalar_of<detail::TypeOf<Member>>(), detail::member_of<Member>, choices};
}

/// A result that is the name of one of `names`, or empty text (member: an optional enum whose values follow
/// their order).
template <auto Member, const auto& names>
constexpr ResultField optional_choice_result(std::string_view help) {
  return {detail::member_name<Member>, FieldKind::text, "", help,
          [](const ResultField&, const void* results, WireWriter& to) {
            const auto& chosen = detail::read<Member>(results);
            to.text(chosen ? names[static_cast<std::size_t>(*chosen)] : std::string_view());
          }};
}

/// A text result that is not a member of its row but derived from it by `Of`.
template <class Row, auto Of>
constexpr ResultField derived_text(std::string_view name, std::string_view help) {
  return {name, FieldKind::text, "", help, [](const ResultField&, const void* row, WireWriter& to) {
            detail::write_one(Of(*static_cast<const Row*>(row)), to);
          }};
}

/// A result that is a list of some of `choices` (member: a vector of an enum whose values follow their
/// order).
template <auto Member>
constexpr ResultField choices_result(std::span<const std::string_view> choices, std::string_view help) {
  ResultField field{detail::member_name<Member>, FieldKind::list, "", help,
                    [](const ResultField& self, const void* results, WireWriter& to) {
                      const auto& chosen = detail::read<Member>(results);
                      to.list(chosen.size());
                      for (const auto one : chosen) to.text(self.choices[static_cast<std::size_t>(one)]);
                    }};
  field.choices = choices;
  return field;
}

/// A result that is a list of rows, each described by `columns` (member: a container of structs).
template <auto Member>
constexpr ResultField rows_result(std::span<const ResultField> columns, std::string_view help) {
  ResultField field{detail::member_name<Member>, FieldKind::list, "", help,
                    [](const ResultField& self, const void* results, WireWriter& to) {
                      detail::write_rows(self.columns, detail::read<Member>(results), to);
                    }};
  field.columns = columns;
  return field;
}

/// A result that is a list of lists of rows, each described by `columns` (member: a container of containers
/// of structs).
template <auto Member>
constexpr ResultField row_lists_result(std::span<const ResultField> columns, std::string_view help) {
  ResultField field{detail::member_name<Member>, FieldKind::lists, "", help,
                    [](const ResultField& self, const void* results, WireWriter& to) {
                      const auto& lists = detail::read<Member>(results);
                      to.list(lists.size());
                      for (const auto& rows : lists) detail::write_rows(self.columns, rows, to);
                    }};
  field.columns = columns;
  return field;
}

/// A result that is one struct described by `columns` (member: that struct).
template <auto Member>
constexpr ResultField object_result(std::span<const ResultField> columns, std::string_view help) {
  ResultField field{detail::member_name<Member>, FieldKind::object, "", help,
                    [](const ResultField& self, const void* results, WireWriter& to) {
                      write_row(self.columns, &detail::read<Member>(results), to);
                    }};
  field.columns = columns;
  return field;
}

/// A result that gives back an input: the field of that table with the member's name. Any other member fails
/// to compile.
template <auto Member, class Table>
consteval ResultField given_back(const Table& inputs) {
  const Field* field = nullptr;
  for (const InputField& input : inputs) {
    if (input.field.name == detail::member_name<Member>) field = &input.field;
  }
  ResultField result{field->name, field->kind, field->unit, field->help, detail::write_scalar};
  result.scalar = scalar_of<detail::TypeOf<Member>>();
  result.member = detail::member_of<Member>;
  result.choices = field->choices;
  result.label = field->label;
  return result;
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
