#include "bench/validation/serving/scoreboard_rows.h"

#include <cmath>
#include <cstdio>

#include "bench/validation/serving/kernel_rows.h"
#include "core/step/serving_band.h"

namespace commcost::serving {
namespace {

constexpr const char* measured_names[] = {"token", "prompt", "request"};

}  // namespace

void print_scoreboard(const std::vector<ServingRow>& rows) {
  std::printf(
      "row,source,recipe,model,accelerator,generation,measured,tensor_parallel,pipeline_parallel,batch_size,"
      "input_tokens,output_tokens,measured_ms,predicted_ms,low_ms,high_ms,error_percent\n");
  for (const ServingRow& row : rows) {
    const Setting& setting = row.step.setting;
    const double predicted = row.measured_ms * std::exp(row.error);
    const StepBand band = serving_band(row.step);
    std::printf("%s,\"%s\",%s,\"%s\",%s,%s,%s,%d,%d,%d,%.0f,%.0f,%.3f,%.3f,%.3f,%.3f,%.1f\n", row.id.c_str(),
                row.source.c_str(), row.recipe.c_str(), row.model.c_str(),
                std::string(accelerator_of(row.step.machine).id).c_str(),
                std::string(generation_names[static_cast<std::size_t>(row.generation)]).c_str(),
                measured_names[static_cast<std::size_t>(row.measured)],
                static_cast<int>(setting.layout.tensor_parallel),
                static_cast<int>(setting.layout.pipeline_parallel), static_cast<int>(setting.work.batch_size),
                row.input_tokens, row.output_tokens, row.measured_ms, predicted, predicted * band.low,
                predicted * band.high, 100 * std::expm1(row.error));
  }
}

void print_measured_kernels(const std::string& folder) {
  std::printf("accelerator,kernel,ranks,bytes,time_us,implementation,source\n");
  for (const ReduceRow& row : reduce_rows(folder)) {
    std::printf("%s,%s,%.0f,%.0f,%g,%s,\"%s\"\n", row.accelerator.c_str(),
                std::string(reduce_kernel_names[static_cast<std::size_t>(row.kernel)]).c_str(),
                row.group.num_gpus, row.bytes, row.measured_us, row.implementation.c_str(),
                row.published.c_str());
  }
}

}  // namespace commcost::serving
