#include <string>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/log_fields.h"
#include "core/logs/gpu_samples.h"

namespace commcost::calculations {
namespace read_gpu_samples_table {

/// What read_gpu_samples takes.
struct GpuSampleInputs {
  std::string gpu_samples;
  GpuSampleReader reader;
};

using Inputs = GpuSampleInputs;
using Results = GpuSampleLog;

constexpr InputField fields[] = {
    text<&Inputs::gpu_samples>(longest_log,
                               "Samples of nvidia-smi, by --query-gpu and --format=csv, or by dmon"),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField gpu_columns[] = {
    whole_result<&SampledGpu::gpu>("Index in the node"),
    whole_result<&SampledGpu::samples>("Samples of it"),
    result<&SampledGpu::sm_clock_mhz>("Median of the multiprocessors' clock").in("MHz"),
    result<&SampledGpu::max_sm_clock_mhz>("Highest clock that the GPU may have; 0: not stated").in("MHz"),
    result<&SampledGpu::power_w>("Median of the power that it draws; 0: not stated").in("W"),
    result<&SampledGpu::power_limit_w>("Its power limit; 0: not stated").in("W"),
    result<&SampledGpu::temperature_c>("Highest temperature; 0: not stated").in("°C"),
    result<&SampledGpu::thermal_share>("Share of the samples held down by heat or by the power supply"),
    result<&SampledGpu::power_share>("Share held down by the power limit"),
    result<&SampledGpu::fixed_share>("Share held down by clocks that were set"),
};

constexpr ResultField results[] = {
    rows_result<&Results::gpus>(gpu_columns, "Each GPU"),
    whole_result<&Results::idle_samples>("Samples left out, in which the GPU did nothing"),
    rows_result<&Results::problems>(log_problem_columns, "Lines that were not understood"),
};

Outcome<Results> compute(const Inputs& inputs) {
  GpuSampleReader reader = inputs.reader;
  reader.read(inputs.gpu_samples);
  return std::move(reader).finished();
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_gpu_samples", "Clock, power and temperature of GPUs at work, from nvidia-smi", groups,
    &text_in_pieces<&Inputs::gpu_samples, &Inputs::reader>);

}  // namespace read_gpu_samples_table

const Calculation read_gpu_samples = read_gpu_samples_table::table;

}  // namespace commcost::calculations
