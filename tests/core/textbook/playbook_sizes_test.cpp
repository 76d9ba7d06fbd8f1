#include "core/textbook/playbook_sizes.h"

#include <gtest/gtest.h>

#include "support/jobs.h"

namespace commcost {
namespace {

SizeRow row_of(const std::vector<SizeRow>& rows, SizeQuantity thing) {
  for (const SizeRow& row : rows) {
    if (row.thing == thing) return row;
  }
  ADD_FAILURE() << "no row";
  return {};
}

// The shape that the Playbook's A2 counts: a gated MLP of four hidden sizes; its rule of thumb is then exact.
TEST(Sizes, OfThePlaybooksShapeAreItsRulesOfThumb) {
  ModelShape shape;
  shape.num_layers = 32;
  shape.hidden_size = 4096;
  shape.num_heads = 32;
  shape.gated_mlp = true;
  shape.vocab_size = 128256;
  Work work;
  work.sequence_length = 1024;
  work.batch_size = 2;
  const auto rows = model_sizes(completed(shape), completed(work));
  EXPECT_EQ(rows.size(), std::size(size_quantity_names));
  const double norms = 2 * 4096;
  for (const SizeQuantity thing :
       {SizeQuantity::tokens, SizeQuantity::hidden_state, SizeQuantity::weight_matrix,
        SizeQuantity::weight_gradient, SizeQuantity::weight_optimizer, SizeQuantity::attention,
        SizeQuantity::mlp, SizeQuantity::embedding, SizeQuantity::lm_head}) {
    const SizeRow row = row_of(rows, thing);
    EXPECT_EQ(row.elements, row.rule_of_thumb_elements) << size_quantity_names[static_cast<int>(thing)];
  }
  EXPECT_EQ(row_of(rows, SizeQuantity::layer).elements,
            row_of(rows, SizeQuantity::layer).rule_of_thumb_elements + norms);
  EXPECT_EQ(row_of(rows, SizeQuantity::tokens).elements, 2048);
  EXPECT_EQ(row_of(rows, SizeQuantity::layers).rule_of_thumb_elements, 16 * 4096.0 * 4096 * 32);
}

TEST(Sizes, InBytesFollowTheDataTypes) {
  Work work;
  work.sequence_length = 16;
  work.batch_size = 1;
  work.gradient_bytes_per_element = 4;
  const auto rows = model_sizes(test::classic_shape(1, 64, 4, 100), completed(work));
  const double total = row_of(rows, SizeQuantity::parameters).elements;
  EXPECT_EQ(row_of(rows, SizeQuantity::parameters).bytes, 2 * total);
  EXPECT_EQ(row_of(rows, SizeQuantity::gradients).bytes, 4 * total);
  EXPECT_EQ(row_of(rows, SizeQuantity::optimizer).bytes, 12 * total);
}

}  // namespace
}  // namespace commcost
