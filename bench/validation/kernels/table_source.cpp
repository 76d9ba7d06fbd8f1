#include "bench/validation/kernels/table_source.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace commcost::validation::kernels {
namespace {

constexpr const char* family_values[] = {"gemm",   "grouped_gemm",  "prefill",     "latent_prefill",
                                         "decode", "latent_decode", "elementwise", "reduction"};
constexpr const char* library_values[] = {"any", "tensorrt_llm", "sglang", "vllm"};

const char* value_of(KernelFamily family) {
  return family_values[static_cast<std::size_t>(family)];
}

std::string value_of(Generation generation) {
  return generation == Generation::none ? "none" : std::string(row_of(generation).id);
}

std::string value_of(KernelFormat format) {
  return std::string(kernel_format_names[static_cast<std::size_t>(format)]);
}

// Below it lies that share of the rows, each series counting once.
double quantile_over_series(const std::vector<LeftOut>& rows, double share) {
  std::map<std::string, double> sizes;
  for (const LeftOut& one : rows) ++sizes[one.row->series];
  std::vector<std::pair<double, double>> weighted;
  for (const LeftOut& one : rows) weighted.emplace_back(-one.log_error, 1 / sizes[one.row->series]);
  std::sort(weighted.begin(), weighted.end());
  double passed = 0;
  for (const auto& [error, weight] : weighted) {
    passed += weight;
    if (passed >= share * static_cast<double>(sizes.size())) return error;
  }
  return weighted.empty() ? 0 : weighted.back().first;
}

// Bands are not narrower than what one kernel differs by from itself.
KernelBand band_of(const std::vector<LeftOut>& rows) {
  constexpr double tenth = 0.1;
  constexpr double noise = 0.035;
  return {std::exp(std::min(-noise, quantile_over_series(rows, tenth))),
          std::exp(std::max(noise, quantile_over_series(rows, 1 - tenth)))};
}

// Whether a row's time is mostly a start, by all that was fitted.
std::vector<LeftOut> chosen(const std::vector<LeftOut>& rows, KernelFamily family, bool starting,
                            const KernelTable& table) {
  std::vector<LeftOut> found;
  for (const LeftOut& one : rows) {
    if (one.row->family != family) continue;
    const KernelParts parts = parts_of(one.row->question, *one.row->accelerator, table);
    if ((parts.start_us > parts.time_us / 2) == starting) found.push_back(one);
  }
  return found;
}

void write_bands(const std::vector<LeftOut> (&left)[3], const KernelTable& table) {
  constexpr const char* bases[] = {"measured", "similar", "estimated"};
  constexpr std::size_t enough = 10;
  std::printf("constexpr KernelBandRow bands[] = {\n");
  for (std::size_t at = 0; at < static_cast<std::size_t>(KernelFamily::count); ++at) {
    const auto family = static_cast<KernelFamily>(at);
    KernelBand known[2] = {};
    for (std::size_t basis = 0; basis < 3; ++basis) {
      for (const bool starting : {false, true}) {
        const std::vector<LeftOut> rows = chosen(left[basis], family, starting, table);
        KernelBand& band = known[starting ? 1 : 0];
        const KernelBand own = band_of(rows);
        // Where few rows say how wide, and never narrower than on a nearer basis.
        if (rows.size() >= enough) band = {std::min(band.low, own.low), std::max(band.high, own.high)};
        if (rows.size() < enough && starting)
          band = {std::min(band.low, known[0].low), std::max(band.high, known[0].high)};
      }
      std::printf("    {%s, Basis::%s, {%.3g, %.3g}, {%.3g, %.3g}},\n", value_of(family), bases[basis],
                  known[1].low, known[1].high, known[0].low, known[0].high);
    }
  }
  std::printf("};\n\n");
}

}  // namespace

void write_table(const KernelRows& rows, const std::vector<LeftOut>& shapes,
                 const std::vector<LeftOut>& accelerators, const std::vector<LeftOut>& generations) {
  const FittedTable fitted = fitted_table(rows);
  std::printf(
      "// Written by build/native/bench/validation kernels --write: fitted to tests/data/kernels_*.csv, "
      "whose sources\n"
      "// tests/data/kernels.md and kernels_sources.csv name.\n\n"
      "#include \"core/compute/kernel_table.h\"\n\n"
      "namespace commcost {\nnamespace {\n\n"
      "using enum KernelFamily;\nusing enum Generation;\n\n"
      "// clang-format off\n"
      "constexpr KernelTableRow constants[] = {\n");
  for (const KernelTableRow& row : fitted.constants) {
    std::printf("    {%s, %s, KernelFormat::%s, KernelLibrary::%s, {", value_of(row.family),
                value_of(row.generation).c_str(), value_of(row.format).c_str(),
                library_values[static_cast<std::size_t>(row.library)]);
    for (std::size_t at = 0; at < num_kernel_constants; ++at)
      std::printf("%s%.3g", at == 0 ? "" : ", ", row.constants[at]);
    std::printf("}, %d},\n", row.rows);
  }
  std::printf("};\n\nconstexpr MatrixClockRow clocks[] = {\n");
  for (const MatrixClockRow& row : fitted.clocks)
    std::printf("    {\"%s\", %.3g},\n", std::string(row.accelerator).c_str(), row.factor);

  std::map<std::tuple<KernelFamily, std::string_view, KernelFormat>, std::set<std::string>> series;
  for (const MeasuredKernel* row : rows)
    series[{row->family, row->accelerator->id, row->question.format}].insert(row->series);
  std::printf("};\n\nconstexpr MeasuredKernelsRow measured[] = {\n");
  for (const auto& [place, names] : series) {
    const auto& [family, accelerator, format] = place;
    std::printf("    {%s, \"%s\", KernelFormat::%s, %zu},\n", value_of(family),
                std::string(accelerator).c_str(), value_of(format).c_str(), names.size());
  }
  std::printf("};\n\n");
  write_bands({shapes, accelerators, generations}, fitted.view());
  std::printf(
      "// clang-format on\n\n"
      "constexpr KernelTable table{constants, clocks, measured, bands};\n\n"
      "}  // namespace\n\n"
      "const KernelTable& kernel_table() {\n  return table;\n}\n\n}  // namespace commcost\n");
}

}  // namespace commcost::validation::kernels
