#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/setting_fields.h"
#include "core/parallel/layout_problems.h"
#include "core/textbook/layer_timeline.h"

namespace commcost::calculations {

/// What layer_timeline takes.
struct TimelineInputs : Setting {
  Machine machine;
  TimelineRates rates;  ///< those that the machine says are put in
};

namespace {

using Inputs = TimelineInputs;

using Results = LayerTimeline;

constexpr InputField own_fields[] = {
    real<&TimelineRates::latency_us>("latency_us", "us", 0, 1e6, "Latency of a step of a ring").or_default(0),
    whole<&TimelineRates::chunks>("chunks", "", 1, 16,
                                  "Pieces of products and transfers that overlap each other; 1: whole")
        .or_default(1),
};

constexpr auto accelerator_field = picked(system_machine_fields, {"accelerator"});

constexpr FieldGroup own_groups[] = {
    group_of<&Inputs::machine>(system_field), group_of<&Inputs::machine>(accelerator_field),
    group_of<&Inputs::machine>(rate_fields), group_of<&Inputs::rates>(own_fields)};
constexpr auto groups = joined(setting_groups<Inputs>, own_groups);

constexpr ResultField columns[] = {
    choice_result<&Bar::lane>("lane", lane_names, "Stream"),
    choice_result<&Bar::pass>("pass", pass_names, "What it is for"),
    choice_result<&Bar::operation>("operation", operation_names, "What is done"),
    result<&Bar::start_us>("start_us", "us", "From the layer's start"),
    result<&Bar::duration_us>("duration_us", "us", "How long"),
    result<&Bar::exposed_us>("exposed_us", "us", "Of a transfer: while compute waits"),
};

constexpr ResultField results[] = {
    rows_result<&Results::bars>("bars", columns, "Operations of one layer, forward and backward"),
    result<&Results::forward_us>("forward_us", "us", "Forward pass"),
    result<&Results::backward_us>("backward_us", "us", "Backward pass, with recomputation"),
    result<&Results::compute_us>("compute_us", "us", "All compute"),
    result<&Results::communication_us>("communication_us", "us", "All transfers"),
    result<&Results::exposed_us>("exposed_us", "us", "Of those, while compute waits"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Setting setting = completed(inputs);
  if (!can_exist(setting)) return problems_of(setting);
  const Machine machine = completed(inputs.machine);
  TimelineRates rates = inputs.rates;
  rates.peak_tflops = matrix_peak_tflops(machine, setting.work.bytes_per_element);
  rates.bandwidth_gb_per_sec = machine.bandwidth_gb_per_sec;
  rates.hbm_gb_per_sec = machine.hbm_gb_per_sec;
  return commcost::layer_timeline(setting, rates);
}

}  // namespace

const Calculation layer_timeline = unswept_calculation<Inputs, Results, compute, results>(
    "layer_timeline", "One layer on a tensor rank: what computes and what is sent, when", groups);

}  // namespace commcost::calculations
