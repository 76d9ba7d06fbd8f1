#pragma once

#include <span>

#include "core/base/field.h"
#include "core/parallel/job.h"

namespace commcost {

/// The fields of a calculation's job, a member named job of `Inputs`, or of the part of it that members lead
/// to.
template <class Inputs, auto... Members>
constexpr FieldGroup of_job(std::span<const InputField> fields) {
  return {fields, [](void* inputs) -> void* { return &(static_cast<Inputs*>(inputs)->job.*....*Members); }};
}

}  // namespace commcost
