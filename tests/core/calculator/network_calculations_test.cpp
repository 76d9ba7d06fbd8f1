#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/collective/kind.h"
#include "core/hardware/launch.h"
#include "core/hardware/systems.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::text;

Outcome<Value> run(std::string_view name, Value::Object inputs) {
  return commcost::run(name, Value(std::move(inputs)));
}

Value::Object a_prediction() {
  return {{"collective", "all_reduce"}, {"accelerator", "a100-sxm-80gb"}, {"num_gpus", 8},
          {"gpus_per_node", 8},         {"nic_gb_per_sec", 25},           {"message_size_bytes", 134217728}};
}

TEST(PredictCollective, AnswersTheExercisesMessageOnADgxA100) {
  const Outcome<Value> answer = run("predict_collective", a_prediction());
  ASSERT_TRUE(answer);
  // Measured: 1327.6 us (github.com/stas00/ml-engineering network/README.md @744d01e); textbook: 782.9 us.
  EXPECT_NEAR(number(*answer, "time_us") / 1327.6, 1, 0.2);
  EXPECT_NEAR(number(*answer, "textbook_us"), 782.9, 0.1);
  EXPECT_EQ(text(*answer, "algorithm"), "ring");
  EXPECT_EQ(text(*answer, "basis"), "measured");
  EXPECT_EQ(text(*answer, "nccl_algorithm"), "ring");
  EXPECT_EQ(text(*answer, "nccl_protocol"), "Simple");
  EXPECT_EQ(number(*answer, "nodes"), 1);
  EXPECT_GT(number(*answer, "measured_error_percent"), 0);
}

TEST(PredictCollective, AServersKernelMovesItsBytesByTheScaleOfItsLinks) {
  const auto time_us = [](double scale) {
    const Outcome<Value> answer = run("predict_collective", {{"collective", "all_reduce"},
                                                             {"system", "dgx-h100"},
                                                             {"num_gpus", 8},
                                                             {"message_size_bytes", 131072},
                                                             {"allreduce_kernel", "one_shot"},
                                                             {"link_bandwidth_scale", scale}});
    return answer ? number(*answer, "time_us") : std::nan("");
  };
  // What starts a kernel is the same; what it moves takes as much longer as its links are slower.
  const double moved = time_us(0.5) - time_us(1);
  EXPECT_GT(moved, 0);
  EXPECT_NEAR(time_us(1) - time_us(2), moved / 2, 1e-9);
}

TEST(PredictCollective, ABarrierMovesNoBytes) {
  const auto barrier = [](const char* result, double bytes) {
    const Outcome<Value> answer = run(
        "predict_collective",
        {{"collective", "barrier"}, {"system", "dgx-h100"}, {"num_gpus", 16}, {"message_size_bytes", bytes}});
    return answer ? number(*answer, result) : std::nan("");
  };
  EXPECT_GT(barrier("time_us", 8), 0);
  EXPECT_EQ(barrier("time_us", 1e9), barrier("time_us", 8));
  EXPECT_EQ(barrier("transfer_part_us", 1e9), 0);
}

// What two GPUs take has parts; one sends nothing.
TEST(PredictCollective, HasPartsFromTwoGpusOn) {
  const auto part_us = [](double gpus, const char* part) {
    return number(*run("predict_collective", {{"collective", "all_reduce"},
                                              {"system", "dgx-h100"},
                                              {"num_gpus", gpus},
                                              {"message_size_bytes", 1e9}}),
                  part);
  };
  for (const char* part : {"latency_part_us", "ramp_part_us", "transfer_part_us"})
    EXPECT_EQ(part_us(1, part), 0) << part;
  for (const double gpus : {2.0, 8.0, 16.0}) {
    EXPECT_GT(part_us(gpus, "transfer_part_us"), 0);
    const double sum =
        part_us(gpus, "latency_part_us") + part_us(gpus, "ramp_part_us") + part_us(gpus, "transfer_part_us");
    EXPECT_NEAR(part_us(gpus, "time_us"), sum, 1e-9 * sum) << gpus;
  }
}

TEST(KernelTime, AnElementwiseKernelTakesTwiceAsLongForTwiceAsMuch) {
  const auto time_us = [](double rows, double columns) {
    const Outcome<Value> answer = run("kernel_time", {{"kind", "elementwise"},
                                                      {"accelerator", "h100-sxm"},
                                                      {"m", rows},
                                                      {"n", columns},
                                                      {"read_bytes_per_element", 4},
                                                      {"write_bytes_per_element", 2}});
    return answer ? number(*answer, "time_us") : std::nan("");
  };
  EXPECT_NEAR(time_us(16384, 8192) / time_us(8192, 8192), 2, 0.1);
  EXPECT_NEAR(time_us(8192, 16384) / time_us(16384, 8192), 1, 1e-9);
}

// The kernel of four bits takes weights with their scales, up to six; what has more is another kernel's.
TEST(KernelTime, UpToSixBitsOfAWeightAreTheKernelsOfFour) {
  const auto time_us = [](double weight_bytes) {
    const Outcome<Value> answer = run("kernel_time", {{"kind", "gemm"},
                                                      {"accelerator", "a100-sxm-80gb"},
                                                      {"m", 256},
                                                      {"n", 16384},
                                                      {"k", 16384},
                                                      {"weight_bytes_per_element", weight_bytes}});
    return answer ? number(*answer, "time_us") : std::nan("");
  };
  EXPECT_LT(std::fabs(time_us(0.749) / time_us(0.75) - 1), 1e-4);
  EXPECT_GT(std::fabs(time_us(0.751) / time_us(0.75) - 1), 1e-3);
}

// Whoever launches: what tells one node from two is the network alone. A pair of GPUs is left out, since a
// node that joins each two by a thin link is slower than its network.
TEST(PredictCollective, TakesNoLessOverTwoNodes) {
  for (const System& system : all_systems()) {
    if (system.gpus_per_node < 2) continue;
    for (const char* collective : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"}) {
      for (const std::string_view launch : launch_names) {
        for (double bytes = 1024; bytes <= 8e9; bytes *= 8) {
          const auto time_us = [&](std::int64_t nodes) {
            const Outcome<Value> answer =
                run("predict_collective", {{"collective", collective},
                                           {"system", system.id},
                                           {"launch", launch},
                                           {"num_gpus", static_cast<double>(nodes * system.gpus_per_node)},
                                           {"message_size_bytes", bytes}});
            return answer ? number(*answer, "time_us") : std::nan("");
          };
          EXPECT_GE(time_us(2), time_us(1))
              << system.id << ' ' << collective << ' ' << launch << ' ' << bytes;
        }
      }
    }
  }
}

// The best kernel of a collective that NCCL alone runs is NCCL's.
TEST(PredictCollective, TakesTheBestKernelOfEveryCollective) {
  for (const char* collective : {"all_gather", "reduce_scatter", "broadcast", "all_to_all"}) {
    const auto time_us = [&](const char* kernel) {
      return number(run("predict_collective", {{"collective", collective},
                                               {"system", "dgx-h100"},
                                               {"num_gpus", 8},
                                               {"message_size_bytes", 1048576},
                                               {"allreduce_kernel", kernel}})
                        .value(),
                    "time_us");
    };
    EXPECT_EQ(time_us("best"), time_us("nccl")) << collective;
  }
}

TEST(PredictCollective, GivesDetailsWhenAsked) {
  Value::Object inputs = a_prediction();
  inputs.push_back({"details", true});
  const Outcome<Value> answer = run("predict_collective", inputs);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->find("nccl_switches")->list()->size(), 3u);
  EXPECT_GT(answer->find("elasticities")->list()->size(), 2u);
}

TEST(PredictCollective, PricesManyCallsAndSaysWhyTheyTakeLongerThanTheTextbook) {
  Value::Object inputs = a_prediction();
  inputs.push_back({"calls", 64});
  const Value many = run("predict_collective", inputs).value();
  EXPECT_DOUBLE_EQ(number(many, "total_ms"), 64 * number(many, "time_us") / 1e3);
  EXPECT_LT(number(many, "total_low_ms"), number(many, "total_ms"));
  EXPECT_GT(number(many, "total_high_ms"), number(many, "total_ms"));
  EXPECT_EQ(text(many, "bottleneck"), "plateau");
  inputs[5].value = 2097152;
  EXPECT_EQ(text(run("predict_collective", inputs).value(), "bottleneck"), "ramp");
  inputs[5].value = 8;
  EXPECT_EQ(text(run("predict_collective", inputs).value(), "bottleneck"), "latency");
  inputs.push_back({"launch", "one_thread"});
  EXPECT_EQ(text(run("predict_collective", inputs).value(), "bottleneck"), "launch");
  inputs[2].value = 1;
  EXPECT_EQ(text(run("predict_collective", inputs).value(), "bottleneck"), "nothing");
}

TEST(PredictCollective, TakesNetworkAndLaunchAsSaid) {
  Value::Object inputs = a_prediction();
  const Value one_node = run("predict_collective", inputs).value();
  EXPECT_EQ(text(one_node, "network"), "infiniband");
  EXPECT_EQ(text(one_node, "launch"), "process_per_gpu");
  inputs[2].value = 64;
  const double before = number(run("predict_collective", inputs).value(), "time_us");
  inputs.push_back({"network", "efa_v1"});
  const Value efa = run("predict_collective", inputs).value();
  EXPECT_EQ(text(efa, "network"), "efa_v1");
  EXPECT_GT(number(efa, "time_us"), before);
  inputs[2].value = 8;
  EXPECT_EQ(number(run("predict_collective", inputs).value(), "time_us"), number(one_node, "time_us"));
  inputs.back() = {"network", "usual"};
  EXPECT_FALSE(run("predict_collective", inputs));
}

TEST(PredictCollective, SaysSoWhereNothingWasMeasured) {
  Value::Object inputs = a_prediction();
  inputs[1].value = "tpu-v5p";
  const Outcome<Value> answer = run("predict_collective", inputs);
  ASSERT_TRUE(answer);
  EXPECT_EQ(text(*answer, "basis"), "estimated");
  EXPECT_EQ(number(*answer, "measured_error_percent"), 0);
  EXPECT_EQ(number(*answer, "nccl_us"), 0);
}

// A DGX A100 has 25 GB/s of InfiniBand for each GPU.
TEST(PredictCollective, TakesTheUsualNetworkWhereNoneIsGivenAndSaysSo) {
  Value::Object inputs = a_prediction();
  inputs[2].value = 16;
  const Outcome<Value> given = run("predict_collective", inputs);
  inputs[4].value = 0;
  const Outcome<Value> assumed = run("predict_collective", inputs);
  ASSERT_TRUE(assumed);
  EXPECT_EQ(number(*assumed, "time_us"), number(*given, "time_us"));
  EXPECT_EQ(assumed->find("assumed")->list()->size(), given->find("assumed")->list()->size() + 1);
}

TEST(PredictCollective, RefusesReductionWithoutSwitches) {
  Value::Object inputs = a_prediction();
  inputs.push_back({"in_network_reduction", "on"});
  ASSERT_FALSE(run("predict_collective", inputs));
  EXPECT_EQ(run("predict_collective", inputs).problems()[0].field, "in_network_reduction");
}

TEST(PredictCollective, AnswersEveryAcceleratorAndCollective) {
  const Calculation* calculation = find_calculation("predict_collective");
  Value::Object inputs = a_prediction();
  for (const InputField& accelerator : calculation->inputs[0].fields) {
    if (accelerator.field.name != "accelerator") continue;
    for (const InputField& collective : calculation->inputs[0].fields) {
      if (collective.field.name != "collective") continue;
      for (const std::string_view a : accelerator.field.choices) {
        for (const std::string_view c : collective.field.choices) {
          for (const int n : {1, 8, 64}) {
            inputs[0].value = Value(c);
            inputs[1].value = Value(a);
            inputs[2].value = n;
            const Outcome<Value> answer = run("predict_collective", inputs);
            ASSERT_TRUE(answer) << a << ' ' << c << ' ' << n;
            const double time = number(*answer, "time_us");
            EXPECT_TRUE(std::isfinite(time) && (time > 0) == (n > 1))
                << a << ' ' << c << ' ' << n << ' ' << time;
          }
        }
      }
    }
  }
}

std::string a_log() {
  std::string log = "# all_reduce_perf\nnoise\n";
  for (double size = 8; size <= 0x1p30; size *= 4) {
    const double time = 40 + size / 120e3;
    char row[200];
    std::snprintf(row, sizeof row, "%.0f %.0f float sum -1 %.2f %.2f %.2f 0\n", size, size / 4, time,
                  size / time / 1e3, size / time / 1e3 * 1.75);
    log += row;
  }
  return log;
}

TEST(FitCollective, FitsALogAndNamesItsNoise) {
  const Outcome<Value> answer = run("fit_collective", {{"log", a_log()}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(text(*answer, "collective"), "all_reduce");
  EXPECT_EQ(number(*answer, "ranks"), 8);
  EXPECT_NEAR(number(*answer, "latency_us"), 40, 0.4);
  EXPECT_NEAR(number(*answer, "bandwidth_gb_per_sec"), 120, 1.2);
  EXPECT_NEAR(number(*answer, "bus_bandwidth_gb_per_sec"), 210, 2.1);
  EXPECT_NEAR(number(*answer, "knee"), 1, 0.02);
  EXPECT_LT(number(*answer, "median_error_percent"), 1);
  EXPECT_EQ(answer->find("points")->list()->size(), 14u);
  ASSERT_EQ(answer->find("problems")->list()->size(), 1u);
  EXPECT_EQ(number((*answer->find("problems")->list())[0], "line"), 2);
}

TEST(FitCollective, AnswersSizesAndScalesAPrediction) {
  const Outcome<Value> answer =
      run("fit_collective", {{"log", a_log()},
                             {"message_sizes_bytes", Value::Numbers{0, 64, 0x1p20, 0x1p40}},
                             {"accelerator", "a100-sxm-80gb"},
                             {"launch", "one_thread"}});
  ASSERT_TRUE(answer);
  const Value::Numbers* times = answer->find("calibrated_us")->numbers();
  ASSERT_NE(times, nullptr);
  ASSERT_EQ(times->size(), 4u);
  EXPECT_NEAR((*times)[1], 40, 0.5);
  EXPECT_NEAR((*times)[2], 40 + 0x1p20 / 120e3, 2);
  EXPECT_GT(number(*answer, "scaled_error_percent"), 0);
  EXPECT_LT(number(*answer, "bandwidth_scale"), 1.2);
}

TEST(FitCollective, ScalesThePredictionOfTheLaunchThatIsSaid) {
  const auto latency_scale = [](std::string_view launch) {
    const Outcome<Value> answer =
        run("fit_collective", {{"log", a_log()}, {"accelerator", "h100-sxm"}, {"launch", launch}});
    return number(*answer, "latency_scale");
  };
  // The log's floor of 40 us is about what one thread for eight GPUs needs, and thrice what processes need.
  EXPECT_GT(latency_scale("process_per_gpu"), 1.5 * latency_scale("one_thread"));
}

TEST(FitCollective, RefusesALogWithoutEnoughRowsAndSaysWhy) {
  const Outcome<Value> answer = run("fit_collective", {{"log", "8 2 float sum 20.00\nhello\n"}});
  ASSERT_FALSE(answer);
  ASSERT_EQ(answer.problems().size(), 3u);
  EXPECT_EQ(answer.problems()[1].message, "log line 1: a row that is cut short: 8 2 float sum 20.00");
}

TEST(MeasurementsCalculation, GivesEachCurveWithItsSource) {
  const Outcome<Value> answer = run("measurements", {});
  ASSERT_TRUE(answer);
  const Value::List& rows = *answer->find("series")->list();
  EXPECT_GT(rows.size(), 90u);
  for (const Value& row : rows) {
    EXPECT_FALSE(text(row, "source").empty());
    EXPECT_EQ(row.find("time_us")->numbers()->size(), row.find("message_size_bytes")->numbers()->size());
    const double error = number(row, "median_error_percent");
    EXPECT_TRUE(error >= 0 && error < 1000) << text(row, "id") << ' ' << error;
  }
}

TEST(BandwidthConversions, ConvertsBothWaysForEveryCollective) {
  const Outcome<Value> answer = run("bandwidth_conversions", {{"num_gpus", 8}, {"rate_gb_per_sec", 350}});
  ASSERT_TRUE(answer);
  const Value::List& rows = *answer->find("conversions")->list();
  ASSERT_EQ(rows.size(), std::size(collective_names));
  EXPECT_EQ(number(rows[0], "factor"), 1.75);
  EXPECT_EQ(number(rows[0], "bus_bandwidth_gb_per_sec"), 612.5);
  EXPECT_EQ(number(rows[0], "algorithm_bandwidth_gb_per_sec"), 200);
  EXPECT_EQ(number(rows[0], "in_network_link_gb_per_sec"), 225);
  EXPECT_EQ(number(rows[1], "factor"), 0.875);
  for (const Value& row : rows) {
    const double factor = number(row, "factor");
    if (factor == 0) continue;
    EXPECT_DOUBLE_EQ(number(row, "bus_bandwidth_gb_per_sec") * number(row, "algorithm_bandwidth_gb_per_sec"),
                     350 * 350);
  }
}

// Its band lies round it, and its bus bandwidth is 2 * 7/8 of the message over the time, as for any
// all-reduce of 8.
TEST(PredictCollective, AKernelsFiguresBelongTogether) {
  const auto results = run("predict_collective", Value::Object{{"collective", "all_reduce"},
                                                               {"accelerator", "h100-sxm"},
                                                               {"num_gpus", 8},
                                                               {"message_size_bytes", 65536},
                                                               {"allreduce_kernel", "one_shot"}});
  ASSERT_TRUE(results);
  const auto of = [&](const char* name) { return *results->find(name)->number(); };
  EXPECT_LT(of("low_us"), of("time_us"));
  EXPECT_GT(of("high_us"), of("time_us"));
  EXPECT_NEAR(of("bus_bandwidth_gb_per_sec"), 1.75 * 65536 / (of("time_us") * 1e3), 1e-9);
}

}  // namespace
}  // namespace commcost
