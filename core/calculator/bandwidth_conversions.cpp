#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/collective/bus_bandwidth.h"

namespace commcost::calculations {
namespace bandwidth_conversions_table {

struct ConversionInputs {
  double num_gpus = 8;
  double rate_gb_per_sec = 0;
};

struct Conversion {
  Collective collective = Collective::all_reduce;
  double factor = 0;
  double bus_bandwidth_gb_per_sec = 0;
  double algorithm_bandwidth_gb_per_sec = 0;
  double in_network_link_gb_per_sec = 0;
};

struct ConversionResults {
  std::vector<Conversion> conversions;
};

constexpr InputField fields[] = {
    group_gpus_field<&ConversionInputs::num_gpus>(),
    real<&ConversionInputs::rate_gb_per_sec>(0, 1e9, "The bandwidth to convert")
        .labelled("Bandwidth to convert"),
};

constexpr FieldGroup groups[] = {group<ConversionInputs>(fields)};

constexpr ResultField columns[] = {
    choice_result<&Conversion::collective>(collective_names, "The collective that was run"),
    result<&Conversion::factor>("Bus over algorithm bandwidth; 0: neither is defined"),
    result<&Conversion::bus_bandwidth_gb_per_sec>(
        "The bus bandwidth, taking the rate for an algorithm bandwidth"),
    result<&Conversion::algorithm_bandwidth_gb_per_sec>(
        "The algorithm bandwidth, taking the rate for a bus bandwidth"),
    result<&Conversion::in_network_link_gb_per_sec>(
        "Rate of each link at that bus bandwidth if switches reduce; 0: they don't help"),
};

constexpr ResultField results[] = {
    rows_result<&ConversionResults::conversions>(columns, "One row per collective")};

Outcome<ConversionResults> convert(const ConversionInputs& inputs) {
  ConversionResults all;
  for (std::size_t i = 0; i < std::size(collective_names); ++i) {
    Conversion row;
    row.collective = static_cast<Collective>(i);
    row.factor = bus_bandwidth_factor(row.collective, inputs.num_gpus);
    row.bus_bandwidth_gb_per_sec = row.factor * inputs.rate_gb_per_sec;
    if (row.factor > 0) row.algorithm_bandwidth_gb_per_sec = inputs.rate_gb_per_sec / row.factor;
    if (row.collective == Collective::all_reduce) {
      // A link carries the buffer once, and the reduced share of one GPU (NVLink SHARP).
      row.in_network_link_gb_per_sec = row.algorithm_bandwidth_gb_per_sec * (1 + 1 / inputs.num_gpus);
    }
    all.conversions.push_back(row);
  }
  return all;
}

constexpr Calculation table = unswept_calculation<ConversionInputs, ConversionResults, convert, results>(
    "bandwidth_conversions", "Algorithm and bus bandwidth, each from the other, for every collective",
    groups);

}  // namespace bandwidth_conversions_table

const Calculation bandwidth_conversions = bandwidth_conversions_table::table;

}  // namespace commcost::calculations
