#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/calculator/engine.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::with;

Value::Object cost_inputs() {
  return {{"collective", "all_reduce"},     {"algorithm", "ring"}, {"ranks", 8},
          {"message_size_bytes", 67108864}, {"latency_us", 5},     {"bandwidth_gb_per_sec", 50},
          {"reduce_gb_per_sec", 1000}};
}

Value::Object schedule_inputs(const char* collective, const char* algorithm, int ranks) {
  return {{"collective", collective}, {"algorithm", algorithm}, {"ranks", ranks}};
}

TEST(CollectiveCostCalculation, AnswersByName) {
  const auto cost = run("collective_cost", cost_inputs());
  ASSERT_TRUE(cost);
  EXPECT_EQ(number(*cost, "rounds"), 14);
  EXPECT_EQ(number(*cost, "sent_bytes_per_rank"), 117440512);
  EXPECT_EQ(number(*cost, "reduced_bytes_per_rank"), 58720256);
  EXPECT_NEAR(number(*cost, "time_us"), 2477.53, 0.005);
  EXPECT_EQ(*cost->find("source")->text(), "Patarasuk & Yuan, JPDC 69(2), 2009");
}

struct Hostile {
  const char* name;
  const char* calculation;
  const char* field;
  Value value;
  const char* code;
};

void PrintTo(const Hostile& row, std::ostream* out) {
  *out << row.name;
}

class HostileInput : public testing::TestWithParam<Hostile> {};

TEST_P(HostileInput, IsAProblemOfItsField) {
  const Hostile& row = GetParam();
  const bool cost = std::string(row.calculation) == "collective_cost";
  const Value::Object inputs = cost ? cost_inputs() : schedule_inputs("all_reduce", "ring", 8);
  const auto answer = run(row.calculation, with(inputs, {{row.field, row.value}}));
  ASSERT_FALSE(answer);
  ASSERT_EQ(answer.problems().size(), 1u);
  EXPECT_EQ(answer.problems().front().field, row.field);
  EXPECT_EQ(name_of(answer.problems().front().code), row.code);
}

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Values, HostileInput,
    testing::Values(
        Hostile{"no_ranks", "collective_cost", "ranks", 0, "out_of_range"},
        Hostile{"one_and_a_half_ranks", "collective_cost", "ranks", 1.5, "not_whole"},
        Hostile{"a_billion_ranks", "collective_cost", "ranks", 1e9, "out_of_range"},
        Hostile{"text_for_ranks", "collective_cost", "ranks", "8", "wrong_type"},
        Hostile{"an_unknown_algorithm", "collective_cost", "algorithm", "magic", "not_a_choice"},
        Hostile{"an_unknown_collective", "collective_cost", "collective", "scan", "not_a_choice"},
        Hostile{"an_algorithm_of_others", "collective_cost", "algorithm", "bruck", "inconsistent"},
        Hostile{"negative_bytes", "collective_cost", "message_size_bytes", -1, "out_of_range"},
        Hostile{"nan_bytes", "collective_cost", "message_size_bytes", nan_value, "not_finite"},
        Hostile{"bytes_beyond_exactness", "collective_cost", "message_size_bytes", 9007199254740992.0,
                "out_of_range"},
        Hostile{"infinite_latency", "collective_cost", "latency_us", infinity, "not_finite"},
        Hostile{"negative_latency", "collective_cost", "latency_us", -1, "out_of_range"},
        Hostile{"no_bandwidth", "collective_cost", "bandwidth_gb_per_sec", 0, "out_of_range"},
        Hostile{"hardly_any_adding", "collective_cost", "reduce_gb_per_sec", 1e-300, "out_of_range"},
        Hostile{"too_many_pieces", "collective_cost", "pieces", 1e9, "out_of_range"},
        Hostile{"an_unknown_key", "collective_cost", "rank", 8, "unknown_field"},
        Hostile{"no_ranks_to_show", "collective_schedule", "ranks", 0, "out_of_range"},
        Hostile{"half_a_rank_to_show", "collective_schedule", "ranks", 0.5, "not_whole"},
        Hostile{"too_many_ranks_to_show", "collective_schedule", "ranks", 1025, "out_of_range"},
        Hostile{"a_billion_ranks_to_show", "collective_schedule", "ranks", 1e9, "out_of_range"},
        Hostile{"too_many_pieces_to_show", "collective_schedule", "pieces", 65, "out_of_range"},
        Hostile{"nan_ranks_to_show", "collective_schedule", "ranks", nan_value, "not_finite"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(CollectiveScheduleCalculation, ShowsThePlaybooksRing) {
  // Five ranks, five chunks: rank 0 begins with chunk 4 to rank 1, so that rank r ends with chunk r.
  const auto schedule = run("collective_schedule", schedule_inputs("all_reduce", "ring", 5));
  ASSERT_TRUE(schedule);
  const Value::List& steps = *schedule->find("rounds")->list();
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    ASSERT_EQ(steps[step].list()->size(), 5u);
    const Value& message = steps[step].list()->front();
    EXPECT_EQ(number(message, "from"), 0);
    EXPECT_EQ(number(message, "to"), 1);
    EXPECT_EQ(*message.find("reduce")->flag(), step < 4);
  }
  EXPECT_EQ(*steps[0].list()->front().find("chunks")->list()->front().number(), 4);
  EXPECT_EQ(*steps[4].list()->front().find("chunks")->list()->front().number(), 0);
  const Value::List& phases = *schedule->find("phases")->list();
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(*phases[0].find("name")->text(), "reduce_scatter");
  EXPECT_EQ(*phases[1].find("name")->text(), "all_gather");
  EXPECT_EQ(number(phases[0], "rounds"), 4);
  EXPECT_EQ(number(*schedule, "sent_chunks_per_rank"), 8);
  EXPECT_TRUE(*schedule->find("correct")->flag());
}

TEST(CollectiveScheduleCalculation, ShowsEveryMethodOfTheCatalog) {
  const auto catalog = run("collective_catalog", Value::Object{});
  ASSERT_TRUE(catalog);
  for (const Value& row : *catalog->find("methods")->list()) {
    const std::string& collective = *row.find("collective")->text();
    const std::string& algorithm = *row.find("algorithm")->text();
    for (const int ranks : {1, 2, 7, 32}) {
      const auto schedule =
          run("collective_schedule", schedule_inputs(collective.c_str(), algorithm.c_str(), ranks));
      ASSERT_TRUE(schedule) << collective << ' ' << algorithm << ' ' << ranks;
      EXPECT_TRUE(*schedule->find("correct")->flag()) << collective << ' ' << algorithm << ' ' << ranks;
      EXPECT_EQ(schedule->find("rounds")->list()->empty(), ranks == 1);
    }
  }
}

TEST(CollectiveTimelineCalculation, ShowsWhoWaitsForTheLast) {
  Value::Object inputs = with(cost_inputs(), {{"collective", "barrier"}, {"algorithm", "dissemination"}});
  inputs = with(inputs, {{"ranks", 4}, {"delays_us", Value::Numbers{0, 0, 0, 40}}});
  const auto timeline = run("collective_timeline", inputs);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(number(*timeline, "last_arrival_us"), 40);
  EXPECT_EQ(number(*timeline, "first_leave_us"), 50);
  EXPECT_EQ(number(*timeline, "last_leave_us"), 50);
  EXPECT_EQ(timeline->find("ready_us")->list()->size(), 3u);
}

// A round's times are one list of numbers, for a thousand ranks as for four.
TEST(CollectiveTimelineCalculation, ShowsAThousandRanks) {
  Value::Object inputs = with(cost_inputs(), {{"collective", "barrier"}, {"algorithm", "dissemination"}});
  Value::Numbers delays(1024);
  delays.back() = 40;
  inputs = with(inputs, {{"ranks", 1024}, {"delays_us", delays}});
  const auto timeline = run("collective_timeline", inputs);
  ASSERT_TRUE(timeline);
  const Value::List& rounds = *timeline->find("ready_us")->list();
  ASSERT_EQ(rounds.size(), 11u);
  for (const Value& round : rounds) {
    ASSERT_NE(round.numbers(), nullptr);
    EXPECT_EQ(round.numbers()->size(), 1024u);
  }
  EXPECT_EQ(*rounds.front().numbers(), delays);
  EXPECT_EQ(*rounds.back().numbers(), Value::Numbers(1024, 90));
}

// In as many pieces too, where both choose them.
TEST(CollectiveTimelineCalculation, EndsWhenItsCostSays) {
  const auto catalog = run("collective_catalog", Value::Object{});
  for (const Value& row : *catalog->find("methods")->list()) {
    Value::Object inputs = with(cost_inputs(), {{"message_size_bytes", 1e7}});
    inputs = with(inputs, {{"collective", *row.find("collective")}, {"algorithm", *row.find("algorithm")}});
    for (const int ranks : {1, 2, 3, 5, 8, 13}) {
      const auto cost = run("collective_cost", with(inputs, {{"ranks", ranks}}));
      const auto timeline = run("collective_timeline", with(inputs, {{"ranks", ranks}}));
      ASSERT_TRUE(cost && timeline);
      const double time = number(*cost, "time_us");
      EXPECT_NEAR(number(*timeline, "last_leave_us"), time, time * 1e-12)
          << *row.find("collective")->text() << ' ' << *row.find("algorithm")->text() << ' ' << ranks;
      EXPECT_EQ(number(*timeline, "pieces"), number(*cost, "pieces"));
    }
  }
}

// A thousand ranks and their messages, and pieces as long as a page's memory holds them.
TEST(CollectiveScheduleCalculation, ShowsAThousandRanks) {
  const Value::Object inputs = schedule_inputs("reduce_scatter", "recursive_halving", 1024);
  const auto schedule = run("collective_schedule", inputs);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->find("rounds")->list()->size(), 10u);
  EXPECT_EQ(number(*schedule, "sent_chunks_per_rank"), 1023);
  EXPECT_TRUE(*schedule->find("correct")->flag());
  const Value::Object tree = schedule_inputs("all_reduce", "double_binary_tree", 1024);
  EXPECT_TRUE(run("collective_schedule", with(tree, {{"pieces", 8}})));
  for (const char* calculation : {"collective_schedule", "collective_timeline"}) {
    Value::Object many = with(tree, {{"pieces", 9}});
    if (calculation == std::string_view("collective_timeline"))
      many = with(cost_inputs(), {{"algorithm", "double_binary_tree"}, {"pieces", 9}});
    const auto refused = run(calculation, with(many, {{"ranks", 1024}}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.problems().front().field, "pieces");
  }
  // An algorithm that cuts nothing accepts any number.
  EXPECT_TRUE(
      run("collective_schedule", with(schedule_inputs("barrier", "dissemination", 1024), {{"pieces", 64}})));
}

TEST(CollectiveTimelineCalculation, RefusesDelaysThatNobodyHas) {
  const Value::Object inputs = with(cost_inputs(), {{"ranks", 2}});
  for (const Value::Numbers& delays : {Value::Numbers{1, 2, 3}, Value::Numbers{-1}, Value::Numbers{1e10}}) {
    const auto timeline = run("collective_timeline", with(inputs, {{"delays_us", delays}}));
    ASSERT_FALSE(timeline);
    EXPECT_EQ(timeline.problems().front().field, "delays_us");
  }
}

TEST(CollectiveCrossoversCalculation, NamesThem) {
  const auto crossovers = run("collective_crossovers", Value::Object{{"collective", "all_reduce"},
                                                                     {"ranks", 8},
                                                                     {"latency_us", 5},
                                                                     {"bandwidth_gb_per_sec", 50},
                                                                     {"one_port", true}});
  ASSERT_TRUE(crossovers);
  bool found = false;
  for (const Value& row : *crossovers->find("crossovers")->list()) {
    if (*row.find("quicker_below")->text() != "recursive_doubling") continue;
    if (*row.find("quicker_above")->text() != "ring") continue;
    found = true;
    EXPECT_NEAR(number(row, "message_size_bytes"), 250e3 * 11 / 1.25, 1);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(*crossovers->find("quickest")->list()->front().find("algorithm")->text(), "recursive_doubling");
}

TEST(CollectiveCostCalculation, IsSweptOverMessageSizes) {
  const auto swept = sweep(
      Value::Object{{"calculation", "collective_cost"},
                    {"inputs", cost_inputs()},
                    {"axes", Value::List{Value::Object{{"field", "message_size_bytes"},
                                                       {"values", Value::Numbers{1, 1024, 1048576}}}}}});
  ASSERT_TRUE(swept);
  const Value::Numbers& times = *swept->find("results")->find("time_us")->numbers();
  ASSERT_EQ(times.size(), 3u);
  EXPECT_LT(times[0], times[2]);
}

}  // namespace
}  // namespace commcost
