#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "core/calculator/engine.h"

namespace commcost {
namespace {

constexpr double largest_size = 9007199254740991;

Value::Object inputs() {
  return {{"hidden_size", 4096}, {"sequence_length", 2048}, {"batch_size", 8}, {"num_layers", 32}};
}

Value axis(const Value& field, const Value& values) {
  return Value::Object{{"field", field}, {"values", values}};
}

Value request(const Value::List& axes) {
  return Value::Object{
      {"calculation", "tensor_parallel_allreduce_cost"}, {"inputs", inputs()}, {"axes", axes}};
}

double time_of(double num_gpus, double bandwidth) {
  Value::Object all = inputs();
  all.push_back({"num_gpus", num_gpus});
  all.push_back({"bandwidth_gb_per_sec", bandwidth});
  return *run("tensor_parallel_allreduce_cost", all).value().find("total_comm_time_ms")->number();
}

const Value::Numbers& column(const Value& swept, std::string_view name) {
  return *swept.find("results")->find(name)->numbers();
}

TEST(Sweep, OfTwoAxesRunsTheLastFastest) {
  const Value::Numbers gpus = {2, 8, 16};
  const Value::Numbers bandwidths = {300, 25};
  const auto swept = sweep(request({axis("num_gpus", gpus), axis("bandwidth_gb_per_sec", bandwidths)}));
  ASSERT_TRUE(swept);
  EXPECT_EQ(*swept->find("points")->number(), 6);
  EXPECT_EQ(*swept->find("refused")->number(), 0);
  EXPECT_TRUE(swept->find("problems")->list()->empty());
  const Value::Numbers& times = column(*swept, "total_comm_time_ms");
  ASSERT_EQ(times.size(), 6u);
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    for (std::size_t j = 0; j < bandwidths.size(); ++j)
      EXPECT_EQ(times[i * 2 + j], time_of(gpus[i], bandwidths[j]));
  }
}

// How fast links are moves first, whichever axis it is: the columns have the same order, and a refused point
// is in its place.
TEST(Sweep, OverLinksGivesTheSameEitherWay) {
  const Value::Object step = {{"model", "llama-3.1-8b"},  {"system", "dgx-h100"}, {"tensor_parallel", 2},
                              {"data_parallel", 8},       {"batch_size", 1},      {"global_batch_size", 32},
                              {"sequence_parallel", true}};
  const Value::Numbers rates = {5, 25, 50};
  const Value::Numbers lengths = {1024, 4096, 7, 2048};
  const auto swept = [&step](const Value::List& axes) {
    return sweep(Value::Object{{"calculation", "training_step"}, {"inputs", step}, {"axes", axes}});
  };
  const Value first = axis("nic_gb_per_sec", rates);
  const Value second = axis("sequence_length", lengths);
  const auto one = swept({first, second});
  const auto turned = swept({second, first});
  ASSERT_TRUE(one && turned);
  EXPECT_EQ(*one->find("refused")->number(), 3);
  for (const std::string_view name : {"step_time_ms", "memory_gib", "exposed_ms", "model_tflops_per_gpu"}) {
    if (one->find("results")->find(name) == nullptr) continue;
    const Value::Numbers& times = column(*one, name);
    ASSERT_EQ(times.size(), 12u);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for (std::size_t j = 0; j < lengths.size(); ++j) {
        const double other = column(*turned, name)[j * rates.size() + i];
        if (std::isnan(other)) {
          EXPECT_TRUE(std::isnan(times[i * lengths.size() + j])) << name;
          continue;
        }
        EXPECT_EQ(times[i * lengths.size() + j], other) << name;
      }
    }
  }
}

TEST(Sweep, GivesItsAxesBack) {
  const auto swept = sweep(request({axis("num_gpus", Value::Numbers{2, 8})}));
  const Value& given = swept->find("axes")->list()->front();
  EXPECT_EQ(*given.find("field")->text(), "num_gpus");
  EXPECT_EQ(*given.find("values")->numbers(), (Value::Numbers{2, 8}));
}

// An input under its former name, even if that is the axis: with a note, and never together with its new
// name.
TEST(Sweep, TakesFormerNames) {
  const auto swept = [](const char* given, const char* axis_name) {
    return sweep(Value::Object{{"calculation", "training_step"},
                               {"inputs", Value::Object{{"model", "llama-2-7b"},
                                                        {"system", "dgx-a100"},
                                                        {"sequence_length", 4096},
                                                        {"batch_size", 1},
                                                        {"data_parallel", 8},
                                                        {given, 4}}},
                               {"axes", Value::List{axis(axis_name, Value::Numbers{0, 8})}}});
  };
  const auto now = swept("cluster_gpus", "cluster_gpus");
  ASSERT_TRUE(now);
  EXPECT_EQ(now->find("notes"), nullptr);
  EXPECT_EQ(*now->find("refused")->number(), 0);
  for (const char* given : {"cluster_gpus", "num_gpus"}) {
    const auto before = swept(given, "num_gpus");
    ASSERT_TRUE(before) << before.problems().front().message;
    EXPECT_EQ(column(*before, "step_time_ms"), column(*now, "step_time_ms"));
    ASSERT_NE(before->find("notes"), nullptr);
    EXPECT_EQ(before->find("notes")->list()->size(), 1u);
    EXPECT_EQ(*before->find("axes")->list()->front().find("field")->text(), "cluster_gpus");
  }
}

TEST(Sweep, MarksRefusedPointsAndTellsTheFirstOnesProblems) {
  const auto swept = sweep(Value::Object{
      {"calculation", "tensor_parallel_allreduce_cost"},
      {"inputs",
       Value::Object{{"sequence_length", 2}, {"batch_size", 1}, {"num_gpus", 8}, {"num_layers", 32}}},
      {"axes", Value::List{axis("hidden_size", Value::Numbers{1, largest_size, 4, largest_size - 1})}}});
  ASSERT_TRUE(swept);
  EXPECT_EQ(*swept->find("refused")->number(), 2);
  const Value::Numbers& sizes = column(*swept, "message_size_bytes");
  EXPECT_EQ(sizes[0], 4);
  EXPECT_TRUE(std::isnan(sizes[1]));
  EXPECT_EQ(sizes[2], 16);
  EXPECT_TRUE(std::isnan(sizes[3]));
  const Value::List& problems = *swept->find("problems")->list();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(*problems[0].find("field")->text(), "message_size_bytes");
  EXPECT_NE(problems[0].find("message")->text()->find("9007199254740991 * 2"), std::string::npos);
}

TEST(Sweep, LetsAnAxisReplaceAnInputThatIsGiven) {
  Value::Object all = inputs();
  all.push_back({"num_gpus", "not even a number"});
  const auto swept = sweep(Value::Object{{"calculation", "tensor_parallel_allreduce_cost"},
                                         {"inputs", all},
                                         {"axes", Value::List{axis("num_gpus", Value::Numbers{8})}}});
  ASSERT_TRUE(swept);
  EXPECT_EQ(column(*swept, "total_comm_time_ms")[0], 50.108);
}

// Points of a sweep and the same one by one.
void expect_as_one_by_one(const Value::Object& inputs, const Value::List& axes) {
  const auto swept =
      sweep(Value::Object{{"calculation", "training_step"}, {"inputs", inputs}, {"axes", axes}});
  ASSERT_TRUE(swept) << swept.problems().front().message;
  EXPECT_EQ(*swept->find("refused")->number(), 0);
  std::vector<Value::Object> points = {inputs};
  for (const Value& one : axes) {
    std::vector<Value::Object> longer;
    for (const Value::Object& point : points) {
      for (const Value& value : *one.find("values")->list()) {
        longer.push_back(point);
        longer.back().push_back({*one.find("field")->text(), value});
      }
    }
    points = longer;
  }
  for (const Member& result : *swept->find("results")->object()) {
    for (std::size_t at = 0; at < points.size(); ++at) {
      const auto alone = run("training_step", points[at]);
      ASSERT_TRUE(alone) << alone.problems().front().message;
      EXPECT_EQ((*result.value.numbers())[at], *alone->find(result.name)->number()) << result.name << at;
    }
  }
}

// What is given wins over what a preset fills, at each of its values.
TEST(Sweep, OverAPresetFillsOnlyWhatIsNotGiven) {
  const Value::Object step = {
      {"model", "llama-3.1-8b"}, {"sequence_length", 4096}, {"batch_size", 1}, {"tensor_parallel", 8}};
  const auto but = [&](std::string_view left_out, const Value::Object& more) {
    Value::Object inputs = step;
    std::erase_if(inputs, [&](const Member& member) { return member.name == left_out; });
    inputs.insert(inputs.end(), more.begin(), more.end());
    return inputs;
  };
  const Value models = axis("model", Value::List{"llama-3.1-70b", "llama-3.1-8b", "llama-3.1-405b"});
  const Value layers = axis("num_layers", Value::List{16, 24});
  const Value systems = axis("system", Value::List{"dgx-h100", "aws-p5", "dgx-h100"});
  const Value recipes = axis("recipe", Value::List{"nanotron", "megatron-2021", "megatron-core"});
  expect_as_one_by_one(but("model", {}), {models});
  expect_as_one_by_one(but("model", {{"num_layers", 40}}), {models});
  expect_as_one_by_one(but("model", {}), {models, layers});
  expect_as_one_by_one(but("model", {}), {layers, models});
  expect_as_one_by_one(but("", {{"data_parallel", 4}, {"network", "infiniband"}}), {systems});
  expect_as_one_by_one(but("", {{"accelerator", "a100-sxm-80gb"}}), {systems, layers});
  expect_as_one_by_one(but("", {{"flash_attention", false}, {"dropout", true}}), {recipes});
  expect_as_one_by_one(but("model", {{"data_parallel", 4}}), {recipes, models});
}

struct Refused {
  const char* name;
  Value request;
  const char* field;
  const char* message;
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.name;
}

const Value eight = Value::Numbers{8};
// As many points as a size_t of 32 bits counts as none: in wasm that must not pass for a small sweep.
const Value::Numbers two_to_the_sixteenth(65536, 2.0);

const Refused refused_requests[] = {
    {"nothing", {}, "inputs", "the inputs of sweep must be an object; got nothing"},
    {"no_calculation", Value::Object{{"inputs", inputs()}, {"axes", Value::List{axis("num_gpus", eight)}}},
     "calculation", "calculation is missing"},
    {"unknown_calculation",
     Value::Object{
         {"calculation", "cost"}, {"inputs", inputs()}, {"axes", Value::List{axis("num_gpus", eight)}}},
     "calculation", "calculation must be one of"},
    {"calculation_without_a_sweep",
     Value::Object{{"calculation", "model_catalog"},
                   {"inputs", Value::Object{}},
                   {"axes", Value::List{axis("id", eight)}}},
     "calculation", "got \"model_catalog\""},
    {"no_axes", request({}), "axes", "axes must be a list of 1 to 2 objects; got a list of length 0"},
    {"three_axes", request({axis("num_gpus", eight), axis("batch_size", eight), axis("hidden_size", eight)}),
     "axes", "of length 3"},
    {"axis_no_object", request({"num_gpus"}), "axes", "field of an axis must be an input of"},
    {"axis_without_field", request({Value::Object{{"values", eight}}}), "axes",
     "field of an axis must be an input of tensor_parallel_allreduce_cost; got nothing"},
    {"axis_of_a_number", request({axis(8, eight)}), "axes", "got 8"},
    {"axis_unknown", request({axis("gpus", eight)}), "axes", "got \"gpus\""},
    {"axis_of_a_result", request({axis("total_comm_time_ms", eight)}), "axes", "got \"total_comm_time_ms\""},
    {"values_missing", request({Value::Object{{"field", "num_gpus"}}}), "axes",
     "values of axis num_gpus must be a list of 1 to 1048576 values"},
    {"values_a_number", request({axis("num_gpus", 8)}), "axes", "values of axis num_gpus must be"},
    {"values_empty", request({axis("num_gpus", Value::List{})}), "axes", "values of axis num_gpus must be"},
    {"values_too_many", request({axis("num_gpus", Value::Numbers(4194305, 2.0))}), "axes",
     "a list of 1 to 1048576"},
    {"values_fraction", request({axis("num_gpus", Value::Numbers{8, 1.5})}), "num_gpus", "got 1.5"},
    {"values_nan", request({axis("num_gpus", Value::Numbers{8, std::numeric_limits<double>::quiet_NaN()})}),
     "num_gpus", "got NaN"},
    {"values_out_of_range", request({axis("num_gpus", Value::Numbers{8, 0})}), "num_gpus", "got 0"},
    {"values_text", request({axis("num_gpus", Value::List{8, "16"})}), "num_gpus", "got \"16\""},
    {"both_axes_the_same", request({axis("num_gpus", eight), axis("num_gpus", eight)}), "axes",
     "axes must differ; both are num_gpus"},
    {"too_many_points",
     request({axis("num_gpus", Value::Numbers(4096, 2.0)), axis("num_layers", Value::Numbers(2048, 2.0))}),
     "axes", "axes must make at most 1048576 points; they make 8388608"},
    {"points_beyond_32_bits",
     request({axis("num_gpus", two_to_the_sixteenth), axis("num_layers", two_to_the_sixteenth)}), "axes",
     "axes must make at most 1048576 points; they make 4294967296"},
    {"other_inputs_missing",
     Value::Object{{"calculation", "tensor_parallel_allreduce_cost"},
                   {"inputs", Value::Object{}},
                   {"axes", Value::List{axis("num_gpus", eight)}}},
     "hidden_size", "hidden_size is missing"},
    {"unknown_key",
     Value::Object{{"calculation", "tensor_parallel_allreduce_cost"},
                   {"inputs", inputs()},
                   {"axes", Value::List{axis("num_gpus", eight)}},
                   {"axis", 1}},
     "axis", "axis is not an input of sweep"},
};

class RefusedSweep : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSweep, NamesWhatIsWrong) {
  const auto swept = sweep(GetParam().request);
  ASSERT_FALSE(swept);
  const Problem& problem = swept.problems().front();
  EXPECT_EQ(problem.field, GetParam().field);
  EXPECT_NE(problem.message.find(GetParam().message), std::string::npos) << problem.message;
  EXPECT_FALSE(problem.allowed.empty());
}

INSTANTIATE_TEST_SUITE_P(Request, RefusedSweep, testing::ValuesIn(refused_requests),
                         [](const auto& test) { return test.param.name; });

TEST(Sweep, TellsTheProblemsOfEveryAxis) {
  const auto swept = sweep(request({axis("gpus", eight), axis("num_layers", Value::Numbers{0})}));
  ASSERT_FALSE(swept);
  ASSERT_EQ(swept.problems().size(), 2u);
  EXPECT_EQ(swept.problems()[1].field, "num_layers");
}

}  // namespace
}  // namespace commcost
