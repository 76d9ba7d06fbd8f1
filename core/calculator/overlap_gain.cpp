#include "core/training/overlap_gain.h"

#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/network/collective_timer.h"

namespace commcost::calculations {
namespace overlap_gain_table {

/// What overlap_gain takes.
struct OverlapGainInputs {
  Machine machine;
  double product_rows = 0;
  double product_columns = 0;
  double product_depth = 0;
  double num_gpus = 8;
  OverlapQuestion question;
};

using Inputs = OverlapGainInputs;
using Results = OverlapGain;

constexpr double most_elements = 4294967296;
constexpr double few_channels = 24;
constexpr double usual_channel = 20;

constexpr InputField product_fields[] = {
    whole<&Inputs::product_rows>(1, most_elements, "Rows of the GEMM's output, usually the tokens")
        .or_default(8192),
    whole<&Inputs::product_columns>(1, most_elements, "Columns of that output").or_default(8192),
    whole<&Inputs::product_depth>(1, most_elements, "Elements that the GEMM sums up for each output")
        .or_default(8192),
    group_gpus_field<&Inputs::num_gpus>(),
};

constexpr InputField question_fields[] = {
    collective_choice_field<&OverlapQuestion::collective>(collective_names).or_default(0),
    message_size_field<&OverlapQuestion::message_size_bytes>(),
    whole<&OverlapQuestion::channels>(
        1, 1024, "Channels of the collective: multiprocessors (SMs) that it takes from the GEMM")
        .in("SMs")
        .labelled("Channels")
        .or_default(few_channels),
    real<&OverlapQuestion::channel_gb_per_sec>(
        0.001, 1e6, "Bus bandwidth of one channel; NCCL's own model has 20 GB/s up to Ampere, 36.7 on Hopper")
        .labelled("Bandwidth per channel")
        .or_default(usual_channel),
};

constexpr FieldGroup groups[] = {
    group<Inputs>(product_fields),
    group_of<&Inputs::question>(question_fields),
    group_of<&Inputs::machine>(system_field),
    group_of<&Inputs::machine>(system_machine_fields),
    group_of<&Inputs::machine>(switch_fields),
    group_of<&Inputs::machine>(spine_fields),
};

constexpr ResultField results[] = {
    result<&Results::overlapped_us>("Time of both at once"),
    result<&Results::sequential_us>("Time of the GEMM, then the collective"),
    result<&Results::gain_percent>(
        "Share of the sequential time that overlap saves; below 0: it doesn't pay"),
    result<&Results::slowdown_percent>("Slowdown of the GEMM while the collective runs"),
    result<&Results::product_us>("Time of the GEMM alone"),
    result<&Results::slowed_product_us>("Time of the GEMM while an endless collective runs"),
    result<&Results::communication_us>("Time of the collective alone"),
    result<&Results::with_channels_us>("Time of the collective with that many channels"),
    result<&Results::memory_gb_per_sec>("Memory bandwidth that the collective takes"),
    whole_result<&Results::multiprocessors>("Multiprocessors of the GPU; 0: not known").in("SMs"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Machine machine = completed(inputs.machine);
  const Fabric fabric = fabric_of(machine);
  if (!can_reduce_so(machine)) return reduction_problem();
  OverlapQuestion question = inputs.question;
  question.product.m = inputs.product_rows;
  question.product.n = inputs.product_columns;
  question.product.k = inputs.product_depth;
  const GpuGroup gpus = group_of(machine, fabric, inputs.num_gpus);
  return commcost::overlap_gain(question, accelerator_of(machine), predictor_of(gpus, question.collective));
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
    "overlap_gain", "A GEMM and a collective at the same time, and how they slow each other down", groups);

}  // namespace overlap_gain_table

const Calculation overlap_gain = overlap_gain_table::table;

}  // namespace commcost::calculations
