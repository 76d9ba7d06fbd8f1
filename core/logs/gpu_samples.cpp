#include "core/logs/gpu_samples.h"

#include <algorithm>
#include <utility>

#include "core/base/letters.h"
#include "core/base/number_text.h"
#include "core/base/statistics.h"

namespace commcost {
namespace {

enum SampleColumn : std::size_t { index, clock, greatest_clock, power, limit, temperature, busy, reasons };

struct ColumnWord {
  std::string_view word;  // that a column's name is, or begins with
  SampleColumn column;
};

// Names of --query-gpu, then of dmon.
constexpr ColumnWord column_words[] = {
    {"index", index},
    {"clocks.current.sm", clock},
    {"clocks.sm", clock},
    {"clocks.max.sm", greatest_clock},
    {"power.draw", power},
    {"enforced.power.limit", limit},
    {"power.limit", limit},
    {"temperature.gpu", temperature},
    {"utilization.gpu", busy},
    {"clocks_event_reasons.active", reasons},
    {"clocks_throttle_reasons.active", reasons},
    {"gpu", index},
    {"pclk", clock},
    {"pwr", power},
    {"gtemp", temperature},
    {"sm", busy},
};

// Bits of NVML's nvmlClocksEventReasons. Hardware sets 0x8 for heat (0x40) and for a power supply that brakes
// the GPU (0x80). Sync boost (0x10) only follows the slowest GPU of its group.
constexpr unsigned fixed_bits = 0x2 | 0x100;
constexpr unsigned power_bits = 0x4;
constexpr unsigned heat_or_supply_bits = 0x8 | 0x20 | 0x40 | 0x80;
constexpr unsigned idle_bit = 0x1;

std::string_view without_space(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line, bool commas) {
  const auto separates = [&](char c) { return commas ? c == ',' : c == ' ' || c == '\t'; };
  std::vector<std::string_view> cells;
  cells.reserve(1 + static_cast<std::size_t>(std::count_if(line.begin(), line.end(), separates)));
  while (!line.empty()) {
    const std::size_t end = commas ? line.find(',') : line.find_first_of(" \t");
    const std::string_view cell = without_space(line.substr(0, end));
    if (commas || !cell.empty()) cells.push_back(cell);
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return cells;
}

std::optional<double> cell_number(std::string_view cell) {
  if (cell.size() > 2 && cell[0] == '0' && (cell[1] == 'x' || cell[1] == 'X')) {
    double value = 0;
    for (const char c : cell.substr(2)) {
      if (hex_digit(c) < 0) return std::nullopt;
      value = value * 16 + hex_digit(c);
    }
    return value;
  }
  const auto number = leading_number(cell);
  if (!number) return std::nullopt;
  return number->value;
}

Problem malformed_samples() {
  return {"gpu_samples", ProblemCode::malformed, "gpu_samples has no table with a GPU's clock",
          "what nvidia-smi --query-gpu=index,clocks.sm,clocks.max.sm,power.draw,enforced.power.limit,"
          "temperature.gpu,clocks_event_reasons.active --format=csv prints, or nvidia-smi dmon"};
}

}  // namespace

void GpuSampleReader::read(std::string_view piece) {
  lines_.read(piece, [this](std::string_view line, double number) { read_line(line, number); });
}

bool GpuSampleReader::read_header(std::string_view line) {
  const bool of_dmon = line.substr(0, 1) == "#";
  const bool commas = line.find(',') != std::string_view::npos;
  if (!of_dmon && !commas) return false;
  const std::vector<std::string_view> names = cells_of(of_dmon ? line.substr(1) : line, commas);
  std::vector<std::size_t> columns;
  columns.reserve(names.size());
  bool clocked = false;
  for (const std::string_view cell : names) {
    const auto* found =
        std::find_if(std::begin(column_words), std::end(column_words), [&](const ColumnWord& one) {
          if (of_dmon) return cell == one.word;
          return cell.substr(0, one.word.size()) == one.word &&
                 (cell.size() == one.word.size() || cell[one.word.size()] == ' ');
        });
    columns.push_back(found == std::end(column_words) ? column_count
                                                      : static_cast<std::size_t>(found->column));
    clocked = clocked || columns.back() == clock;
  }
  if (!clocked) return false;
  columns_ = std::move(columns);
  commas_ = commas;
  return true;
}

void GpuSampleReader::read_line(std::string_view raw, double number) {
  const std::string_view line = without_space(raw);
  if (line.empty() || read_header(line) || line.front() == '#') return;
  if (columns_.empty()) return;
  const std::vector<std::string_view> cells = cells_of(line, commas_);
  if (cells.size() != columns_.size()) {
    note(log_.problems, number, "a row with other columns than its table", line);
    return;
  }
  Row row;
  for (std::size_t at = 0; at < cells.size(); ++at)
    if (columns_[at] < column_count) row[columns_[at]] = cell_number(cells[at]);
  if (!row[clock]) {
    note(log_.problems, number, "a row without a clock", line);
    return;
  }
  take(row);
}

void GpuSampleReader::take(const Row& row) {
  const auto bits = static_cast<unsigned>(std::clamp(row[reasons].value_or(0), 0.0, 4e9));
  if ((bits & idle_bit) != 0 || (row[busy] && *row[busy] == 0)) {
    ++log_.idle_samples;
    return;
  }
  Taken& taken = gpus_[row[index].value_or(0)];
  SampledGpu& sums = taken.sums;
  ++sums.samples;
  taken.clocks.push_back(*row[clock]);
  if (row[power]) taken.powers.push_back(*row[power]);
  sums.max_sm_clock_mhz = std::max(sums.max_sm_clock_mhz, row[greatest_clock].value_or(0));
  sums.power_limit_w = row[limit].value_or(sums.power_limit_w);
  sums.temperature_c = std::max(sums.temperature_c, row[temperature].value_or(0));
  sums.thermal_share += (bits & heat_or_supply_bits) != 0 ? 1 : 0;
  sums.power_share += (bits & power_bits) != 0 ? 1 : 0;
  sums.fixed_share += (bits & fixed_bits) != 0 ? 1 : 0;
}

Outcome<GpuSampleLog> GpuSampleReader::finished() && {
  lines_.finish([this](std::string_view line, double number) { read_line(line, number); });
  if (gpus_.empty()) return malformed_samples();
  for (auto& [number, taken] : gpus_) {
    SampledGpu gpu = taken.sums;
    gpu.gpu = number;
    gpu.sm_clock_mhz = median(taken.clocks);
    gpu.power_w = median(taken.powers);
    for (double* share : {&gpu.thermal_share, &gpu.power_share, &gpu.fixed_share}) *share /= gpu.samples;
    log_.gpus.push_back(gpu);
  }
  return std::move(log_);
}

}  // namespace commcost
