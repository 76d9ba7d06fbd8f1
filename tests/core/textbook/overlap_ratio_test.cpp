#include "core/textbook/overlap_ratio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/collective/bus_bandwidth.h"
#include "core/model/catalog.h"
#include "support/jobs.h"
#include "support/ledgers.h"

namespace commcost {
namespace {

// A3's layer: 16 h^2, attention of as many key heads as heads and a gated MLP of four hidden sizes.
Job setting_of(std::int64_t hidden_size, std::int64_t num_layers, std::int64_t tokens, std::int64_t degree,
               std::int64_t bytes) {
  Job job;
  job.model.hidden_size = hidden_size;
  job.model.num_layers = num_layers;
  job.model.num_heads = 32;
  job.model.gated_mlp = true;
  job.work.sequence_length = tokens;
  job.work.batch_size = 1;
  job.work.bytes_per_element = bytes;
  job.layout.tensor_parallel = degree;
  job.layout.pipeline_parallel = degree;
  job.layout.data_parallel = degree;
  return completed(job);
}

TEST(Overlap, GivesThePrintedRatiosAtOneByteAnElement) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("overlap_printed.csv"))) {
    const auto scheme = static_cast<OverlapScheme>(test::place_of(row.at("scheme"), overlap_scheme_names));
    const OverlapRates rates{989, row.number("bandwidth_gb_per_sec")};
    const auto ratio = [&](std::int64_t bytes) {
      const Job job = setting_of(test::whole(row, "hidden_size"), test::whole(row, "num_layers"),
                                 test::whole(row, "tokens"), test::whole(row, "degree"), bytes);
      return overlap_of(scheme, job, rates, 0);
    };
    EXPECT_NEAR(ratio(1).ratio / row.number("ratio"), 1, 1e-14) << row.line();
    EXPECT_NEAR(ratio(2).ratio / row.number("ratio"), 2, 1e-14) << row.line();
    // The printed form does not know the data type.
    if (scheme != OverlapScheme::data_parallel && scheme != OverlapScheme::tensor_parallel_region) {
      EXPECT_NEAR(ratio(2).printed_ratio / row.number("ratio"), 1, 1e-14) << row.line();
    }
    if (scheme == OverlapScheme::tensor_parallel_region) {
      EXPECT_NEAR(ratio(2).cheat_sheet_ratio / row.number("ratio"), 1, 1e-14) << row.line();
    }
  }
}

TEST(Overlap, ShowsTheStrayFactorAndTheMissingOne) {
  const OverlapRates rates{989, 50};
  const Job job = setting_of(4096, 32, 4096, 8, 1);
  const double parameters = 16.0 * 4096 * 4096 * 32;
  const Overlap data = overlap_of(OverlapScheme::data_parallel, job, rates, 0);
  EXPECT_NEAR(data.printed_ratio / data.ratio, parameters, parameters * 1e-12);
  const Overlap zero = overlap_of(OverlapScheme::zero_3, job, rates, 0);
  EXPECT_NEAR(zero.cheat_sheet_ratio / zero.ratio, 8, 1e-12);
  const Overlap tensor = overlap_of(OverlapScheme::tensor_parallel, job, rates, 0);
  EXPECT_NEAR(tensor.printed_ratio / tensor.cheat_sheet_ratio, 12, 1e-12);
}

TEST(Overlap, NextLinearMayBeAnyWidth) {
  const OverlapRates rates{312, 300};
  const Job job = setting_of(8192, 1, 2048, 8, 2);
  const double square = overlap_of(OverlapScheme::tensor_parallel, job, rates, 0).ratio;
  EXPECT_DOUBLE_EQ(overlap_of(OverlapScheme::tensor_parallel, job, rates, 8192).ratio, square);
  EXPECT_DOUBLE_EQ(overlap_of(OverlapScheme::tensor_parallel, job, rates, 3 * 8192).ratio, square / 3);
}

TEST(Overlap, IsHiddenExactlyAtTheHidingBandwidth) {
  const Job job = setting_of(4096, 32, 4096, 8, 2);
  for (int scheme = 0; scheme < static_cast<int>(std::size(overlap_scheme_names)); ++scheme) {
    const auto of = static_cast<OverlapScheme>(scheme);
    const double hiding = overlap_of(of, job, {989, 50}, 0).hiding_gb_per_sec;
    EXPECT_TRUE(overlap_of(of, job, {989, hiding * 1.001}, 0).hidden) << scheme;
    const Overlap slower = overlap_of(of, job, {989, hiding * 0.999}, 0);
    EXPECT_FALSE(slower.hidden) << scheme;
    EXPECT_NEAR(slower.exposed_us, slower.communication_us - slower.compute_us, 1e-9 * slower.compute_us);
  }
}

// Ultra-Scale Playbook, A3.1: gradients leave in buckets as the backward pass fills them; the last has none
// left.
TEST(Overlap, OfGradientsIsInBuckets) {
  Job job = setting_of(4096, 32, 4096, 8, 2);
  job.layout.bucket_size_bytes = 25e6;
  const Overlap buckets = overlap_of(OverlapScheme::data_parallel, job, {989, 50}, 0);
  const double all = 16.0 * 4096 * 4096 * 32 * 2 / static_cast<double>(job.layout.tensor_parallel);
  EXPECT_EQ(buckets.messages, std::ceil(all / 25e6));
  EXPECT_NEAR(buckets.last_message_us, 2 * 7.0 / 8 * std::fmod(all, 25e6) / 50e3, 1e-6);
  job.layout.bucket_size_bytes = 0;
  const Overlap whole = overlap_of(OverlapScheme::data_parallel, job, {989, 50}, 0);
  EXPECT_EQ(whole.messages, 1);
  EXPECT_EQ(whole.message_size_bytes, all);
  EXPECT_EQ(whole.ratio, buckets.ratio);
}

// Mixtral 8x7B: 41,943,040 elements of attention, 32,768 of the router and 8 x 3 x 4096 x 14336 of experts in
// each of 32 layers; all of them have gradients, whatever a token visits. With expert ranks each sums its own
// experts' over fewer replicas.
TEST(Overlap, SumsTheGradientsOfEveryExpert) {
  Job job;
  job.model = find_model("mixtral-8x7b")->shape;
  job.work.sequence_length = 4096;
  job.layout.data_parallel = 64;
  job.layout.bucket_size_bytes = 0;
  const double shared = 32.0 * (41943040 + 32768);
  const double experts = 32.0 * 8 * 3 * 4096 * 14336;
  const Overlap replicas = overlap_of(OverlapScheme::data_parallel, completed(job), {989, 50}, 0);
  EXPECT_DOUBLE_EQ(replicas.sent_bytes_per_gpu, 2 * 63.0 / 64 * 2 * (shared + experts));
  EXPECT_EQ(replicas.messages, 2);
  EXPECT_EQ(replicas.message_size_bytes, 2 * experts);
  job.layout.expert_parallel = 8;
  const Overlap spread = overlap_of(OverlapScheme::data_parallel, completed(job), {989, 50}, 0);
  EXPECT_DOUBLE_EQ(spread.sent_bytes_per_gpu, 2 * 63.0 / 64 * 2 * shared + 2 * 7.0 / 8 * 2 * experts / 8);
  const Overlap layer = overlap_of(OverlapScheme::zero_3, completed(job), {989, 50}, 0);
  EXPECT_DOUBLE_EQ(layer.sent_bytes_per_gpu, (63.0 / 64 * 2 * shared + 7.0 / 8 * 2 * experts / 8) / 32);
}

// Each is a row of the ledger, but for what A3 leaves out of gradients: norms, embedding and LM head.
TEST(Overlap, SendsWhatTheLedgerSends) {
  Job job = setting_of(4096, 32, 4096, 8, 2);
  job.layout.sequence_parallel = true;
  const auto largest = [&](Dimension dimension, StepPhase phase, Collective collective) {
    double sent = 0;
    for (const SentMessage& entry : test::ledger_of(job)) {
      const Communication& message = entry;
      if (message.dimension == dimension && message.phase == phase && message.collective == collective)
        sent =
            std::max(sent, ring_sent_bytes(collective, message.ranks.size, bytes_of(message, job).message));
    }
    return sent;
  };
  const auto sent = [&](OverlapScheme scheme) {
    return overlap_of(scheme, job, {989, 50}, 0).sent_bytes_per_gpu;
  };
  const double gathered = largest(Dimension::tensor, StepPhase::forward, Collective::all_gather);
  EXPECT_GT(gathered, 0);
  EXPECT_EQ(sent(OverlapScheme::tensor_parallel), gathered);
  EXPECT_EQ(sent(OverlapScheme::tensor_parallel_region), gathered);
  const double crossing = largest(Dimension::pipeline, StepPhase::forward, Collective::send_receive);
  EXPECT_GT(crossing, 0);
  // Tensor ranks that have spread their tokens send a share each; A3 lets each send all.
  EXPECT_EQ(sent(OverlapScheme::pipeline_parallel), crossing * 8);
  job.layout.zero_stage = 3;
  job.layout.bucket_size_bytes = 0;
  const double weights = largest(Dimension::data, StepPhase::forward, Collective::all_gather);
  const double norms = 7.0 / 8 * 2 * 2 * 4096;
  EXPECT_NEAR(sent(OverlapScheme::zero_3), weights - norms, 1e-9 * weights);
}

// Llama 3.1 8B over 8 replicas in 16 bits: A3 counts 6,979,321,856 weights in matrices of layers, the ledger
// all 8,030,261,248 parameters. The LM head, 128256 x 4096, multiplies too.
TEST(Overlap, NamesWhatA3LeavesOut) {
  Job job;
  job.model = find_model("llama-3.1-8b")->shape;
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  job.layout.data_parallel = 8;
  const OverlapRates rates{989, 50};
  const Overlap overlap = overlap_of(OverlapScheme::data_parallel, completed(job), rates, 0);
  const double matrices = 6979321856, all = 8030261248;
  EXPECT_DOUBLE_EQ(overlap.sent_bytes_per_gpu, 2 * 7 / 8.0 * 2 * matrices);
  EXPECT_DOUBLE_EQ(overlap.model_sent_bytes_per_gpu, 2 * 7 / 8.0 * 2 * all);
  EXPECT_DOUBLE_EQ(overlap.model_ratio / overlap.ratio,
                   all / matrices / ((matrices + 128256.0 * 4096) / matrices));
  const Overlap layer = overlap_of(OverlapScheme::zero_3, completed(job), rates, 0);
  EXPECT_EQ(layer.model_sent_bytes_per_gpu, layer.sent_bytes_per_gpu);
  EXPECT_EQ(layer.model_ratio, layer.ratio);
}

TEST(Overlap, OfOneGpuIsNothing) {
  const Job job = setting_of(4096, 32, 4096, 1, 2);
  for (int scheme = 0; scheme < static_cast<int>(std::size(overlap_scheme_names)); ++scheme) {
    const Overlap overlap = overlap_of(static_cast<OverlapScheme>(scheme), job, {989, 50}, 0);
    EXPECT_EQ(overlap.communication_us, 0) << scheme;
    EXPECT_EQ(overlap.ratio, 0) << scheme;
    EXPECT_TRUE(overlap.hidden) << scheme;
  }
}

}  // namespace
}  // namespace commcost
