#include "core/network/measurements.h"

#include <cmath>
#include <utility>
#include <vector>

#include "core/base/statistics.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/network/predict.h"

namespace commcost::calculations {
namespace measurements_table {

struct Nothing {};

struct MeasuredRow : PackedSeries {
  Value::Numbers message_size_bytes;
  Value::Numbers time_us;
  double nodes = 1;
  double median_error_percent = 0;
};

struct MeasurementsResults {
  std::vector<MeasuredRow> series;
};

constexpr ResultField columns[] = {
    result<&MeasuredRow::id>("Id of the source"),
    result<&MeasuredRow::name>("The system, in words"),
    result<&MeasuredRow::accelerator>("Id in hardware_catalog"),
    choice_result<&MeasuredRow::collective>(collective_names, "The collective that was run"),
    whole_result<&MeasuredRow::num_gpus>("Ranks"),
    whole_result<&MeasuredRow::gpus_per_node>("Ranks of a node"),
    result<&MeasuredRow::nic_gb_per_sec>("One way, per GPU; 0: one node, or not stated"),
    choice_result<&MeasuredRow::network>(network_kind_names, "Network between its nodes"),
    result<&MeasuredRow::healthy>("Whether nothing suggests that the run was faulty"),
    choice_result<&MeasuredRow::launch>(launch_names, "Launch mode"),
    choice_result<&MeasuredRow::in_network_reduction>(
        switch_reduction_names, "Whether the switches reduced as usual, or were kept from it"),
    whole_result<&MeasuredRow::nodes>("Scale-up domains that the ranks span").in("nodes"),
    result<&MeasuredRow::source>("Place of publication"),
    result<&MeasuredRow::message_size_bytes>("Message size as nccl-tests counts it"),
    result<&MeasuredRow::time_us>("Mean of in and out of place, to 0.3 %"),
    result<&MeasuredRow::median_error_percent>(
        "Median absolute error of predict_collective on these points; healthy rows took part in its fit"),
};

constexpr ResultField results[] = {
    rows_result<&MeasurementsResults::series>(columns, "One row per measured curve")};

double median_error_percent(const MeasuredRow& row, const GpuGroup& gpus) {
  // The network's rate is not always stated; without it nothing can be predicted.
  if (row.time_us.empty() || (gpus.spans_nodes() && gpus.nic_gb_per_sec <= 0)) return 0;
  const Predictor predictor = predictor_of(gpus, row.collective);
  std::vector<double> errors;
  for (std::size_t i = 0; i < row.time_us.size(); ++i) {
    errors.push_back(100 * std::abs(predictor.curve.time_us(row.message_size_bytes[i]) / row.time_us[i] - 1));
  }
  return median(std::move(errors));
}

Outcome<MeasurementsResults> read(const Nothing&) {
  MeasurementsResults all;
  for (const PackedSeries& packed : packed_series()) {
    MeasuredRow row;
    static_cast<PackedSeries&>(row) = packed;
    MeasuredPoints points = points_of(packed);
    row.message_size_bytes = std::move(points.message_size_bytes);
    row.time_us = std::move(points.time_us);
    GpuGroup gpus = group_of(*find_fabric(row.accelerator), row.num_gpus, row.gpus_per_node,
                             row.nic_gb_per_sec, row.network, row.launch);
    if (row.in_network_reduction == SwitchReduction::off) gpus.in_network = false;
    row.nodes = gpus.nodes;
    row.median_error_percent = median_error_percent(row, gpus);
    all.series.push_back(std::move(row));
  }
  return all;
}

constexpr Calculation table = unswept_calculation<Nothing, MeasurementsResults, read, results>(
    "measurements", "Public measurements of collectives, each with its source", {});

}  // namespace measurements_table

const Calculation measurements = measurements_table::table;

}  // namespace commcost::calculations
