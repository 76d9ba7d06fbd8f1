#include "core/textbook/scaling_projection.h"

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"

namespace commcost::calculations {
namespace project_scaling_table {

using Inputs = ScalingInputs;
using Results = ScalingProjection;

constexpr InputField fields[] = {
    real<&Inputs::compute_share>(0, 1, "Share of compute in the measured step").labelled("Share of compute"),
    real<&Inputs::communication_share>(0, 1, "Share of exposed communication in the measured step")
        .labelled("Share of exposed communication"),
    real<&Inputs::efficiency>(
        0, 1e6, "Network efficiency relative to where the shares were measured; 0: from the bandwidths")
        .labelled("Network efficiency")
        .or_default(0),
    whole<&Inputs::from_gpus>(0, 1e9, "GPUs where the shares were measured; 0: not given")
        .labelled("GPUs where measured")
        .or_default(0),
    whole<&Inputs::to_gpus>(0, 1e9, "GPUs to project to; 0: not given")
        .labelled("GPUs to project to")
        .or_default(0),
    real<&Inputs::from_bus_bandwidth_gb_per_sec>(0, 1e9,
                                                 "Bus bandwidth on from_gpus, as nccl-tests prints it")
        .labelled("Bus bandwidth where measured")
        .or_default(0),
    real<&Inputs::to_bus_bandwidth_gb_per_sec>(0, 1e9, "Bus bandwidth on to_gpus")
        .labelled("Bus bandwidth there")
        .or_default(0),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField results[] = {
    result<&Results::speedup>("Throughput per GPU, relative to before"),
    result<&Results::throughput_ratio>(
        "Throughput of all GPUs, relative to before; 0 without from_gpus and to_gpus"),
    result<&Results::efficiency>("Network's efficiency, given or derived"),
    result<&Results::step_time_ratio>("Step time, relative to before"),
    result<&Results::communication_time_ratio>("Communication time, relative to before"),
    result<&Results::throughput_loss_percent>("Loss of throughput per GPU"),
};

constexpr Calculation table = calculation<Inputs, Results, commcost::project_scaling, results>(
    "project_scaling", "A measured step on another number of GPUs or another network", groups);

}  // namespace project_scaling_table

const Calculation project_scaling = project_scaling_table::table;

}  // namespace commcost::calculations
