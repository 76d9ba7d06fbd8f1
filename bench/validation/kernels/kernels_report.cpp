#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>

#include "bench/validation/kernels/table_fit.h"
#include "bench/validation/kernels/table_source.h"
#include "bench/validation/reports.h"
#include "bench/validation/statistics.h"
#include "bench/validation/targets.h"

namespace commcost::validation::kernels {
namespace {

using Choice = std::function<bool(const MeasuredKernel&)>;

struct Class {
  const char* name;
  Choice holds;
};

bool is(const MeasuredKernel& row, KernelFamily family) {
  return row.family == family;
}

const Class classes[] = {
    {"gemm, all dimensions from 1024", large_gemm},
    {"  in 16 bits",
     [](const MeasuredKernel& row) { return large_gemm(row) && row.question.format == KernelFormat::bf16; }},
    {"  under sustained load",
     [](const MeasuredKernel& row) { return large_gemm(row) && row.question.run.load == Load::sustained; }},
    {"gemm, other",
     [](const MeasuredKernel& row) { return is(row, KernelFamily::gemm) && !large_gemm(row); }},
    {"grouped_gemm", [](const MeasuredKernel& row) { return is(row, KernelFamily::grouped_gemm); }},
    {"prefill, causal, head 128, from 1024", long_prefill},
    {"prefill, other",
     [](const MeasuredKernel& row) { return is(row, KernelFamily::prefill) && !long_prefill(row); }},
    {"latent prefill", [](const MeasuredKernel& row) { return is(row, KernelFamily::latent_prefill); }},
    {"decode, cache from 50 MB, latent too", large_decode},
    {"decode, smaller cache",
     [](const MeasuredKernel& row) {
       return std::holds_alternative<DecodeCall>(row.question.call) && !large_decode(row);
     }},
    {"elementwise", [](const MeasuredKernel& row) { return is(row, KernelFamily::elementwise); }},
    {"reduction", [](const MeasuredKernel& row) { return is(row, KernelFamily::reduction); }},
};

struct Error {
  double median = 0;
  double ninetieth = 0;
};

Error error_of(const std::vector<LeftOut>& rows, const Choice& holds) {
  std::vector<double> errors;
  std::vector<double> signed_errors;
  for (const LeftOut& one : rows) {
    if (!holds(*one.row)) continue;
    const double percent = 100 * (std::exp(one.log_error) - 1);
    errors.push_back(std::abs(percent));
    signed_errors.push_back(percent);
  }
  return errors.empty() ? Error{} : Error{median(errors), quantile(errors, 0.9)};
}

void print(const char* title, const std::vector<LeftOut>& rows) {
  std::printf("\n%-44s %6s %8s %8s %8s\n", title, "rows", "median", "90th", "bias");
  for (const Class& one : classes) {
    std::vector<double> percents;
    for (const LeftOut& left : rows) {
      if (one.holds(*left.row)) percents.push_back(100 * (std::exp(left.log_error) - 1));
    }
    if (percents.empty()) continue;
    const Error error = error_of(rows, one.holds);
    std::printf("%-44s %6zu %6.1f %% %6.1f %% %6.1f %%\n", one.name, percents.size(), error.median,
                error.ninetieth, median(percents));
  }
}

constexpr unsigned parts = 4;

// Which of the parts a name falls into: the same on every machine.
std::string part_of(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return std::to_string((hash >> 16) % parts);
}

std::string part_of_series(const MeasuredKernel& row) {
  return part_of(row.series);
}

// A shape is left out on every accelerator and in every format.
std::string part_of_shapes(const MeasuredKernel& row) {
  return part_of(row.shape);
}

std::string accelerator_with_relatives(const MeasuredKernel& row) {
  return row.accelerator->generation == Generation::blackwell ? std::string(row.accelerator->id) : "";
}

std::string generation(const MeasuredKernel& row) {
  return std::string(row_of(row.accelerator->generation).id);
}

// What each constant is worth: the errors on one part of the shapes with it, and with its prior.
void print_worth(const KernelRows& rows) {
  KernelRows in;
  KernelRows out;
  for (const MeasuredKernel* row : rows) (part_of_shapes(*row) == "0" ? out : in).push_back(row);
  std::printf("\nWorth of constants: median and 90th percentile of errors on a quarter of the shapes\n");
  for (std::size_t at = 0; at < static_cast<std::size_t>(KernelFamily::count); ++at) {
    const auto family = static_cast<KernelFamily>(at);
    const auto of_family = [family](const MeasuredKernel& row) { return is(row, family); };
    KernelRows own;
    KernelRows judged;
    for (const MeasuredKernel* row : in) {
      if (of_family(*row)) own.push_back(row);
    }
    for (const MeasuredKernel* row : out) {
      if (of_family(*row)) judged.push_back(row);
    }
    if (judged.empty()) continue;
    const auto judge = [&](std::optional<HeldConstant> held) {
      const FittedTable table = fitted_table(own, held);
      std::vector<LeftOut> found;
      for (const MeasuredKernel* row : judged) found.push_back({row, log_error(*row, table.view())});
      return error_of(found, of_family);
    };
    const Error with = judge(std::nullopt);
    std::printf("%s: %.1f %% / %.1f %% with all\n", std::string(kernel_family_names[at]).c_str(), with.median,
                with.ninetieth);
    for (std::size_t constant = 0; constant < num_kernel_constants; ++constant) {
      const KernelConstantRow& row = constant_rows(family)[constant];
      if (row.spread <= 0) continue;
      const Error without = judge(HeldConstant{family, constant});
      std::printf("  %-20s at its prior of %6.2f: %5.1f %% / %5.1f %%\n", std::string(row.name).c_str(),
                  row.prior, without.median, without.ninetieth);
    }
  }
}

}  // namespace

bool report(const Options& options) {
  const std::vector<MeasuredKernel> all = measured_kernels(options.data);
  KernelRows rows;
  for (const MeasuredKernel& row : all) rows.push_back(&row);
  if (options.write) {
    write_table(rows, left_out(rows, part_of_series), left_out(rows, accelerator_with_relatives),
                left_out(rows, generation));
    return true;
  }

  std::printf("%zu kernels\n", rows.size());
  const std::vector<LeftOut> series = left_out(rows, part_of_series);
  print("series left out", series);
  // For the other families only if a step waits for them.
  KernelRows related;
  for (const MeasuredKernel* row : rows) {
    if (options.fit || is(*row, KernelFamily::gemm)) related.push_back(row);
  }
  const std::vector<LeftOut> accelerators = left_out(related, accelerator_with_relatives);
  print("accelerators left out", accelerators);
  if (options.fit) {
    print("shapes left out", left_out(rows, part_of_shapes));
    print("generations left out", left_out(rows, generation));
    print_worth(rows);
  }
  if (options.every_row) {
    for (const LeftOut& one : series)
      std::printf("%s %s %.1f us %+.1f %%\n",
                  std::string(kernel_family_names[static_cast<std::size_t>(one.row->family)]).c_str(),
                  one.row->series.c_str(), one.row->time_us, 100 * (std::exp(one.log_error) - 1));
  }
  const auto grouped = [](const MeasuredKernel& row) { return is(row, KernelFamily::grouped_gemm); };
  return keeps(
      {{"gemm from 1024, median", 8, error_of(series, large_gemm).median},
       {"gemm from 1024, 90th percentile", 22, error_of(series, large_gemm).ninetieth},
       {"grouped gemm, median", 16, error_of(series, grouped).median},
       {"grouped gemm, 90th percentile", 60, error_of(series, grouped).ninetieth},
       {"causal prefill, median", 11, error_of(series, long_prefill).median},
       {"causal prefill, 90th percentile", 32, error_of(series, long_prefill).ninetieth},
       {"decode with a large cache, median", 8, error_of(series, large_decode).median},
       {"decode with a large cache, 90th percentile", 40, error_of(series, large_decode).ninetieth},
       {"gemm from 1024 on an accelerator left out", 11, error_of(accelerators, large_gemm).median}});
}

}  // namespace commcost::validation::kernels
