#include <string>

#include "core/base/value.h"
#include "core/step/training_step.h"

namespace commcost {
namespace {

std::string text(std::int64_t number) {
  return text_of(static_cast<double>(number));
}

// Collects problems that stand in one or several inputs together.
class Checks {
 public:
  // `of` must be a multiple of `divisor`.
  void divides(std::string_view field, std::int64_t divisor, std::string_view of_field, std::int64_t of) {
    if (divisor > 0 && of % divisor == 0) return;
    add(field, std::string(field) + " must divide " + std::string(of_field) + " (" + text(of) + "); got " + text(divisor),
        "a divisor of " + text(of));
  }
  void at_most(std::string_view field, std::int64_t number, std::string_view of_field, std::int64_t greatest) {
    if (number <= greatest) return;
    add(field, std::string(field) + " must be at most " + std::string(of_field) + " (" + text(greatest) + "); got " + text(number),
        "at most " + text(greatest));
  }
  void add(std::string_view field, std::string message, std::string allowed) {
    problems_.push_back({std::string(field), ProblemCode::inconsistent, std::move(message), std::move(allowed)});
  }
  Problems take() { return std::move(problems_); }

 private:
  Problems problems_;
};

void check_tensor(const TrainingStepInputs& in, Checks& checks) {
  checks.divides("tensor_parallel", in.tensor_parallel, "num_heads", in.num_heads);
  if (in.num_kv_heads % in.tensor_parallel != 0 && in.tensor_parallel % in.num_kv_heads != 0) {
    checks.add("tensor_parallel",
               "tensor_parallel must divide num_kv_heads (" + text(in.num_kv_heads) + ") or be its multiple; got " +
                   text(in.tensor_parallel),
               "a divisor or a multiple of " + text(in.num_kv_heads));
  }
  checks.divides("tensor_parallel", in.tensor_parallel, "ffn_hidden_size", in.ffn_hidden_size);
  if (in.sequence_parallel && in.mode != Mode::decode) {
    checks.divides("tensor_parallel", in.tensor_parallel * in.context_parallel, "sequence_length", in.sequence_length);
  }
}

void check_pipeline(const TrainingStepInputs& in, Checks& checks) {
  checks.at_most("pipeline_parallel", in.pipeline_parallel, "num_layers", in.num_layers);
  if (in.virtual_stages > 1 && in.pipeline_schedule != PipelineSchedule::interleaved) {
    checks.add("virtual_stages", "virtual_stages above 1 needs pipeline_schedule \"interleaved\"; got " + text(in.virtual_stages),
               "1, or pipeline_schedule \"interleaved\"");
  }
  if (in.virtual_stages > 1) {
    checks.at_most("virtual_stages", in.virtual_stages * in.pipeline_parallel, "num_layers / pipeline_parallel chunks of a layer each, num_layers",
                   in.num_layers);
  }
}

void check_experts(const TrainingStepInputs& in, Checks& checks) {
  if (in.expert_parallel > 1) {
    checks.divides("expert_parallel", in.expert_parallel, "num_experts", in.num_experts);
    checks.divides("expert_parallel", in.expert_parallel, "data_parallel x context_parallel",
                   in.data_parallel * in.context_parallel);
  }
  checks.at_most("experts_per_token", in.experts_per_token, "num_experts", in.num_experts);
}

void check_batch(const TrainingStepInputs& in, Checks& checks) {
  if (in.global_batch_size > 0) {
    const std::int64_t per_pass = in.batch_size * in.data_parallel;
    if (in.global_batch_size % per_pass != 0) {
      checks.add("global_batch_size",
                 "global_batch_size must be a multiple of batch_size x data_parallel (" + text(per_pass) + "); got " +
                     text(in.global_batch_size),
                 "a multiple of " + text(per_pass));
      return;
    }
  }
  if (in.virtual_stages > 1 && micro_batches(in, in) % in.pipeline_parallel != 0) {
    checks.add("virtual_stages",
               "the interleaved schedule needs micro-batches (" + text(micro_batches(in, in)) +
                   ") in multiples of pipeline_parallel (" + text(in.pipeline_parallel) + ")",
               "a global_batch_size with such a number of micro-batches, or virtual_stages 1");
  }
}

}  // namespace

Problems step_problems(const TrainingStepInputs& given) {
  Checks checks;
  TrainingStepInputs in = given;
  static_cast<ModelShape&>(in) = completed(static_cast<const ModelShape&>(given));
  if (in.head_size == 0) {
    checks.add("num_heads", "num_heads must be at most hidden_size (" + text(in.hidden_size) + "); got " + text(in.num_heads),
               "at most " + text(in.hidden_size));
    return checks.take();
  }
  checks.divides("num_kv_heads", in.num_kv_heads, "num_heads", in.num_heads);
  check_tensor(in, checks);
  if (in.context_parallel > 1) {
    checks.divides("context_parallel", in.context_parallel, "sequence_length", in.sequence_length);
    if (in.context_scheme == ContextScheme::ulysses) {
      checks.divides("context_parallel", in.context_parallel * in.tensor_parallel, "num_heads", in.num_heads);
    }
  }
  check_pipeline(in, checks);
  check_experts(in, checks);
  check_batch(in, checks);
  if (in.num_gpus > 0 && in.num_gpus != gpus_needed(in)) {
    checks.add("num_gpus",
               "num_gpus must be tensor x context x pipeline x data parallel (" + text(gpus_needed(in)) + "); got " +
                   text(in.num_gpus),
               text(gpus_needed(in)));
  }
  return checks.take();
}

}  // namespace commcost
