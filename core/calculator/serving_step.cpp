#include "core/serving/serving_step.h"

#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/calculator/step_fields.h"

namespace commcost::calculations {
namespace serving_step_table {

using Inputs = AnsweringInputs;
using Results = ServingStep;

constexpr auto stepped_work = picked(work_fields, {"sequence_length", "batch_size"});
constexpr auto served_layout = picked(
    layout_fields,
    {"tensor_parallel", "pipeline_parallel", "expert_parallel", "expert_tensor_parallel", "cluster_gpus"});
constexpr FieldGroup step_groups[] = {
    group<Inputs>(answering_field),
    group<Inputs, ServingStepInputs>(answer_fields),
    of_job<Inputs, &Job::work>(stepped_work),
    of_job<Inputs, &Job::work>(step_tokens_of_server),
    of_job<Inputs, &Job::layout>(served_layout),
    of_job<Inputs, &Job::layout>(groups_field),
};
constexpr auto groups = joined(server_groups<Inputs>, step_groups, machine_groups<Inputs>);

constexpr ResultField memory_columns[] = {
    memory_result<&StepMemory::weights>("weights_gib", "Weights"),
    memory_result<&StepMemory::cache>("cache_gib", "Keys and values of the batch"),
    memory_result<&StepMemory::working>("working_gib", "Activations of one layer at work"),
};

constexpr ResultField kernel_columns[] = {
    choice_result<&ReducedBy::kernel>(reduce_kernel_names, "The kernel"),
    result<&ReducedBy::start_us>("Barriers: the time of an empty message"),
    result<&ReducedBy::transfer_us>("The message over the links"),
};

using Message = ServingMessage;

constexpr ResultField message_columns[] = {
    choice_result<&Message::dimension>(dimension_names, "Parallelism that sends it"),
    choice_result<&Message::phase>(phase_names, "Decode step or prompt"),
    choice_result<&Message::part>(part_names, "Part of the model that it is for"),
    choice_result<&Message::payload>(payload_names, "The payload"),
    choice_result<&Message::collective>(collective_names, "The collective"),
    whole_result<&Message::group_size>("GPUs that take part in a call").in("GPUs"),
    choice_result<&Message::kernel>(reduce_kernel_names, "The kernel of an all-reduce"),
    result<&Message::message_size_bytes>("Message of one call, as nccl-tests counts it"),
    whole_result<&Message::calls>("Calls on the way through all stages"),
    result<&Message::sent_bytes_per_gpu>("Bytes that each GPU sends in all calls, the mean over the stages"),
    result<&Message::network_bytes_per_gpu>("Part of these bytes that goes to other nodes"),
    result<&Message::time_us>("Time of all calls; nothing hides them"),
};

constexpr ResultField sent_columns[] = {
    whole_result<&MessageSum::calls>("Calls that it waits for"),
    result<&MessageSum::sent_bytes_per_gpu>("Bytes that each GPU sends"),
    result<&MessageSum::network_bytes_per_gpu>("Part of these bytes that goes to other nodes"),
    result<&MessageSum::time_us>("Time of those calls"),
};

constexpr ResultField results[] = {
    result<&Results::step_time_ms>("Time of a step: one token for each sequence, or all prompts"),
    step_result<&Results::step_time_low_ms>(),
    step_result<&Results::step_time_high_ms>(),
    choice_result<&Results::basis>(basis_names, "Basis of the range"),
    whole_result<&Results::measured_series>("Series (source, model, precision) on which the band rests"),
    whole_result<&Results::measured_runs>("Measured steps and requests of those series"),
    whole_result<&Results::stack_runs>("Runs of the stack itself, on any GPU").in("runs"),
    whole_result<&Results::own_runs>("Runs of the stack itself on this GPU").in("runs"),
    step_result<&Results::measured_error_percent>(),
    result<&Results::first_token_ms>(
        "Time to first token (TTFT) of a prompt of sequence_length tokens, served alone"),
    result<&Results::first_token_low_ms>("Lower end of its band"),
    result<&Results::first_token_high_ms>("Upper end of its band"),
    result<&Results::tokens_per_sec_per_user>(
        "Tokens per second that each sequence receives in decode; 0 in prefill"),
    step_result<&Results::tokens_per_sec_per_gpu>(),
    step_result<&Results::memory_gib>(),
    step_result<&Results::memory_available_gib>(),
    step_result<&Results::fits>(),
    step_result<&Results::stack_checked>(),
    step_result<&Results::stack_rule>(),
    whole_result<&Results::most_sequences>("Sequences of that length that fit next to a replica's weights"),
    step_result<&Results::mfu_percent>(),
    whole_result<&Results::cluster_gpus>("GPUs of the layout"),
    object_result<&Results::parts>(part_columns<all_serving_parts>,
                                   "Time by part; the parts add up to the step"),
    object_result<&Results::memory>(memory_columns, "Memory by part; the parts add up to memory_gib"),
    result<&Results::weight_bytes_read>("Weights that a GPU reads in a step"),
    result<&Results::cache_bytes_read>("Keys and values that a GPU reads in a step"),
    result<&Results::cache_bytes_per_token>("Cache that a GPU keeps for one token"),
    result<&Results::experts_read>("Routed experts of a layer that a GPU reads, expected; 0 without experts"),
    choice_result<&Results::allreduce_kernel>(reduce_kernel_names, "Kernel that runs a layer's all-reduce"),
    result<&Results::allreduce_bytes>("Size of one such all-reduce"),
    whole_result<&Results::allreduce_calls>("All-reduces of layers in a step"),
    result<&Results::allreduce_us>(
        "Time of one such all-reduce by its kernel alone; in a step it also waits for its ranks"),
    result<&Results::allreduce_wait_us>("Mean time that a step waits for one such all-reduce"),
    rows_result<&Results::allreduce_kernels>(kernel_columns,
                                             "The all-reduce by each kernel that the machine can run"),
    rows_result<&Results::messages>(
        message_columns, "Every kind of call of the step; in decode, followed by those of one prompt alone"),
    object_result<&Results::token>(
        sent_columns, "Messages of one token: all calls of a decode step, its share of the bytes"),
    object_result<&Results::request>(
        sent_columns, "Messages of one request: its prompt alone, and every further token of its answer"),
    rows_result<&Results::assumed>(assumption_columns, "Assumptions about the machine"),
};

Outcome<ServingStep> compute(const Inputs& inputs) {
  return commcost::serving_step(step_of(inputs));
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
    "serving_step", "Time and memory of one step of a server: prompts, or one token for each sequence",
    groups, 16384);

}  // namespace serving_step_table

const Calculation serving_step = serving_step_table::table;

}  // namespace commcost::calculations
