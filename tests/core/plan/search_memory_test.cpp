#include "core/plan/search_memory.h"

#include <gtest/gtest.h>

#include "support/plans.h"

namespace commcost {
namespace {

using test::expect_same;
using test::plan_of;

PlanInputs mixtral() {
  return plan_of({"mixtral-8x7b", 64, 256}, "h100-sxm", "megatron-core");
}

void expect_same(const LayoutSearch& one, const LayoutSearch& other) {
  expect_same(one.best(), other.best());
  expect_same(one.pareto_front(), other.pareto_front());
  EXPECT_EQ(one.sample(), other.sample());
  EXPECT_EQ(one.progress(), other.progress());
  EXPECT_EQ(one.counts().evaluated, other.counts().evaluated);
  EXPECT_EQ(one.counts().compared, other.counts().compared);
  EXPECT_EQ(one.counts().out_of_memory, other.counts().out_of_memory);
  EXPECT_EQ(one.counts().dominated, other.counts().dominated);
  EXPECT_EQ(one.deficit_gib(), other.deficit_gib());
}

// Each answer is that of a search that was asked for as many layouts at once.
void expect_as_afresh(SearchMemory& memory, const PlanInputs& inputs, std::int64_t evaluations) {
  LayoutSearch afresh(inputs);
  if (evaluations > 0)
    afresh.advance(evaluations);
  else
    afresh.finish();
  expect_same(memory.searched(inputs, evaluations), afresh);
}

TEST(SearchMemory, GoesOnWhereTheLastOneStopped) {
  SearchMemory memory;
  const PlanInputs inputs = mixtral();
  const LayoutSearch& first = memory.searched(inputs, 1);
  EXPECT_LT(first.progress(), 1);
  for (const std::int64_t evaluations : {1, 2, 50, 51, 400, 0, 0}) {
    expect_as_afresh(memory, inputs, evaluations);
    EXPECT_EQ(&memory.searched(inputs, evaluations), &first) << evaluations;
  }
  EXPECT_EQ(first.progress(), 1);
}

TEST(SearchMemory, SaysNoMoreThanIsAskedFor) {
  SearchMemory memory;
  const PlanInputs inputs = mixtral();
  memory.searched(inputs, 0);
  for (const std::int64_t evaluations : {400, 100, 1}) expect_as_afresh(memory, inputs, evaluations);
}

TEST(SearchMemory, AnswersOtherPinsBoundsAndNumbersOfGpus) {
  SearchMemory memory;
  PlanInputs inputs = mixtral();
  memory.searched(inputs, 0);
  const LayerPrices* prices = memory.prices(inputs).front().get();
  inputs.allowed.tensor_parallel.pinned = 4;
  expect_as_afresh(memory, inputs, 0);
  inputs.allowed.tensor_parallel = {};
  inputs.allowed.recompute.listed = {0, 1};
  expect_as_afresh(memory, inputs, 100);
  inputs.memory_limit_gib = 40;
  expect_as_afresh(memory, inputs, 0);
  for (const std::int64_t gpus : {128, 16, 32, 64, 32}) {
    inputs.job.layout.cluster_gpus = gpus;
    expect_as_afresh(memory, inputs, 0);
  }
  inputs.best = 2;
  expect_as_afresh(memory, inputs, 0);
  EXPECT_EQ(memory.prices(inputs).front().get(), prices);
  // Nothing fits, so what is proven not to is looked at again.
  inputs.memory_limit_gib = 1;
  expect_as_afresh(memory, inputs, 0);
  expect_as_afresh(memory, inputs, 0);
}

TEST(SearchMemory, PricesAnotherJobAnew) {
  SearchMemory memory;
  PlanInputs inputs = mixtral();
  memory.searched(inputs, 0);
  const SharedPrices before = memory.prices(inputs);
  inputs.job.work.sequence_length = 8192;
  EXPECT_NE(memory.prices(inputs).front(), before.front());
  expect_as_afresh(memory, inputs, 0);
  inputs.searched_settings = 1;
  expect_as_afresh(memory, inputs, 0);
}

TEST(SearchMemory, CountsMoneyAndTokensWithoutASearch) {
  SearchMemory memory;
  PlanInputs inputs = mixtral();
  const LayoutSearch& search = memory.searched(inputs, 0);
  inputs.token_budget = 1e9;
  inputs.price_per_gpu_hour = 2;
  EXPECT_EQ(&memory.searched(inputs, 0), &search);
  EXPECT_EQ(&memory.searched(inputs, 0), &search);
}

}  // namespace
}  // namespace commcost
