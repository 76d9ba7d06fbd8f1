#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/outcome.h"
#include "core/parallel/memory.h"
#include "core/serving/serving_band.h"
#include "core/serving/serving_time.h"

namespace commcost {

/// A step of a server for a batch of requests.
struct ServingStepInputs {
  ServingStepInputs();

  Job job;
  std::int64_t output_tokens = 256;  ///< of a request's answer

  bool operator==(const ServingStepInputs& other) const {
    const auto& [model, work, layout, stack, machine] = job;
    return model == other.job.model && work == other.job.work && layout == other.job.layout &&
           stack == other.job.stack && machine == other.job.machine && output_tokens == other.output_tokens;
  }
};

/// What a step takes.
struct ServingStep {
  double step_time_ms = 0;  ///< of one batch: a token for each sequence in decode, all prompts in prefill
  double step_time_low_ms = 0;
  double step_time_high_ms = 0;
  Basis basis = Basis::estimated;
  double measured_series = 0;
  double measured_runs = 0;
  double stack_runs = 0;
  double own_runs = 0;
  double measured_error_percent = 0;
  double first_token_ms = 0;  ///< a prompt of sequence_length tokens, alone
  double first_token_low_ms = 0;
  double first_token_high_ms = 0;
  double tokens_per_sec_per_user = 0;  ///< 0 in prefill
  double tokens_per_sec_per_gpu = 0;
  double memory_gib = 0;
  double memory_available_gib = 0;
  bool fits = false;
  bool stack_checked = false;   ///< whether the stack's rules are known
  std::string_view stack_rule;  ///< that the layout breaks, to follow the stack's name; empty: it can run
  double most_sequences = 0;    ///< of sequence_length tokens, that fit next to the weights of a replica
  double mfu_percent = 0;
  double cluster_gpus = 0;
  ServingParts parts;
  StepMemory memory;
  double weight_bytes_read = 0;  ///< by a GPU in a step
  double cache_bytes_read = 0;
  double cache_bytes_per_token = 0;  ///< that a GPU keeps of one token
  double experts_read = 0;           ///< of a layer, on a GPU; 0 without experts
  ReduceKernel allreduce_kernel = ReduceKernel::nccl;
  double allreduce_bytes = 0;
  double allreduce_calls = 0;
  double allreduce_us = 0;                   ///< one, by its kernel alone
  double allreduce_wait_us = 0;              ///< that a step waits for one, on average
  std::vector<ReducedBy> allreduce_kernels;  ///< the same for each kernel that the machine can run
  std::vector<ServingMessage> messages;      ///< of the step; in decode, those of one prompt alone come after
  MessageSum token;    ///< a decode step of the batch: its time, and one sequence's share of the bytes
  MessageSum request;  ///< one prompt alone, and all tokens of its answer but the first
  std::vector<Assumption> assumed;
};

/// The step, or every problem of its layout. A step that does not fit is still answered, with fits = false.
Outcome<ServingStep> serving_step(const ServingStepInputs& inputs);

}  // namespace commcost
