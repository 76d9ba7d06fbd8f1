#include "core/plan/allowed.h"

#include <algorithm>

namespace commcost {
namespace {

template <auto Part, auto Member>
constexpr SearchedField searched(std::string_view name, AllowedValues AllowedLayouts::*allowed,
                                 std::string_view list = {}) {
  return {name, list, allowed, [](const Job& job) { return static_cast<std::int64_t>(job.*Part.*Member); },
          [](Job& job, std::int64_t value) {
            auto& member = job.*Part.*Member;
            member = static_cast<std::remove_reference_t<decltype(member)>>(value);
          }};
}

using A = AllowedLayouts;
using L = Layout;

constexpr SearchedField fields[] = {
    searched<&Job::layout, &L::tensor_parallel>("tensor_parallel", &A::tensor_parallel,
                                                "allowed_tensor_degrees"),
    searched<&Job::layout, &L::sequence_parallel>("sequence_parallel", &A::sequence_parallel),
    searched<&Job::layout, &L::pipeline_parallel>("pipeline_parallel", &A::pipeline_parallel),
    searched<&Job::layout, &L::virtual_stages>("virtual_stages", &A::virtual_stages),
    searched<&Job::layout, &L::pipeline_schedule>("pipeline_schedule", &A::pipeline_schedule,
                                                  "allowed_schedules"),
    searched<&Job::layout, &L::data_parallel>("data_parallel", &A::data_parallel),
    searched<&Job::layout, &L::zero_stage>("zero_stage", &A::zero_stage, "allowed_zero_stages"),
    searched<&Job::layout, &L::context_parallel>("context_parallel", &A::context_parallel,
                                                 "allowed_context_degrees"),
    searched<&Job::layout, &L::expert_parallel>("expert_parallel", &A::expert_parallel,
                                                "allowed_expert_degrees"),
    searched<&Job::layout, &L::expert_tensor_parallel>("expert_tensor_parallel", &A::expert_tensor_parallel,
                                                       "allowed_expert_tensor_degrees"),
    searched<&Job::work, &Work::batch_size>("batch_size", &A::batch_size),
    searched<&Job::work, &Work::recompute>("recompute", &A::recompute, "allowed_recomputations"),
};

}  // namespace

bool AllowedValues::is_listed(std::int64_t value) const {
  return listed.empty() ||
         std::find(listed.begin(), listed.end(), static_cast<double>(value)) != listed.end();
}

std::span<const SearchedField> searched_fields() {
  return fields;
}

bool keeps_pins(const AllowedLayouts& allowed, const Job& job) {
  return std::all_of(std::begin(fields), std::end(fields), [&](const SearchedField& field) {
    const AllowedValues& values = allowed.*field.allowed;
    return !values.is_pinned() || values.allows(field.of(job));
  });
}

Job with_pins(const AllowedLayouts& allowed, Job job) {
  for (const SearchedField& field : fields) {
    const AllowedValues& values = allowed.*field.allowed;
    if (values.is_pinned()) field.put(job, values.pinned_or(0));
  }
  return job;
}

}  // namespace commcost
