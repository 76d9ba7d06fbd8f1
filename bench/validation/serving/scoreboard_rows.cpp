#include "bench/validation/serving/scoreboard_rows.h"

#include <cmath>

#include "bench/validation/scoreboard.h"
#include "core/serving/serving_band.h"

namespace commcost::validation::serving {
namespace {

constexpr const char* measured_names[] = {"token", "prompt", "request"};

double predicted(const ServingRow& row) {
  return row.measured_ms * std::exp(row.error);
}

constexpr Column<ServingRow> columns[] = {
    {"row", [](const ServingRow& row) { return row.id; }},
    {"source", [](const ServingRow& row) { return quoted(row.source); }},
    {"recipe", [](const ServingRow& row) { return row.recipe; }},
    {"model", [](const ServingRow& row) { return quoted(row.model); }},
    {"accelerator", [](const ServingRow& row) { return std::string(accelerator_of(row.job.machine).id); }},
    {"generation", [](const ServingRow& row) { return std::string(row_of(row.generation).id); }},
    {"measured",
     [](const ServingRow& row) {
       return std::string(measured_names[static_cast<std::size_t>(row.measured)]);
     }},
    {"tensor_parallel", [](const ServingRow& row) { return std::to_string(row.job.layout.tensor_parallel); }},
    {"pipeline_parallel",
     [](const ServingRow& row) { return std::to_string(row.job.layout.pipeline_parallel); }},
    {"batch_size", [](const ServingRow& row) { return std::to_string(row.job.work.batch_size); }},
    {"input_tokens", [](const ServingRow& row) { return rounded(row.input_tokens, 0); }},
    {"output_tokens", [](const ServingRow& row) { return rounded(row.output_tokens, 0); }},
    {"measured_ms", [](const ServingRow& row) { return rounded(row.measured_ms, 3); }},
    {"predicted_ms", [](const ServingRow& row) { return rounded(predicted(row), 3); }},
    {"low_ms", [](const ServingRow& row) { return rounded(predicted(row) * serving_band(row.job).low, 3); }},
    {"high_ms",
     [](const ServingRow& row) { return rounded(predicted(row) * serving_band(row.job).high, 3); }},
    {"error_percent", [](const ServingRow& row) { return error_percent(predicted(row), row.measured_ms); }},
};

constexpr Column<ReduceRow> kernel_columns[] = {
    {"accelerator", [](const ReduceRow& row) { return row.accelerator; }},
    {"kernel",
     [](const ReduceRow& row) {
       return std::string(reduce_kernel_names[static_cast<std::size_t>(row.kernel)]);
     }},
    {"ranks", [](const ReduceRow& row) { return rounded(row.group.num_gpus, 0); }},
    {"bytes", [](const ReduceRow& row) { return rounded(row.bytes, 0); }},
    {"time_us", [](const ReduceRow& row) { return digits(row.measured_us); }},
    {"implementation", [](const ReduceRow& row) { return row.implementation; }},
    {"source", [](const ReduceRow& row) { return quoted(row.published); }},
};

}  // namespace

void print_serving(const std::vector<ServingRow>& rows) {
  print_scoreboard<ServingRow>(columns, rows);
}

void print_measured_kernels(const std::vector<ReduceRow>& rows) {
  print_scoreboard<ReduceRow>(kernel_columns, rows);
}

}  // namespace commcost::validation::serving
