#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/calculator/engine.h"
#include "core/parallel/communications.h"
#include "core/parallel/layout_problems.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

constexpr int settings = 10000;

template <class Look>
void for_each_random_setting(std::uint64_t seed, int count, Look look) {
  test::Random random(seed);
  for (int i = 0; i < count; ++i) look(test::random_job(random));
}

TEST(RandomSettings, Exist) {
  for_each_random_setting(1, settings, [](const Job& job) {
    const Problems problems = layout_problems(job);
    ASSERT_TRUE(problems.empty()) << problems[0].message;
  });
}

TEST(RandomSettings, AreAcceptedAsInputs) {
  for_each_random_setting(2, 500, [](const Job& job) {
    const auto step = run("training_step", test::inputs_of(test::runnable(job, completed(Machine{}))));
    ASSERT_TRUE(step) << step.problems()[0].message;
  });
}

TEST(RandomSettings, ListNoMessageThatIsNeverSent) {
  for_each_random_setting(5, settings, [](const Job& job) {
    const StageShare share = stage_share(job);
    for (const Stage& stage : distinct_stages(job, share)) {
      for (const Communication& message : communications_of(job, share, stage)) {
        ASSERT_GT(message.ranks.size, 1);
        ASSERT_GT(message.elements, 0);
        ASSERT_GT(message.count, 0);
      }
    }
  });
}

// A field that is never drawn is a field that no property is tested with.
TEST(RandomSettings, DrawEveryFieldAndEveryChoice) {
  std::map<std::string, std::set<std::string>> drawn;
  for_each_random_setting(3, settings, [&](const Job& job) {
    for (const Member& input : test::inputs_of(job)) drawn[input.name].insert(text_of(input.value));
  });
  const Value tables = describe();
  const Value* inputs = tables.find("training_step")->find("inputs");
  std::size_t known = 0;
  for (const Value& field : *inputs->list()) {
    const std::string& name = *field.find("name")->text();
    if (drawn.count(name) == 0) continue;  // of the machine
    ++known;
    const Value* choices = field.find("choices");
    const std::size_t least = choices == nullptr || choices->list() == nullptr ? 2 : choices->list()->size();
    EXPECT_GE(drawn[name].size(), least) << name;
  }
  EXPECT_EQ(known, drawn.size());
}

TEST(RandomSettings, AreOfEveryKind) {
  struct Kind {
    const char* name;
    bool (*is)(const Job&);
  };
  using S = const Job&;
  constexpr Kind kinds[] = {
      {"as many key heads as heads",
       [](S s) { return s.model.num_kv_heads == s.model.num_heads && s.model.kv_rank == 0; }},
      {"fewer key heads", [](S s) { return s.model.num_kv_heads < s.model.num_heads; }},
      {"fewer key heads than tensor ranks",
       [](S s) { return s.model.num_kv_heads < s.layout.tensor_parallel; }},
      {"latent attention, full queries", [](S s) { return s.model.kv_rank > 0 && s.model.query_rank == 0; }},
      {"latent attention, low-rank queries",
       [](S s) { return s.model.kv_rank > 0 && s.model.query_rank > 0; }},
      {"experts on several ranks", [](S s) { return s.layout.expert_parallel > 1; }},
      {"experts and tensor ranks",
       [](S s) { return s.layout.expert_parallel > 1 && s.layout.tensor_parallel > 1; }},
      {"shared experts behind dense layers",
       [](S s) { return s.model.num_shared_experts > 0 && s.model.num_dense_layers > 0; }},
      {"an uneven pipeline", [](S s) { return s.model.num_layers % s.layout.pipeline_parallel != 0; }},
      {"chunks", [](S s) { return s.layout.virtual_stages > 1; }},
      {"replicas of everything",
       [](S s) {
         return s.layout.tensor_parallel > 1 && s.layout.context_parallel > 1 &&
                s.layout.pipeline_parallel > 1 && s.layout.data_parallel > 1 && s.layout.expert_parallel > 1;
       }},
      {"ZeRO-2 with several micro-batches",
       [](S s) { return s.layout.zero_stage == 2 && micro_batches(s.work, s.layout) > 1; }},
      {"decode with a pipeline",
       [](S s) { return s.work.mode == Mode::decode && s.layout.pipeline_parallel > 1; }},
      {"prefill over a context",
       [](S s) { return s.work.mode == Mode::prefill && s.layout.context_parallel > 1; }},
  };
  std::map<std::string, int> seen;
  for_each_random_setting(4, settings, [&](const Job& job) {
    for (const Kind& kind : kinds) seen[kind.name] += kind.is(job) ? 1 : 0;
  });
  for (const Kind& kind : kinds) EXPECT_GE(seen[kind.name], settings / 100) << kind.name;
}

}  // namespace
}  // namespace commcost
