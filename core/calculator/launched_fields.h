#pragma once

#include <span>

#include "core/calculator/job_fields.h"
#include "core/calculator/load_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/launches/launched_job.h"

namespace commcost {

inline constexpr InputField launched_server_rows[] = {
    step_tokens_field<&LaunchedJob::step_tokens>(),
    chunked_prefill_field<&LaunchedJob::chunked_prefill>(),
    memory_share_field<&LaunchedJob::memory_share>(),
};

/// Settings of a server in addition to its job.
inline constexpr std::span<const InputField> launched_server_fields = launched_server_rows;

/// Fields of a launch, with the part that holds them.
struct LaunchedFields {
  std::span<const InputField> fields;
  void* (*part)(LaunchedJob& launched);
};

/// All inputs of a job that launches set.
inline constexpr LaunchedFields launched_fields[] = {
    {model_shape_fields, [](LaunchedJob& launched) -> void* { return &launched.job.model; }},
    {work_fields, [](LaunchedJob& launched) -> void* { return &launched.job.work; }},
    {recipe_work_fields, [](LaunchedJob& launched) -> void* { return &launched.job.work; }},
    {serving_type_fields, [](LaunchedJob& launched) -> void* { return &launched.job.work; }},
    {layout_fields, [](LaunchedJob& launched) -> void* { return &launched.job.layout; }},
    {recipe_layout_fields, [](LaunchedJob& launched) -> void* { return &launched.job.layout; }},
    {stack_fields, [](LaunchedJob& launched) -> void* { return &launched.job.stack; }},
    {system_machine_fields, [](LaunchedJob& launched) -> void* { return &launched.job.machine; }},
    {launched_server_fields, [](LaunchedJob& launched) -> void* { return &launched; }},
};

}  // namespace commcost
