#include "core/parallel/layout_problems.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;

struct Impossible {
  const char* name;
  void (*change)(Job& job);
  const char* field;
  const char* allowed;
};

void PrintTo(const Impossible& layout, std::ostream* out) {
  *out << layout.name;
}

class ImpossibleLayout : public testing::TestWithParam<Impossible> {};

Job possible() {
  return test::plain_job(test::classic_shape(32, 4096, 32, 32000), 2048);
}

TEST_P(ImpossibleLayout, IsRefusedWithItsReason) {
  const Job job = changed(possible(), GetParam().change);
  EXPECT_FALSE(can_exist(job));
  const Problems problems = layout_problems(job);
  const auto found = std::find_if(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.field == GetParam().field && problem.allowed.find(GetParam().allowed) != std::string::npos;
  });
  ASSERT_NE(found, problems.end());
  EXPECT_NE(found->message.find(std::string(GetParam().field) + " must be "), std::string::npos);
  EXPECT_NE(found->message.find("; got "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, ImpossibleLayout,
    testing::Values(
        Impossible{"tensor_and_heads", [](Job& s) { s.layout.tensor_parallel = 7; }, "tensor_parallel",
                   "a divisor of num_heads (32)"},
        Impossible{"tensor_and_key_heads",
                   [](Job& s) {
                     s.model.num_kv_heads = 16;
                     s.model.num_heads = 48;
                     s.layout.tensor_parallel = 6;
                   },
                   "tensor_parallel", "a divisor or a multiple of num_kv_heads (16)"},
        Impossible{"tensor_and_mlp",
                   [](Job& s) {
                     s.model.ffn_hidden_size = 11001;
                     s.layout.tensor_parallel = 8;
                   },
                   "tensor_parallel", "a divisor of ffn_hidden_size (11001)"},
        Impossible{"tensor_and_gpus",
                   [](Job& s) {
                     s.layout.tensor_parallel = 8;
                     s.layout.cluster_gpus = 12;
                   },
                   "tensor_parallel", "a divisor of cluster_gpus (12)"},
        Impossible{"degrees_and_gpus",
                   [](Job& s) {
                     s.layout.tensor_parallel = 8;
                     s.layout.cluster_gpus = 16;
                   },
                   "cluster_gpus", "data_parallel (8)"},
        Impossible{"more_stages_than_layers", [](Job& s) { s.layout.pipeline_parallel = 33; },
                   "pipeline_parallel", "at most num_layers (32)"},
        Impossible{"a_group_that_divides_no_ranks",
                   [](Job& s) {
                     s.layout.data_parallel = 12;
                     s.layout.shard_group_size = 8;
                   },
                   "shard_group_size", "a divisor of data_parallel * context_parallel (12)"},
        Impossible{"ends_that_leave_uneven_stages",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.first_stage_layers = 7;
                   },
                   "num_layers", "a multiple of the 3 other stages"},
        Impossible{"ends_with_too_many_layers",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.first_stage_layers = 16;
                     s.layout.last_stage_layers = 16;
                   },
                   "num_layers", "a multiple of the 2 other stages"},
        Impossible{"more_chunks_than_layers",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 16;
                     s.layout.virtual_stages = 4;
                     s.layout.pipeline_schedule = PipelineSchedule::interleaved;
                   },
                   "virtual_stages", "at most num_layers / pipeline_parallel (2)"},
        Impossible{"chunks_without_interleaving", [](Job& s) { s.layout.virtual_stages = 2; },
                   "virtual_stages", "1 unless pipeline_schedule is interleaved"},
        Impossible{"interleaving_in_rounds",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.virtual_stages = 2;
                     s.layout.pipeline_schedule = PipelineSchedule::interleaved;
                     s.work.global_batch_size = 6;
                   },
                   "global_batch_size", "pipeline_parallel (4)"},
        Impossible{"dualpipe_of_three_stages",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 3;
                     s.layout.pipeline_schedule = PipelineSchedule::dualpipe;
                     s.work.global_batch_size = 6;
                   },
                   "pipeline_parallel", "1 or even under dualpipe"},
        Impossible{"dualpipe_with_too_few_micro_batches",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.pipeline_schedule = PipelineSchedule::dualpipe;
                     s.work.global_batch_size = 6;
                   },
                   "global_batch_size", "2 * pipeline_parallel (8)"},
        Impossible{"dualpipe_with_odd_micro_batches",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.pipeline_schedule = PipelineSchedule::dualpipe;
                     s.work.global_batch_size = 9;
                   },
                   "global_batch_size", "2 * batch_size * data_parallel (2) under dualpipe"},
        Impossible{"a_v_with_too_few_micro_batches",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 4;
                     s.layout.pipeline_schedule = PipelineSchedule::dualpipe_v;
                     s.work.global_batch_size = 7;
                   },
                   "global_batch_size", "2 * pipeline_parallel (8)"},
        Impossible{"a_v_of_single_layers",
                   [](Job& s) {
                     s.layout.pipeline_parallel = 32;
                     s.layout.pipeline_schedule = PipelineSchedule::dualpipe_v;
                     s.work.global_batch_size = 64;
                   },
                   "pipeline_schedule", "num_layers / pipeline_parallel is 1"},
        Impossible{"uneven_batch",
                   [](Job& s) {
                     s.layout.data_parallel = 4;
                     s.work.global_batch_size = 6;
                   },
                   "global_batch_size", "a multiple of batch_size * data_parallel (4)"},
        Impossible{"experts_of_a_dense_model",
                   [](Job& s) {
                     s.layout.data_parallel = 4;
                     s.layout.expert_parallel = 4;
                   },
                   "expert_parallel", "1 for a model without experts"},
        Impossible{"experts_that_do_not_divide",
                   [](Job& s) {
                     s.model.num_experts = 8;
                     s.layout.data_parallel = 6;
                     s.layout.expert_parallel = 3;
                   },
                   "expert_parallel", "a divisor of num_experts (8)"},
        Impossible{"experts_without_ranks",
                   [](Job& s) {
                     s.model.num_experts = 8;
                     s.layout.expert_parallel = 4;
                   },
                   "expert_parallel",
                   "a divisor of data_parallel * context_parallel (1) where TP shares each expert"},
        Impossible{"folded_experts_without_ranks",
                   [](Job& s) {
                     s.model.num_experts = 8;
                     s.layout.tensor_parallel = 4;
                     s.layout.expert_parallel = 4;
                     s.layout.expert_tensor_parallel = 2;
                   },
                   "expert_parallel", "divides tensor_parallel * context_parallel * data_parallel (4)"},
        Impossible{"shards_of_no_experts",
                   [](Job& s) {
                     s.layout.tensor_parallel = 4;
                     s.layout.expert_tensor_parallel = 1;
                   },
                   "expert_tensor_parallel", "0 or tensor_parallel (4) for a model without experts"},
        Impossible{"experts_of_uneven_columns",
                   [](Job& s) {
                     s.model.num_experts = 8;
                     s.model.ffn_hidden_size = 1000;
                     s.layout.data_parallel = 16;
                     s.layout.expert_tensor_parallel = 16;
                   },
                   "expert_tensor_parallel", "a divisor of ffn_hidden_size (1000)"},
        Impossible{"shared_experts_of_uneven_columns",
                   [](Job& s) {
                     s.model.num_experts = 8;
                     s.model.num_shared_experts = 1;
                     s.model.ffn_hidden_size = 1000;
                     s.layout.tensor_parallel = 16;
                     s.layout.expert_tensor_parallel = 1;
                   },
                   "tensor_parallel", "a divisor of num_shared_experts * ffn_hidden_size (1000)"},
        Impossible{"sequence_over_context", [](Job& s) { s.layout.context_parallel = 3; }, "sequence_length",
                   "a multiple of context_parallel (3)"},
        Impossible{"sequence_over_tensor",
                   [](Job& s) {
                     s.layout.tensor_parallel = 8;
                     s.layout.sequence_parallel = true;
                     s.work.sequence_length = 2044;
                   },
                   "sequence_length", "a multiple of tensor_parallel * context_parallel (8)"},
        Impossible{"one_token_over_tensor",
                   [](Job& s) {
                     s.layout.tensor_parallel = 8;
                     s.layout.sequence_parallel = true;
                     s.work.mode = Mode::decode;
                     s.work.batch_size = 4;
                   },
                   "batch_size", "a multiple of tensor_parallel (8)"},
        Impossible{"one_token_over_context",
                   [](Job& s) {
                     s.layout.context_parallel = 2;
                     s.work.mode = Mode::decode;
                   },
                   "context_parallel", "1 in decode"},
        Impossible{"heads_under_ulysses",
                   [](Job& s) {
                     s.layout.context_parallel = 64;
                     s.layout.context_scheme = ContextScheme::ulysses;
                   },
                   "context_parallel", "divides num_heads (32)"},
        Impossible{"message_too_large",
                   [](Job& s) {
                     s.work.sequence_length = 1LL << 40;
                     s.work.batch_size = 1LL << 20;
                   },
                   "message_size_bytes", "at most 9007199254740991"},
        Impossible{"key_heads_and_heads", [](Job& s) { s.model.num_kv_heads = 5; }, "num_kv_heads",
                   "a divisor of num_heads (32)"},
        Impossible{"more_visits_than_experts", [](Job& s) { s.model.experts_per_token = 2; },
                   "experts_per_token", "at most num_experts (1)"}),
    [](const auto& layout) { return std::string(layout.param.name); });

TEST(Layout, ThatCanExistHasNoProblems) {
  EXPECT_TRUE(can_exist(possible()));
  EXPECT_TRUE(layout_problems(possible()).empty());
}

// What depends on replicas is judged once these fill the cluster.
TEST(Layout, OfAClusterThatIsNotDividedHasOneProblem) {
  Job job = possible();
  job.model.num_experts = 64;
  job.model.experts_per_token = 2;
  job.layout.cluster_gpus = 64;
  job.layout.tensor_parallel = 8;
  job.layout.expert_parallel = 8;
  job.work.global_batch_size = 7;
  job.work.batch_size = 2;
  const auto messages = [&] {
    std::string all;
    for (const Problem& problem : layout_problems(job)) all += problem.message + '\n';
    return all;
  };
  const std::string must =
      "cluster_gpus must be tensor_parallel * context_parallel * pipeline_parallel * data_parallel ";
  EXPECT_EQ(messages(), must + "(8); got 64; try data_parallel 8\n");
  job.layout.pipeline_parallel = 3;
  EXPECT_EQ(messages(), must + "(24); got 64; try pipeline_parallel 2 or 4\n");
  job.layout.pipeline_parallel = 1;
  job.layout.data_parallel = 8;
  EXPECT_NE(messages().find("global_batch_size must be a multiple"), std::string::npos);
}

TEST(Layout, NamesTheNearestValuesThatKeepEveryRuleOfTheField) {
  struct {
    void (*change)(Job& job);
    const char* field;
    const char* said;
  } const cases[] = {
      {[](Job& s) { s.layout.tensor_parallel = 6; }, "tensor_parallel", "; got 6; try 4 or 8"},
      {[](Job& s) {
         s.layout.tensor_parallel = 6;
         s.model.num_kv_heads = 2;
       },
       "tensor_parallel", "; got 6; try 4 or 8"},
      {[](Job& s) { s.layout.tensor_parallel = 64; }, "tensor_parallel", "; got 64; try 32"},
      {[](Job& s) {
         s.work.batch_size = 8;
         s.layout.data_parallel = 4;
         s.work.global_batch_size = 100;
       },
       "global_batch_size", "; got 100; try 96 or 128"},
      {[](Job& s) {
         s.work.batch_size = 8;
         s.layout.data_parallel = 4;
         s.work.global_batch_size = 8;
       },
       "global_batch_size", "; got 8; try 32"},
  };
  for (const auto& [change, field, said] : cases) {
    const Problems problems = layout_problems(changed(possible(), change));
    ASSERT_FALSE(problems.empty());
    for (const Problem& problem : problems) {
      if (problem.field != field) continue;
      EXPECT_TRUE(problem.message.ends_with(said)) << problem.message;
    }
  }
}

TEST(Layout, SaysEveryReasonAtOnce) {
  const Job job = changed(possible(), [](Job& s) {
    s.layout.tensor_parallel = 7;
    s.layout.pipeline_parallel = 64;
    s.layout.expert_parallel = 2;
    s.layout.data_parallel = 2;
    s.layout.cluster_gpus = 100;
  });
  std::vector<std::string> fields;
  for (const Problem& problem : layout_problems(job)) fields.push_back(problem.field);
  for (const char* field : {"tensor_parallel", "pipeline_parallel", "expert_parallel", "cluster_gpus"}) {
    EXPECT_NE(std::find(fields.begin(), fields.end(), field), fields.end()) << field;
  }
}

TEST(Layout, CountsItsGpusAndMicroBatches) {
  const Job job = changed(possible(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 4;
    s.layout.data_parallel = 3;
    s.layout.context_parallel = 2;
    s.work.batch_size = 2;
    s.work.global_batch_size = 60;
  });
  EXPECT_EQ(job.layout.cluster_gpus, 192);
  EXPECT_EQ(micro_batches(job.work, job.layout), 10);
}

}  // namespace
}  // namespace commcost
