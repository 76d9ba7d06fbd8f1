#include "core/compute/expert_loads.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/natural_log.h"

namespace commcost {
namespace {

// A load lies between 1 and this share of the tokens, before all are scaled to the number of visits: as the
// collector of aiconfigurator draws them (collector/helper.py).
constexpr double largest_share = 0.8;
// Loads that lie in one of so many equal parts of their logarithm count as one.
constexpr std::size_t parts_of_loads = 16;

std::vector<ExpertLoad> equal_loads(double experts, double visits) {
  const double mean = visits / experts;
  if (mean >= 1) return {{experts, mean}};
  const double met = std::max(1.0, std::min(experts, visits));
  return {{met, std::max(1.0, visits / met)}};
}

// e to the power of `x`, with the same bits natively and in WebAssembly: the C libraries' own differ.
double exponential(double x) {
  constexpr int halvings = 8;
  constexpr int terms = 10;
  const double small = x / (1 << halvings);
  double sum = 1;
  for (int term = terms; term > 0; --term) sum = 1 + sum * small / term;
  for (int times = 0; times < halvings; ++times) sum *= sum;
  return sum;
}

// Loads, and which share of the experts has each.
struct Distribution {
  std::array<double, parts_of_loads> load;
  std::array<double, parts_of_loads> share;
};

// A power law between 1 and `largest`: each part of the logarithm holds x^(1 - exponent) of the one before.
Distribution power_law(double exponent, double largest) {
  double step = largest;
  for (std::size_t parts = 1; parts < parts_of_loads; parts *= 2) step = std::sqrt(step);
  const double fewer = exponential((1 - exponent) * natural_log(step));
  Distribution law{};
  double load = std::sqrt(step);
  double share = 1;
  double sum = 0;
  for (std::size_t at = 0; at < parts_of_loads; ++at) {
    law.load[at] = load;
    law.share[at] = share;
    sum += share;
    load *= step;
    share *= fewer;
  }
  for (double& one : law.share) one /= sum;
  return law;
}

double mean_of(const Distribution& law) {
  double sum = 0;
  for (std::size_t at = 0; at < parts_of_loads; ++at) sum += law.share[at] * law.load[at];
  return sum;
}

// Mean load of the busiest `share` of the experts.
double busiest_mean(const Distribution& law, double share) {
  double left = share;
  double sum = 0;
  for (std::size_t at = parts_of_loads; at-- > 0 && left > 0;) {
    const double taken = std::min(left, law.share[at]);
    sum += taken * law.load[at];
    left -= taken;
  }
  return sum / share;
}

// The load of the busiest of `ranks` ranks of `experts` experts, over the mean: the expected maximum of that
// many normal sums, at most that of the busiest experts together.
double busiest_rank(const Distribution& law, double ranks, double experts) {
  const double mean = mean_of(law);
  double variance = 0;
  for (std::size_t at = 0; at < parts_of_loads; ++at)
    variance += law.share[at] * (law.load[at] - mean) * (law.load[at] - mean);
  const double highest = std::sqrt(2 * natural_log(ranks));
  return std::min(1 + highest * std::sqrt(variance / experts) / mean, busiest_mean(law, 1 / ranks) / mean);
}

}  // namespace

std::vector<ExpertLoad> expert_loads(const GroupedGemmCall& call) {
  const double experts = std::max(1.0, call.num_experts / call.expert_parallel);
  const double visits = call.tokens * call.experts_per_token;
  if (call.routing_exponent <= 0) return equal_loads(experts, visits / call.expert_parallel);

  Distribution law = power_law(call.routing_exponent, std::max(2.0, call.tokens * largest_share));
  const double scale = visits / call.num_experts / mean_of(law);
  // No expert gets a token twice.
  for (double& load : law.load) load = std::min(load * scale, call.tokens);
  const double busiest = busiest_rank(law, std::max(1.0, call.expert_parallel), experts);
  std::vector<ExpertLoad> found;
  for (std::size_t at = 0; at < parts_of_loads; ++at) {
    const double load = law.load[at] * busiest;
    // Experts that get less than one token on average: only as many are visited as there are tokens.
    found.push_back({experts * law.share[at] * std::min(1.0, load), std::clamp(load, 1.0, call.tokens)});
  }
  return found;
}

}  // namespace commcost
