#include "core/network/measurements.h"

#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"

namespace commcost::calculations {
namespace measurements_structs {

struct Nothing {};

struct MeasuredRow : PackedSeries {
  Value::Numbers message_size_bytes;
  Value::Numbers time_us;
};

struct MeasurementsResults {
  std::vector<MeasuredRow> series;
};

}  // namespace measurements_structs

namespace {

using namespace measurements_structs;

constexpr ResultField columns[] = {
    result<&MeasuredRow::id>("id", "", "Of the source"),
    result<&MeasuredRow::name>("name", "", "The system, in words"),
    result<&MeasuredRow::accelerator>("accelerator", "", "Id in hardware_catalog"),
    choice_result<&MeasuredRow::collective>("collective", collective_names, "What was run"),
    whole_result<&MeasuredRow::num_gpus>("num_gpus", "GPUs", "Ranks"),
    whole_result<&MeasuredRow::gpus_per_node>("gpus_per_node", "GPUs", "Ranks of a node"),
    result<&MeasuredRow::nic_gb_per_sec>("nic_gb_per_sec", "GB/s",
                                         "One way, per GPU; 0: one node, or not stated"),
    result<&MeasuredRow::healthy>("healthy", "", "Nothing speaks against the run"),
    result<&MeasuredRow::source>("source", "", "Where it was published"),
    result<&MeasuredRow::message_size_bytes>("message_size_bytes", "bytes", "As nccl-tests counts it"),
    result<&MeasuredRow::time_us>("time_us", "us", "Mean of in and out of place, to 0.3 %"),
};

constexpr ResultField results[] = {
    rows_result<&MeasurementsResults::series>("series", columns, "A row a measured curve")};

Outcome<MeasurementsResults> read(const Nothing&) {
  MeasurementsResults all;
  for (const PackedSeries& packed : packed_series()) {
    MeasuredRow row;
    static_cast<PackedSeries&>(row) = packed;
    MeasuredPoints points = points_of(packed);
    row.message_size_bytes = std::move(points.message_size_bytes);
    row.time_us = std::move(points.time_us);
    all.series.push_back(std::move(row));
  }
  return all;
}

}  // namespace

const Calculation measurements = unswept_calculation<Nothing, MeasurementsResults, read, results>(
    "measurements", "Public measurements of collectives, each with its source", {});

}  // namespace commcost::calculations
