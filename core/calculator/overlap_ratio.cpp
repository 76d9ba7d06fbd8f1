#include "core/textbook/overlap_ratio.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/compute/matrix_peak.h"

namespace commcost::calculations {
namespace overlap_ratio_table {

/// What overlap_ratio takes.
struct OverlapInputs {
  Job job;
  OverlapScheme scheme;
  std::int64_t next_linear_size;
};

using Inputs = OverlapInputs;

using Results = Overlap;

constexpr InputField scheme_fields[] = {
    choice<&Inputs::scheme>(overlap_scheme_names, "Communication to hide, and the compute to hide it behind"),
    whole<&Inputs::next_linear_size>(0, 4294967296,
                                     "Output width of the next matrix, under tensor_parallel; 0: hidden_size")
        .labelled("Width of the next matrix")
        .or_default(0),
};

struct Default {
  std::string_view name;
  double value;
};

// A ratio depends on few of a step's inputs: these may be left out.
constexpr Default defaults[] = {
    {"num_layers", 1}, {"num_heads", 1}, {"sequence_length", 4096}, {"batch_size", 1}};

constexpr auto without_requirements = [](auto fields) {
  for (InputField& input : fields) {
    for (const Default& known : defaults) {
      if (input.field.name == known.name) input = input.or_default(known.value);
    }
  }
  return fields;
};

constexpr auto shape_fields = without_requirements(model_shape_fields);
constexpr auto ratio_work_fields =
    without_requirements(picked(work_fields, {"sequence_length", "batch_size", "bytes_per_element"}));
constexpr auto degree_fields =
    picked(layout_fields, {"tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel",
                           "expert_tensor_parallel", "bucket_size_bytes"});

constexpr auto accelerator_field = picked(system_machine_fields, {"accelerator"});
constexpr auto overlap_rate_fields = picked(rate_fields, {"peak_tflops", "bandwidth_gb_per_sec"});

constexpr FieldGroup groups[] = {
    group<Inputs>(scheme_fields),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(shape_fields),
    of_job<Inputs, &Job::work>(ratio_work_fields),
    of_job<Inputs, &Job::work>(mode_field),
    of_job<Inputs, &Job::layout>(degree_fields),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(accelerator_field),
    of_job<Inputs, &Job::machine>(overlap_rate_fields),
};

constexpr ResultField results[] = {
    result<&Results::communication_us>("Bytes sent over the bandwidth"),
    result<&Results::compute_us>("FLOPs over the peak"),
    result<&Results::ratio>("Communication over compute"),
    result<&Results::hidden>("Whether the ratio is at most 1"),
    result<&Results::exposed_us>("Communication that compute does not cover"),
    result<&Results::hiding_gb_per_sec>("Bandwidth at which the ratio is 1"),
    result<&Results::message_size_bytes>("Largest message"),
    whole_result<&Results::messages>("Collectives; gradients go in buckets, experts apart"),
    result<&Results::last_message_us>("Time of the last of several messages, with no compute left to hide "
                                      "it; 0: there is only one message"),
    result<&Results::sent_bytes_per_gpu>("Bytes that each GPU sends in all messages"),
    result<&Results::compute_flops>("FLOPs that each GPU computes meanwhile"),
    result<&Results::printed_ratio>("The ratio as the Ultra-Scale Playbook prints it in A3, in elements"),
    result<&Results::cheat_sheet_ratio>("The ratio as the Playbook's cheat-sheet prints it, in elements"),
    result<&Results::model_sent_bytes_per_gpu>(
        "Bytes sent for all gradients under data_parallel, including norms, embedding and LM head"),
    result<&Results::model_ratio>(
        "Ratio with those gradients, and with the LM head's products among the compute"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  const OverlapRates rates{matrix_peak_tflops(job.machine, job.work), job.machine.bandwidth_gb_per_sec};
  return overlap_of(inputs.scheme, job, rates, inputs.next_linear_size);
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
    "overlap_ratio", "Communication against the compute that may hide it", groups);

}  // namespace overlap_ratio_table

const Calculation overlap_ratio = overlap_ratio_table::table;

}  // namespace commcost::calculations
