#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/calculator/engine.h"
#include "support/csv.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::number;
using test::rows;
using test::text;

Value::Object gpt3(Value::Object more = {}) {
  Value::Object inputs = {{"num_layers", 96},        {"hidden_size", 12288},    {"num_heads", 96},
                          {"vocab_size", 51200},     {"tied_embeddings", true}, {"biases", true},
                          {"sequence_length", 2048}, {"batch_size", 1}};
  for (Member& member : more) inputs.push_back(std::move(member));
  return inputs;
}

// From the outside as from within: the forward tensor-parallel rows are the exercise, for every model of the
// catalog.
TEST(CommunicationLedger, ForwardTensorRowsAreTheExerciseForEveryCatalogRow) {
  const auto catalog = run("model_catalog", Value::Object{});
  ASSERT_TRUE(catalog);
  const Value::List& models = rows(*catalog, "models");
  ASSERT_GE(models.size(), 40u);
  for (const Value& model : models) {
    const double heads = number(model, "num_heads");
    Value::Object inputs = {{"sequence_length", 1024}, {"batch_size", 2}};
    for (const Member& member : *model.object()) {
      static constexpr std::string_view others[] = {"id",
                                                    "name",
                                                    "family",
                                                    "source",
                                                    "parameters",
                                                    "active_parameters",
                                                    "context_length",
                                                    "hub_ids",
                                                    "hub_weight_bytes",
                                                    "hub_matmul_precision",
                                                    "published_params_billion",
                                                    "allreduces_per_layer",
                                                    "fills"};
      if (std::find(std::begin(others), std::end(others), member.name) == std::end(others))
        inputs.push_back(member);
    }
    int answered = 0;
    for (int degree = 1; degree <= static_cast<int>(std::min(heads, 64.0)); ++degree) {
      Value::Object split = inputs;
      split.push_back({"tensor_parallel", degree});
      const auto ledger = run("communication_ledger", split);
      if (!ledger) continue;
      ++answered;
      double sent = 0;
      for (const Value& row : rows(*ledger, "rows")) {
        if (text(row, "dimension") == "tensor" && text(row, "phase") == "forward") {
          sent += number(row, "sent_bytes_per_gpu");
        }
      }
      const auto cost = run("tensor_parallel_allreduce_cost",
                            Value::Object{{"hidden_size", number(model, "hidden_size")},
                                          {"sequence_length", 1024},
                                          {"batch_size", 2},
                                          {"num_gpus", degree},
                                          {"num_layers", number(model, "num_layers")},
                                          {"allreduces_per_layer", number(model, "allreduces_per_layer")}});
      ASSERT_TRUE(cost);
      // Shared experts are an MLP in addition to the routed ones, which the exercise does not know about.
      const double layers = number(model, "num_layers");
      const bool shares = number(model, "num_experts") > 1 && number(model, "num_shared_experts") > 0;
      const double beside = shares ? layers - number(model, "num_dense_layers") : 0;
      const double sums = layers * number(model, "allreduces_per_layer");
      const double volume = number(*cost, "total_comm_volume_bytes") * (1 + beside / sums);
      EXPECT_NEAR(sent, volume, 1e-4 + 1e-12 * volume) << text(model, "id") << " " << degree;
    }
    EXPECT_GE(answered, 1) << text(model, "id");
  }
}

TEST(CommunicationLedger, RefusesWhatCannotBeWithEveryReason) {
  const auto refused = run("communication_ledger", gpt3({{"tensor_parallel", 7},
                                                         {"pipeline_parallel", 97},
                                                         {"expert_parallel", 2},
                                                         {"cluster_gpus", 100}}));
  ASSERT_FALSE(refused);
  for (const char* field : {"tensor_parallel", "pipeline_parallel", "expert_parallel", "cluster_gpus"}) {
    EXPECT_TRUE(std::any_of(refused.problems().begin(), refused.problems().end(),
                            [&](const Problem& problem) { return problem.field == field; }))
        << field;
  }
  const auto unread = run("communication_ledger", Value::Object{{"hidden_size", "wide"}, {"heads", 8}});
  ASSERT_FALSE(unread);
  // hidden_size is no number, heads no input; layers, heads, sequence and batch are missing.
  EXPECT_EQ(unread.problems().size(), 6u);
}

TEST(CommunicationLedger, HasNoInnerStageBetweenTwo) {
  const auto refused = run("communication_ledger", gpt3({{"pipeline_parallel", 2}, {"stage", "inner"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.problems().front().field, "stage");
  EXPECT_TRUE(run("communication_ledger", gpt3({{"pipeline_parallel", 3}, {"stage", "inner"}})));
  const auto only = run("communication_ledger", gpt3({{"stage", "last"}}));
  ASSERT_TRUE(only);
  EXPECT_EQ(text(*only, "stage"), "only");
}

// arXiv:2205.05198: 1.41092e17 FLOP at batch 64; Playbook: 70B activations in GiB.
TEST(ModelSizes, GivesThePublishedFigures) {
  const auto sizes = run("model_sizes", gpt3({{"global_batch_size", 64}}));
  ASSERT_TRUE(sizes);
  EXPECT_NEAR(number(*sizes->find("step_flops"), "model"), 1.41092e17, 1e12);

  const auto playbook = run("model_sizes", Value::Object{{"num_layers", 80},
                                                         {"hidden_size", 8192},
                                                         {"num_heads", 64},
                                                         {"sequence_length", 1024},
                                                         {"batch_size", 1},
                                                         {"tensor_parallel", 8},
                                                         {"recipe", "megatron-2021"}});
  ASSERT_TRUE(playbook);
  const auto gib = [&](std::string_view setting) {
    for (const Value& row : rows(*playbook, "activations")) {
      if (text(row, "setting") == setting) return number(row, "all_layers_bytes") / (1024.0 * 1024 * 1024);
    }
    return std::nan("");
  };
  EXPECT_NEAR(gib("unsplit"), 46.258, 0.01);
  EXPECT_EQ(gib("tensor_selective"), 8.125);
  EXPECT_EQ(gib("tensor_sequence_selective"), 2.65625);
}

TEST(OverlapRatio, NeedsOnlyWhatItsSchemeDependsOn) {
  const auto overlap = run("overlap_ratio", Value::Object{{"scheme", "tensor_parallel"},
                                                          {"hidden_size", 8192},
                                                          {"tensor_parallel", 8},
                                                          {"bytes_per_element", 1},
                                                          {"peak_tflops", 989},
                                                          {"bandwidth_gb_per_sec", 450}});
  ASSERT_TRUE(overlap);
  EXPECT_NEAR(number(*overlap, "ratio"), 0.9389919704861112, 1e-15);
  EXPECT_TRUE(*overlap->find("hidden")->flag());
}

TEST(OverlapRatio, SweepsOverHiddenSizeAndDegree) {
  const auto swept = sweep(Value::Object{
      {"calculation", "overlap_ratio"},
      {"inputs",
       Value::Object{{"scheme", "tensor_parallel"}, {"peak_tflops", 312}, {"bandwidth_gb_per_sec", 300}}},
      {"axes",
       Value::List{Value::Object{{"field", "tensor_parallel"}, {"values", Value::Numbers{2, 4, 8}}},
                   Value::Object{{"field", "hidden_size"}, {"values", Value::Numbers{4096, 8192}}}}}});
  ASSERT_TRUE(swept);
  const Value::Numbers& ratios = *swept->find("results")->find("ratio")->numbers();
  ASSERT_EQ(ratios.size(), 6u);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_NEAR(ratios[2 * row], 2 * ratios[2 * row + 1], 1e-12);
  EXPECT_NEAR(ratios[4] / ratios[0], 7, 1e-12);
}

TEST(PartitionSchemes, NamesTheQuickestThatIsPossible) {
  const auto at = [](int gpus) {
    const auto found = run("partition_schemes", gpt3({{"num_gpus", gpus}}));
    return found ? text(*found, "quickest") : "refused";
  };
  EXPECT_EQ(at(7), "1d");
  EXPECT_EQ(at(64), "3d");
}

}  // namespace
}  // namespace commcost
