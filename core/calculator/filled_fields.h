#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "core/base/field.h"

namespace commcost {

/// A table whose fields a preset fills.
template <std::size_t Size>
constexpr std::array<InputField, Size> filled_by(std::string_view preset, const InputField (&fields)[Size]) {
  std::array<InputField, Size> filled{};
  for (std::size_t i = 0; i < Size; ++i) filled[i] = fields[i].filled_by(preset);
  return filled;
}

/// A table whose fields belong to a part of the scenario's form, but for those that say another.
template <std::size_t Size>
constexpr std::array<InputField, Size> of_group(std::string_view group, std::array<InputField, Size> fields) {
  for (InputField& input : fields) {
    if (input.field.group.empty()) input.field.group = group;
  }
  return fields;
}

template <std::size_t Size>
constexpr std::array<InputField, Size> of_group(std::string_view group, const InputField (&fields)[Size]) {
  return of_group(group, std::to_array(fields));
}

/// The fields of those names, in their order. A name that the table does not have fails to compile.
template <std::size_t Count, class Table>
consteval std::array<InputField, Count> picked(const Table& table, const std::string_view (&names)[Count]) {
  std::array<InputField, Count> fields{};
  for (std::size_t i = 0; i < Count; ++i) {
    const InputField* found = nullptr;
    for (const InputField& input : table) {
      if (input.field.name == names[i]) found = &input;
    }
    fields[i] = *found;  // where it is null, no constant
  }
  return fields;
}

namespace detail {

template <std::size_t Size>
std::integral_constant<std::size_t, Size> groups_in(const FieldGroup (&)[Size]);
template <std::size_t Size>
std::integral_constant<std::size_t, Size> groups_in(const std::array<FieldGroup, Size>&);
template <class Table>
concept GroupTable = requires(const Table& table) {
  groups_in(table);
};

}  // namespace detail

/// Tables of field groups, one after the other.
template <detail::GroupTable... Tables>
constexpr auto joined(const Tables&... tables) {
  std::array<FieldGroup, (decltype(detail::groups_in(tables))::value + ...)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& table) {
    for (const FieldGroup& group : table) all[next++] = group;
  };
  (append(tables), ...);
  return all;
}

}  // namespace commcost
