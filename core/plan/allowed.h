#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "core/base/value.h"
#include "core/parallel/job.h"

namespace commcost {

/// What a search may choose for one field: anything, some values, or the one that it is pinned to.
struct AllowedValues {
  double pinned = std::numeric_limits<double>::quiet_NaN();  ///< the only one; NaN: not pinned
  Value::Numbers listed;                                     ///< some values; none: all

  bool is_pinned() const { return !std::isnan(pinned); }
  /// The pinned value, or another where it is not pinned.
  std::int64_t pinned_or(std::int64_t other) const {
    return is_pinned() ? static_cast<std::int64_t>(pinned) : other;
  }
  bool is_listed(std::int64_t value) const;
  bool allows(std::int64_t value) const {
    return is_pinned() ? static_cast<double>(value) == pinned : is_listed(value);
  }
  bool operator==(const AllowedValues& other) const {
    const bool alike = is_pinned() ? pinned == other.pinned : !other.is_pinned();
    return alike && listed == other.listed;
  }
};

/// What a search decides, and what it may choose there; choices by their index, flags as 0 or 1.
struct AllowedLayouts {
  AllowedValues tensor_parallel;
  AllowedValues sequence_parallel;
  AllowedValues pipeline_parallel;
  AllowedValues virtual_stages;
  AllowedValues pipeline_schedule;
  AllowedValues data_parallel;
  AllowedValues zero_stage;
  AllowedValues context_parallel;
  AllowedValues expert_parallel;
  AllowedValues expert_tensor_parallel;  ///< as in Layout, 0 for the tensor ranks; its list holds degrees
  AllowedValues batch_size;
  AllowedValues recompute;

  bool operator==(const AllowedLayouts&) const = default;
};

/// One of these fields: its name, the input that lists its values, and its place in a job.
struct SearchedField {
  std::string_view name;
  std::string_view list;  ///< the input with some of its values; empty: none
  AllowedValues AllowedLayouts::*allowed;
  std::int64_t (*of)(const Job& job);
  void (*put)(Job& job, std::int64_t value);
};
std::span<const SearchedField> searched_fields();

/// Whether a job has every pinned value.
bool keeps_pins(const AllowedLayouts& allowed, const Job& job);

/// The job with every pinned value.
Job with_pins(const AllowedLayouts& allowed, Job job);

}  // namespace commcost
