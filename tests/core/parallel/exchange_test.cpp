#include "core/parallel/exchange.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"

namespace commcost {
namespace {

Layout layout_of(std::int64_t tensor, std::int64_t context, ContextScheme scheme) {
  Layout layout;
  layout.tensor_parallel = tensor;
  layout.context_parallel = context;
  layout.context_scheme = scheme;
  return layout;
}

// Llama 3.1 70B: 64 heads of 128, 8 of keys and values.
TEST(Exchange, ATensorRankExchangesItsOwnHeads) {
  const ModelShape& shape = find_model("llama-3.1-70b")->shape;
  const ExchangedWidths widths = exchanged_widths(shape, layout_of(4, 2, ContextScheme::ring));
  EXPECT_EQ(widths.queries, 16 * 128);
  EXPECT_EQ(widths.keys_and_values, 2 * 2 * 128);
}

TEST(Exchange, MoreTensorRanksThanKeyHeadsExchangeCopies) {
  const ModelShape& shape = find_model("llama-3.1-70b")->shape;
  EXPECT_EQ(exchanged_widths(shape, layout_of(16, 2, ContextScheme::ring)).keys_and_values, 2 * 1 * 128);
}

TEST(Exchange, UlyssesGivesEveryRankAWholeHeadOfKeysAndValues) {
  const ModelShape& shape = find_model("llama-3.1-70b")->shape;
  EXPECT_EQ(exchanged_widths(shape, layout_of(4, 8, ContextScheme::ulysses)).keys_and_values, 2 * 8 * 128);
  EXPECT_EQ(exchanged_widths(shape, layout_of(4, 2, ContextScheme::ulysses)).keys_and_values, 2 * 2 * 128);
}

// DeepSeek-V3 (arXiv:2412.19437, section 4.2): latents of 512 and a rotary key of 64, whatever the tensor
// degree.
TEST(Exchange, LatentAttentionExchangesTheLatents) {
  const ModelShape& shape = find_model("deepseek-v3")->shape;
  for (const std::int64_t tensor : {1, 2, 8}) {
    EXPECT_EQ(exchanged_widths(shape, layout_of(tensor, 2, ContextScheme::ring)).keys_and_values, 512 + 64);
  }
}

TEST(Exchange, TokensForExpertsAreSharedWhereSequencesAre) {
  Layout layout = layout_of(8, 1, ContextScheme::ring);
  EXPECT_EQ(expert_senders(layout), 1);
  layout.sequence_parallel = true;
  EXPECT_EQ(expert_senders(layout), 8);
}

}  // namespace
}  // namespace commcost
