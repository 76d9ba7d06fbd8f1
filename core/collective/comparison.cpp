#include "core/collective/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/base/units.h"
#include "core/collective/pieces.h"

namespace commcost {
namespace {

// Times closer than this count as equal: the closed forms differ only by rounding.
constexpr double indistinguishable = 1e-12;

// Sizes at powers of two and, last, the greatest exact one: two of a pair's crossovers would have to lie
// between neighbours to be missed.
constexpr int num_sizes = 54;

double size_at(int index) {
  return std::min(std::ldexp(1.0, index), greatest_exact_whole);
}

class Contender {
 public:
  Contender(const Method& method, const Group& group, const HockneyMachine& machine)
      : method_(method), group_(group), machine_(machine) {
    for (int index = 0; index < num_sizes; ++index)
      times_[static_cast<std::size_t>(index)] = time_us(size_at(index));
  }

  Algorithm algorithm() const { return method_.algorithm; }
  double time_at(int index) const { return times_[static_cast<std::size_t>(index)]; }
  double time_us(double message_size_bytes) const {
    const Group group = with_pieces(method_, group_, message_size_bytes, machine_);
    return hockney(counts_of(method_, group), message_size_bytes, machine_).total_us();
  }

 private:
  const Method& method_;
  const Group& group_;
  const HockneyMachine& machine_;
  std::array<double, num_sizes> times_;
};

// -1, 0 or 1: the first is faster, neither, the second.
int order(double first, double second) {
  const double difference = first - second;
  if (std::abs(difference) <= indistinguishable * std::max(first, second)) return 0;
  return difference < 0 ? -1 : 1;
}

// Where two contenders meet between two sizes at which first one, then the other is faster.
Crossover meeting(const Contender& below, const Contender& above, double low, double high) {
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    (below.time_us(middle) < above.time_us(middle) ? low : high) = middle;
  }
  return {below.algorithm(), above.algorithm(), low, below.time_us(low)};
}

// There are few: std::sort would be more wasm than the rest of this file.
void insert_by_size(std::vector<Crossover>& found, const Crossover& crossover) {
  auto place = found.end();
  while (place != found.begin() && crossover.message_size_bytes < std::prev(place)->message_size_bytes)
    --place;
  found.insert(place, crossover);
}

void find_crossovers(const Contender& first, const Contender& second, std::vector<Crossover>& found) {
  int last_order = 0;
  int last_index = 0;
  for (int index = 0; index < num_sizes; ++index) {
    const int now = order(first.time_at(index), second.time_at(index));
    if (now == 0) continue;
    if (last_order == -now) {
      const bool first_below = last_order < 0;
      insert_by_size(found, meeting(first_below ? first : second, first_below ? second : first,
                                    size_at(last_index), size_at(index)));
    }
    last_order = now;
    last_index = index;
  }
}

Algorithm quickest_at(const std::vector<Contender>& contenders, double size) {
  const Contender* best = &contenders.front();
  double least = best->time_us(size);
  for (const Contender& contender : contenders) {
    const double time = contender.time_us(size);
    if (order(time, least) >= 0) continue;
    best = &contender;
    least = time;
  }
  return best->algorithm();
}

std::vector<QuickestRange> quickest_ranges(const std::vector<Contender>& contenders,
                                           const std::vector<Crossover>& crossovers) {
  std::vector<QuickestRange> ranges;
  double from = 1;
  const auto close = [&](double to) {
    const Algorithm algorithm = quickest_at(contenders, std::sqrt(from) * std::sqrt(to));
    if (!ranges.empty() && ranges.back().algorithm == algorithm) {
      ranges.back().to_bytes = to;
    } else {
      ranges.push_back({algorithm, from, to});
    }
    from = to;
  };
  for (const Crossover& crossover : crossovers) close(crossover.message_size_bytes);
  close(greatest_exact_whole);
  return ranges;
}

}  // namespace

Comparison compare(Collective collective, const Group& group, const HockneyMachine& machine, bool one_port) {
  std::vector<Contender> contenders;
  for (const Method& method : all_methods()) {
    if (method.collective != collective || (one_port && !method.one_port())) continue;
    contenders.emplace_back(method, group, machine);
  }
  Comparison comparison;
  if (contenders.empty()) return comparison;
  for (std::size_t first = 0; first < contenders.size(); ++first) {
    for (std::size_t second = first + 1; second < contenders.size(); ++second) {
      find_crossovers(contenders[first], contenders[second], comparison.crossovers);
    }
  }
  comparison.quickest = quickest_ranges(contenders, comparison.crossovers);
  return comparison;
}

}  // namespace commcost
