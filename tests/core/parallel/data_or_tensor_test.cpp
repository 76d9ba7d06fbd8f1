#include "core/parallel/data_or_tensor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel/ledger.h"
#include "support/jobs.h"
#include "support/ledgers.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::ledger_of;
using test::plain_job;

// Bytes that a GPU sends for activations, or for gradients, of all layers.
double sent(const Job& job, Dimension dimension) {
  double bytes = 0;
  for (const SentMessage& message : ledger_of(job)) {
    if (message.dimension == dimension) bytes += message.sent_bytes_per_gpu;
  }
  return bytes;
}

// A layer of 12 h^2 parameters without recomputation: 4 T h against 12 h^2 elements.
TEST(DataOrTensor, IsTokensOverThreeHiddenSizesForAClassicLayer) {
  const Job job = plain_job(classic_shape(96, 12288, 96, 51200), 2048);
  const DataOrTensor both = data_or_tensor(job.model, job.work, 1e6, 8);
  // Norms add two vectors to a layer's 12 h^2.
  EXPECT_NEAR(both.ratio, both.printed_ratio, 1e-3 * both.printed_ratio);
  EXPECT_NEAR(both.printed_ratio, 1e6 / (3 * 12288), 1e-9);
  EXPECT_NEAR(both.even_tokens, 3 * 12288, 1e-3 * 3 * 12288);
}

// Both sides by the ledger: what eight tensor ranks send for a step, and what eight replicas send for the
// same tokens.
TEST(DataOrTensor, IsWhatTheLedgerSendsEitherWay) {
  const std::int64_t n = 8;
  for (const Recompute recompute : {Recompute::none, Recompute::full}) {
    const Job plain = changed(plain_job(classic_shape(24, 2304, 24, 51200), 2048), [&](Job& s) {
      s.work.recompute = recompute;
      s.work.global_batch_size = n;
    });
    const Job tensor = changed(plain, [&](Job& s) { s.layout.tensor_parallel = n; });
    const Job data = changed(plain, [&](Job& s) { s.layout.data_parallel = n; });
    const auto layers = static_cast<double>(plain.model.num_layers);
    const auto length = static_cast<double>(plain.work.sequence_length);
    const DataOrTensor both =
        data_or_tensor(tensor.model, tensor.work, static_cast<double>(n) * length, static_cast<double>(n));
    EXPECT_NEAR(both.tensor_sent_bytes * layers, sent(tensor, Dimension::tensor),
                1e-9 * both.tensor_sent_bytes * layers);
    // The embedding's gradients travel too, which are of no layer.
    const Parameters ends = parameters_of(data.model);
    const double of_ends = (ends.embedding + ends.positions + ends.final_norm + ends.lm_head) *
                           static_cast<double>(data.work.gradient_bytes_per_element) * 2 * 7 / 8;
    EXPECT_NEAR(both.data_sent_bytes * layers, sent(data, Dimension::data) - of_ends,
                1e-9 * both.data_sent_bytes * layers);
  }
}

// At the tokens that it names neither side sends more, whatever the model, and the number of GPUs is no
// matter.
TEST(DataOrTensor, TurnsAtTheTokensThatItNames) {
  for (const ModelRow& model : all_models()) {
    const Job job = plain_job(completed(model.shape), 2048);
    const double even = data_or_tensor(job.model, job.work, 1, 2).even_tokens;
    for (const double gpus : {2.0, 8.0, 64.0}) {
      const DataOrTensor both = data_or_tensor(job.model, job.work, even, gpus);
      EXPECT_NEAR(both.ratio, 1, 1e-12) << model.id;
      EXPECT_NEAR(both.tensor_sent_bytes, both.data_sent_bytes, 1e-9 * both.data_sent_bytes) << model.id;
    }
    EXPECT_GT(data_or_tensor(job.model, job.work, 2 * even, 8).ratio, 1) << model.id;
    EXPECT_LT(data_or_tensor(job.model, job.work, even / 2, 8).ratio, 1) << model.id;
  }
}

}  // namespace
}  // namespace commcost
