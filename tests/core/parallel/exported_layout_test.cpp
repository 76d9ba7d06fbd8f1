#include "core/parallel/exported_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "core/model/catalog.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/recipes.h"
#include "support/csv.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

struct Documented {
  std::string kind;
  std::set<std::string> choices;
};

// By format, section and option.
std::map<std::string, Documented> documented() {
  std::map<std::string, Documented> options;
  for (const test::CsvRow& row : test::read_csv(test::data_file("stack_options.csv"))) {
    Documented option{row.at("kind"), {}};
    std::istringstream choices(row.at("choices"));
    for (std::string one; std::getline(choices, one, '|');) option.choices.insert(one);
    options[row.at("format") + " " + row.at("section") + " " + row.at("option")] = option;
  }
  return options;
}

std::string unquoted(const std::string& value) {
  return value.size() > 1 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
}

bool is_of(const std::string& kind, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  const bool numeric = !value.empty() && *end == 0;
  if (kind == "switch") return value.empty();
  if (kind == "real") return numeric;
  if (kind == "list") return value.starts_with("[\"") && value.ends_with("\"]");
  if (kind == "whole")
    return numeric && number == static_cast<double>(static_cast<std::int64_t>(number)) && number >= 1;
  return !value.empty() && !numeric;
}

// What a shell and an argument parser make of the text: option and value.
std::map<std::string, std::string> parsed_arguments(const std::string& text) {
  std::map<std::string, std::string> options;
  std::istringstream words(text);
  std::string option;
  for (std::string word; words >> word;) {
    if (word == "\\") continue;
    if (word.starts_with("--")) {
      option = word;
      EXPECT_TRUE(options.emplace(option, "").second) << option;
    } else {
      std::string& value = options[option];
      // Modules alone are several words.
      EXPECT_TRUE(value.empty() || option == "--recompute-modules") << option;
      value.append(value.empty() ? "" : " ").append(word);
    }
  }
  return options;
}

// What a TOML parser makes of it: section.option and value. A table may be opened once.
std::map<std::string, std::string> parsed_toml(const std::string& text) {
  std::map<std::string, std::string> options;
  std::set<std::string> sections;
  std::string section;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.front() == '[') {
      section = line.substr(1, line.size() - 2);
      EXPECT_TRUE(sections.insert(section).second) << section;
    } else {
      const std::size_t at = line.find(" = ");
      EXPECT_NE(at, std::string::npos) << line;
      EXPECT_TRUE(options.emplace(section + "." + line.substr(0, at), unquoted(line.substr(at + 3))).second)
          << line;
    }
  }
  return options;
}

std::int64_t number_of(const std::map<std::string, std::string>& options, const std::string& name,
                       std::int64_t otherwise) {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::atoll(found->second.c_str());
}

std::set<std::string> missing_of(const ExportedLayout& exported) {
  std::set<std::string> fields;
  for (const NotExported& one : exported.not_exported) fields.insert(std::string(one.field));
  return fields;
}

// What split points ["layers.7", "layers.15"] leave each stage.
std::vector<std::int64_t> layers_of_stages(const std::string& split_points, const Job& job) {
  std::vector<std::int64_t> layers;
  std::int64_t before = 0;
  constexpr std::string_view name = "layers.";
  for (std::size_t at = split_points.find(name); at != std::string::npos;
       at = split_points.find(name, at + 1)) {
    const std::int64_t start = std::atoll(split_points.c_str() + at + name.size());
    layers.push_back(start - before);
    before = start;
  }
  layers.push_back(job.model.num_layers - before);
  return layers;
}

// The same as the inputs say it: given ends, and what is left to the others in equal parts.
std::vector<std::int64_t> dealt_to_stages(const Job& job) {
  const Layout& layout = job.layout;
  std::int64_t rest = job.model.num_layers - layout.first_stage_layers - layout.last_stage_layers;
  std::int64_t others = layout.pipeline_parallel;
  for (const std::int64_t end : {layout.first_stage_layers, layout.last_stage_layers}) others -= end > 0;
  std::vector<std::int64_t> layers(static_cast<std::size_t>(layout.pipeline_parallel),
                                   others > 0 ? rest / others : 0);
  if (layout.first_stage_layers > 0) layers.front() = layout.first_stage_layers;
  if (layout.last_stage_layers > 0) layers.back() = layout.last_stage_layers;
  return layers;
}

std::vector<Job> settings() {
  std::vector<Job> all;
  test::Random random(15);
  while (all.size() < 2000) {
    const Job job = completed(test::random_training(random));
    if (can_exist(job)) all.push_back(job);
  }
  return all;
}

TEST(ExportedLayout, EveryOptionIsDocumentedAndTakesItsValue) {
  const std::map<std::string, Documented> options = documented();
  std::set<std::string> written;
  for (const Job& job : settings()) {
    for (const ExportFormat format : {ExportFormat::megatron_lm, ExportFormat::torchtitan}) {
      const std::string name(export_format_names[static_cast<std::size_t>(format)]);
      for (const ExportedOption& option : exported_layout(job, format).options) {
        const std::string key = name + " " + option.section + " " + option.option;
        written.insert(key);
        const auto found = options.find(key);
        ASSERT_NE(found, options.end()) << key;
        const std::string value = unquoted(option.value);
        EXPECT_TRUE(is_of(found->second.kind, value)) << key << " " << value;
        if (!found->second.choices.empty()) {
          EXPECT_TRUE(found->second.choices.contains(value)) << key << " " << value;
        }
      }
    }
  }
  EXPECT_GE(written.size(), 30u);  // the random settings reach nearly all of them
}

TEST(ExportedLayout, MegatronsArgumentsSayTheLayoutAgain) {
  for (const Job& job : settings()) {
    const Layout& layout = job.layout;
    const ExportedLayout exported = exported_layout(job, ExportFormat::megatron_lm);
    const auto options = parsed_arguments(exported.text);
    const auto missing = missing_of(exported);
    EXPECT_EQ(number_of(options, "--tensor-model-parallel-size", 1), layout.tensor_parallel);
    EXPECT_EQ(number_of(options, "--pipeline-model-parallel-size", 1), layout.pipeline_parallel);
    EXPECT_EQ(number_of(options, "--context-parallel-size", 1), layout.context_parallel);
    EXPECT_EQ(number_of(options, "--expert-model-parallel-size", 1), layout.expert_parallel);
    const bool in_chunks =
        layout.pipeline_parallel > 1 && layout.pipeline_schedule == PipelineSchedule::interleaved;
    if (const auto entries = options.find("--pipeline-model-parallel-layout"); entries != options.end()) {
      const auto count = [&text = entries->second](char mark) {
        return std::count(text.begin(), text.end(), mark);
      };
      EXPECT_EQ(count('|') + 1, layout.pipeline_parallel * layout.virtual_stages);
      EXPECT_EQ(count('t'), job.model.num_layers);
    } else {
      EXPECT_EQ(number_of(options, "--num-virtual-stages-per-pipeline-rank", 1),
                in_chunks ? layout.virtual_stages : 1);
    }
    EXPECT_EQ(number_of(options, "--micro-batch-size", 0), job.work.batch_size);
    EXPECT_EQ(number_of(options, "--global-batch-size", 0), sequences_per_step(job.work, layout));
    EXPECT_EQ(number_of(options, "--seq-length", 0), job.work.sequence_length);
    EXPECT_EQ(options.contains("--sequence-parallel"),
              layout.sequence_parallel && layout.tensor_parallel > 1);
    const auto granularity = options.find("--recompute-granularity");
    const Work& work = job.work;
    const bool repeats =
        work.recompute == Recompute::full || (work.recompute == Recompute::selective &&
                                              (work.recompute_attention_core || work.recompute_elementwise ||
                                               (work.recompute_latent_projections && job.model.kv_rank > 0)));
    EXPECT_EQ(granularity == options.end() ? "none" : granularity->second,
              repeats ? recompute_names[static_cast<std::size_t>(work.recompute)] : "none");
    if (data_ranks(layout).size > 1) {
      const auto strategy = options.find("--data-parallel-sharding-strategy");
      const std::int64_t stage = strategy != options.end() ? (strategy->second == "optim_grads" ? 2 : 3)
                                                           : options.contains("--use-distributed-optimizer");
      EXPECT_EQ(stage, layout.zero_stage);
    }
    const bool shards = data_ranks(layout).size > 1 && layout.zero_stage > 0 && layout.shard_group_size > 0;
    EXPECT_EQ(number_of(options, "--num-distributed-optimizer-instances", 1),
              shards ? layout.data_parallel * layout.context_parallel / layout.shard_group_size : 1);
    if (layout.pipeline_parallel > 1 && layout.first_stage_layers > 0) {
      EXPECT_EQ(number_of(options, "--decoder-first-pipeline-num-layers", 0), layout.first_stage_layers);
    }
    if (layout.pipeline_parallel > 1 && layout.last_stage_layers > 0) {
      EXPECT_EQ(number_of(options, "--decoder-last-pipeline-num-layers", 0), layout.last_stage_layers);
    }
    const bool known = layout.pipeline_parallel == 1 ||
                       layout.pipeline_schedule == PipelineSchedule::one_f_one_b ||
                       layout.pipeline_schedule == PipelineSchedule::interleaved;
    EXPECT_EQ(missing.contains("pipeline_schedule"), !known);
    // What Megatron-LM's validate_args refuses.
    EXPECT_TRUE(!options.contains("--tp-comm-overlap") || options.contains("--sequence-parallel"));
    EXPECT_TRUE(!options.contains("--overlap-param-gather") || options.contains("--overlap-grad-reduce"));
    EXPECT_EQ(options.contains("--use-megatron-fsdp"), options.contains("--ckpt-format"));
  }
}

TEST(ExportedLayout, TorchtitansEntriesSayTheLayoutAgain) {
  for (const Job& job : settings()) {
    const Layout& layout = job.layout;
    const ExportedLayout exported = exported_layout(job, ExportFormat::torchtitan);
    const auto options = parsed_toml(exported.text);
    const auto missing = missing_of(exported);
    const auto degree = [&options](const char* name) {
      return number_of(options, std::string("parallelism.") + name, 1);
    };
    EXPECT_EQ(degree("tensor_parallel_degree"), layout.tensor_parallel);
    EXPECT_EQ(degree("pipeline_parallel_degree"), layout.pipeline_parallel);
    EXPECT_EQ(degree("context_parallel_degree"), layout.context_parallel);
    EXPECT_EQ(degree("expert_parallel_degree"), layout.expert_parallel);
    EXPECT_EQ(degree("data_parallel_replicate_degree") * degree("data_parallel_shard_degree"),
              layout.data_parallel);
    EXPECT_EQ(number_of(options, "training.seq_len", 0), job.work.sequence_length);
    EXPECT_EQ(number_of(options, "training.global_batch_size", 0), sequences_per_step(job.work, layout));
    const bool staged = layout.pipeline_parallel > 1;
    EXPECT_EQ(staged ? degree("pipeline_parallel_microbatch_size")
                     : number_of(options, "training.local_batch_size", 0),
              job.work.batch_size);
    const bool own_ends = layout.first_stage_layers + layout.last_stage_layers > 0;
    if (staged && own_ends && layout.virtual_stages == 1 && !ends_meet(layout)) {
      EXPECT_EQ(layers_of_stages(options.at("parallelism.pipeline_parallel_split_points"), job),
                dealt_to_stages(job));
    }
    if (layout.zero_stage >= 2 && layout.shard_group_size > 0 && !missing.contains("shard_group_size")) {
      EXPECT_EQ(degree("data_parallel_shard_degree") * layout.context_parallel, layout.shard_group_size);
    }
    if (staged && !own_ends &&
        job.model.num_layers % (layout.pipeline_parallel * chunks_of_a_stage(layout)) == 0) {
      EXPECT_EQ(job.model.num_layers / degree("pipeline_parallel_layers_per_stage"),
                layout.pipeline_parallel * chunks_of_a_stage(layout));
    }
    if (staged) {
      const bool folded = layout.pipeline_schedule == PipelineSchedule::dualpipe_v;
      EXPECT_EQ(unquoted(options.at("parallelism.pipeline_parallel_schedule")) == "DualPipeV", folded);
      if (layout.pipeline_schedule == PipelineSchedule::dualpipe) {
        EXPECT_TRUE(missing.contains("pipeline_schedule"));
      }
    }
    const auto reshard = options.find("parallelism.fsdp_reshard_after_forward");
    const std::int64_t stage = reshard == options.end() ? 0 : reshard->second == "always" ? 3 : 2;
    const bool alone = data_ranks(layout).size == 1 && layout.zero_stage == 1;
    EXPECT_EQ(stage, missing.contains("zero_stage") || alone ? 0 : layout.zero_stage);
    EXPECT_EQ(missing.contains("sequence_parallel"), layout.tensor_parallel > 1 && !layout.sequence_parallel);
  }
}

// Llama 3.1 405B as its authors trained it (arXiv:2407.21783, table 4): 8 tensor, 16 pipeline, 128 data.
TEST(ExportedLayout, OfLlama405BWithShorterEnds) {
  Job job;
  job.model = find_model("llama-3.1-405b")->shape;
  fill(job, *find_recipe("megatron-core"));
  job.work.global_batch_size = 2048;
  job.layout.pipeline_parallel = 16;
  job.layout.data_parallel = 128;
  job.layout.zero_stage = 2;
  job.layout.shard_group_size = 32;
  // The paper's section 3.3.2: the first and the last stage have one layer less.
  job.layout.first_stage_layers = job.layout.last_stage_layers = 7;
  const std::string arguments = exported_layout(completed(job), ExportFormat::megatron_lm).text;
  EXPECT_NE(arguments.find("--decoder-first-pipeline-num-layers 7 \\\n"
                           "--decoder-last-pipeline-num-layers 7 \\\n"),
            std::string::npos);
  EXPECT_NE(arguments.find("--num-distributed-optimizer-instances 4 "), std::string::npos);
  const std::string toml = exported_layout(completed(job), ExportFormat::torchtitan).text;
  EXPECT_NE(toml.find("data_parallel_replicate_degree = 4\ndata_parallel_shard_degree = 32\n"),
            std::string::npos);
  EXPECT_NE(toml.find("pipeline_parallel_split_points = [\"layers.7\", \"layers.15\", "), std::string::npos);
}

TEST(ExportedLayout, NamesWhatSelectiveRecomputationRepeats) {
  Job job;
  job.model = find_model("deepseek-v3")->shape;
  fill(job, *find_recipe("megatron-core"));
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  job.work.recompute = Recompute::selective;
  const auto exported = [&](ExportFormat format) { return exported_layout(completed(job), format); };
  // The attention core is what Megatron-LM repeats without being asked, and torchtitan cannot.
  EXPECT_EQ(exported(ExportFormat::megatron_lm).text.find("--recompute-modules"), std::string::npos);
  EXPECT_NE(exported(ExportFormat::torchtitan).text.find("mode = \"none\""), std::string::npos);
  EXPECT_EQ(exported(ExportFormat::torchtitan).not_exported.back().field, "recompute");
  job.work.recompute_attention_core = false;
  job.work.recompute_elementwise = true;
  job.work.recompute_latent_projections = true;
  EXPECT_NE(exported(ExportFormat::megatron_lm)
                .text.find("--recompute-granularity selective \\\n"
                           "--recompute-modules layernorm moe_act mla_up_proj \\\n"),
            std::string::npos);
  fill(job, *find_recipe("torchtitan"));
  EXPECT_NE(
      exported(ExportFormat::torchtitan).text.find("mode = \"selective\"\nselective_ac_option = \"op\"\n"),
      std::string::npos);
}

TEST(ExportedLayout, SaysHowTokensReachTheirExperts) {
  Job job;
  job.model = find_model("deepseek-v3")->shape;
  fill(job, *find_recipe("hai-llm"));
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  job.layout.data_parallel = 64;
  job.layout.expert_parallel = 64;
  const auto exported = [&] { return exported_layout(completed(job), ExportFormat::megatron_lm); };
  EXPECT_NE(exported().text.find("--expert-model-parallel-size 64 \\\n"
                                 "--moe-router-num-groups 8 \\\n"
                                 "--moe-router-group-topk 4 \\\n"
                                 "--moe-token-dispatcher-type flex \\\n"
                                 "--moe-flex-dispatcher-backend deepep \\\n"
                                 "--overlap-moe-expert-parallel-comm \\\n"),
            std::string::npos);
  // Stages without chunks do not hide them there.
  job.layout.pipeline_parallel = 2;
  EXPECT_EQ(exported().text.find("--overlap-moe-expert-parallel-comm"), std::string::npos);
  fill(job, *find_recipe("megatron-core"));
  EXPECT_NE(exported().text.find("--moe-token-dispatcher-type alltoall \\\n"), std::string::npos);
}

TEST(ExportedLayout, SaysHowManyRanksShareAnExpert) {
  Job job;
  job.model = find_model("mixtral-8x7b")->shape;
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  job.layout.tensor_parallel = 4;
  job.layout.sequence_parallel = true;
  job.layout.data_parallel = 2;
  const auto text = [&](ExportFormat format) { return exported_layout(completed(job), format).text; };
  const auto says = [&](ExportFormat format, const char* option) {
    return text(format).find(option) != std::string::npos;
  };
  // Of Megatron-LM the tensor ranks share an expert unasked, of torchtitan one rank has it.
  job.layout.expert_parallel = 2;
  EXPECT_FALSE(says(ExportFormat::megatron_lm, "--expert-tensor-parallel-size"));
  EXPECT_TRUE(says(ExportFormat::torchtitan, "expert_tensor_parallel_degree = 4\n"));
  job.layout.expert_parallel = 8;
  job.layout.expert_tensor_parallel = 1;
  EXPECT_TRUE(says(ExportFormat::megatron_lm, "--expert-tensor-parallel-size 1 \\\n"));
  EXPECT_TRUE(says(ExportFormat::torchtitan, "expert_tensor_parallel_degree = 1\n"));
  // torchtitan has these two alone.
  const auto refused = [&] {
    const ExportedLayout exported = exported_layout(completed(job), ExportFormat::torchtitan);
    return std::any_of(exported.not_exported.begin(), exported.not_exported.end(),
                       [](const auto& one) { return one.field == "expert_tensor_parallel"; });
  };
  EXPECT_FALSE(refused());
  job.layout.expert_parallel = 4;
  job.layout.expert_tensor_parallel = 2;
  EXPECT_TRUE(refused());
}

TEST(ExportedLayout, OfLlama405B) {
  Job job;
  job.model = find_model("llama-3.1-405b")->shape;
  fill(job, *find_recipe("megatron-core"));
  job.work.sequence_length = 8192;
  job.work.batch_size = 1;
  job.work.global_batch_size = 2048;
  job.layout.tensor_parallel = 8;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = 16;
  job.layout.data_parallel = 128;
  job.layout.zero_stage = 1;
  EXPECT_EQ(exported_layout(completed(job), ExportFormat::megatron_lm).text,
            R"(--tensor-model-parallel-size 8 \
--sequence-parallel \
--tp-comm-overlap \
--pipeline-model-parallel-size 16 \
--decoder-last-pipeline-num-layers 6 \
--context-parallel-size 1 \
--use-distributed-optimizer \
--overlap-grad-reduce \
--overlap-param-gather \
--micro-batch-size 1 \
--global-batch-size 2048 \
--seq-length 8192 \
--bf16 \
--grad-reduce-in-bf16 \
--attention-backend flash \
--attention-dropout 0.0 \
--hidden-dropout 0.0
)");
  EXPECT_EQ(exported_layout(completed(job), ExportFormat::torchtitan).text, R"([training]
local_batch_size = 16
global_batch_size = 2048
seq_len = 8192
mixed_precision_param = "bfloat16"

[parallelism]
data_parallel_replicate_degree = 128
data_parallel_shard_degree = 1
tensor_parallel_degree = 8
pipeline_parallel_degree = 16
pipeline_parallel_schedule = "1F1B"
pipeline_parallel_layers_per_stage = 8
pipeline_parallel_microbatch_size = 1
context_parallel_degree = 1

[activation_checkpoint]
mode = "none"
)");
}

}  // namespace
}  // namespace commcost
