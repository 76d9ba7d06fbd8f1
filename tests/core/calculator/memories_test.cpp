// What calculations remember together changes no answer of theirs, and spares them work.

#include "core/calculator/memories.h"

#include <gtest/gtest.h>

#include <string>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/plan/search_memory.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::with;

std::string ran(const Calculation& calculation, Worker& worker, const Value::Object& inputs) {
  WireBytes given;
  WireWriter(given).value(inputs);
  WireBytes results;
  WireWriter to(results);
  EXPECT_TRUE(run(calculation, worker, WireReader(given), to).empty());
  return std::string(results);
}

const Calculation& plan = calculations::plan;
const Calculation& scaling = calculations::plan_scaling;
const Value::Object mixtral = {{"model", "mixtral-8x7b"},
                               {"system", "dgx-h100"},
                               {"sequence_length", 4096},
                               {"global_batch_size", 256},
                               {"cluster_gpus", 64}};
const Value::Object on_more = with(mixtral, {{"gpu_counts", Value::Numbers{64, 128, 256}}});

TEST(Memories, KeepOneOfEachType) {
  Memories memories;
  *memories.of<int>() = 3;
  *memories.of<double>() = 0.5;
  EXPECT_EQ(*memories.of<int>(), 3);
  EXPECT_EQ(*memories.of<double>(), 0.5);
  EXPECT_NE(memories.of<int>(), Memories().of<int>());
}

TEST(Memories, HavePlansAndNumbersOfGpusPriceALayerOnce) {
  Memories memories;
  const auto plans = plan.open(memories);
  const auto scalings = scaling.open(memories);
  const auto searches = memories.of<SearchMemory>();
  const std::string planned = ran(plan, *plans, mixtral);
  const std::size_t priced = searches->times_priced();
  EXPECT_GT(priced, 0);
  ran(scaling, *scalings, with(mixtral, {{"gpu_counts", Value::Numbers{64}}}));
  EXPECT_EQ(searches->times_priced(), priced);
  EXPECT_EQ(ran(scaling, *scalings, on_more), ran(scaling, *scaling.opened_alone(), on_more));
  EXPECT_EQ(ran(plan, *plans, mixtral), planned);
  EXPECT_EQ(planned, ran(plan, *plan.opened_alone(), mixtral));
}

// The other way round too: most layers of a plan are known from other numbers of GPUs.
TEST(Memories, HavePlansPriceFewLayersAfterOtherNumbersOfGpus) {
  Memories alone;
  ran(plan, *plan.open(alone), mixtral);
  Memories memories;
  ran(scaling, *scaling.open(memories), on_more);
  const std::size_t before = memories.of<SearchMemory>()->times_priced();
  ran(plan, *plan.open(memories), mixtral);
  EXPECT_LT(2 * (memories.of<SearchMemory>()->times_priced() - before),
            alone.of<SearchMemory>()->times_priced());
}

}  // namespace
}  // namespace commcost
