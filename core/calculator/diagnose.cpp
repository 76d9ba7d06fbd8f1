#include <string>
#include <utility>
#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/row_inputs.h"
#include "core/calculator/scale_fields.h"
#include "core/diagnosis/run_diagnosis.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace diagnose_table {

/// What diagnose takes: a job, and measurements of it.
struct DiagnoseInputs {
  Job job;
  MachineScales scales;
  Value::Numbers step_times_ms;
  Value profiles;
  Value profiled_kernels;
  Value network_logs;
  Value sampled_gpus;
};

/// A row of network_logs.
struct NetworkLogRow {
  Collective collective = Collective::all_reduce;
  double num_gpus = 0;
  Value::Numbers message_sizes_bytes;
  Value::Numbers times_us;
};

using Inputs = DiagnoseInputs;
using Results = RunDiagnosis;

constexpr double most_steps = 65536;
constexpr double most_profiles = 64;
constexpr double most_kernels = 16384;
constexpr double most_logs = 16;
constexpr double most_gpus = 1024;
constexpr double most_sizes = 4096;
constexpr double greatest = 1e15;

constexpr InputField measured_fields[] = {
    numbers<&Inputs::step_times_ms>(0, most_steps,
                                    "Times of all steps of a training log, in order, including the first")
        .in("ms")
        .or_default(0),
    list<&Inputs::profiles>(0, most_profiles,
                            "Profiles, an object for each GPU: rank, steps, and trace_breakdown's times")
        .or_default(0),
    list<&Inputs::profiled_kernels>(
        0, most_kernels, "Kernels of the profiles, an object for each name, shape and group on a GPU")
        .or_default(0),
    list<&Inputs::network_logs>(0, most_logs,
                                "Logs of nccl-tests, an object each: collective, num_gpus, sizes and times")
        .or_default(0),
    list<&Inputs::sampled_gpus>(0, most_gpus, "Rows of read_gpu_samples").or_default(0),
};

constexpr FieldGroup own_groups[] = {group_of<&Inputs::scales>(scale_fields), group<Inputs>(measured_fields)};
constexpr auto groups = joined(machine_groups<Inputs>, host_groups<Inputs>, job_groups<Inputs>, own_groups);

constexpr InputField profile_fields[] = {
    real<&ProfiledRank::rank>(0, 1e9, "Rank in the job").or_default(0),
    real<&ProfiledRank::steps>(1, 1e9, "Steps in the profile").or_default(1),
    real<&ProfiledRank::total_us>(1e-3, greatest, "Time from the first start to the last end"),
    real<&ProfiledRank::idle_us>(0, greatest, "Time in which nothing runs").or_default(0),
    real<&ProfiledRank::communication_only_us>(0, greatest,
                                               "Time in which messages travel and nothing computes")
        .or_default(0),
    real<&ProfiledRank::launch_pauses_us>(0, greatest, "Part of idle_us in pauses shorter than 1 ms")
        .or_default(0),
    real<&ProfiledRank::longest_pause_us>(0, greatest, "The longest pause").or_default(0),
};
constexpr InputField kernel_fields[] = {
    real<&ProfiledKernels::rank>(0, 1e9, "Rank of the profile that it is in").or_default(0),
    text<&ProfiledKernels::name>(2000, "The kernel's name"),
    real<&ProfiledKernels::m>(0, greatest, "Rows of a product; 0: not given").or_default(0),
    real<&ProfiledKernels::n>(0, greatest, "Columns of the product").or_default(0),
    real<&ProfiledKernels::k>(0, greatest, "Inner dimension of the product").or_default(0),
    text<&ProfiledKernels::process_group>(200, "Description of a message's process group").or_default(0),
    real<&ProfiledKernels::group_size>(0, 1e9, "Ranks of that group; 0: not given").or_default(0),
    real<&ProfiledKernels::message_size_bytes>(0, greatest, "Message size of a call; 0: not given")
        .or_default(0),
    real<&ProfiledKernels::calls>(0, greatest, "Calls in the profile").or_default(1),
    real<&ProfiledKernels::time_us>(0, greatest, "Duration of all calls together"),
    real<&ProfiledKernels::exposed_us>(0, greatest, "Part of a message's time in which nothing computes")
        .or_default(0),
};
constexpr InputField network_fields[] = {
    choice<&NetworkLogRow::collective>(collective_names, "The collective").or_default(0),
    real<&NetworkLogRow::num_gpus>(2, 1e6, "GPUs that took part"),
    numbers<&NetworkLogRow::message_sizes_bytes>(1, most_sizes, "Message sizes").in("bytes"),
    numbers<&NetworkLogRow::times_us>(1, most_sizes, "Time of each size").in("us"),
};
constexpr InputField sample_fields[] = {
    real<&SampledGpu::gpu>(0, 1e9, "Index in the node").or_default(0),
    real<&SampledGpu::sm_clock_mhz>(0, 1e6, "Median clock"),
    real<&SampledGpu::max_sm_clock_mhz>(0, 1e6, "Highest clock that the GPU may have; 0: not given")
        .or_default(0),
    real<&SampledGpu::power_w>(0, 1e6, "Median power draw; 0: not given").or_default(0),
    real<&SampledGpu::power_limit_w>(0, 1e6, "Power limit; 0: not given").or_default(0),
    real<&SampledGpu::temperature_c>(0, 1e6, "Highest temperature").or_default(0),
    real<&SampledGpu::thermal_share>(0, 1, "Share of samples held down by heat or by the power supply")
        .or_default(0),
    real<&SampledGpu::power_share>(0, 1, "Share of samples held down by the power limit").or_default(0),
    real<&SampledGpu::fixed_share>(0, 1, "Share of samples held down by fixed clocks").or_default(0),
};

constexpr ResultField loss_columns[] = {
    choice_result<&NamedLoss::cause>(loss_cause_names, "The cause"),
    result<&NamedLoss::loss_ms>("Time that it adds to a step"),
    result<&NamedLoss::share_percent>("Share of the measured step"),
    choice_result<&NamedLoss::confidence>(loss_confidence_names, "Confidence in the cause"),
    result<&NamedLoss::title>("The cause in words"),
    choice_result<&NamedLoss::evidence>(loss_evidence_names, "Kind of evidence"),
    result<&NamedLoss::where>("The kernel, group, GPU or step that shows it"),
    result<&NamedLoss::measured>("Measured value in ms; for clocks, in MHz"),
    result<&NamedLoss::expected>("Expected value in the same unit"),
    result<&NamedLoss::ratio>("Measured over expected; 0: the expected value is close to 0"),
    result<&NamedLoss::rival>("A cause that the evidence does not separate from it; empty: none"),
    result<&NamedLoss::command>("Command that would confirm it"),
};

constexpr ResultField series_columns[] = {
    whole_result<&StepSeries::steps>("Steps after the first"),
    result<&StepSeries::mean_ms>("Mean of these steps"),
    result<&StepSeries::usual_ms>("Usual step: no warm-up, no stall, no drift"),
    result<&StepSeries::low_ms>("10th percentile of the usual steps"),
    result<&StepSeries::high_ms>("90th percentile of the usual steps"),
    result<&StepSeries::first_ms>("The first step, which is not counted"),
    whole_result<&StepSeries::warm_up_steps>("Slow steps after the first"),
    result<&StepSeries::warm_up_ms>("Time that warm-up adds to the mean step"),
    whole_result<&StepSeries::stalled_steps>("Steps half as long again as usual"),
    result<&StepSeries::stall_every>("Steps from one stall to the next; 0: irregular").in("steps"),
    result<&StepSeries::stalls_ms>("Time that stalls add to the mean step"),
    whole_result<&StepSeries::longest_stall>("Place of the longest stalled step, from 1; 0: none").in(""),
    result<&StepSeries::longest_stall_ms>("Time of that step"),
    result<&StepSeries::drift_percent>("Slowdown of the last third of steps against the first"),
    result<&StepSeries::drift_ms>("Time that drift adds to the mean step"),
};

// Parts stand in a list of their own.
constexpr ResultField network_columns[] = {
    choice_result<&NetworkFinding::collective>(collective_names, "The collective"),
    whole_result<&NetworkFinding::num_gpus>("GPUs that took part"),
    result<&NetworkFinding::nodes>("Scale-up domains that they span").in("nodes"),
    choice_result<&NetworkFinding::verdict>(network_verdict_names,
                                            "Verdict against public measurements of such machines"),
    choice_result<&NetworkFinding::suspect>(network_suspect_names, "Cause that would explain it"),
    choice_result<&NetworkFinding::other_suspect>(network_suspect_names,
                                                  "Other cause, which the log can't tell from that one"),
    result<&NetworkFinding::small_ratio>("Measured over expected time, up to 64 KiB"),
    result<&NetworkFinding::large_ratio>("Measured over expected time, from 64 MiB on"),
    result<&NetworkFinding::in_band_percent>("Share of the measurements within the prediction's band"),
    result<&NetworkFinding::message_sizes_bytes>("The log's sizes, each once, ascending"),
    result<&NetworkFinding::expected_us>("Time that each should take, by the verdict"),
    result<&NetworkFinding::low_us>("Lower ends of their bands"),
    result<&NetworkFinding::high_us>("Upper ends of their bands"),
    result<&NetworkFinding::bus_factor>("Bus over algorithm bandwidth, as nccl-tests defines it"),
    choice_result<&NetworkFinding::basis>(basis_names, "Basis of the expectation"),
    result<&NetworkFinding::command>("Command that would confirm it; empty: none"),
};

constexpr ResultField part_columns_of[] = {
    result<&CalibratedPart::field>("The input"),
    result<&CalibratedPart::value>("Value to set it to"),
    whole_result<&CalibratedPart::log>("Place of the log in network_logs, from 1; 0: the profile").in(""),
    result<&CalibratedPart::error_before_percent>("Error before, on measurements not used"),
    result<&CalibratedPart::error_after_percent>("Error after, on the same measurements"),
    whole_result<&CalibratedPart::used>("Measurements that the value is from"),
    whole_result<&CalibratedPart::unused>("Measurements that it is judged on"),
    choice_result<&CalibratedPart::verdict>(part_verdict_names, "Whether to use it, or why not"),
};

constexpr ResultField results[] = {
    choice_result<&Results::verdict>(run_verdict_names, "Verdict on the run"),
    result<&Results::measured_ms>("Mean step of the log without its first, or of the profile; 0: neither"),
    result<&Results::measured_by>("Source of the measured step: training_log or profile; empty: neither"),
    result<&Results::expected_ms>("Expected step, as training_step has it"),
    result<&Results::expected_low_ms>("Lower end of its band"),
    result<&Results::expected_high_ms>("Upper end of its band"),
    result<&Results::unexplained_ms>("Measured step less the expected step and all losses"),
    result<&Results::mfu_percent>("Model FLOPs utilization (MFU) as measured; 0: no step was"),
    result<&Results::memory_gib>("Memory of the fullest GPU, as training_step has it"),
    result<&Results::fits>("Whether that fits: if not, the job is not the one that ran"),
    rows_result<&Results::losses>(loss_columns, "Named losses, the largest first"),
    choices_result<&Results::consistent_with>(
        loss_cause_names, "Possible causes of the unexplained time, where no profile tells them apart"),
    choices_result<&Results::missing>(missing_file_names, "Files that would tell more"),
    object_result<&Results::series>(series_columns, "Findings from the times of steps alone"),
    rows_result<&Results::networks>(network_columns, "Each network log's verdict"),
    rows_result<&Results::parts>(part_columns_of, "Inputs that the files calibrate, part by part"),
};

/// The rows of a list, read by their fields, or all problems.
template <class Row>
void read_list(std::string_view list, const Value& given, std::span<const FieldGroup> row_groups,
               const RowWords& words, std::vector<Row>& rows, Problems& problems) {
  if (given.list() == nullptr) return;
  const FieldIndex fields(row_groups);
  for (const Value& one : *given.list()) {
    const std::string name = row_name(list, rows.size());
    Row row{};
    Problems own;
    if (one.object() != nullptr) {
      for (const FieldIndex::Place& place : fields.places())
        if (place.input->field.required && one.find(place.input->field.name) == nullptr)
          own.push_back(within(name, {std::string(place.input->field.name), ProblemCode::missing,
                                      std::string(place.input->field.name) + " is missing", ""}));
    }
    Problems read = read_row(name, one, fields, words, &row);
    own.insert(own.end(), read.begin(), read.end());
    problems.insert(problems.end(), own.begin(), own.end());
    rows.push_back(std::move(row));
  }
}

constexpr FieldGroup profile_groups[] = {group<ProfiledRank>(profile_fields)};
constexpr FieldGroup kernel_groups[] = {group<ProfiledKernels>(kernel_fields)};
constexpr FieldGroup network_groups[] = {group<NetworkLogRow>(network_fields)};
constexpr FieldGroup sample_groups[] = {group<SampledGpu>(sample_fields)};

// A log of as many times as sizes, all of them above 0.
void take_log(NetworkLogRow& row, std::size_t at, MeasuredRun& run, Problems& problems) {
  const std::string name = row_name("network_logs", at);
  if (row.message_sizes_bytes.size() != row.times_us.size()) {
    problems.push_back({name + ".times_us", ProblemCode::inconsistent,
                        name + ": times_us must be as long as message_sizes_bytes", "as many numbers"});
    return;
  }
  NetworkLog log{row.collective, row.num_gpus, {}};
  for (std::size_t i = 0; i < row.times_us.size(); ++i) {
    if (row.message_sizes_bytes[i] > 0 && row.times_us[i] > 0)
      log.points.push_back({row.message_sizes_bytes[i], row.times_us[i]});
  }
  if (!log.points.empty()) run.networks.push_back(std::move(log));
}

Outcome<MeasuredRun> measured_of(const Inputs& inputs) {
  MeasuredRun run;
  Problems problems;
  for (const double ms : inputs.step_times_ms) {
    if (!(ms > 0)) {
      problems.push_back({"step_times_ms", ProblemCode::out_of_range,
                          "step_times_ms must hold numbers above 0; got " + text_of(ms), "numbers above 0"});
      break;
    }
    run.step_times_ms.push_back(ms);
  }
  read_list("profiles", inputs.profiles, profile_groups,
            {"a profile of diagnose", "rank, steps, total_us, ..."}, run.ranks, problems);
  read_list("profiled_kernels", inputs.profiled_kernels, kernel_groups,
            {"a kernel of diagnose", "rank, name, calls, time_us, ..."}, run.kernels, problems);
  std::vector<NetworkLogRow> logs;
  read_list("network_logs", inputs.network_logs, network_groups,
            {"a log of diagnose", "collective, num_gpus, message_sizes_bytes, times_us"}, logs, problems);
  read_list("sampled_gpus", inputs.sampled_gpus, sample_groups,
            {"a sample of diagnose", "columns of read_gpu_samples"}, run.samples, problems);
  for (std::size_t at = 0; at < logs.size(); ++at) take_log(logs[at], at, run, problems);
  if (!problems.empty()) return problems;
  return run;
}

Outcome<Results> compute(const Inputs& inputs) {
  Outcome<MeasuredRun> run = measured_of(inputs);
  const Job job = completed(inputs.job);
  if (!can_run(job)) {
    Problems problems = problems_of(job);
    if (!run) problems.insert(problems.end(), run.problems().begin(), run.problems().end());
    return problems;
  }
  if (!run) return run.problems();
  return diagnosis_of({.job = job, .scales = inputs.scales}, *run);
}

constexpr Calculation table =
    unswept_calculation<Inputs, Results, compute, results>(
        "diagnose", "Causes of a slow run: measured time against expected time, loss by loss", groups)
        .apart();

}  // namespace diagnose_table

const Calculation diagnose = diagnose_table::table;

}  // namespace commcost::calculations
