#include "core/serving/simulated_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/natural_log.h"
#include "core/base/split_mix.h"

namespace commcost {
namespace {

// Steps that take what the test says, not what a job's would.
class GivenPace final : public ServerPace {
 public:
  GivenPace(double decode_us, double token_us) : decode_us_(decode_us), token_us_(token_us) {}
  double step_us(const ServedStep& step) const override {
    return (step.sequences > 0 ? decode_us_ : 0) + token_us_ * step.tokens;
  }
  double attention_us(double, double) const override { return 0; }
  double later_us(const ServedStep&) const override { return 0; }

 private:
  double decode_us_;
  double token_us_;
};

// Every step takes the same, whatever is in it: an answer of n tokens keeps a place busy for n steps.
class EvenPace final : public ServerPace {
 public:
  double step_us(const ServedStep&) const override { return 1; }
  double attention_us(double, double) const override { return 0; }
  double later_us(const ServedStep&) const override { return 0; }
};

constexpr double service_steps = 4000;
constexpr int told_requests = 40000;

enum class Service { exponential, fixed };

// The mean time from arrival to end, in mean services, of Poisson arrivals at a load of `busy` for each of
// `places`.
double mean_time(double busy, double places, Service service, std::uint64_t seed) {
  SplitMix bits(seed);
  const auto exponential = [&bits] {
    return -natural_log((static_cast<double>(bits.next() >> 11) + 1) * 0x1p-53);
  };
  std::vector<ServedRequest> requests(told_requests);
  double now = 0;
  for (ServedRequest& one : requests) {
    now += exponential() * service_steps / (busy * places);
    one.arrival_us = now;
    one.output = service == Service::fixed ? service_steps
                                           : std::max(1.0, std::floor(exponential() * service_steps + 0.5));
  }
  ServerLimits limits;
  limits.sequences = places;
  const ServedLoad load = simulated_server(requests, limits, EvenPace(), 10);
  double sum = 0;
  for (std::size_t place = 0; place < requests.size(); ++place)
    sum += load.times[place].end_us - requests[place].arrival_us;
  return sum / told_requests / service_steps;
}

// Erlang's C formula: the share of requests that wait.
double share_that_waits(double busy, double places) {
  const double load = busy * places;
  double term = 1;
  double sum = 1;
  for (double place = 1; place < places; ++place) sum += term *= load / place;
  const double last = term * load / places / (1 - busy);
  return last / (sum + last);
}

// Ten seeds' mean lies within three standard errors of the closed form.
void expect_as_said(double busy, double places, Service service, double said) {
  constexpr int seeds = 10;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const double mean = mean_time(busy, places, service, seed);
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / seeds;
  const double error = std::sqrt((squares / seeds - mean * mean) / (seeds - 1));
  EXPECT_NEAR(mean, said, 3 * error) << busy << " of " << places;
  EXPECT_LT(error, 0.05 * said);
}

constexpr double loads[] = {0.3, 0.5, 0.7, 0.8, 0.9};

TEST(SimulatedServer, WaitsAsMM1) {
  for (const double busy : loads) expect_as_said(busy, 1, Service::exponential, 1 / (1 - busy));
}

TEST(SimulatedServer, WaitsAsMD1) {
  for (const double busy : loads) expect_as_said(busy, 1, Service::fixed, 1 + busy / (2 * (1 - busy)));
}

TEST(SimulatedServer, WaitsAsMMc) {
  for (const double places : {2.0, 8.0})
    for (const double busy : loads)
      expect_as_said(busy, places, Service::exponential,
                     1 + share_that_waits(busy, places) / (places * (1 - busy)));
}

// A reads 100 tokens at 10 us each and then has a token each 1,000 us: the first at 1,000 us, the sixth at
// 6,000. B's 1,000 tokens come at 5,500 us. In a step of their own they take until 16,000: A's tokens 7 to 11
// come from 17,000 to 21,000, (21,000 - 1,000) / 10 a token. In chunks of 100 next to A's token a step takes
// 2,000 us: A ends at 16,000, and B's other 500 tokens are read by 21,000.
TEST(SimulatedServer, ChunksHoldUpOthersLessAndTakeLonger) {
  const ServedRequest requests[] = {{0, 100, 0, 11}, {5500, 1000, 0, 1}};
  ServerLimits limits;
  limits.step_tokens = 101;
  const GivenPace pace(1000, 10);
  const ServedLoad chunks = simulated_server(requests, limits, pace, 1);
  EXPECT_DOUBLE_EQ(chunks.times[0].first_us, 1000);
  EXPECT_DOUBLE_EQ(chunks.times[0].end_us, 16000);
  EXPECT_DOUBLE_EQ(chunks.times[1].first_us, 21000);
  limits.chunked = false;
  const ServedLoad whole = simulated_server(requests, limits, pace, 1);
  EXPECT_DOUBLE_EQ(whole.times[0].end_us, 21000);
  EXPECT_DOUBLE_EQ(whole.times[1].first_us, 16000);
}

// Two prompts of 20 tokens, read by 400 us, and a token of each every 1,000 us. A cache of 60 tokens is full
// after ten: the second goes back, with eleven tokens out. The first ends as before, at 20,400. Then 31
// tokens are read again in 310 us, which gives the twelfth, and nine more follow: 29,710.
TEST(SimulatedServer, AFullCachePutsTheYoungestBack) {
  const ServedRequest requests[] = {{0, 20, 0, 21}, {0, 20, 0, 21}};
  ServerLimits limits;
  const GivenPace pace(1000, 10);
  const ServedLoad roomy = simulated_server(requests, limits, pace, 1);
  EXPECT_DOUBLE_EQ(roomy.times[1].end_us, 20400);
  EXPECT_EQ(roomy.preemptions, 0);
  limits.cache_tokens = 60;
  const ServedLoad full = simulated_server(requests, limits, pace, 1);
  EXPECT_EQ(full.preemptions, 1);
  EXPECT_DOUBLE_EQ(full.times[0].end_us, 20400);
  EXPECT_DOUBLE_EQ(full.times[1].first_us, 400);
  EXPECT_DOUBLE_EQ(full.times[1].end_us, 29710);
}

// Of three requests that want to be sent at once, two may be in flight. Each reads 100 tokens, then has a
// token each 1,000 us: the first two are read by 2,000 us and end at 5,000. Then the third is sent, read by
// 6,000 and out at 9,000: users see the same 1,000 us of TTFT as if it had come then. Where all three are
// sent, it is read behind the others, by 3,000.
TEST(SimulatedServer, AClientSendsNoMoreThanItKeepsInFlight) {
  const ServedRequest requests[] = {{0, 100, 0, 4}, {0, 100, 0, 4}, {0, 100, 0, 4}};
  ServerLimits limits;
  const GivenPace pace(1000, 10);
  const ServedLoad all = simulated_server(requests, limits, pace, 1);
  EXPECT_DOUBLE_EQ(all.times[2].sent_us, 0);
  EXPECT_DOUBLE_EQ(all.times[2].first_us, 3000);
  limits.in_flight = 2;
  const ServedLoad two = simulated_server(requests, limits, pace, 1);
  EXPECT_DOUBLE_EQ(two.times[0].end_us, 5000);
  EXPECT_DOUBLE_EQ(two.times[1].end_us, 5000);
  EXPECT_DOUBLE_EQ(two.times[2].sent_us, 5000);
  EXPECT_DOUBLE_EQ(two.times[2].first_us, 6000);
  EXPECT_DOUBLE_EQ(two.times[2].end_us, 9000);
  EXPECT_TRUE(two.finished);
}

// What is in the prefix cache is not read again, and not kept twice.
TEST(SimulatedServer, PrefixesAreReadOnce) {
  const ServedRequest fresh[] = {{0, 100, 0, 2}};
  const ServedRequest cached[] = {{0, 100, 90, 2}};
  const GivenPace pace(1000, 10);
  EXPECT_DOUBLE_EQ(simulated_server(fresh, {}, pace, 1).times[0].first_us, 1000);
  EXPECT_DOUBLE_EQ(simulated_server(cached, {}, pace, 1).times[0].first_us, 100);
}

// Whatever the limits: every request is answered, no sooner than its own tokens take, within batch and cache.
TEST(SimulatedServer, AnswersEveryRequest) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix bits(seed);
    std::vector<ServedRequest> requests(400);
    double now = 0;
    for (ServedRequest& one : requests) {
      now += bits.below(40000);
      one = {now, 1.0 + bits.below(300), 0, 1.0 + bits.below(100)};
      one.cached = bits.below(static_cast<std::uint32_t>(one.prompt));
    }
    ServerLimits limits;
    limits.sequences = 1 + bits.below(20);
    limits.step_tokens = 8 + bits.below(200);
    limits.chunked = bits.below(2) == 0;
    limits.cache_tokens = 400 + bits.below(2000);
    const ServedLoad load = simulated_server(requests, limits, GivenPace(1000, 10), 20);
    double last = 0;
    for (std::size_t place = 0; place < requests.size(); ++place) {
      const ServedTimes& times = load.times[place];
      const double tokens = requests[place].prompt - requests[place].cached;
      EXPECT_GE(times.first_us, requests[place].arrival_us + 10 * tokens);
      EXPECT_GE(times.end_us, times.first_us + 1000 * (requests[place].output - 1));
      last = std::max(last, times.end_us);
    }
    EXPECT_DOUBLE_EQ(load.end_us, last);
    for (const ServedMoment& moment : load.moments) {
      EXPECT_LE(moment.running, limits.sequences + 1e-9);
      EXPECT_LE(moment.cache_tokens, limits.cache_tokens + 1e-6);
    }
  }
}

}  // namespace
}  // namespace commcost
