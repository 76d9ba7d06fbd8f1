#include "core/model/model_state.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

struct StateCase {
  const char* name;
  std::int64_t gradient_bytes;
  std::int64_t optimizer_bytes;
  std::int64_t zero_stage;
  double shards;
  double bytes_per_parameter;
};

void PrintTo(const StateCase& state, std::ostream* out) {
  *out << state.name;
}

class ModelStateOf : public testing::TestWithParam<StateCase> {};

TEST_P(ModelStateOf, AParameter) {
  Work work;
  work.gradient_bytes_per_element = GetParam().gradient_bytes;
  work.optimizer_bytes_per_parameter = GetParam().optimizer_bytes;
  const ModelState state = model_state(1, completed(work), GetParam().zero_stage, GetParam().shards);
  EXPECT_DOUBLE_EQ(state.total(), GetParam().bytes_per_parameter);
}

// Ultra-Scale Playbook: 16 bytes a parameter, 20 with an fp32 copy of the gradients; arXiv:1910.02054, figure
// 1: K = 12; Megatron-LM theoretical_memory_usage.py: 18, or 6 + 12/d with a distributed optimizer.
INSTANTIATE_TEST_SUITE_P(Published, ModelStateOf,
                         testing::Values(StateCase{"mixed_precision", 2, 12, 0, 64, 16},
                                         StateCase{"fp32_gradients", 4, 12, 0, 1, 18},
                                         StateCase{"both_gradients", 6, 12, 0, 1, 20},
                                         StateCase{"without_master_copy", 2, 8, 0, 1, 12},
                                         StateCase{"zero_1", 2, 12, 1, 64, 4 + 12.0 / 64},
                                         StateCase{"zero_2", 2, 12, 2, 64, 2 + 14.0 / 64},
                                         StateCase{"zero_3", 2, 12, 3, 64, 16.0 / 64},
                                         StateCase{"megatron_distributed_optimizer", 4, 12, 1, 8,
                                                   6 + 12.0 / 8}),
                         [](const auto& state) { return std::string(state.param.name); });

// arXiv:1910.02054, section 1: 7.5B parameters take 120 GB, and 31.4, 16.6, 1.9 GB at stages 1 to 3 over 64
// GPUs.
TEST(ModelState, MatchesZerosFigure) {
  const Work work = completed(Work{});
  EXPECT_NEAR(model_state(7.5e9, work, 0, 64).total() / 1e9, 120, 0.05);
  EXPECT_NEAR(model_state(7.5e9, work, 1, 64).total() / 1e9, 31.4, 0.05);
  EXPECT_NEAR(model_state(7.5e9, work, 2, 64).total() / 1e9, 16.6, 0.05);
  EXPECT_NEAR(model_state(7.5e9, work, 3, 64).total() / 1e9, 1.9, 0.05);
}

TEST(ModelState, OfInferenceIsWeightsAlone) {
  Work work;
  work.mode = Mode::decode;
  EXPECT_EQ(model_state(10, completed(work), 0, 1).total(), 20);
}

}  // namespace
}  // namespace commcost
