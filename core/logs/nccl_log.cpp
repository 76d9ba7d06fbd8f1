#include "core/logs/nccl_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>

#include "core/base/letters.h"
#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

constexpr std::size_t most_tokens = 64;
constexpr double greatest_rank = 1048575;

constexpr std::string_view element_types[] = {"int8",    "uint8",   "int32",    "uint32",   "int64",
                                              "uint64",  "half",    "float",    "double",   "bfloat16",
                                              "f8e4m3",  "f8e5m2",  "fp8_e4m3", "fp8_e5m2", "char",
                                              "float16", "float32", "float64",  "bf16"};

constexpr std::string_view reductions[] = {"sum", "prod", "max", "min", "avg", "mulsum", "none", "all"};

struct Program {
  std::string_view name;
  Collective collective;
};

// Longer names first, since each may end in a shorter one.
constexpr Program programs[] = {
    {"all_reduce", Collective::all_reduce}, {"reduce_scatter", Collective::reduce_scatter},
    {"all_gather", Collective::all_gather}, {"alltoall", Collective::all_to_all},
    {"all_to_all", Collective::all_to_all}, {"broadcast", Collective::broadcast},
    {"sendrecv", Collective::send_receive}, {"scatter", Collective::scatter},
    {"gather", Collective::gather},         {"reduce", Collective::reduce},
};

/// The words of a line, without noise in front; no more than any table has columns.
struct Words {
  std::array<std::string_view, most_tokens> word;
  std::size_t count = 0;

  std::string_view operator[](std::size_t i) const { return i < count ? word[i] : std::string_view(); }
};

bool contains(std::string_view line, std::string_view mark) {
  return line.find(mark) != std::string_view::npos;
}

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

Words words_of(std::string_view line) {
  Words words;
  std::size_t at = 0;
  while (at < line.size() && words.count < most_tokens) {
    while (at < line.size() && blank(line[at])) ++at;
    const std::size_t from = at;
    while (at < line.size() && !blank(line[at])) ++at;
    if (at > from) words.word[words.count++] = line.substr(from, at - from);
  }
  return words;
}

bool one_of(std::span<const std::string_view> names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

std::optional<double> number_of(std::string_view word) {
  const std::optional<double> number = parse_number(word);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::optional<double> whole_of(std::string_view word) {
  if (word.empty()) return std::nullopt;
  for (const char c : word) {
    if (!is_digit(c)) return std::nullopt;
  }
  return number_of(word);
}

/// The digits at the end of a word such as "[1,0]<stdout>:8".
std::string_view after_prefix(std::string_view word) {
  const std::size_t end = word.find_last_of(":>|]");
  return end == std::string_view::npos ? word : word.substr(end + 1);
}

/// Both bandwidths of a row are printed to 0.01 GB/s; of their ratio half of that each may be lost.
constexpr double printed_error = 0.01;

/// Whether algorithm bandwidth, time and size of a row agree within what printing loses.
bool agree(double size, double time_us, double algorithm_gb_per_sec) {
  if (time_us <= 0) return false;
  const double exact = size / (time_us * 1e3);
  return std::abs(exact - algorithm_gb_per_sec) <= 0.006 + 0.02 * exact;
}

enum class Reading { no_row, row, cut_short, contradictory };

struct Row {
  LogPoint point;
  double algorithm_gb_per_sec = 0;
  std::string_view reduction;
  bool wrong = false;  ///< whether #wrong is above 0, in place or out of place
};

/// The columns time, algbw and busbw.
struct Columns {
  double time_us;
  double algorithm_gb_per_sec;
  double bus_gb_per_sec;
};

/// Those from word `at` on; nothing where they are not there or do not agree. Bus bandwidth is at most twice
/// the algorithm's, and 0 on one GPU.
std::optional<Columns> columns_at(const Words& words, std::size_t at, double size) {
  const auto time = number_of(words[at]);
  const auto algorithm = number_of(words[at + 1]);
  const auto bus = number_of(words[at + 2]);
  if (!time || !algorithm || !bus || !agree(size, *time, *algorithm)) return std::nullopt;
  if (*bus < 0 || *bus > 2 * *algorithm + 2 * printed_error) return std::nullopt;
  return Columns{*time, *algorithm, *bus};
}

/// The first of the places, counted from `at`, where the three columns stand.
std::optional<std::size_t> find_columns(const Words& words, std::size_t at, double size,
                                        std::initializer_list<std::size_t> places) {
  for (const std::size_t place : places) {
    if (columns_at(words, at + place, size)) return at + place;
  }
  return std::nullopt;
}

/// Reads the row whose element type is word `type`.
Reading read_row_at(const Words& words, std::size_t type, double size, Row& row) {
  if (size > greatest_exact_whole) return Reading::contradictory;
  row.point.message_size_bytes = size;
  std::size_t at = type + 1;
  if (one_of(reductions, words[at])) row.reduction = words[at++];
  // The column `root` may stand before the time; where both readings are numbers, the bandwidth tells which.
  const auto out_of_place = find_columns(words, at, size, {0, 1});
  if (!out_of_place) {
    const bool last_is_number = number_of(words[words.count - 1]).has_value();
    return words.count < at + 4 || !last_is_number ? Reading::cut_short : Reading::contradictory;
  }
  const Columns columns = *columns_at(words, *out_of_place, size);
  row.point.time_us = columns.time_us;
  row.point.bus_bandwidth_gb_per_sec = columns.bus_gb_per_sec;
  row.algorithm_gb_per_sec = columns.algorithm_gb_per_sec;
  // After the out-of-place columns comes the error or #wrong, if the log kept it, then the same in place.
  const auto in_place = find_columns(words, *out_of_place, size, {4, 3});
  if (in_place) {
    const Columns again = *columns_at(words, *in_place, size);
    row.point.in_place_us = again.time_us;
    row.point.in_place_bus_gb_per_sec = again.bus_gb_per_sec;
  }
  // Three columns on, if the next does not start there; older versions have an error such as 1e-07.
  const auto counts_wrong = [&](std::size_t columns_from) {
    const std::size_t after = columns_from + 3;
    return (!in_place || after != *in_place) && whole_of(words[after]).value_or(0) > 0;
  };
  row.wrong = counts_wrong(*out_of_place) || (in_place && counts_wrong(*in_place));
  return Reading::row;
}

Reading read_row(const Words& words, Row& row) {
  for (std::size_t i = 0; i + 2 < words.count; ++i) {
    if (!one_of(element_types, words[i + 2])) continue;
    const auto size = whole_of(words[i]);
    const auto glued = size ? size : whole_of(after_prefix(words[i]));
    if (glued && whole_of(words[i + 1])) return read_row_at(words, i + 2, *glued, row);
  }
  return Reading::no_row;
}

/// Lines other than rows: a heading of a new table, the number of a rank, a program's name.
bool is_heading(const Words& words) {
  bool size = false;
  bool time = false;
  for (std::size_t i = 0; i < words.count; ++i) {
    size = size || words[i] == "size";
    time = time || words[i] == "time";
  }
  return size && time;
}

bool is_expected(std::string_view line, const Words& words) {
  for (std::size_t i = 0; i < words.count && i < 8; ++i) {
    const std::string_view word = words[i];
    if (word[0] == '#' || after_prefix(word).starts_with('#')) return true;
  }
  for (const std::string_view mark :
       {"NCCL INFO", "NCCL version", "RCCL version", "(us)", "Out of bounds", "Avg bus"}) {
    if (contains(line, mark)) return true;
  }
  return false;
}

std::optional<Collective> program_in(std::string_view line) {
  const bool starting = contains(line, "test starting");
  // Most lines are rows, and ten names are searched for.
  if (!starting && !contains(line, "_perf") && !contains(line, "_mpi")) return std::nullopt;
  for (const Program& program : programs) {
    const std::size_t at = line.find(program.name);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.substr(at + program.name.size());
    if (starting || rest.starts_with("_perf") || rest.starts_with("_mpi")) return program.collective;
  }
  return std::nullopt;
}

/// The number behind a name and a colon, as in "# Avg bus bandwidth    : 64.1".
std::optional<double> number_behind(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const Words words = words_of(line.substr(at + name.size()));
  return words[0] == ":" ? number_of(words[1]) : std::nullopt;
}

/// The number after "Rank" on a line that lists a device, or none.
std::optional<double> rank_in(const Words& words) {
  for (std::size_t i = 0; i + 2 < words.count; ++i) {
    if (words[i] != "Rank") continue;
    const std::string_view next = words[i + 2];
    if (next != "Pid" && next != "Group") return std::nullopt;
    const auto rank = whole_of(words[i + 1]);
    return rank && *rank <= greatest_rank ? rank : std::nullopt;
  }
  return std::nullopt;
}

/// The name behind "device  0 [0x07]" on that line.
std::string device_in(std::string_view line) {
  constexpr std::size_t longest = 80;
  const std::size_t device = line.find(" device ");
  const std::size_t at = device == std::string_view::npos ? device : line.find("] ", device);
  if (at == std::string_view::npos) return {};
  const std::string_view name = line.substr(at + 2, longest);
  return std::string(name.substr(0, name.find_last_not_of(" \t\r") + 1));
}

/// The whole number in an interval around a count of ranks that a power of two divides most; 0 where there is
/// none.
double roundest(double least, double greatest) {
  if (!(least >= 1.5) || !(greatest >= least) || !(greatest <= greatest_rank)) return 0;
  const auto first = static_cast<long long>(std::ceil(least));
  const auto last = static_cast<long long>(std::floor(greatest));
  if (last < first) return std::round((least + greatest) / 2);
  for (long long power = 1LL << 20; power > 1; power /= 2) {
    if (last / power * power >= first) return static_cast<double>(last / power * power);
  }
  return static_cast<double>(first);
}

/// Fills in what the ratio of bandwidths reveals: 2(n-1)/n, (n-1)/n or 1.
void deduce(NcclLog& log, const NcclTable& table) {
  const bool reduced = table.reduction != "none" && !table.reduction.empty();
  const double ratio = table.ratio;
  if (table.program) {
    log.collective = *table.program;
    log.collective_known = true;
  } else if (ratio > 0) {
    log.collective_known = true;
    if (ratio > 1.02 || (reduced && ratio > 0.98)) {
      // A ratio of 1 with a reduction is an all-reduce over two ranks, or a reduce; all-reduce is the usual
      // one.
      log.collective = Collective::all_reduce;
    } else if (ratio <= 0.98) {
      log.collective = reduced ? Collective::reduce_scatter : Collective::all_gather;
    } else {
      log.collective = Collective::broadcast;
    }
  }
  if (log.ranks > 0 || ratio <= 0) return;
  const double share = log.collective == Collective::all_reduce ? ratio / 2 : ratio;  // (n-1)/n
  if (bus_bandwidth_factor(log.collective, 2) == 1 && log.collective != Collective::all_reduce) return;
  log.ranks =
      roundest(1 / (1 - share + printed_error / table.best), 1 / (1 - share - printed_error / table.best));
}

}  // namespace

void NcclLogReader::read(std::string_view piece) {
  lines_.read(piece, [this](std::string_view line, double number) { read_line(line, number); });
}

void NcclLogReader::read_line(std::string_view raw, double number) {
  if (is_blank(raw)) return;
  if (raw.size() == longest_line) note(log_.problems, number, "a line too long to be read to its end", raw);
  const std::string_view line = without_colours(raw, buffer_);
  const Words words = words_of(line);
  if (words.count == 0) return;
  const auto named = program_in(line);
  if (named) {
    program_ = named;
    fresh_ = true;
  }
  // A truncated run has no last line: the first line of the next one ends it.
  if (named || contains(line, "nThread")) ended_ = true;
  if (const auto rank = rank_in(words)) {
    most_rank_ = std::max(most_rank_, *rank);
    log_.device = device_in(line);
    return;
  }
  if (is_heading(words)) {
    fresh_ = true;
    return;
  }
  take_last_line(line);
  Row row;
  switch (read_row(words, row)) {
    case Reading::row:
      if (row.point.message_size_bytes > 0) {
        row.point.line = number;
        take(row.point, row.algorithm_gb_per_sec, row.reduction);
        if (row.wrong) ++runs_.back().wrong_rows;
      } else {
        note(log_.problems, number, "a row without bytes", line);
      }
      break;
    case Reading::cut_short:
      note(log_.problems, number, "a row that is cut short", line);
      break;
    case Reading::contradictory:
      note(log_.problems, number, "a row whose size, time and bandwidth contradict each other", line);
      break;
    case Reading::no_row:
      if (!is_expected(line, words) && !named) note(log_.problems, number, "not understood", line);
      break;
  }
}

// The average is of all bus bandwidths that the run printed, and is its last line.
void NcclLogReader::take_last_line(std::string_view line) {
  if (runs_.empty()) return;
  NcclConclusion& conclusion = runs_.back().conclusion;
  if (const auto wrong = number_behind(line, "Out of bounds values"); wrong && *wrong >= 0) {
    conclusion.checked = true;
    conclusion.wrong_values = *wrong;
  }
  if (const auto average = number_behind(line, "Avg bus bandwidth"); average && *average >= 0) {
    conclusion.printed_average_gb_per_sec = *average;
    ended_ = true;
  }
}

void NcclLogReader::take(const LogPoint& point, double algorithm_gb_per_sec, std::string_view reduction) {
  if (ended_) {
    runs_.emplace_back();
    fresh_ = true;
    ended_ = false;
  }
  NcclRun& run = runs_.back();
  run.bus_sum += point.bus_bandwidth_gb_per_sec + point.in_place_bus_gb_per_sec;
  run.bus_count += point.in_place_us > 0 ? 2 : 1;
  if (fresh_ || tables_.empty()) {
    tables_.emplace_back();
    tables_.back().line = point.line;
    tables_.back().program = program_;
    tables_.back().run = runs_.size() - 1;
    fresh_ = false;
  }
  NcclTable& table = tables_.back();
  table.points.push_back(point);
  table.reduction = std::string(reduction);
  if (algorithm_gb_per_sec > table.best) {
    table.best = algorithm_gb_per_sec;
    table.ratio = point.bus_bandwidth_gb_per_sec / algorithm_gb_per_sec;
  }
}

NcclLog NcclLogReader::finished() && {
  lines_.finish([this](std::string_view line, double number) { read_line(line, number); });
  log_.ranks = most_rank_ + 1;
  if (tables_.empty()) return std::move(log_);
  const auto longest = std::max_element(
      tables_.begin(), tables_.end(),
      [](const NcclTable& one, const NcclTable& other) { return one.points.size() < other.points.size(); });
  std::vector<LogProblem> others;
  for (auto table = tables_.begin(); table != tables_.end(); ++table) {
    if (table == longest) continue;
    others.push_back({table->line, table->points.back().line - table->line + 1,
                      "another table, of " + text_of(static_cast<double>(table->points.size())) +
                          " rows; only the longest table of a log is used",
                      ""});
  }
  merge_by_line(log_.problems, std::move(others));
  deduce(log_, *longest);
  const NcclRun& run = runs_[longest->run];
  log_.conclusion = run.conclusion;
  log_.conclusion.rows_average_gb_per_sec = run.bus_sum / run.bus_count;
  if (run.wrong_rows > 0 && run.conclusion.wrong_values == 0) {
    log_.conclusion.checked = true;
    log_.conclusion.wrong_values = run.wrong_rows;
  }
  log_.points = std::move(longest->points);
  return std::move(log_);
}

NcclLog parse_nccl_log(std::string_view text) {
  NcclLogReader reader;
  reader.read(text);
  return std::move(reader).finished();
}

}  // namespace commcost
