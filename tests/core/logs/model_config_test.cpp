#include "core/logs/model_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/model/catalog.h"
#include "core/model/parameters.h"
#include "support/csv.h"

namespace commcost {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<test::CsvRow> published() {
  return test::read_csv(test::data_file("model_configs/sources.csv"));
}

std::vector<std::string> refusals(std::string_view json) {
  std::vector<std::string> all;
  const Outcome<ModelConfig> read = read_model_config(json);
  if (read) return all;
  for (const Problem& problem : read.problems()) {
    EXPECT_EQ(problem.field, "config");
    all.push_back(problem.message);
  }
  return all;
}

// "key: says", a line each.
std::string remarks(std::string_view json) {
  const Outcome<ModelConfig> read = read_model_config(json);
  if (!read) return "refused: " + read.problems().front().message;
  std::string all;
  for (const ConfigRemark& remark : read->remarks) all += remark.key + ": " + remark.says + "\n";
  return all;
}

std::string config_file(const std::string& name) {
  return text_of_file(test::data_file("model_configs/" + name));
}

// Two ways to one shape: the configuration, and the catalog's row, which was read elsewhere. Published counts
// are rounded, more for some rows.
TEST(ModelConfig, PublishedOnesAreTheCatalogsShapes) {
  ASSERT_GE(published().size(), 50u);
  for (const test::CsvRow& row : published()) {
    SCOPED_TRACE(row.at("file"));
    const Outcome<ModelConfig> read =
        read_model_config(text_of_file(test::data_file("model_configs/" + row.at("file"))));
    ASSERT_TRUE(read) << read.problems().front().message;
    const ModelRow* known = find_model(row.at("model"));
    const double published_billion = row.number("published_params_billion");
    EXPECT_NEAR(parameters_of(read->shape).total * 1e-9, published_billion,
                (known != nullptr ? known->published_tolerance : 0.01) * published_billion);
    if (row.at("model").empty()) continue;
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(read->shape, completed(known->shape));
  }
}

// Of files that say how the published checkpoint is quantized.
TEST(ModelConfig, ACheckpointsPrecisionIsTheCatalogs) {
  int quantized = 0;
  for (const test::CsvRow& row : published()) {
    const ModelRow* known = find_model(row.at("model"));
    const std::string json = config_file(row.at("file"));
    if (known == nullptr || json.find("quantization_config") == std::string::npos) continue;
    SCOPED_TRACE(row.at("file"));
    ++quantized;
    EXPECT_EQ(read_model_config(json)->quantization.weight_bytes, known->hub_weight_bytes);
    EXPECT_EQ(hub_products(*known) == MatmulPrecision::fp8, known->hub_weight_bytes == 1);
  }
  EXPECT_GE(quantized, 5);
}

// Gemma 4's layers have a dense MLP next to their experts.
TEST(ModelConfig, ADenseMlpNextToExpertsCountsAsSharedOnes) {
  const std::string start =
      R"({"model_type": "gemma4_text", "num_attention_heads": 16, "num_experts": 128, "top_k_experts": 8,
"moe_intermediate_size": 704, "enable_moe_block": true, "intermediate_size": )";
  EXPECT_EQ(read_model_config(start + "2112}")->shape.num_shared_experts, 3);
  EXPECT_EQ(remarks(start + "2112}").find("2112"), std::string::npos);
  EXPECT_EQ(read_model_config(start + "2000}")->shape.num_shared_experts, 3);
  EXPECT_NE(remarks(start + "2000}")
                .find("intermediate_size: 2000 is no multiple of an expert's width (704); "
                      "counted as 3 shared experts"),
            std::string::npos);
}

TEST(ModelConfig, WhatAShapeLeavesOutIsSaid) {
  EXPECT_EQ(remarks(config_file("deepseek-v3.json")),
            "num_nextn_predict_layers: layers that predict further tokens are left out\n");
  EXPECT_EQ(remarks(config_file("gemma-2-9b.json")),
            "sliding_window: layers that see a window alone are counted as seeing the whole sequence\n");
  EXPECT_EQ(remarks(config_file("qwen2-7b.json")), "");
  EXPECT_EQ(
      remarks(config_file("qwen3-next-80b-a3b.json")),
      "full_attention_interval: 36 of 48 layers have linear attention; they are counted as full attention\n"
      "attn_output_gate: the gate of the attention's output is left out\n");
  EXPECT_EQ(
      remarks(config_file("gpt-oss-120b.json")),
      "layer_types: 18 of 36 layers see a window of the sequence alone; they are counted as full attention\n"
      "attention_bias: biases of the attention's matrices are left out\n"
      "quantization_config: weights are kept in 0.53125 bytes each, scales included; layers that are left "
      "out of it count the same\n");
}

// transformers fills in what its class has; an explicit null is no gap.
TEST(ModelConfig, WhatIsLeftOutIsTheClasssAndIsSaid) {
  EXPECT_EQ(remarks(config_file("gemma-3-12b.json")),
            "vocab_size: isn't given; 262208, the default of this model_type\n"
            "head_dim: isn't given; 256, the default of this model_type\n"
            "sliding_window: layers that see a window alone are counted as seeing the whole sequence\n"
            "text_config: the text part alone is read\n");
  EXPECT_EQ(remarks(R"({"model_type": "deepseek_v3"})").find("refused"), std::string::npos);
  EXPECT_EQ(read_model_config(R"({"model_type": "deepseek_v3"})")->shape,
            completed(find_model("deepseek-v3")->shape));
  EXPECT_EQ(read_model_config(R"({"model_type": "deepseek_v3", "q_lora_rank": null})")->shape.query_rank, 0);
  EXPECT_EQ(read_model_config(R"({"model_type": "glm_moe_dsa"})")->shape,
            completed(find_model("glm-5")->shape));
}

TEST(ModelConfig, AnUnknownArchitectureIsReadByItsKeys) {
  const std::string json =
      R"({"model_type": "nobody_knows", "n_layers": 10, "d_model": 512, "n_heads": 8, "vocab_size": 1000,
 "ffn_dim": 1024)";
  const Outcome<ModelConfig> read = read_model_config(json + "}");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->model_type, "nobody_knows");
  ModelShape expected;
  expected.num_layers = 10;
  expected.hidden_size = 512;
  expected.num_heads = 8;
  expected.vocab_size = 1000;
  expected.ffn_hidden_size = 1024;
  expected.gated_mlp = true;
  EXPECT_EQ(read->shape, completed(expected));
  EXPECT_EQ(remarks(json + "}"),
            "model_type: nobody_knows isn't known; it is read by its keys, as a decoder with gated MLPs\n");
  EXPECT_EQ(read_model_config(json + R"(, "moe_num_experts": 4, "moe_k": 2, "moe_intermediate_size": 256})")
                ->shape.ffn_hidden_size,
            256);
  EXPECT_EQ(remarks(json + R"(, "num_key_value_heads": [2, 2, 4, 8]})").find("num_key_value_heads: differs"),
            91u);
}

TEST(ModelConfig, OneExpertIsADenseModel) {
  const auto shape = [](const std::string& experts) {
    const Outcome<ModelConfig> read = read_model_config(
        R"({"model_type": "mixtral", "num_hidden_layers": 8, "hidden_size": 512, "num_attention_heads": 8,
 "intermediate_size": 1024, "vocab_size": 1000, "num_local_experts": )" +
        experts + "}");
    EXPECT_TRUE(read) << experts;
    return read ? read->shape : ModelShape();
  };
  EXPECT_EQ(shape("0"), shape("1"));
  EXPECT_EQ(shape("1").num_experts, 1);
  EXPECT_EQ(shape("2").experts_per_token, 2);
}

// Every way in which a family says which layers have no experts.
TEST(ModelConfig, CountsLayersWithoutExperts) {
  const auto dense = [](const std::string& rule) {
    const Outcome<ModelConfig> read = read_model_config(
        R"({"model_type": "x", "num_hidden_layers": 12, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 128, "vocab_size": 100, "num_experts": 8, "num_experts_per_tok": 2,
 "moe_intermediate_size": 32, )" +
        rule + "}");
    if (!read) return std::pair<std::int64_t, bool>{-1, false};
    const bool said = std::any_of(read->remarks.begin(), read->remarks.end(), [](const ConfigRemark& remark) {
      return remark.says.find("counted as the first ones") != std::string::npos;
    });
    EXPECT_EQ(read->shape.dense_ffn_hidden_size, read->shape.num_dense_layers > 0 ? 128 : 32);
    return std::pair{read->shape.num_dense_layers, said};
  };
  using Found = std::pair<std::int64_t, bool>;
  EXPECT_EQ(dense(R"("first_k_dense_replace": 3)"), (Found{3, false}));
  EXPECT_EQ(dense(R"("first_k_dense_replace": 1, "moe_layer_freq": 2)"), (Found{7, true}));
  EXPECT_EQ(dense(R"("moe_layer_freq": [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])"), (Found{1, false}));
  EXPECT_EQ(dense(R"("decoder_sparse_step": 2, "mlp_only_layers": [1, 99, -1])"), (Found{7, true}));
  EXPECT_EQ(dense(R"("decoder_sparse_step": 3, "mlp_only_layers": [2])"), (Found{9, true}));
  EXPECT_EQ(dense(R"("mlp_only_layers": [0, 1])"), (Found{2, false}));
  EXPECT_EQ(dense(R"("interleave_moe_layer_step": 2)"), (Found{6, true}));
  EXPECT_EQ(dense(R"("moe_layers": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])"), (Found{2, false}));
  EXPECT_EQ(dense(R"("moe_layer_start_index": 1, "moe_layer_end_index": -1, "moe_layer_interval": 1)"),
            (Found{1, false}));
  EXPECT_EQ(dense(R"("moe_layer_start_index": 2, "moe_layer_end_index": 10)"), (Found{3, true}));
  EXPECT_EQ(dense(R"("moe_layer_end_index": 10, "moe_layer_start_index": 0, "moe_layer_interval": 3)"),
            (Found{9, true}));
  EXPECT_EQ(dense(R"("expert_layer_period": 2, "expert_layer_offset": 1)"), (Found{6, true}));
  EXPECT_EQ(dense(R"("expert_layer_period": 3, "expert_layer_offset": 1)"), (Found{8, true}));
  EXPECT_EQ(dense(R"("mlp_layer_types": ["dense", "sparse", "sparse"])"), (Found{1, false}));
  EXPECT_EQ(dense(R"("mlp_only_layers": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])"), (Found{-1, false}));
}

TEST(ModelConfig, NamesTheKeyThatSaysWhichLayersAreDense) {
  const auto key = [](const std::string& rule) {
    const std::string said = remarks(
        R"({"model_type": "x", "num_hidden_layers": 12, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 128, "vocab_size": 100, "num_experts": 8, "num_experts_per_tok": 2,
 "moe_intermediate_size": 32, )" +
        rule + "}");
    const std::size_t dense = said.rfind('\n', said.find("counted as the first ones"));
    const std::size_t begin = dense == std::string::npos ? 0 : dense + 1;
    return said.substr(begin, said.find(':', begin) - begin);
  };
  EXPECT_EQ(key(R"("decoder_sparse_step": 2)"), "decoder_sparse_step");
  EXPECT_EQ(key(R"("decoder_sparse_step": 1, "mlp_only_layers": [1])"), "mlp_only_layers");
  EXPECT_EQ(key(R"("first_k_dense_replace": 1, "decoder_sparse_step": 2)"), "first_k_dense_replace");
  EXPECT_EQ(key(R"("interleave_moe_layer_step": 2)"), "interleave_moe_layer_step");
}

TEST(ModelConfig, BlocksOfOneKindAreAsManyLayersAsMlps) {
  const std::string json =
      R"({"model_type": "nemotron_h", "num_hidden_layers": 7, "hidden_size": 64, "num_attention_heads": 4,
 "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 100, "intermediate_size": 128, )";
  EXPECT_EQ(read_model_config(json + R"("hybrid_override_pattern": "M-M-M*-"})")->shape.num_layers, 3);
  EXPECT_EQ(read_model_config(json + R"("layers_block_type": ["mamba", "attention"]})")->shape.num_layers, 7);
  EXPECT_EQ(remarks(json + R"("layers_block_type": ["mamba", "mlp", "attention", "moe"]})"),
            "layers_block_type: 4 blocks, 1 of them Mamba; each MLP is counted as a layer with attention\n");
}

// Bytes of a weight with its scales, and of an element of the cache.
TEST(ModelConfig, ReadsHowACheckpointIsQuantized) {
  const auto bytes = [](const std::string& quantization) {
    const Outcome<ModelConfig> read =
        read_model_config(R"({"model_type": "llama", "quantization_config": )" + quantization + "}");
    return std::pair{read->quantization.weight_bytes, read->quantization.cache_bytes};
  };
  using Bytes = std::pair<double, double>;
  EXPECT_EQ(bytes(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})"), (Bytes{1, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "mxfp4"})"), (Bytes{0.53125, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})"), (Bytes{0.5, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "gptq", "bits": 4, "group_size": 1})"), (Bytes{2.5, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"})"),
            (Bytes{0.5625, 1}));
  EXPECT_EQ(bytes(R"({"quant_method": "awq", "bits": 4, "group_size": 128})"), (Bytes{0.515625, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "gptq", "bits": 8, "group_size": -1})"), (Bytes{1, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})"), (Bytes{0.5625, 0}));
  EXPECT_EQ(bytes(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights":
 {"num_bits": 4, "group_size": 32}}}, "kv_cache_scheme": {"num_bits": 8}})"),
            (Bytes{0.5625, 1}));
  EXPECT_EQ(bytes(R"({"quant_method": "something else", "bits": 1e9})"), (Bytes{0, 0}));
  EXPECT_EQ(bytes(R"("fp8")"), (Bytes{0, 0}));
}

TEST(ModelConfig, TheTextPartOfAModelThatSees) {
  const Outcome<ModelConfig> read = read_model_config(
      R"({"model_type": "mistral3", "vision_config": {"hidden_size": 1}, "text_config": {"model_type": "mistral",
 "num_hidden_layers": 40, "hidden_size": 5120, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
 "intermediate_size": 32768, "vocab_size": 131072}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->shape, completed(find_model("mistral-small-24b")->shape));
  ASSERT_EQ(read->remarks.size(), 1u);
  EXPECT_EQ(read->remarks[0].key, "text_config");
}

TEST(ModelConfig, NamesEveryProblem) {
  EXPECT_EQ(refusals("{}"), std::vector<std::string>{"config.json: model_type is missing"});
  EXPECT_EQ(refusals(R"({"model_type": "mamba"})").size(), 5u);
  EXPECT_EQ(
      refusals(
          R"({"model_type": "qwen2", "hidden_size": 12.5, "num_attention_heads": "32", "intermediate_size": 0,
 "vocab_size": 1e30, "tie_word_embeddings": 1})"),
      (std::vector<std::string>{
          "config.json: num_hidden_layers is missing",
          "config.json: hidden_size must be a whole number of at least 1; got 12.5",
          "config.json: vocab_size must be a whole number of at least 1; got 1e30",
          "config.json: tie_word_embeddings must be true or false; got 1",
          "config.json: num_attention_heads must be a whole number of at least 1; got \"32\"",
          "config.json: intermediate_size must be a whole number of at least 1; got 0"}));
}

TEST(ModelConfig, RefusesWhatIsNoShape) {
  const std::string moe =
      R"({"model_type": "qwen3_moe", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 64, "moe_intermediate_size": 16, "num_experts": 8, "num_experts_per_tok": 2, "vocab_size": 100)";
  EXPECT_TRUE(refusals(moe + "}").empty());
  EXPECT_EQ(
      remarks(moe + R"(, "num_key_value_heads": 4, "shared_expert_intermediate_size": 24})"),
      "shared_expert_intermediate_size: 24 is no multiple of an expert's width (16); counted as 2 shared "
      "experts\n");
  EXPECT_EQ(refusals(moe + R"(, "num_hidden_layers": 1000000})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "num_experts_per_tok": 9})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "num_key_value_heads": 3})").size(), 1u);
  // A head's size is the hidden size over the heads, unless it is given.
  EXPECT_EQ(refusals(moe + R"(, "hidden_size": 66})").size(), 1u);
  EXPECT_TRUE(refusals(moe + R"(, "hidden_size": 66, "head_dim": 16})").empty());
}

// A fuzzer's find: shared experts by their width, where an expert's own is left out.
TEST(ModelConfig, SharedExpertsAreCountedByTheUsualWidth) {
  const Outcome<ModelConfig> read = read_model_config(
      R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 4, "n_positions": 128, "vocab_size": 100,
 "n_inner": null, "num_experts": 8, "num_experts_per_tok": 2, "shared_expert_intermediate_size": 512})");
  ASSERT_TRUE(read) << read.problems().front().message;
  EXPECT_EQ(read->shape.ffn_hidden_size, 256);
  EXPECT_EQ(read->shape.num_shared_experts, 2);
}

// Cut off anywhere, or with any letter changed, it is refused or read, and nothing else happens.
TEST(ModelConfig, SurvivesWhateverIsPasted) {
  const std::string whole = text_of_file(test::data_file("model_configs/deepseek-v3.json"));
  for (std::size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_FALSE(read_model_config(std::string_view(whole).substr(0, length))) << length;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char other : {'"', '{', '9', '-', '\0', '\xff'}) {
      std::string changed = whole;
      changed[at] = other;
      const Outcome<ModelConfig> read = read_model_config(changed);
      EXPECT_TRUE(read || !read.problems().empty());
    }
  }
}

// What a family has besides full attention and an MLP, by the keys of its configuration_*.py.
TEST(ModelConfig, NamesWhatItTakesForAttentionOrLeavesOut) {
  const auto of = [](const std::string& type, const std::string& more) {
    return remarks(R"({"model_type": ")" + type +
                   R"(", "num_hidden_layers": 8, "hidden_size": 64, "num_attention_heads": 4, )"
                   R"("num_key_value_heads": 4, "head_dim": 16, "intermediate_size": 128, )"
                   R"("vocab_size": 100, "tie_word_embeddings": false, "sliding_window": null)" +
                   more + "}");
  };
  const std::string full = "; they are counted as full attention\n";
  const auto says = [&](const std::string& type, const std::string& more, const std::string& expected) {
    EXPECT_NE(of(type, more).find(expected), std::string::npos) << of(type, more);
    EXPECT_EQ(of("llama", "").find(expected), std::string::npos);
  };
  says("jamba", R"(, "attn_layer_period": 8, "attn_layer_offset": 4)",
       "attn_layer_period: 7 of 8 layers have a state space (Mamba)" + full);
  says("jamba", R"(, "attn_layer_period": 3, "attn_layer_offset": 2)",
       "attn_layer_period: 6 of 8 layers have a state space (Mamba)" + full);
  says("jamba", R"(, "attn_layer_period": 7, "attn_layer_offset": 0)",
       "attn_layer_period: 6 of 8 layers have a state space (Mamba)" + full);
  says("kimi_linear",
       R"(, "linear_attn_config": {"kda_layers": [1, 2, 3, 5, 6, 7], "full_attn_layers": [4, 8]})",
       "linear_attn_config: 6 of 8 layers have linear attention" + full);
  says("minimax", R"(, "attn_type_list": [0, 0, 0, 1, 0, 0, 0, 1])",
       "attn_type_list: 6 of 8 layers have linear attention" + full);
  says("falcon_h1", R"(, "mamba_d_ssm": 512)",
       "mamba_d_ssm: the state space (Mamba) next to the attention of each layer is left out\n");
  says("gemma4", R"(, "hidden_size_per_layer_input": 256)",
       "hidden_size_per_layer_input: embeddings that each layer has of its own are left out\n");
  says("gemma3n", R"(, "num_kv_shared_layers": 3)",
       "num_kv_shared_layers: 3 layers use the keys and values of another; they are counted as having their "
       "own\n");
  says("longcat_flash", R"(, "zero_expert_num": 256)",
       "zero_expert_num: the second attention and the dense MLP of each layer, and experts that pass tokens "
       "on as "
       "they are, are left out\n");
  says("deepseek_v4", R"(, "o_lora_rank": 1024)",
       "o_lora_rank: an attention output of low rank is counted as of full rank\n");
  says("deepseek_v4", R"(, "hc_mult": 4)",
       "hc_mult: 4 residual streams side by side (hyper-connections) are counted as one\n");
}

}  // namespace
}  // namespace commcost
