#include "core/launches/exported_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "core/base/number_text.h"
#include "core/launches/pipeline_string.h"
#include "core/model/parameters.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/recipes.h"
#include "support/csv.h"
#include "support/launched_jobs.h"

namespace commcost {
namespace {

using test::launched_jobs;
using test::launched_model;

struct Documented {
  std::string kind;
  std::set<std::string> choices;
  std::string gone;
};

// By format and option.
std::map<std::string, Documented> documented() {
  std::map<std::string, Documented> options;
  for (const test::CsvRow& row : test::read_csv(test::data_file("stack_options.csv"))) {
    Documented option{row.at("kind"), {}, row.at("gone")};
    std::istringstream choices(row.at("choices"));
    for (std::string one; std::getline(choices, one, '|');) option.choices.insert(one);
    options[row.at("format") + " " + row.at("option")] = option;
  }
  return options;
}

bool is_of(const std::string& kind, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  const bool numeric = !value.empty() && *end == 0;
  if (kind == "switch") return value.empty();
  if (kind == "flag") return value == "true" || value == "false";
  if (kind == "real") return numeric;
  if (kind == "whole") return numeric && number == static_cast<double>(static_cast<std::int64_t>(number));
  return !value.empty();
}

std::map<std::string, std::string> options_of(const LaunchedJob& launched, LaunchFormat format) {
  std::map<std::string, std::string> options;
  for (const ExportedOption& one : exported_launch(launched, format).options)
    EXPECT_TRUE(options.emplace(one.option, one.value).second) << one.option;
  return options;
}

std::int64_t number_of(const std::map<std::string, std::string>& options, const std::string& name,
                       std::int64_t otherwise) {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::atoll(found->second.c_str());
}

std::set<std::string> missing_of(const LaunchedJob& launched, LaunchFormat format) {
  std::set<std::string> fields;
  for (const NotExported& one : exported_launch(launched, format).not_exported)
    fields.insert(std::string(one.field));
  return fields;
}

// Jobs of any shape, and of the models that stacks have names for.
std::vector<LaunchedJob> settings() {
  std::vector<LaunchedJob> all = launched_jobs(15, 1500);
  for (const char* model :
       {"llama-3.1-8b", "llama-3.1-70b", "deepseek-v3", "qwen3-30b-a3b", "mixtral-8x7b"}) {
    for (LaunchedJob& one : launched_jobs(16, 100, model)) all.push_back(std::move(one));
  }
  return all;
}

TEST(ExportedLaunch, EveryOptionIsDocumentedAndTakesItsValue) {
  const std::map<std::string, Documented> options = documented();
  std::set<std::string> written;
  const auto known = [&](const std::string& key, bool is_written = true) {
    const auto found = options.find(key);
    EXPECT_NE(found, options.end()) << key;
    EXPECT_TRUE(found == options.end() || !is_written || found->second.gone.empty()) << key;
    return found;
  };
  for (const LaunchedJob& launched : settings()) {
    for (std::size_t at = 0; at < std::size(launch_format_names); ++at) {
      const std::string name(launch_format_names[at]);
      const ExportedLaunch exported = exported_launch(launched, static_cast<LaunchFormat>(at));
      for (const ExportedOption& option : exported.options) {
        const std::string key = name + " " + std::string(option.option);
        const auto found = known(key);
        ASSERT_NE(found, options.end());
        written.insert(key);
        const bool of_the_shell = option.value.starts_with("$");
        EXPECT_TRUE(of_the_shell || is_of(found->second.kind, option.value)) << key << " " << option.value;
        EXPECT_TRUE(of_the_shell || found->second.choices.empty() ||
                    found->second.choices.contains(option.value))
            << key << " " << option.value;
      }
      // What only the rehearsal says, too.
      std::istringstream words(exported.dry_run);
      for (std::string word; words >> word;)
        if (word.starts_with("--")) known(name + " " + word);
    }
  }
  for (std::size_t at = 0; at < std::size(launch_format_names); ++at) {
    for (const StackOption& option : launch_stack(static_cast<LaunchFormat>(at)).options) {
      const std::string key = std::string(launch_format_names[at]) + " " + std::string(option.name);
      // What is only read may be gone.
      known(key, option.write != nullptr);
      const bool is_written = option.applies == nullptr || written.contains(key);
      EXPECT_TRUE(is_written || !option.field.empty() || option.read == nullptr) << key;
    }
  }
}

// Whatever stack the job was priced with.
TEST(ExportedLaunch, IsHeldToTheRulesOfItsRecipe) {
  LaunchedJob launched = settings().front();
  launched.job.machine.accelerator = place_of_accelerator("tpu-v5p");
  fill(launched.job, *find_recipe("maxtext"));
  for (std::size_t format = 0; format < std::size(launch_format_names); ++format) {
    const LaunchStack& stack = launch_stack(static_cast<LaunchFormat>(format));
    if (stack.serves) continue;
    const auto unsaid = exported_launch(launched, static_cast<LaunchFormat>(format)).not_exported;
    const auto hardware = std::find_if(unsaid.begin(), unsaid.end(),
                                       [](const NotExported& one) { return one.field == "accelerator"; });
    ASSERT_NE(hardware, unsaid.end()) << stack.name;
    EXPECT_TRUE(hardware->why.starts_with("runs on NVIDIA ")) << hardware->why;
  }
}

// More than 64 bits hold.
TEST(ExportedLaunch, DeepSpeedsEstimateNamesParametersOfAnyNumber) {
  LaunchedJob launched = settings().front();
  EXPECT_NE(exported_launch(launched, LaunchFormat::deepspeed)
                .dry_run.find("total_params=" + text_of(std::floor(parameters_of(launched.job.model).total))),
            std::string::npos);
  launched.job.model.num_layers = 1000000000;
  launched.job.model.hidden_size = 1 << 20;
  const double total = parameters_of(launched.job.model).total;
  EXPECT_GT(total, 0x1p63);
  EXPECT_NE(exported_launch(launched, LaunchFormat::deepspeed)
                .dry_run.find("total_params=" + text_of(std::floor(total))),
            std::string::npos);
}

TEST(ExportedLaunch, MegatronsArgumentsSayTheLayoutAgain) {
  for (const LaunchedJob& launched : settings()) {
    const Job& job = launched.job;
    const Layout& layout = job.layout;
    const auto options = options_of(launched, LaunchFormat::megatron_lm);
    EXPECT_EQ(
        number_of(options, "--nnodes", 0) * number_of(options, "--nproc-per-node", 0) >= gpus_needed(layout),
        true);
    EXPECT_EQ(number_of(options, "--tensor-model-parallel-size", 1), layout.tensor_parallel);
    EXPECT_EQ(number_of(options, "--pipeline-model-parallel-size", 1), layout.pipeline_parallel);
    EXPECT_EQ(number_of(options, "--context-parallel-size", 1), layout.context_parallel);
    EXPECT_EQ(number_of(options, "--expert-model-parallel-size", 1), layout.expert_parallel);
    EXPECT_EQ(number_of(options, "--micro-batch-size", 0), job.work.batch_size);
    EXPECT_EQ(number_of(options, "--global-batch-size", 0), sequences_per_step(job.work, layout));
    EXPECT_EQ(number_of(options, "--seq-length", 0), job.work.sequence_length);
    EXPECT_EQ(options.contains("--sequence-parallel"),
              layout.sequence_parallel && layout.tensor_parallel > 1);
    if (const auto entries = options.find("--pipeline-model-parallel-layout"); entries != options.end()) {
      const auto count = [&text = entries->second](char mark) {
        return std::count(text.begin(), text.end(), mark);
      };
      EXPECT_EQ(count('|') + 1, layout.pipeline_parallel * layout.virtual_stages);
      EXPECT_EQ(count('t'), job.model.num_layers);
    }
    // No rank to share with, to reduce with or to gather from.
    for (const char* shared : {"--use-distributed-optimizer", "--overlap-grad-reduce", "--use-megatron-fsdp"})
      EXPECT_TRUE(data_ranks(layout).size > 1 || !options.contains(shared)) << shared;
    // What Megatron-LM's validate_args refuses.
    EXPECT_TRUE(!options.contains("--tp-comm-overlap") || options.contains("--sequence-parallel"));
    EXPECT_TRUE(!options.contains("--overlap-param-gather") || options.contains("--overlap-grad-reduce"));
    EXPECT_EQ(options.contains("--use-megatron-fsdp"), options.contains("--ckpt-format"));
    EXPECT_TRUE(number_of(options, "--expert-model-parallel-size", 1) == 1 ||
                options.contains("--num-experts"));
  }
}

TEST(ExportedLaunch, TorchtitansFlagsSayTheLayoutAgain) {
  for (const LaunchedJob& launched : settings()) {
    const Job& job = launched.job;
    const Layout& layout = job.layout;
    const auto options = options_of(launched, LaunchFormat::torchtitan);
    const auto missing = missing_of(launched, LaunchFormat::torchtitan);
    const auto degree = [&options](const char* name) {
      return number_of(options, std::string("--parallelism.") + name, 1);
    };
    EXPECT_EQ(degree("tensor_parallel_degree"), layout.tensor_parallel);
    EXPECT_EQ(degree("pipeline_parallel_degree"), layout.pipeline_parallel);
    EXPECT_EQ(degree("context_parallel_degree"), layout.context_parallel);
    EXPECT_EQ(degree("expert_parallel_degree"), layout.expert_parallel);
    EXPECT_EQ(degree("data_parallel_replicate_degree") * degree("data_parallel_shard_degree"),
              layout.data_parallel);
    const std::int64_t length = number_of(options, "--training.max_context_length", 0);
    EXPECT_EQ(length, job.work.sequence_length);
    EXPECT_EQ(number_of(options, "--training.num_tokens_per_microbatch_per_dp_rank", 0),
              length * job.work.batch_size);
    EXPECT_EQ(number_of(options, "--training.num_tokens_per_train_step", 0),
              length * sequences_per_step(job.work, layout));
    // A step is one round of micro-batches through the pipeline.
    if (layout.pipeline_parallel > 1) {
      EXPECT_EQ(degree("num_pp_microbatches") * job.work.batch_size * layout.data_parallel,
                sequences_per_step(job.work, layout));
    }
    // ceil((layers + what the ends lack) / layers of a chunk) chunks, as torchtitan counts them.
    if (layout.pipeline_parallel > 1 && !missing.contains("pipeline_parallel") &&
        !missing.contains("virtual_stages")) {
      const std::int64_t each = degree("pipeline_parallel_layers_per_stage");
      const std::int64_t weighed = job.model.num_layers +
                                   degree("pipeline_parallel_first_stage_less_layers") +
                                   degree("pipeline_parallel_last_stage_less_layers");
      EXPECT_EQ((weighed + each - 1) / each, layout.pipeline_parallel * chunks_of_a_stage(layout));
    }
    const auto reshard = options.find("--parallelism.fsdp_reshard_after_forward");
    const std::int64_t stage = reshard == options.end() ? 0 : reshard->second == "always" ? 3 : 2;
    const bool alone = degree("data_parallel_shard_degree") * layout.context_parallel == 1;
    // It has no ZeRO-1: what starts in its place is ZeRO-2.
    EXPECT_EQ(stage, alone || layout.zero_stage == 0 ? 0 : std::max<std::int64_t>(2, layout.zero_stage));
    EXPECT_EQ(missing.contains("sequence_parallel"), layout.tensor_parallel > 1 && !layout.sequence_parallel);
  }
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Llama 3.1 405B as its authors trained it (arXiv:2407.21783, table 4): 8 tensor, 16 pipeline, 128 data. The
// first and the last stage have one layer less (section 3.3.2).
TEST(ExportedLaunch, OfLlama405BWithShorterEnds) {
  LaunchedJob launched = launched_model("llama-3.1-405b", "megatron-core");
  Job& job = launched.job;
  job.work.global_batch_size = 2048;
  job.layout.tensor_parallel = 8;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = 16;
  job.layout.data_parallel = 128;
  job.layout.zero_stage = 2;
  job.layout.shard_group_size = 32;
  job.layout.first_stage_layers = job.layout.last_stage_layers = 7;
  const std::string megatron = exported_launch(launched, LaunchFormat::megatron_lm).text;
  EXPECT_TRUE(has(megatron,
                  "  --decoder-first-pipeline-num-layers 7 \\\n  --decoder-last-pipeline-num-layers 7 \\\n"));
  EXPECT_TRUE(has(megatron, "--num-distributed-optimizer-instances 4 "));
  const std::string titan = exported_launch(launched, LaunchFormat::torchtitan).text;
  EXPECT_TRUE(has(titan,
                  "  --parallelism.data_parallel_replicate_degree 4 \\\n"
                  "  --parallelism.data_parallel_shard_degree 32 \\\n"));
  EXPECT_TRUE(has(titan,
                  "  --parallelism.pipeline_parallel_first_stage_less_layers 1 \\\n"
                  "  --parallelism.pipeline_parallel_last_stage_less_layers 1 \\\n"
                  "  --parallelism.pipeline_parallel_layers_per_stage 8 \\\n"));
  // On 16,384 GPUs, of which one rehearses a rank.
  EXPECT_TRUE(has(megatron, "torchrun \\\n  --nproc-per-node 8 \\\n  --nnodes 2048 \\\n"));
  const std::string rehearsal = exported_launch(launched, LaunchFormat::torchtitan).dry_run;
  EXPECT_TRUE(
      has(rehearsal, "COMM_MODE=fake_backend NGPU=16384 RANK=0 ./run_train.sh \\\n  --module llama3 \\\n"));
  EXPECT_FALSE(has(rehearsal, "torchrun"));
}

// A stage that lacks all of a chunk can't be said by what it lacks: a chunk would be empty.
TEST(ExportedLaunch, OfTorchtitanSaysNoEndThatLacksAWholeChunk) {
  LaunchedJob launched = launched_model("llama-3.1-405b", "torchtitan");
  Job& job = launched.job;
  job.layout.pipeline_parallel = 8;
  job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  job.layout.virtual_stages = 2;
  job.work.global_batch_size = 64;
  const auto lacks = [&](std::int64_t last) {
    job.model.num_layers = 7 * 8 + last;
    job.layout.last_stage_layers = last;
    return number_of(options_of(launched, LaunchFormat::torchtitan),
                     "--parallelism.pipeline_parallel_last_stage_less_layers", -1);
  };
  EXPECT_EQ(lacks(5), 3);
  EXPECT_NE(lacks(4), 4);
}

// Above the command stands what it does not say.
TEST(ExportedLaunch, SaysAboveTheCommandWhatItCannotSay) {
  LaunchedJob launched = launched_model("llama-3.1-8b", "megatron-core");
  launched.job.layout.pipeline_parallel = 4;
  launched.job.layout.pipeline_schedule = PipelineSchedule::zero_bubble;
  const std::string text = exported_launch(launched, LaunchFormat::megatron_lm).text;
  EXPECT_TRUE(text.starts_with(
      "# Megatron-LM @d98e8a64 (2026-08-22)\n# Differs from this layout, or is left to you:\n"
      "# - pipeline_schedule: Megatron-LM runs "));
  EXPECT_LT(text.find("pipeline_schedule"), text.find("torchrun"));
}

TEST(ExportedLaunch, NamesWhatOfAModelIsLeftToDefaults) {
  const auto left = [](const char* model, LaunchFormat format) {
    const std::string text = exported_launch(launched_model(model, "megatron-core"), format).text;
    const std::size_t begin = text.find("# Left to defaults: ");
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(left("llama-3.1-70b", LaunchFormat::megatron_lm), "# Left to defaults: norm epsilon.");
  EXPECT_EQ(left("minimax-m2", LaunchFormat::megatron_lm).substr(0, 58),
            "# Left to defaults: norm epsilon, rotary base and scaling,");
  EXPECT_EQ(left("gpt3-175b", LaunchFormat::megatron_lm), "# Left to defaults: norm epsilon.");
  EXPECT_EQ(left("deepseek-v3", LaunchFormat::megatron_lm),
            "# Left to defaults: norm epsilon, YaRN's mscale, QK norm, the router's scores, bias and "
            "balancing loss, multi-token prediction.");
  EXPECT_TRUE(has(left("llama-3.1-8b", LaunchFormat::torchtitan), "no mock data"));
  // A checkpoint says all of its model.
  for (const LaunchFormat format : {LaunchFormat::vllm, LaunchFormat::sglang, LaunchFormat::tensorrt_llm})
    EXPECT_EQ(left("llama-3.1-8b", format), "");
}

// A launch of a model that is counted as another says so.
TEST(ExportedLaunch, NamesAModelThatIsCountedAsAnother) {
  const auto text = [](const char* model) {
    return exported_launch(launched_model(model, "megatron-core"), LaunchFormat::megatron_lm).text;
  };
  EXPECT_TRUE(has(text("nemotron-3-nano-30b-a3b"),
                  "\n# Model: Nemotron 3 Nano 30B-A3B (Mamba counted as attention)\n"));
  EXPECT_FALSE(has(text("llama-3.1-8b"), "# Model: "));
}

// Weights of DeepSpeed are of 2 or 4 bytes; a name of letters and digits needs no quotes.
TEST(ExportedLaunch, TellsWhatItHasNoWordsFor) {
  LaunchedJob launched = launched_model("llama-3.1-8b", "deepspeed");
  for (const std::int64_t bytes : {1, 2, 4, 8}) {
    launched.job.work.bytes_per_element = bytes;
    EXPECT_EQ(missing_of(launched, LaunchFormat::deepspeed).contains("bytes_per_element"),
              bytes != 2 && bytes != 4)
        << bytes;
  }
  const auto served = [](const char* model) {
    LaunchedJob server = launched_model(model, "vllm");
    server.job.work.mode = Mode::decode;
    return exported_launch(server, LaunchFormat::vllm).text;
  };
  EXPECT_TRUE(has(served("qwen3-30b-a3b"), " Qwen/Qwen3-30B-A3B "));
}

TEST(ExportedLaunch, NamesWhatSelectiveRecomputationRepeats) {
  LaunchedJob launched = launched_model("deepseek-v3", "megatron-core");
  Job& job = launched.job;
  job.work.recompute = Recompute::selective;
  const auto text = [&](LaunchFormat format) { return exported_launch(launched, format).text; };
  // The attention core is what Megatron-LM repeats without being asked, and torchtitan cannot.
  EXPECT_FALSE(has(text(LaunchFormat::megatron_lm), "--recompute-modules"));
  EXPECT_TRUE(missing_of(launched, LaunchFormat::torchtitan).contains("recompute"));
  job.work.recompute_attention_core = false;
  job.work.recompute_elementwise = job.work.recompute_latent_projections = true;
  EXPECT_TRUE(has(text(LaunchFormat::megatron_lm),
                  "  --recompute-granularity selective \\\n"
                  "  --recompute-modules layernorm moe_act mla_up_proj \\\n"));
  fill(job, *find_recipe("torchtitan"));
  EXPECT_FALSE(missing_of(launched, LaunchFormat::torchtitan).contains("recompute"));
  // Nothing is behind the policy, which would take it for its own.
  EXPECT_TRUE(text(LaunchFormat::torchtitan).ends_with(" \\\n  activation-checkpoint:selective\n"));
}

TEST(ExportedLaunch, SaysHowTokensReachTheirExperts) {
  LaunchedJob launched = launched_model("deepseek-v3", "hai-llm");
  Job& job = launched.job;
  job.layout.data_parallel = job.layout.expert_parallel = 64;
  const auto exported = [&] { return exported_launch(launched, LaunchFormat::megatron_lm).text; };
  EXPECT_TRUE(has(exported(), "  --moe-router-num-groups 8 \\\n  --moe-router-group-topk 4 \\\n"));
  EXPECT_TRUE(has(exported(),
                  "  --expert-model-parallel-size 64 \\\n"
                  "  --moe-token-dispatcher-type flex \\\n"
                  "  --moe-flex-dispatcher-backend deepep \\\n"
                  "  --overlap-moe-expert-parallel-comm \\\n"));
  // The rehearsal has no flexible dispatcher, and says so last.
  EXPECT_TRUE(exported_launch(launched, LaunchFormat::megatron_lm)
                  .dry_run.ends_with("--fake-process-group \\\n  --moe-token-dispatcher-type alltoall\n"));
  // Stages without chunks do not hide them there.
  job.layout.pipeline_parallel = 2;
  EXPECT_FALSE(has(exported(), "--overlap-moe-expert-parallel-comm"));
  fill(job, *find_recipe("megatron-core"));
  EXPECT_TRUE(has(exported(), "--moe-token-dispatcher-type alltoall \\\n"));
}

TEST(ExportedLaunch, SaysThatAnotherStacksLaunchIsNotKnown) {
  for (std::size_t at = 0; at < training_format_count; ++at) {
    for (const char* recipe : {"other", "megatron-core", "hai-llm"}) {
      const ExportedLaunch exported =
          exported_launch(launched_model("llama-3.1-8b", recipe), static_cast<LaunchFormat>(at));
      const bool said = std::any_of(exported.not_exported.begin(), exported.not_exported.end(),
                                    [](const NotExported& one) { return one.field == "recipe"; });
      EXPECT_EQ(said, recipe == std::string_view("other"));
    }
  }
}

// megatron/training/arguments.py:1454 and 1168: with TP or CP one queue before Blackwell, and none for FSDP.
TEST(ExportedLaunch, SetsTheQueuesThatMegatronAsksFor) {
  LaunchedJob launched = launched_model("llama-3.1-8b", "megatron-core");
  Job& job = launched.job;
  const auto on = [&](const char* system) {
    fill(job.machine, *find_system(system));
    return exported_launch(launched, LaunchFormat::megatron_lm).text;
  };
  const std::string one_queue = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n";
  EXPECT_FALSE(has(on("dgx-h100"), one_queue));
  job.layout.tensor_parallel = 2;
  EXPECT_TRUE(has(on("dgx-h100"), one_queue));
  EXPECT_FALSE(has(on("dgx-b200"), one_queue));
  job.layout.data_parallel = 2;
  job.layout.zero_stage = 3;
  EXPECT_FALSE(has(on("dgx-h100"), "CUDA_DEVICE_MAX_CONNECTIONS"));
}

// A field is either the launch's to speak of, or its stack's.
TEST(ExportedLaunch, SaysNothingTwice) {
  for (const LaunchedJob& launched : settings()) {
    for (std::size_t at = 0; at < std::size(launch_format_names); ++at) {
      std::set<std::pair<std::string_view, std::string>> said;
      for (const NotExported& one : exported_launch(launched, static_cast<LaunchFormat>(at)).not_exported)
        EXPECT_TRUE(said.insert({one.field, one.why}).second) << one.field << ' ' << one.why;
    }
  }
  LaunchedJob mixtral = launched_model("mixtral-8x7b", "deepspeed");
  mixtral.job.layout.data_parallel = mixtral.job.layout.expert_parallel = 8;
  mixtral.job.layout.expert_exchange = ExchangeKernel::normal;
  int dispatchers = 0;
  for (const NotExported& one : exported_launch(mixtral, LaunchFormat::deepspeed).not_exported)
    dispatchers += one.field == "expert_exchange" ? 1 : 0;
  EXPECT_EQ(dispatchers, 1);
}

// deepspeed/runtime/config.py: train_batch_size = micro-batch x accumulation x replicas, or it does not
// start. A model of transformers has no stages there.
TEST(ExportedLaunch, OfDeepSpeedStartsReplicasForStages) {
  LaunchedJob launched = launched_model("llama-3.1-8b", "deepspeed");
  EXPECT_FALSE(missing_of(launched, LaunchFormat::deepspeed).contains("pipeline_parallel"));
  launched.job.layout.tensor_parallel = 2;
  launched.job.layout.data_parallel = 4;
  for (const std::int64_t stages : {2, 4}) {
    for (const std::int64_t batch : {8, 48, 512}) {
      launched.job.layout.pipeline_parallel = stages;
      launched.job.layout.cluster_gpus = gpus_needed(launched.job.layout);
      launched.job.work.batch_size = 2;
      launched.job.work.global_batch_size = batch;
      const auto options = options_of(launched, LaunchFormat::deepspeed);
      const auto number = [&](const char* name) { return number_of(options, name, 0); };
      const std::int64_t replicas = number("--num_gpus") *
                                    std::max<std::int64_t>(1, number_of(options, "--num_nodes", 1)) /
                                    number("tensor_parallel.autotp_size");
      EXPECT_EQ(replicas, 4 * stages);
      EXPECT_EQ(number("train_batch_size"),
                number("train_micro_batch_size_per_gpu") * number("gradient_accumulation_steps") * replicas);
      EXPECT_GE(number("train_batch_size"), batch);
      const std::set<std::string> missing = missing_of(launched, LaunchFormat::deepspeed);
      EXPECT_TRUE(missing.contains("pipeline_parallel"));
      EXPECT_EQ(missing.contains("global_batch_size"), number("train_batch_size") != batch);
      EXPECT_TRUE(has(exported_launch(launched, LaunchFormat::deepspeed).text, "cat > train.py"));
    }
  }
}

// Copies of a dense server have a limit each; groups that attend apart share one (tp_worker.py).
TEST(ExportedLaunch, OfSGLangLimitsRequestsAsItCountsThem) {
  LaunchedJob launched = launched_model("llama-3.1-8b", "sglang");
  launched.job.work.mode = Mode::decode;
  launched.job.work.global_batch_size = 0;
  launched.job.work.batch_size = 32;
  launched.job.layout.data_parallel = 4;
  EXPECT_TRUE(has(exported_launch(launched, LaunchFormat::sglang).text, "--max-running-requests 32"));
  launched = launched_model("deepseek-v3", "sglang");
  launched.job.work.mode = Mode::decode;
  launched.job.work.global_batch_size = 0;
  launched.job.work.batch_size = 32;
  launched.job.layout.data_parallel = launched.job.layout.expert_parallel = 8;
  const std::string text = exported_launch(launched, LaunchFormat::sglang).text;
  EXPECT_TRUE(has(text, "--enable-dp-attention"));
  EXPECT_TRUE(has(text, "--max-running-requests 256"));
}

// TensorRT-LLM multiplies as a checkpoint has its weights.
TEST(ExportedLaunch, OfTensorRtServesWhatWasQuantizedBefore) {
  const auto lacks = [](const char* model) {
    LaunchedJob launched = launched_model(model, "tensorrt-llm");
    launched.job.work.mode = Mode::decode;
    launched.job.work.matmul_precision = MatmulPrecision::fp8;
    return missing_of(launched, LaunchFormat::tensorrt_llm).contains("matmul_precision");
  };
  EXPECT_TRUE(lacks("llama-3.1-8b"));
  EXPECT_FALSE(lacks("deepseek-v3"));
}

TEST(ExportedLaunch, ReadsAndWritesPipelineStrings) {
  // Megatron-Bridge's of DeepSeek-V3 (deepseek_v3.py @067f987d): 32 chunks, 61 layers.
  const auto said = layers_of_stages("Et|(tt|)*30mL", 16);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->chunks, 2);
  EXPECT_EQ(said->first, 3);
  EXPECT_EQ(said->inner, 4);
  EXPECT_EQ(said->last, 2);
  EXPECT_EQ(layers_of_stages("Et*3|t*3L", 2)->last, 3);
  // 10 layers for 8 stages, as they are written for 80 for 32.
  EXPECT_EQ(layers_of_stages("Ett|tt|t|t|t|t|t|tL", 8)->inner, 7 / 6.0);
  LaunchedJob launched = launched_model("llama-3.1-70b", "megatron-core");
  launched.job.layout.pipeline_parallel = 32;
  const std::string flags = exported_launch(launched, LaunchFormat::megatron_lm).text;
  EXPECT_TRUE(has(flags, "ttt|ttt|tt|tt"));
  std::string string = "Ettt";
  for (int stage = 1; stage < 32; ++stage) string += stage < 16 ? "|ttt" : "|tt";
  EXPECT_TRUE(has(flags, string + "L")) << flags;
  for (const char* wrong : {"Et|(tt|*30L", "Ex|tL", "Et*0|tL", "Et*99999999|tL", "Et|t|tL", "Et|tt|t|tL"})
    EXPECT_FALSE(layers_of_stages(wrong, 4)) << wrong;
}

// The jobs that tests/data/launches.csv has option by option: 64 H100, 8 tensor ranks each but of a server.
LaunchedJob documented_job(const std::string& format, const std::string& model, bool serves) {
  const bool titan = format == "torchtitan";
  LaunchedJob launched = launched_model(model, serves                           ? "vllm"
                                               : titan || format == "deepspeed" ? format
                                                                                : "megatron-core");
  Job& job = launched.job;
  job.work.gradient_bytes_per_element = 4;
  if (serves) {
    job.work.mode = Mode::decode;
    job.work.sequence_length = 1280;
    job.work.batch_size = 64;
    const bool shares = model == "deepseek-v3";
    job.layout.tensor_parallel = shares ? 1 : 4;
    job.layout.data_parallel = job.layout.expert_parallel = shares ? 8 : 1;
    job.layout.expert_exchange = ExchangeKernel::low_latency;
    job.work.kv_bytes_per_element = format == "tensorrt_llm" ? 1 : 0;
    return launched;
  }
  const bool whole = format == "deepspeed";
  job.layout.tensor_parallel = whole ? 1 : 8;
  job.layout.sequence_parallel = !whole;
  job.layout.data_parallel = whole ? 64 : 8;
  job.layout.zero_stage = whole || titan ? 3 : 1;
  job.work.global_batch_size = 64;
  return launched;
}

TEST(ExportedLaunch, TenLaunchesAndFiveDeploymentsAreThoseOfTheStacks) {
  std::set<std::string> launches;
  for (const test::CsvRow& row : test::read_csv(test::data_file("launches.csv"))) {
    const std::string& launch = row.at("launch");
    launches.insert(launch);
    const std::size_t blank = launch.find(' ');
    const std::string name = launch.substr(0, blank);
    const auto* const found = std::find(std::begin(launch_format_names), std::end(launch_format_names), name);
    const auto format = static_cast<LaunchFormat>(found - std::begin(launch_format_names));
    const LaunchedJob launched = documented_job(name, launch.substr(blank + 1), launch_stack(format).serves);
    const auto options = options_of(launched, format);
    const auto written = options.find(row.at("option"));
    if (row.at("left_out").empty()) {
      ASSERT_NE(written, options.end()) << launch << ' ' << row.at("option");
      EXPECT_EQ(written->second, row.at("value")) << launch << ' ' << row.at("option");
    } else {
      EXPECT_EQ(written, options.end()) << launch << ' ' << row.at("option");
    }
  }
  EXPECT_EQ(launches.size(), 15u);
}

TEST(ExportedLaunch, AServerOverTwoNodesSaysHowManyGroupsEachNodeRuns) {
  LaunchedJob launched = documented_job("vllm", "deepseek-v3", true);
  launched.job.layout = server_layout(1, 1, 16);
  const auto options = options_of(launched, LaunchFormat::vllm);
  EXPECT_EQ(number_of(options, "--data-parallel-size", 0), 16);
  EXPECT_EQ(number_of(options, "--data-parallel-size-local", 0), 8);
  // Two GPUs a group: half as many on a node.
  launched.job.layout = server_layout(2, 1, 16);
  EXPECT_EQ(number_of(options_of(launched, LaunchFormat::vllm), "--data-parallel-size-local", 0), 4);
}

}  // namespace
}  // namespace commcost
