#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/log_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/collective/bus_bandwidth.h"
#include "core/logs/nccl_log.h"
#include "core/network/collective_timer.h"
#include "core/network/fit.h"
#include "core/network/loggp.h"
#include "core/network/nccl_tables.h"
#include "core/network/predict.h"

namespace commcost::calculations {
namespace fit_collective_table {

constexpr int no_accelerator = -1;

struct FitCollectiveInputs {
  std::string log;
  Value::Numbers message_sizes_bytes;
  Machine machine{.accelerator = no_accelerator};
  NcclLogReader reader;
};

struct FittedPoint {
  double message_size_bytes = 0;
  double time_us = 0;
  double in_place_us = 0;
  double bus_bandwidth_gb_per_sec = 0;
  double fitted_us = 0;
  double residual_percent = 0;
  double line = 0;
  double loggp_us = 0;
};

struct FitCollectiveResults {
  std::string_view collective;
  double ranks = 0;
  std::string device;
  std::vector<FittedPoint> points;
  NcclConclusion conclusion;
  double latency_us = 0;
  double bandwidth_gb_per_sec = 0;
  double bus_bandwidth_gb_per_sec = 0;
  double knee = 0;
  double median_error_percent = 0;
  double cross_error_percent = 0;
  std::vector<LogProblem> problems;
  Value::Numbers calibrated_us;
  double latency_scale = 1;
  double bandwidth_scale = 1;
  double scaled_error_percent = 0;
  LogGp loggp;
};

constexpr double most_sizes = 4096;

constexpr InputField fields[] = {
    text<&FitCollectiveInputs::log>(longest_log,
                                    "Output of nccl-tests or rccl-tests; other lines are ignored"),
    numbers<&FitCollectiveInputs::message_sizes_bytes>(0, most_sizes,
                                                       "Sizes to answer with the calibrated time")
        .or_default(0),
};

// Without an accelerator there is no prediction to scale to the log.
constexpr InputField accelerator_field[] = {picked(system_machine_fields, {"accelerator"})[0].optional()};
constexpr auto network_fields =
    picked(system_machine_fields, {"gpus_per_node", "nic_gb_per_sec", "network", "launch"});

constexpr FieldGroup groups[] = {
    group<FitCollectiveInputs>(fields),
    group_of<&FitCollectiveInputs::machine>(system_field),
    group_of<&FitCollectiveInputs::machine>(accelerator_field),
    group_of<&FitCollectiveInputs::machine>(network_fields),
};

constexpr ResultField point_columns[] = {
    whole_result<&FittedPoint::message_size_bytes>("Message size as the log counts it"),
    result<&FittedPoint::time_us>("Measured time, out of place if the log has it"),
    result<&FittedPoint::in_place_us>("Measured time in place; 0: not in the log"),
    result<&FittedPoint::bus_bandwidth_gb_per_sec>("Bus bandwidth as printed"),
    result<&FittedPoint::fitted_us>("Time on the fitted curve"),
    result<&FittedPoint::residual_percent>("Fitted over measured, less one"),
    whole_result<&FittedPoint::line>("Line of the log, from 1"),
    result<&FittedPoint::loggp_us>("Time by the fitted LogGP model; 0: ranks or collective unknown"),
};

constexpr ResultField conclusion_columns[] = {
    result<&NcclConclusion::printed_average_gb_per_sec>(
        "Average bus bandwidth in its last line; 0: not there"),
    result<&NcclConclusion::rows_average_gb_per_sec>(
        "Average bus bandwidth of all its rows, in place and out of place"),
    result<&NcclConclusion::checked>("Whether the log counts wrong values"),
    whole_result<&NcclConclusion::wrong_values>("Wrong values that it counts, or rows that have some").in(""),
};

constexpr ResultField loggp_columns[] = {
    result<&LogGp::latency_us>("L: time of a message on the wire, NCCL's latency of a hop"),
    result<&LogGp::overhead_us>("o: time that a rank is busy with sending or receiving a message"),
    result<&LogGp::gap_us>("g: time between two messages that follow each other"),
    result<&LogGp::gap_per_byte_ns>("G: time of a byte of a long message"),
    whole_result<&LogGp::ranks>("P: ranks; 0: unknown").in("ranks"),
    result<&LogGp::error_percent>("Median absolute error of the fit"),
    result<&LogGp::alpha_us>("Latency of a message in Hockney's model, fitted to the same times"),
    result<&LogGp::bandwidth_gb_per_sec>("Bandwidth in Hockney's model"),
    result<&LogGp::hockney_error_percent>("Median absolute error of that fit"),
    result<&LogGp::differs>("Whether LogGP explains enough more to justify its extra constant"),
};

constexpr ResultField results[] = {
    result<&FitCollectiveResults::collective>(
        "The collective, from the program's name or its bandwidths; empty: unknown"),
    whole_result<&FitCollectiveResults::ranks>("Ranks; 0: unknown").in("GPUs"),
    result<&FitCollectiveResults::device>("The GPU, as the log names it; empty: not stated"),
    rows_result<&FitCollectiveResults::points>(point_columns, "The rows of the longest table, with the fit"),
    object_result<&FitCollectiveResults::conclusion>(
        conclusion_columns,
        "Summary of all rows: as the last lines of the log state it, and as the rows give it"),
    result<&FitCollectiveResults::latency_us>("Latency A in t = (A^k + (S/B)^k)^(1/k)"),
    result<&FitCollectiveResults::bandwidth_gb_per_sec>("Algorithm bandwidth B of the plateau"),
    result<&FitCollectiveResults::bus_bandwidth_gb_per_sec>(
        "The fitted bandwidth as bus bandwidth; 0: ranks unknown"),
    result<&FitCollectiveResults::knee>("Exponent k: how sharp the knee is"),
    result<&FitCollectiveResults::median_error_percent>("Median absolute error of the curve"),
    result<&FitCollectiveResults::cross_error_percent>(
        "Median absolute error of each point predicted from its neighbours by the calibrated curve"),
    rows_result<&FitCollectiveResults::problems>(log_problem_columns, "Lines that were not understood"),
    result<&FitCollectiveResults::calibrated_us>(
        "Times for message_sizes_bytes: the curve with interpolated residuals"),
    result<&FitCollectiveResults::latency_scale>(
        "latency_scale for predict_collective; needs an accelerator"),
    result<&FitCollectiveResults::bandwidth_scale>(
        "latency_scale for predict_collective; needs an accelerator"),
    result<&FitCollectiveResults::scaled_error_percent>(
        "Error of the prediction with these scales; 0: no accelerator"),
    object_result<&FitCollectiveResults::loggp>(loggp_columns,
                                                "The LogGP model fitted to the log, and Hockney's"),
};

// NCCL's latency of a hop by its fastest protocol: over NVLink, PCIe, or between nodes.
double hop_us(const Machine& given, double ranks) {
  const PerAlgorithm* latency = &nccl_nvlink_latency();
  if (given.accelerator != no_accelerator) {
    const Machine machine = completed(given);
    const Fabric fabric = fabric_of(machine);
    if (group_of(machine, fabric, ranks).spans_nodes()) {
      latency = &nccl_net_latency();
    } else if (fabric.topology == Topology::host) {
      latency = &nccl_pci_latency();
    }
  }
  return (
      *latency)[static_cast<std::size_t>(NcclAlgorithm::ring)][static_cast<std::size_t>(NcclProtocol::ll)];
}

Outcome<FitCollectiveResults> compute(const FitCollectiveInputs& inputs) {
  NcclLogReader reader = inputs.reader;
  reader.read(inputs.log);
  NcclLog log = std::move(reader).finished();
  std::vector<TimedMessage> timed;
  for (const LogPoint& point : log.points) timed.push_back({point.message_size_bytes, point.time_us});
  const Outcome<LogFit> fitted = fit_curve(timed);
  if (!fitted) {
    Problems problems = fitted.problems();
    // What was not understood is likely why there is too little to fit.
    constexpr std::size_t enough = 20;
    for (const LogProblem& problem : log.problems) {
      if (problems.size() > enough) break;
      problems.push_back({"log", ProblemCode::malformed,
                          "log line " + text_of(problem.line) + ": " + problem.message + ": " + problem.text,
                          "the output of nccl-tests or rccl-tests"});
    }
    return problems;
  }
  const LogFit& fit = *fitted;
  FitCollectiveResults all;
  if (log.collective_known) all.collective = name_of(log.collective);
  all.ranks = log.ranks;
  all.device = log.device;
  all.conclusion = log.conclusion;
  all.latency_us = fit.curve.latency_us;
  all.bandwidth_gb_per_sec = fit.curve.bandwidth_gb_per_sec;
  if (log.collective_known && log.ranks > 0) {
    all.bus_bandwidth_gb_per_sec =
        fit.curve.bandwidth_gb_per_sec * bus_bandwidth_factor(log.collective, log.ranks);
  }
  all.knee = fit.curve.knee;
  all.median_error_percent = fit.median_error_percent;
  all.cross_error_percent = fit.cross_error_percent;
  const bool rings = log.collective_known && log.ranks > 1;
  if (rings) all.loggp = fit_loggp(timed, log.collective, log.ranks, hop_us(inputs.machine, log.ranks));
  for (const LogPoint& point : log.points) {
    FittedPoint row;
    row.message_size_bytes = point.message_size_bytes;
    row.time_us = point.time_us;
    row.in_place_us = point.in_place_us;
    row.bus_bandwidth_gb_per_sec = point.bus_bandwidth_gb_per_sec;
    row.fitted_us = fit.curve.time_us(point.message_size_bytes);
    row.residual_percent = 100 * (row.fitted_us / point.time_us - 1);
    row.line = point.line;
    if (all.loggp.gap_per_byte_ns > 0)
      row.loggp_us = loggp_us(all.loggp, log.collective, point.message_size_bytes);
    all.points.push_back(row);
  }
  for (const double size : inputs.message_sizes_bytes) {
    if (!(size >= 0)) {
      return Problem{"message_sizes_bytes", ProblemCode::out_of_range,
                     "message_sizes_bytes must hold numbers of at least 0; got " + text_of(size),
                     "a list of numbers of at least 0"};
    }
    all.calibrated_us.push_back(fit.time_us(size));
  }
  if (inputs.machine.accelerator != no_accelerator && log.collective_known && log.ranks > 1) {
    const Machine machine = completed(inputs.machine);
    const Fabric fabric = fabric_of(machine);
    const GpuGroup gpus = group_of(machine, fabric, log.ranks);
    const FittedScales scales = fit_scales(predictor_of(gpus, log.collective).curve, timed);
    all.latency_scale = scales.latency_scale;
    all.bandwidth_scale = scales.bandwidth_scale;
    all.scaled_error_percent = scales.median_error_percent;
  }
  all.problems = std::move(log.problems);
  return all;
}

constexpr Calculation table =
    unswept_calculation<FitCollectiveInputs, FitCollectiveResults, compute, results>(
        "fit_collective", "Latency, bandwidth and knee of a machine, from the log of its own nccl-tests",
        groups, &text_in_pieces<&FitCollectiveInputs::log, &FitCollectiveInputs::reader>);

}  // namespace fit_collective_table

const Calculation fit_collective = fit_collective_table::table;

}  // namespace commcost::calculations
