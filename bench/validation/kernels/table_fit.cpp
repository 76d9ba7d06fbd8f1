#include "bench/validation/kernels/table_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/least_squares.h"
#include "core/base/statistics.h"

namespace commcost::validation::kernels {
namespace {

// Beyond this an error counts by its size, no longer by its square: other kernels than usual ran.
constexpr double width = 0.07;
// How far the particular lies from the general, against how far that lies from its prior.
constexpr double nearer = 0.85;

struct Level {
  KernelConstants values;
  double spread = 1;  // times the families'
};

KernelConstants priors_of(KernelFamily family) {
  KernelConstants values{};
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = constant_rows(family)[at].prior;
  return values;
}

KernelConstants fitted(KernelFamily family, const KernelRows& rows, const Level& before,
                       const FittedTable& table, std::optional<HeldConstant> held) {
  std::vector<std::size_t> free;
  for (std::size_t at = 0; at < num_kernel_constants; ++at) {
    const bool is_held = held && held->family == family && held->constant == at;
    if (constant_rows(family)[at].spread > 0 && !is_held) free.push_back(at);
  }
  const auto constants_at = [&](std::span<const double> unknowns) {
    KernelConstants constants = before.values;
    for (std::size_t i = 0; i < free.size(); ++i)
      constants[free[i]] *= std::exp(unknowns[i] * constant_rows(family)[free[i]].spread * before.spread);
    return constants;
  };
  KernelTableRow row{family, Generation::none, KernelFormat::any, KernelLibrary::any, {}, 0};
  // Each row by the constants at hand, whatever its generation.
  const auto write = [&](std::span<const double> unknowns, std::span<double> residuals) {
    row.constants = constants_at(unknowns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row.generation = rows[i]->accelerator->generation;
      residuals[i] = softened(log_error(*rows[i], {{&row, 1}, table.clocks, {}, {}}), width) / width;
    }
    for (std::size_t i = 0; i < free.size(); ++i) residuals[rows.size() + i] = unknowns[i];
  };
  std::vector<double> unknowns(free.size(), 0.0);
  least_squares(residuals_of(rows.size() + free.size(), write), unknowns);
  return constants_at(unknowns);
}

using Place = std::tuple<Generation, KernelFormat, KernelLibrary>;

void fit_family(KernelFamily family, const KernelRows& rows, std::optional<HeldConstant> held,
                FittedTable& table) {
  using Parent = Place (*)(const MeasuredKernel&);
  constexpr Parent levels[] = {
      [](const MeasuredKernel&) {
        return Place{Generation::none, KernelFormat::any, KernelLibrary::any};
      },
      [](const MeasuredKernel& row) {
        return Place{row.accelerator->generation, KernelFormat::any, KernelLibrary::any};
      },
      [](const MeasuredKernel& row) {
        return Place{row.accelerator->generation, row.question.format, KernelLibrary::any};
      },
      [](const MeasuredKernel& row) {
        return Place{row.accelerator->generation, row.question.format, row.question.library};
      }};
  std::map<Place, Level> before;
  for (std::size_t level = 0; level < std::size(levels); ++level) {
    std::map<Place, KernelRows> groups;
    for (const MeasuredKernel* row : rows) groups[levels[level](*row)].push_back(row);
    std::map<Place, Level> now;
    for (const auto& [place, group] : groups) {
      // Of a family without formats or libraries.
      if (const auto same = before.find(place); same != before.end()) {
        now[place] = same->second;
        continue;
      }
      const Level from =
          level == 0 ? Level{priors_of(family), 1} : before.at(levels[level - 1](*group.front()));
      const KernelConstants constants = fitted(family, group, from, table, held);
      now[place] = {constants, from.spread * nearer};
      const auto& [generation, format, library] = place;
      table.constants.push_back(
          {family, generation, format, library, constants, static_cast<int>(group.size())});
    }
    before = std::move(now);
  }
}

// What large products of an accelerator reach over what its generation's constants say, drawn towards 1
// where they are few.
std::vector<MatrixClockRow> clocks_of(const KernelRows& rows, const FittedTable& table) {
  constexpr double few = 10;
  constexpr double busy_us = 20;
  std::map<std::string_view, std::vector<double>> errors;
  for (const MeasuredKernel* row : rows) {
    if (large_gemm(*row) && row->time_us > busy_us)
      errors[row->accelerator->id].push_back(log_error(*row, table.view()));
  }
  std::vector<MatrixClockRow> clocks;
  for (const auto& [accelerator, of] : errors) {
    const double count = static_cast<double>(of.size());
    clocks.push_back({accelerator, std::exp(median(of) * count / (count + few))});
  }
  return clocks;
}

void fit_families(const KernelRows& rows, std::optional<HeldConstant> held, FittedTable& table) {
  std::map<KernelFamily, KernelRows> families;
  for (const MeasuredKernel* row : rows) families[row->family].push_back(row);
  for (const auto& [family, of] : families) fit_family(family, of, held, table);
}

}  // namespace

double log_error(const MeasuredKernel& row, const KernelTable& table) {
  return std::log(parts_of(row.question, *row.accelerator, table).time_us / row.time_us);
}

FittedTable fitted_table(const KernelRows& rows, std::optional<HeldConstant> held) {
  KernelRows products;
  for (const MeasuredKernel* row : rows) {
    if (row->family == KernelFamily::gemm) products.push_back(row);
  }
  FittedTable first;
  fit_families(products, held, first);
  FittedTable table;
  table.clocks = clocks_of(products, first);
  fit_families(rows, held, table);
  return table;
}

std::vector<LeftOut> left_out(const KernelRows& rows,
                              const std::function<std::string(const MeasuredKernel&)>& group) {
  std::map<std::string, KernelRows> groups;
  for (const MeasuredKernel* row : rows) {
    if (std::string name = group(*row); !name.empty()) groups[std::move(name)].push_back(row);
  }
  std::vector<LeftOut> found;
  for (const auto& [name, out] : groups) {
    KernelRows rest;
    for (const MeasuredKernel* row : rows) {
      if (group(*row) != name) rest.push_back(row);
    }
    const FittedTable table = fitted_table(rest);
    for (const MeasuredKernel* row : out) found.push_back({row, log_error(*row, table.view())});
  }
  return found;
}

}  // namespace commcost::validation::kernels
