#include "core/serving/priced_server.h"

#include <algorithm>
#include <cmath>

#include "core/serving/serving_time.h"

namespace commcost {
namespace {

// The position of a value among ascending places: the place below it, and how far it is towards the next.
struct Between {
  std::size_t low;
  double share;
};

Between between(const std::vector<double>& places, double value) {
  if (places.size() < 2 || value <= places.front()) return {0, 0};
  if (value >= places.back()) return {places.size() - 2, 1};
  const auto above = std::upper_bound(places.begin(), places.end(), value);
  const auto low = static_cast<std::size_t>(above - places.begin()) - 1;
  return {low, (value - places[low]) / (places[low + 1] - places[low])};
}

// Whole numbers from 1 on, a fixed count from each power of two to the next, until one is no less than
// `most`: the same numbers however far they go. Kernels jump at multiples of powers of two.
std::vector<double> places_up_to(double most, double parts) {
  std::vector<double> places = {1};
  double power = 1;
  while (places.back() < most) {
    const double place = places.back() + std::max(1.0, power / parts);
    if (place >= 2 * power) power *= 2;
    places.push_back(place);
  }
  return places;
}

ServingParts parts_at(Job& job, Mode mode, double sequences, double tokens) {
  job.work.mode = mode;
  job.work.batch_size = static_cast<std::int64_t>(sequences);
  job.work.sequence_length = static_cast<std::int64_t>(tokens);
  return serving_time(job).parts;
}

}  // namespace

double PriceGrid::operator()(double row, double column) const {
  const Between one = between(rows_, row);
  const Between other = between(columns_, column);
  const std::size_t width = columns_.size();
  const auto along = [&](std::size_t place) {
    const double* value = &values_[place * width + other.low];
    return other.share > 0 ? value[0] + other.share * (value[1] - value[0]) : value[0];
  };
  const double low = along(one.low);
  return one.share > 0 ? low + one.share * (along(one.low + 1) - low) : low;
}

PricedServer::PricedServer(const Job& given, const PricedReach& reach)
    : stages_(static_cast<double>(given.layout.pipeline_parallel)) {
  Job job = given;
  const double sequences = std::ceil(reach.sequences / stages_);
  const std::vector<double> batches = places_up_to(sequences, 8);
  const std::vector<double> contexts = places_up_to(reach.tokens, 1);
  decode_ = PriceGrid(batches, contexts, [&job](double batch, double context) {
    return parts_at(job, Mode::decode, batch, context).total_us();
  });
  decode_shared_ = PriceGrid(batches, {1}, [&job](double batch, double) {
    return shared_us(parts_at(job, Mode::decode, batch, 1));
  });
  const std::vector<double> counts = places_up_to(std::min(sequences, reach.prompts), 1);
  const std::vector<double> chunks = places_up_to(reach.prompts, 4);
  std::vector<double> shared;
  prompts_ = PriceGrid(counts, chunks, [&](double count, double tokens) {
    const ServingParts parts = parts_at(job, Mode::prefill, count, tokens);
    shared.push_back(shared_us(parts));
    return parts.total_us();
  });
  auto next = shared.begin();
  prompts_shared_ = PriceGrid(counts, chunks, [&next](double, double) { return *next++; });
  // The same tokens in one prompt or in two take the same time except for attention, which grows with the
  // square.
  attention_ = PriceGrid({1}, places_up_to(reach.tokens, 1), [&](double, double tokens) {
    const double half = std::max(1.0, std::floor(tokens / 2));
    const double one = parts_at(job, Mode::prefill, 1, 2 * half).total_us();
    const double two = parts_at(job, Mode::prefill, 2, half).total_us();
    return std::max(0.0, one - two) / half;
  });
}

double PricedServer::prompts_us(const ServedStep& step) const {
  return prompts_(step.prompts, step.tokens / step.prompts) + step.attended;
}

double PricedServer::step_us(const ServedStep& step) const {
  double us = 0;
  const double batch = std::max(1.0, step.sequences / stages_);
  if (step.sequences > 0) us += decode_(batch, step.context / step.sequences);
  if (step.prompts > 0) us += prompts_us(step) / stages_;
  if (step.sequences > 0 && step.prompts > 0)
    us -= std::min(decode_shared_(batch, 1), prompts_shared_(step.prompts, step.tokens / step.prompts)) /
          stages_;
  return scale_ * us;
}

double PricedServer::attention_us(double before, double tokens) const {
  if (before <= 0) return 0;
  // All pairs of the prompt, except those within each of its two parts.
  const auto within = [this](double length) { return length * attention_(1, length); };
  return std::max(0.0, within(before + tokens) - within(before) - within(tokens));
}

double PricedServer::later_us(const ServedStep& step) const {
  return scale_ * prompts_us(step) * (1 - 1 / stages_);
}

}  // namespace commcost
