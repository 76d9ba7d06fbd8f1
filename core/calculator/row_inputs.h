#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/field.h"

namespace commcost {

/// The place of an object in a list that a calculation takes, such as "rows[2]".
std::string row_name(std::string_view list, std::size_t at);

/// The same problem, as one of the row of that name.
Problem within(const std::string& row, Problem problem);

/// What a row may contain.
struct RowWords {
  std::string_view of;             ///< whose row it is, such as "a row of fit_step"
  std::string_view allowed;        ///< its inputs, in words
  std::string_view required = {};  ///< an input that it must give; empty: none
};

/// The same groups with every field optional: what rows give need not be given outside them.
template <const auto& Groups>
struct StatedByRows {
  static constexpr auto fields = [] {
    constexpr std::size_t count = [] {
      std::size_t all = 0;
      for (const FieldGroup& group : Groups) all += group.fields.size();
      return all;
    }();
    std::array<InputField, count> all{};
    std::size_t at = 0;
    for (const FieldGroup& group : Groups)
      for (const InputField& one : group.fields) all[at++] = one.field.required ? one.optional() : one;
    return all;
  }();
  static constexpr auto groups = [] {
    std::array<FieldGroup, std::size(Groups)> all{};
    const InputField* next = fields.data();
    for (std::size_t at = 0; at < all.size(); ++at) {
      all[at] = {{next, Groups[at].fields.size()}, Groups[at].select};
      next += Groups[at].fields.size();
    }
    return all;
  }();
};

/// The problems of required numbers (never 0) that neither a row nor the call around it gives.
Problems unstated(const std::string& name, const FieldIndex& fields, void* inputs);

/// Reads a row by the fields over what `inputs` hold, a preset over what it fills. All problems, each with
/// the row's name.
Problems read_row(const std::string& name, const Value& row, const FieldIndex& fields, const RowWords& words,
                  void* inputs);

}  // namespace commcost
