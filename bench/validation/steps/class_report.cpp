#include "bench/validation/steps/class_report.h"

#include <cmath>
#include <cstdio>

#include "bench/validation/statistics.h"

namespace commcost::validation::steps {
namespace {

using Runs = std::vector<const PublishedRun*>;

void print_header(const char* what) {
  std::printf("\n%-40s %5s %7s %8s %8s %8s %8s %8s %10s\n", what, "rows", "refused", "median", "mean", "bias",
              "in band", "not fit", "of stated");
}

// Shares in percent. Of rows that state their recomputation, the last column is the share said not to fit.
void print_line(const std::string& name, const Runs& runs) {
  std::vector<double> absolute;
  std::vector<double> errors;
  double refused = 0, in_band = 0, not_fit = 0, stated = 0, stated_not_fit = 0;
  for (const PublishedRun* run : runs) {
    if (!run->step) {
      ++refused;
      continue;
    }
    errors.push_back(100 * run->error());
    absolute.push_back(std::fabs(errors.back()));
    in_band += run->in_band() ? 1 : 0;
    not_fit += run->step->fits ? 0 : 1;
    stated += run->recompute_stated ? 1 : 0;
    stated_not_fit += run->recompute_stated && !run->step->fits ? 1 : 0;
  }
  const double rows = static_cast<double>(errors.size());
  if (rows == 0) {
    std::printf("%-40s %5d %7.0f\n", name.c_str(), 0, refused);
    return;
  }
  std::printf("%-40s %5.0f %7.0f %7.1f%% %7.1f%% %+7.1f%% %7.0f%% %7.0f%% %9.0f%%\n", name.c_str(), rows,
              refused, median(absolute), mean(absolute), median(errors), 100 * in_band / rows,
              100 * not_fit / rows, stated > 0 ? 100 * stated_not_fit / stated : 0.0);
}

void print_by(const char* what, const std::vector<PublishedRun>& runs,
              std::string (*key)(const PublishedRun&)) {
  std::map<std::string, Runs> groups;
  for (const PublishedRun& run : runs) groups[key(run)].push_back(&run);
  print_header(what);
  for (const auto& [name, members] : groups) print_line(name, members);
}

// The classes that the design sets limits for.
struct Limited {
  const char* name;
  bool (*holds)(const PublishedRun& run);
};

bool megatron(const PublishedRun& run) {
  return run.family == "megatron" || run.family == "primus" || run.family == "megatron-deepspeed" ||
         run.family == "internevo";
}

bool fsdp(const PublishedRun& run) {
  return run.family == "llm-foundry" || run.family == "torchtitan" || run.family == "fms-fsdp";
}

constexpr Limited limited[] = {
    {"A100 Megatron",
     [](const PublishedRun& run) {
       return megatron(run) && run.generation == "ampere" && !run.has_experts();
     }},
    {"Megatron-class Hopper, dense",
     [](const PublishedRun& run) {
       return megatron(run) && run.generation == "hopper" && !run.has_experts();
     }},
    {"Blackwell, dense",
     [](const PublishedRun& run) {
       return megatron(run) && run.generation == "blackwell" && !run.has_experts();
     }},
    {"MoE", [](const PublishedRun& run) { return run.has_experts(); }},
    {"FSDP stacks", [](const PublishedRun& run) { return fsdp(run); }},
    {"MaxText on TPU",
     [](const PublishedRun& run) { return run.family == "maxtext" && run.generation == "tpu"; }},
    {"AMD",
     [](const PublishedRun& run) {
       return row_of(accelerator_of(run.job.machine).generation).vendor == Vendor::amd;
     }},
    {"doubted by the table's note", [](const PublishedRun& run) { return run.suspicious; }},
    {"all", [](const PublishedRun&) { return true; }},
};

}  // namespace

void print_classes(const PublishedRuns& published) {
  int left_out = 0;
  for (const auto& [why, rows] : published.left_out) left_out += rows;
  std::printf("\nPublished runs, tests/data/measured_steps_2.csv: %d predicted or refused, %d left out\n",
              static_cast<int>(published.runs.size()), left_out);
  for (const auto& [why, rows] : published.left_out) std::printf("  left out %3d: %s\n", rows, why.c_str());
  print_by("stack, generation, kind", published.runs, class_of);
  print_by("precision", published.runs, [](const PublishedRun& run) { return run.precision; });
  print_by("GPU", published.runs, [](const PublishedRun& run) { return run.gpu; });
  print_header("classes with a limit");
  for (const Limited& group : limited) {
    Runs members;
    for (const PublishedRun& run : published.runs) {
      if (group.holds(run)) members.push_back(&run);
    }
    print_line(group.name, members);
  }
}

}  // namespace commcost::validation::steps
