#include "core/parallel/stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/model/catalog.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "support/csv.h"

namespace commcost {
namespace {

using test::CsvRow;
using test::read_csv;

// Llama 3.1 70B on 64 GPUs, as a stack fills it: TP 4 with sequence parallelism, PP 4, DP 4.
Job llama(std::string_view recipe) {
  Job job;
  job.model = find_model("llama-3.1-70b")->shape;
  fill(job, *find_recipe(recipe));
  job.work.sequence_length = 8192;
  job.work.batch_size = 1;
  job.work.global_batch_size = 128;
  job.layout.tensor_parallel = 4;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = 4;
  job.layout.data_parallel = 4;
  return job;
}

// Mixtral with an expert on each rank of eight.
Job mixtral(std::string_view recipe) {
  Job job = llama(recipe);
  job.model = find_model("mixtral-8x7b")->shape;
  job.layout.pipeline_parallel = 1;
  job.layout.data_parallel = 16;
  job.layout.expert_parallel = 8;
  job.layout.expert_tensor_parallel = 1;
  return job;
}

using Change = std::function<void(Job&)>;

Change pipeline(PipelineSchedule schedule, std::int64_t chunks = 1) {
  return [=](Job& job) {
    job.layout.pipeline_schedule = schedule;
    job.layout.virtual_stages = chunks;
  };
}

// 80 layers on 18 stages, 5 to each but the last two, in chunks.
template <std::int64_t Chunks>
void in_chunks_without_rest(Job& job) {
  job.layout.pipeline_parallel = 18;
  pipeline(PipelineSchedule::interleaved, Chunks)(job);
}

// 80 layers on 5 stages in four chunks, so many of them on each end and a third of the rest on those between.
template <std::int64_t Layers>
void in_four_chunks(Job& job) {
  job.layout.pipeline_parallel = 5;
  pipeline(PipelineSchedule::interleaved, 4)(job);
  job.layout.first_stage_layers = job.layout.last_stage_layers = Layers;
}

template <auto Member, auto Value>
void in_layout(Job& job) {
  job.layout.*Member = Value;
}

void in_one_stage(Job& job) {
  job.layout.data_parallel *= job.layout.pipeline_parallel;
  job.layout.pipeline_parallel = 1;
}

// A rule with a layout that keeps it and one that breaks it.
struct Case {
  const char* recipe;
  const char* ability;
  Job (*of)(std::string_view recipe);
  Change keeps;
  Change breaks;
};

void as_it_is(Job&) {}

using enum PipelineSchedule;

template <ContextScheme Scheme>
void context(Job& job) {
  job.layout.context_parallel = 2;
  job.layout.data_parallel /= 2;
  job.layout.context_scheme = Scheme;
}

template <std::int64_t Stage>
void zero(Job& job) {
  in_one_stage(job);
  job.layout.zero_stage = Stage;
}

void odd_sequence(Job& job) {
  job.work.sequence_length = 8196;
  context<ContextScheme::all_gather>(job);
  job.layout.context_scheme = ContextScheme::ring;
  job.layout.context_parallel = 4;
}

template <Fp8Scaling Scaling>
void multiplies_fp8(Job& job) {
  job.work.matmul_precision = MatmulPrecision::fp8;
  job.work.fp8_scaling = Scaling;
}

template <Recompute What>
void recompute(Job& job) {
  job.work.recompute = What;
}

template <std::int64_t Layers>
void repeat(Job& job) {
  job.work.recompute = Recompute::full;
  job.work.recomputed_layers = Layers;
}

template <MatmulPrecision Precision>
void multiply(Job& job) {
  job.work.matmul_precision = Precision;
}

// Of nodes of eight GPUs.
template <std::int64_t Ranks>
void overlap_tensor_over(Job& job) {
  in_one_stage(job);
  job.layout.tensor_parallel = Ranks;
  job.layout.sequence_parallel = job.layout.overlap_tensor = true;
}

void offload_layers(Job& job) {
  job.work.offloaded_layers = 4;
}

template <int Percent>
void offload_optimizer(Job& job) {
  job.work.offloaded_optimizer_percent = Percent;
}

void whole_layers_beside_hidden_dispatch(Job& job) {
  job.layout.overlap_expert = true;
  job.work.recompute = Recompute::full;
}

void hidden_dispatch_in_a_pipeline(Job& job) {
  job.layout.overlap_expert = true;
  job.layout.pipeline_parallel = 2;
  job.layout.data_parallel = 8;
}

// Those of a server.
Job deepseek_served(std::string_view recipe) {
  Job job = mixtral(recipe);
  job.model = find_model("deepseek-v3")->shape;
  job.work.mode = Mode::decode;
  job.work.global_batch_size = 0;
  return job;
}

template <ExchangeKernel Kernel>
void send_by(Job& job) {
  job.layout.expert_exchange = Kernel;
}

template <ExchangeKernel Kernel, bool Graphs>
void replay(Job& job) {
  send_by<Kernel>(job);
  job.stack.cuda_graphs = Graphs;
}

Change cached_in(std::string_view accelerator, double bytes) {
  return [=](Job& job) {
    job.machine.accelerator = place_of_accelerator(accelerator);
    job.layout.tensor_parallel = 1;
    job.work.kv_bytes_per_element = bytes;
  };
}

Job llama_served(std::string_view recipe) {
  Job job = deepseek_served(recipe);
  job.model = find_model("llama-3.1-70b")->shape;
  job.layout.expert_parallel = job.layout.data_parallel = 1;
  job.layout.expert_tensor_parallel = 0;
  return job;
}

template <std::int64_t Slices>
void slice_experts(Job& job) {
  job.layout.expert_tensor_parallel = Slices;
}

// One expert rank on each pair of the four tensor ranks, so that a server would hold experts twice.
void hold_experts_twice(Job& job) {
  job.layout.expert_parallel = 2;
}

Change on(std::string_view accelerator) {
  return [=](Job& job) { job.machine.accelerator = place_of_accelerator(accelerator); };
}

const Case cases[] = {
    {"megatron-core", "hardware", llama, on("b200"), on("tpu-v5p")},
    {"megatron-2021", "hardware", llama, on("v100-sxm"), on("mi250x")},
    {"torchtitan", "hardware", llama, on("mi300x"), on("gaudi3")},
    {"deepspeed", "hardware", llama, on("gaudi2"), on("tpu-v4")},
    {"nanotron", "hardware", llama, on("h100-sxm"), on("trainium2")},
    {"maxtext", "hardware", llama, on("tpu-v5p"), on("gaudi3")},
    {"sglang", "hardware", llama_served, on("mi325x"), on("trainium2")},
    {"tensorrt-llm", "hardware", llama_served, on("a100-sxm-80gb"), on("mi300x")},
    {"tensorrt-llm", "hardware", llama_served, on("l40s"), on("v100-sxm")},
    {"gpt-fast", "hardware", llama_served, on("mi300x"), on("tpu-v5e")},
    {"vllm", "degrees", deepseek_served, as_it_is, hold_experts_twice},
    {"vllm", "degrees", deepseek_served, as_it_is, slice_experts<2>},
    {"sglang", "degrees", deepseek_served, slice_experts<2>, hold_experts_twice},
    {"sglang", "all2all", deepseek_served, send_by<ExchangeKernel::low_latency>,
     [](Job& job) {
       send_by<ExchangeKernel::low_latency>(job);
       slice_experts<2>(job);
     }},
    {"tensorrt-llm", "degrees", deepseek_served,
     [](Job& job) {
       job.layout.tensor_parallel = 8;
       job.layout.expert_parallel = 4;
       slice_experts<2>(job);
     },
     [](Job& job) {
       job.layout.tensor_parallel = 8;
       job.layout.expert_parallel = 4;
     }},
    {"gpt-fast", "degrees", deepseek_served,
     [](Job& job) {
       job.layout.expert_parallel = 1;
       slice_experts<4>(job);
     },
     in_layout<&Layout::expert_parallel, 1>},
    {"vllm", "all2all", deepseek_served, send_by<ExchangeKernel::low_latency>,
     send_by<ExchangeKernel::by_rank>},
    {"vllm", "all2all", deepseek_served, replay<ExchangeKernel::normal, false>,
     replay<ExchangeKernel::normal, true>},
    {"sglang", "all2all", deepseek_served, send_by<ExchangeKernel::nccl>, send_by<ExchangeKernel::by_rank>},
    {"sglang", "all2all", deepseek_served, replay<ExchangeKernel::low_latency, true>,
     replay<ExchangeKernel::normal, true>},
    {"tensorrt-llm", "degrees", deepseek_served, in_layout<&Layout::tensor_parallel, 1>, as_it_is},
    {"tensorrt-llm", "kv_dtype", deepseek_served, cached_in("b200", 0.5625), cached_in("h100-sxm", 0.5625)},
    {"tensorrt-llm", "kv_dtype", deepseek_served, cached_in("h100-sxm", 1), cached_in("b200", 1.5)},
    {"gpt-fast", "degrees", llama_served, as_it_is, in_layout<&Layout::pipeline_parallel, 2>},
    {"gpt-fast", "degrees", llama_served, in_layout<&Layout::tensor_parallel, 8>,
     in_layout<&Layout::tensor_parallel, 16>},
    {"gpt-fast", "degrees", llama_served, multiply<MatmulPrecision::bf16>, multiply<MatmulPrecision::fp8>},
    {"megatron-core", "pipeline.schedules", llama, pipeline(interleaved, 5), pipeline(zero_bubble)},
    {"megatron-core", "pipeline.layers_rule", llama, in_layout<&Layout::pipeline_parallel, 32>,
     in_chunks_without_rest<3>},
    {"megatron-core", "pipeline.chunks_rule", llama, pipeline(interleaved, 10), pipeline(interleaved, 7)},
    {"megatron-core", "pipeline.chunks_rule", llama, in_four_chunks<4>, in_four_chunks<1>},
    {"megatron-core", "sequence.rule", llama, context<ContextScheme::ring>, odd_sequence},
    {"megatron-core", "sequence_parallel.experts", mixtral, as_it_is,
     [](Job& job) { job.layout.sequence_parallel = false; }},
    {"megatron-core", "zero.with_pipeline", llama, zero<3>, in_layout<&Layout::zero_stage, 2>},
    {"megatron-core", "dispatcher.kinds", mixtral,
     in_layout<&Layout::expert_exchange, ExchangeKernel::normal>,
     in_layout<&Layout::expert_exchange, ExchangeKernel::low_latency>},
    {"megatron-core", "dispatcher.wire", mixtral, as_it_is,
     [](Job& job) { job.layout.dispatch_wire_bytes_per_element = 1; }},
    {"megatron-core", "precision.fp8_recipes", llama, multiplies_fp8<Fp8Scaling::block>,
     multiplies_fp8<Fp8Scaling::row>},
    {"torchtitan", "precision", llama, multiplies_fp8<Fp8Scaling::row>, multiplies_fp8<Fp8Scaling::block>},
    {"megatron-core", "overlap.experts", mixtral, in_layout<&Layout::overlap_expert, true>,
     whole_layers_beside_hidden_dispatch},
    {"megatron-core", "overlap.experts", mixtral, as_it_is, hidden_dispatch_in_a_pipeline},
    {"megatron-core", "recompute.modules", llama, recompute<Recompute::selective>,
     [](Job& job) {
       job.work.recompute = Recompute::selective;
       job.work.recompute_products = true;
     }},
    {"megatron-core", "recompute.kinds", llama,
     [](Job& job) {
       pipeline(interleaved, 5)(job);
       repeat<5>(job);
     },
     [](Job& job) {
       pipeline(interleaved, 5)(job);
       repeat<4>(job);
     }},
    {"megatron-core", "offload.activations", llama,
     [](Job& job) {
       in_one_stage(job);
       job.work.offloaded_layers = 79;
     },
     [](Job& job) {
       in_one_stage(job);
       job.work.offloaded_layers = 80;
     }},
    {"megatron-core", "offload.activations", llama, as_it_is, offload_layers},
    {"megatron-core", "offload.activations", llama,
     [](Job& job) {
       in_one_stage(job);
       offload_layers(job);
     },
     [](Job& job) {
       in_one_stage(job);
       offload_layers(job);
       job.work.recompute = Recompute::selective;
     }},
    {"megatron-core", "offload.optimizer", llama,
     [](Job& job) {
       offload_optimizer<50>(job);
       job.layout.zero_stage = 1;
     },
     [](Job& job) {
       offload_optimizer<50>(job);
       job.layout.zero_stage = 0;
     }},
    {"megatron-core", "overlap.tensor", llama, overlap_tensor_over<8>, overlap_tensor_over<16>},
    {"deepspeed", "dispatcher.kinds", mixtral, as_it_is,
     in_layout<&Layout::expert_exchange, ExchangeKernel::normal>},
    {"nanotron", "dispatcher.kinds", mixtral, as_it_is,
     in_layout<&Layout::expert_exchange, ExchangeKernel::normal>},
    {"maxtext", "dispatcher.kinds", mixtral, as_it_is,
     in_layout<&Layout::expert_exchange, ExchangeKernel::normal>},
    {"megatron-2021", "precision", llama, multiply<MatmulPrecision::fp16>, multiply<MatmulPrecision::fp8>},
    {"deepspeed", "precision", llama, multiply<MatmulPrecision::fp16>, multiply<MatmulPrecision::fp8>},
    {"nanotron", "precision", llama, multiply<MatmulPrecision::bf16>, multiply<MatmulPrecision::fp8>},
    {"fsdp", "precision", llama, multiply<MatmulPrecision::mxfp8>, multiply<MatmulPrecision::nvfp4>},
    {"maxtext", "precision", llama, multiply<MatmulPrecision::fp8>, multiply<MatmulPrecision::mxfp8>},
    {"torchtitan", "overlap.tensor", llama, as_it_is,
     [](Job& job) { job.layout.overlap_tensor = !job.layout.overlap_tensor_forward; }},
    {"torchtitan", "gradients.default", llama, as_it_is,
     [](Job& job) { job.work.gradient_bytes_per_element = 2; }},
    {"megatron-2021", "recompute.kinds", llama, recompute<Recompute::full>, repeat<4>},
    {"megatron-2021", "offload", llama, as_it_is, offload_layers},
    {"megatron-2021", "offload", llama, as_it_is, offload_optimizer<100>},
    {"torchtitan", "recompute.kinds", llama, recompute<Recompute::full>, repeat<4>},
    {"torchtitan", "offload", llama, as_it_is, offload_layers},
    {"torchtitan", "offload", llama, as_it_is, offload_optimizer<100>},
    {"deepspeed", "zero.stages", llama,
     [](Job& job) {
       zero<1>(job);
       offload_optimizer<100>(job);
     },
     [](Job& job) {
       zero<0>(job);
       offload_optimizer<100>(job);
     }},
    {"deepspeed", "zero.stages", llama,
     [](Job& job) {
       zero<3>(job);
       offload_optimizer<50>(job);
     },
     [](Job& job) {
       zero<2>(job);
       offload_optimizer<50>(job);
     }},
    {"deepspeed", "offload.activations", llama, as_it_is, offload_layers},
    {"deepspeed", "recompute.kinds", llama, recompute<Recompute::full>, repeat<4>},
    {"nanotron", "recompute", llama, recompute<Recompute::full>, repeat<4>},
    {"nanotron", "offload", llama, as_it_is, offload_layers},
    {"nanotron", "offload", llama, as_it_is, offload_optimizer<100>},
    {"maxtext", "recompute.default", llama, recompute<Recompute::full>, repeat<4>},
    {"maxtext", "offload", llama, as_it_is, offload_layers},
    {"maxtext", "offload", llama, as_it_is, offload_optimizer<100>},
    {"fsdp", "recompute", llama, recompute<Recompute::full>, repeat<4>},
    {"fsdp", "offload", llama, as_it_is, offload_layers},
    {"fsdp", "offload", llama, as_it_is, offload_optimizer<100>},
    {"megatron-2021", "pipeline.schedules", llama, pipeline(one_f_one_b), pipeline(gpipe)},
    {"megatron-2021", "pipeline.layers_rule", llama, pipeline(interleaved, 5), pipeline(interleaved, 3)},
    {"megatron-2021", "context.kinds", llama, as_it_is, context<ContextScheme::ring>},
    {"megatron-2021", "experts", mixtral, in_layout<&Layout::expert_parallel, 1>, as_it_is},
    {"megatron-2021", "zero.stages", llama, as_it_is, zero<1>},
    {"torchtitan", "pipeline.schedules", llama, pipeline(dualpipe_v), pipeline(zero_bubble)},
    {"torchtitan", "pipeline.layers_rule", llama, pipeline(interleaved, 5), pipeline(interleaved, 13)},
    {"torchtitan", "pipeline.tied", llama, as_it_is, [](Job& job) { job.model.tied_embeddings = true; }},
    {"torchtitan", "tensor.heads", llama, as_it_is, in_layout<&Layout::tensor_parallel, 16>},
    {"torchtitan", "sequence.rule", llama, context<ContextScheme::all_gather>, odd_sequence},
    {"torchtitan", "experts.rule", mixtral, zero<3>, [](Job& job) { job.layout.expert_tensor_parallel = 0; }},
    {"torchtitan", "sequence_parallel", llama, as_it_is,
     [](Job& job) { job.layout.sequence_parallel = false; }},
    {"torchtitan", "zero.stages", llama, zero<2>, zero<1>},
    {"torchtitan", "zero.stages", llama,
     [](Job& job) {
       zero<3>(job);
       job.layout.context_parallel = 2;
     },
     context<ContextScheme::all_gather>},
    {"torchtitan", "experts.rule", mixtral, zero<3>, zero<0>},
    {"torchtitan", "context.kinds", llama, context<ContextScheme::all_gather>, context<ContextScheme::ring>},
    {"torchtitan", "dispatcher.kinds", mixtral, as_it_is,
     in_layout<&Layout::expert_exchange, ExchangeKernel::low_latency>},
    {"deepspeed", "pipeline.schedules", llama, pipeline(one_f_one_b), pipeline(interleaved, 5)},
    {"deepspeed", "pipeline.layers", llama, in_layout<&Layout::pipeline_parallel, 32>,
     in_chunks_without_rest<3>},
    {"deepspeed", "pipeline.with_zero", llama, in_layout<&Layout::zero_stage, 1>,
     in_layout<&Layout::zero_stage, 3>},
    {"deepspeed", "zero.shard_groups", llama,
     [](Job& job) {
       zero<3>(job);
       job.layout.shard_group_size = 4;
     },
     [](Job& job) {
       zero<1>(job);
       job.layout.shard_group_size = 4;
     }},
    {"deepspeed", "tensor", llama, [](Job& job) { job.layout.sequence_parallel = false; }, as_it_is},
    {"deepspeed", "context.kinds", llama, context<ContextScheme::ulysses>, context<ContextScheme::ring>},
    {"deepspeed", "recompute.kinds", llama, recompute<Recompute::full>, recompute<Recompute::selective>},
    {"nanotron", "pipeline.schedules", llama, pipeline(gpipe), pipeline(interleaved, 5)},
    {"nanotron", "zero.stages", llama, zero<1>, zero<3>},
    {"nanotron", "tensor.heads", llama, as_it_is, in_layout<&Layout::tensor_parallel, 16>},
    {"nanotron", "context.kinds", llama, context<ContextScheme::ring>, context<ContextScheme::ulysses>},
    {"nanotron", "experts", mixtral, as_it_is,
     [](Job& job) { job.model = find_model("deepseek-v3")->shape; }},
    {"nanotron", "recompute", llama, recompute<Recompute::full>, recompute<Recompute::selective>},
    {"maxtext", "pipeline.schedules", llama, pipeline(gpipe), pipeline(one_f_one_b)},
    {"maxtext", "pipeline.layers_rule", llama, pipeline(gpipe), in_layout<&Layout::pipeline_parallel, 3>},
    {"maxtext", "pipeline.microbatches", llama, pipeline(gpipe),
     [](Job& job) { job.work.global_batch_size = 24; }},
    {"maxtext", "zero.stages", llama, zero<3>, zero<2>},
    {"fsdp", "parallelism", llama, in_one_stage, as_it_is},
    {"fsdp", "parallelism", mixtral, in_layout<&Layout::expert_parallel, 1>, as_it_is},
    {"fsdp", "rule.tp_cp", llama, zero<3>, zero<0>},
    {"fsdp", "context.kinds", llama, context<ContextScheme::ring>, context<ContextScheme::ulysses>},
    {"fsdp", "zero.stages", llama, zero<2>, zero<1>},
};

std::set<const Ability*> broken_by(const Case& one, const Change& change) {
  Job job = one.of(one.recipe);
  change(job);
  const Job complete = completed(job);
  const std::vector<const Ability*> broken = broken_abilities(complete);
  EXPECT_EQ(broken.empty(), broken_ability(complete) == nullptr);
  std::set<const Ability*> named;
  for (const Ability* ability : broken)
    if (ability->name == one.ability) named.insert(ability);
  return named;
}

TEST(Stacks, EachRuleIsKeptByOneLayoutAndBrokenByAnother) {
  std::set<const Ability*> tried;
  for (const Case& one : cases) {
    EXPECT_TRUE(broken_by(one, one.keeps).empty()) << one.recipe << ' ' << one.ability;
    tried.merge(broken_by(one, one.breaks));
  }
  for (const Recipe& recipe : all_recipes()) {
    if (rules_of(recipe) == nullptr) continue;
    for (const Ability& ability : rules_of(recipe)->abilities)
      EXPECT_TRUE(tried.contains(&ability)) << recipe.id << ' ' << ability.name << ' ' << ability.says;
  }
}

// Every row of what is known of stacks is a rule, or says why it is none; every rule is such a row.
TEST(Stacks, RulesAreTheRowsOfTheirSources) {
  std::map<const StackRules*, std::set<std::string>> rows;
  for (const CsvRow& row : read_csv(test::data_file("stack_abilities.csv"))) {
    EXPECT_FALSE(row.at("here").empty()) << row.at("stack") << ' ' << row.at("ability");
    if (row.at("here") == "rule") rows[rules_of(*find_recipe(row.at("recipe")))].insert(row.at("ability"));
  }
  for (const Recipe& recipe : all_recipes()) {
    // Of papers there is no table.
    if (rules_of(recipe) == nullptr || rules_of(recipe)->source.commit.empty()) continue;
    std::set<std::string> names;
    for (const Ability& ability : rules_of(recipe)->abilities) names.insert(std::string(ability.name));
    EXPECT_EQ(names, rows[rules_of(recipe)]) << recipe.id;
  }
}

// Every switch is a row of what is known of its stack, and what is called a switch there is one here.
TEST(Stacks, SwitchesAreRowsOfTheirSources) {
  std::map<const StackRules*, std::set<std::string>> rows;
  std::map<const StackRules*, std::set<std::string>> rules;
  for (const CsvRow& row : read_csv(test::data_file("stack_abilities.csv"))) {
    if (row.at("recipe").empty()) continue;
    const StackRules* of = rules_of(*find_recipe(row.at("recipe")));
    if (row.at("here") == "switch") rows[of].insert(row.at("ability"));
    if (row.at("here") == "rule") rules[of].insert(row.at("ability"));
  }
  for (const Recipe& recipe : all_recipes()) {
    const StackRules* known = rules_of(recipe);
    if (known == nullptr) continue;
    std::set<std::string> names;
    for (const StackSwitch& one : known->switches) {
      const std::string ability(one.ability);
      if (!rules[known].contains(ability)) names.insert(ability);
    }
    EXPECT_EQ(names, rows[known]) << recipe.id;
  }
}

TEST(Stacks, CanBeToldOnlyWhatTheyHave) {
  Job job = llama("maxtext");
  job.work.matmul_precision = MatmulPrecision::fp8;
  EXPECT_TRUE(can_switch(job, "matmul_precision"));
  job.work.matmul_precision = MatmulPrecision::nvfp4;
  EXPECT_FALSE(can_switch(job, "matmul_precision"));
  EXPECT_FALSE(can_switch(job, "expert_exchange"));
  EXPECT_FALSE(can_switch(llama("megatron-2021"), "matmul_precision"));
  EXPECT_TRUE(can_switch(llama("hai-llm"), "matmul_precision"));
  job = mixtral("megatron-core");
  job.layout.expert_exchange = ExchangeKernel::normal;
  EXPECT_TRUE(can_switch(job, "expert_exchange"));
  job.layout.expert_exchange = ExchangeKernel::low_latency;
  EXPECT_FALSE(can_switch(job, "expert_exchange"));
}

TEST(Stacks, NobodyIsHeldToRulesThatAreNotKnown) {
  Job job;
  for (const char* recipe : {"hai-llm", "other"}) {
    job = completed(llama(recipe));
    EXPECT_EQ(rules_of(job), nullptr);
    EXPECT_EQ(broken_ability(job), nullptr);
  }
  job.stack.recipe = -1;
  EXPECT_EQ(rules_of(job), nullptr);
  job = completed(llama("megatron-core"));
  job.work.mode = Mode::prefill;
  EXPECT_EQ(rules_of(job), nullptr);
}

// Megatron-LM has forks for MI300X and Gaudi, vLLM plugins for TPUs: they keep the rules of what they were
// made from, and nobody has checked more.
TEST(Stacks, AForkKeepsTheRulesOfItsOriginalUnchecked) {
  for (const char* accelerator : {"mi300x", "gaudi3"}) {
    Job job = llama("megatron-core");
    EXPECT_TRUE(is_checked(job));
    on(accelerator)(job);
    EXPECT_FALSE(is_checked(job)) << accelerator;
    EXPECT_EQ(broken_ability(completed(job)), nullptr) << accelerator;
    pipeline(zero_bubble)(job);
    EXPECT_EQ(broken_ability(completed(job))->name, "pipeline.schedules") << accelerator;
  }
  Job job = llama_served("vllm");
  on("tpu-v5p")(job);
  EXPECT_FALSE(is_checked(job));
  EXPECT_EQ(broken_ability(completed(job)), nullptr);
  job = llama("megatron-core");
  on("tpu-v5p")(job);
  EXPECT_EQ(broken_rule(completed(job)),
            "runs on NVIDIA GPUs, and by a fork or plugin on AMD GPUs and Gaudi");
}

// Of stacks without rules it is known where they run.
TEST(Stacks, WithoutRulesRunOnTheirHardwareAlone) {
  Job job = llama("hai-llm");
  EXPECT_EQ(broken_ability(completed(job)), nullptr);
  on("tpu-v5p")(job);
  EXPECT_EQ(broken_rule(completed(job)), "runs on NVIDIA GPUs");
  job = llama("other");
  on("tpu-v5p")(job);
  EXPECT_EQ(broken_ability(completed(job)), nullptr);
}

TEST(Stacks, OnesToTryRunOnTheAccelerator) {
  const auto any = [](const Job&) { return true; };
  using Ids = std::vector<std::string_view>;
  Job job = llama("megatron-core");
  on("tpu-v5p")(job);
  EXPECT_EQ(recipes_for(completed(job), any), Ids{"maxtext"});
  on("trainium2")(job);
  EXPECT_EQ(recipes_for(completed(job), any), Ids{"fsdp"});
  job = llama_served("tensorrt-llm");
  on("gaudi3")(job);
  EXPECT_EQ(recipes_for(completed(job), any), (Ids{"vllm", "sglang"}));
  job.layout.pipeline_parallel = 2;
  const Job staged = completed(job);
  const auto none = [](const Job&) { return false; };
  EXPECT_EQ(recipes_for(staged, none), Ids{});
  EXPECT_EQ(problem_of_stack(staged, "deployment", {}).message,
            "recipe (tensorrt-llm) does not run on Gaudi 3: TensorRT-LLM runs on NVIDIA GPUs. None of the "
            "stacks here "
            "can");
}

// Published layouts start: NVIDIA's of Llama 3 70B on 64 GPUs (Megatron-Bridge @067f987d), Meta's of 405B
// with its shorter ends (arXiv:2407.21783, section 3.3.2), DeepSeek-V3's 61 layers in 32 chunks
// (Megatron-Bridge).
TEST(Stacks, PublishedLayoutsKeepTheRules) {
  Job nvidia = llama("megatron-core");
  nvidia.layout.context_parallel = 2;
  nvidia.layout.data_parallel = 2;
  pipeline(interleaved, 5)(nvidia);
  EXPECT_EQ(broken_ability(completed(nvidia)), nullptr);
  Job meta = llama("megatron-core");
  meta.model = find_model("llama-3.1-405b")->shape;
  meta.layout.pipeline_parallel = 16;
  meta.layout.first_stage_layers = meta.layout.last_stage_layers = 7;
  EXPECT_EQ(broken_ability(completed(meta)), nullptr);
  // A string of layers deals 80 to 32 stages, 3 to half of them.
  Job deep = llama("megatron-core");
  deep.layout.pipeline_parallel = 32;
  deep.layout.data_parallel = 1;
  EXPECT_EQ(broken_ability(completed(deep)), nullptr);
  Job deepseek = mixtral("megatron-core");
  deepseek.model = find_model("deepseek-v3")->shape;
  deepseek.layout.pipeline_parallel = 8;
  pipeline(interleaved, 4)(deepseek);
  EXPECT_EQ(broken_ability(completed(deepseek)), nullptr);
}

}  // namespace
}  // namespace commcost
