#include "core/parallel/ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/exercise/answer.h"
#include "core/model/catalog.h"
#include "core/parallel/layout_problems.h"
#include "support/jobs.h"
#include "support/ledgers.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::ledger_of;
using test::plain_job;

using WantedRow = std::function<bool(const SentMessage&)>;

double sent(const Job& job, const WantedRow& wanted) {
  double bytes = 0;
  for (const SentMessage& transfer : ledger_of(job)) {
    if (wanted(transfer)) bytes += transfer.sent_bytes_per_gpu;
  }
  return bytes;
}

double calls(const Job& job, const WantedRow& wanted) {
  double count = 0;
  for (const SentMessage& transfer : ledger_of(job)) {
    if (wanted(transfer)) count += transfer.calls;
  }
  return count;
}

WantedRow of(Dimension dimension) {
  return [dimension](const SentMessage& transfer) { return transfer.dimension == dimension; };
}

WantedRow of(Dimension dimension, StepPhase phase) {
  return
      [=](const SentMessage& transfer) { return transfer.dimension == dimension && transfer.phase == phase; };
}

bool any(const SentMessage&) {
  return true;
}

Job gpt3() {
  return plain_job(classic_shape(96, 12288, 96, 51200), 2048);
}

TEST(Ledger, IsEmptyOnOneGpu) {
  EXPECT_EQ(ledger_of(gpt3()).size(), 0u);
  for (const Mode mode : {Mode::prefill, Mode::decode}) {
    EXPECT_EQ(ledger_of(changed(gpt3(), [&](Job& s) { s.work.mode = mode; })).size(), 0u);
  }
}

class CatalogLedger : public testing::TestWithParam<ModelRow> {};

// The exercise is the forward tensor-parallel part of the ledger.
TEST_P(CatalogLedger, ForwardTensorPartIsTheExercise) {
  const Job plain = plain_job(completed(GetParam().shape), 2048, 4);
  for (std::int64_t degree = 1; degree <= 128; ++degree) {
    const Job job = changed(plain, [&](Job& s) { s.layout.tensor_parallel = degree; });
    if (!can_exist(job)) continue;
    TensorParallelInputs exercise;
    exercise.hidden_size = job.model.hidden_size;
    exercise.sequence_length = job.work.sequence_length;
    exercise.batch_size = job.work.batch_size;
    exercise.num_gpus = degree;
    exercise.num_layers = job.model.num_layers;
    exercise.allreduces_per_layer = sums_per_layer(job.model);
    const TensorParallelCost cost = tensor_parallel_allreduce_cost(exercise).value();
    // Shared experts are an MLP in addition to the routed ones, which the exercise does not know about.
    const double ledger = sent(job, [](const SentMessage& entry) {
      return entry.dimension == Dimension::tensor && entry.phase == StepPhase::forward &&
             entry.part != Part::shared_experts;
    });
    EXPECT_NEAR(ledger, cost.total_comm_volume_bytes, 1e-4 + 1e-15 * ledger) << degree;
    for (const SentMessage& transfer : ledger_of(job)) {
      // Of latent attention, gradients of latents are summed.
      if (transfer.dimension == Dimension::tensor && job.model.kv_rank == 0) {
        EXPECT_EQ(transfer.message_size_bytes, cost.message_size_bytes);
      }
    }
  }
}

// Two norms a layer and the last, biases added after both sums, routers, projections down to latents and
// their norms.
double whole_on_every_rank(const ModelShape& shape) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto latents = static_cast<double>(shape.query_rank + shape.kv_rank);
  const auto down = latents + static_cast<double>(shape.rope_head_size);
  const double layer = (shape.biases ? 6 : 2) * hidden + hidden * down + latents;
  const double routers = static_cast<double>(expert_layers(shape) * shape.num_experts) * hidden;
  return static_cast<double>(shape.num_layers) * layer + routers + norm_parameters(shape);
}

TEST_P(CatalogLedger, SequenceParallelismMovesTheSameBytes) {
  const Job plain = plain_job(completed(GetParam().shape), 2048, 4);
  for (std::int64_t degree = 2; degree <= 64; ++degree) {
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      const Job off = changed(plain, [&](Job& s) {
        s.layout.tensor_parallel = degree;
        s.work.recompute = recompute;
      });
      const Job on = changed(off, [](Job& s) { s.layout.sequence_parallel = true; });
      if (!can_exist(off) || !can_exist(on)) continue;
      // Of latent attention, what is gathered is smaller than what is summed: a third pass has them apart.
      if (on.model.kv_rank > 0 && recompute == Recompute::full) continue;
      EXPECT_NEAR(sent(on, of(Dimension::tensor)) / sent(off, of(Dimension::tensor)), 1, 1e-12) << degree;
      // With learned positions the embedding is summed whole, and its gradients gathered besides: 5 for 4
      // (megatron/core/models/common/embeddings/language_model_embedding.py).
      const double embedding = off.model.num_positions > 0 ? 5.0 / 4 : 1;
      const double ratio = sent(on, of(Dimension::vocabulary)) / sent(off, of(Dimension::vocabulary));
      EXPECT_NEAR(ratio, embedding, 2e-3) << degree;
      // Gradients of what every rank holds whole, in two bytes.
      const double gradients = 2 * whole_on_every_rank(on.model);
      const double passes = 2.0 * static_cast<double>(degree - 1) / static_cast<double>(degree);
      EXPECT_NEAR(sent(on, of(Dimension::sequence)), passes * gradients, 1e-12 * passes * gradients);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CatalogLedger, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

// arXiv:2104.04473, section 3.2: 8 b s h (t-1)/t elements a layer; 176,160,768 at b 1, s 2048, h 12288, t 8.
TEST(Ledger, TensorPartOfALayerIsNarayanans) {
  const Job job = changed(gpt3(), [](Job& s) { s.layout.tensor_parallel = 8; });
  EXPECT_EQ(sent(job, of(Dimension::tensor)) / 2 / 96, 176160768);
  EXPECT_EQ(calls(job, of(Dimension::tensor)), 96 * 4);
}

struct CountCase {
  const char* name;
  Mode mode;
  Recompute recompute;
  double sums_per_layer;
};

void PrintTo(const CountCase& count, std::ostream* out) {
  *out << count.name;
}

class TensorCalls : public testing::TestWithParam<CountCase> {};

// arXiv:1909.08053, section 3; arXiv:1910.02054, section 8: two forward, two backward, two more when all is
// recomputed.
TEST_P(TensorCalls, PerLayer) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.work.mode = GetParam().mode;
    s.work.recompute = GetParam().recompute;
  });
  EXPECT_EQ(calls(job, of(Dimension::tensor)), 96 * GetParam().sums_per_layer);
  const Job spread = changed(job, [](Job& s) {
    s.layout.sequence_parallel = true;
    s.work.batch_size = 8;
  });
  EXPECT_EQ(calls(spread, of(Dimension::tensor)), 2 * 96 * GetParam().sums_per_layer);
}

INSTANTIATE_TEST_SUITE_P(All, TensorCalls,
                         testing::Values(CountCase{"none", Mode::training, Recompute::none, 4},
                                         CountCase{"selective", Mode::training, Recompute::selective, 4},
                                         CountCase{"full", Mode::training, Recompute::full, 6},
                                         CountCase{"prefill", Mode::prefill, Recompute::none, 2},
                                         CountCase{"decode", Mode::decode, Recompute::none, 2}),
                         [](const auto& count) { return std::string(count.param.name); });

TEST(Ledger, AttentionAndMlpSendTheSame) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.work.recompute = Recompute::full;
  });
  const auto part = [](Part wanted) {
    return [wanted](const SentMessage& transfer) {
      return transfer.dimension == Dimension::tensor && transfer.part == wanted;
    };
  };
  EXPECT_GT(sent(job, part(Part::attention)), 0);
  EXPECT_EQ(sent(job, part(Part::attention)), sent(job, part(Part::mlp)));
}

TEST(Ledger, ParallelSublayersShareOneSum) {
  const Job two = changed(gpt3(), [](Job& s) { s.layout.tensor_parallel = 8; });
  const Job one = changed(two, [](Job& s) { s.model.parallel_sublayers = true; });
  EXPECT_EQ(2 * sent(one, of(Dimension::tensor)), sent(two, of(Dimension::tensor)));
}

TEST(Ledger, TheLossSumsThreeNumbersAToken) {
  const Job job = changed(gpt3(), [](Job& s) { s.layout.tensor_parallel = 8; });
  const WantedRow loss = [](const SentMessage& transfer) { return transfer.part == Part::loss; };
  EXPECT_EQ(calls(job, loss), 3);
  EXPECT_EQ(sent(job, loss), 3 * 2 * 7.0 / 8 * 4 * 2048);
}

TEST(Ledger, DecodeSendsOneTokenASequenceAndGathersItsLogits) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.work.mode = Mode::decode;
    s.work.batch_size = 32;
  });
  EXPECT_EQ(sent(job, of(Dimension::tensor, StepPhase::decode)), 2 * 96 * 2 * 7.0 / 8 * 32 * 12288 * 2);
  const WantedRow logits = [](const SentMessage& transfer) { return transfer.payload == Payload::logits; };
  EXPECT_EQ(sent(job, logits), 7.0 / 8 * 32 * 51200 * 2);
  EXPECT_EQ(sent(job, any), sent(job, [](const SentMessage& t) { return t.phase == StepPhase::decode; }));
}

// arXiv:1910.02054, section 7: 2 (d-1)/d of the parameters, 3 with stage 3; each micro-batch gathers anew.
TEST(Ledger, Zero3SendsOneAndAHalfTimesWhatDdpSends) {
  for (const std::int64_t replicas : {2, 8, 64, 100}) {
    const auto at = [&](std::int64_t stage) {
      return sent(changed(gpt3(),
                          [&](Job& s) {
                            s.layout.data_parallel = replicas;
                            s.layout.zero_stage = stage;
                          }),
                  of(Dimension::data));
    };
    const double parameters = parameters_of(gpt3().model).total;
    const auto d = static_cast<double>(replicas);
    EXPECT_NEAR(at(0) / (2 * (d - 1) / d * parameters * 2), 1, 1e-12);
    EXPECT_NEAR(at(1) / at(0), 1, 1e-12);
    EXPECT_NEAR(at(2) / at(0), 1, 1e-12);
    EXPECT_NEAR(at(3) / at(0), 1.5, 1e-12);
  }
}

TEST(Ledger, Zero3GathersAndScattersForEveryMicroBatch) {
  const auto at = [](std::int64_t global_batch_size) {
    return sent(changed(gpt3(),
                        [&](Job& s) {
                          s.layout.data_parallel = 4;
                          s.layout.zero_stage = 3;
                          s.work.global_batch_size = global_batch_size;
                        }),
                of(Dimension::data));
  };
  EXPECT_EQ(at(32), 8 * at(4));
}

// Hybrid sharding (arXiv:2304.11277, section 3.2.2): gathers and scatters stay within a group, and groups sum
// what each of them has scattered, an eighth of the gradients here.
TEST(Ledger, GroupsShardAndSumTheirShards) {
  for (const std::int64_t stage : {1, 2, 3}) {
    const Job job = changed(gpt3(), [&](Job& s) {
      s.layout.data_parallel = 64;
      s.layout.shard_group_size = 8;
      s.layout.zero_stage = stage;
      s.work.global_batch_size = 128;
    });
    const double bytes = 2 * parameters_of(job.model).total;
    const double once = 7.0 / 8 * bytes;
    const double within = stage == 3 ? 2 * 3 * once : stage == 2 ? 3 * once : 2 * once;
    EXPECT_NEAR(sent(job, of(Dimension::data)) / (within + 2 * 7.0 / 8 * bytes / 8), 1, 1e-12) << stage;
    const WantedRow across = [](const SentMessage& entry) { return entry.ranks.stride == 8; };
    EXPECT_NEAR(sent(job, across) / (2 * 7.0 / 8 * bytes / 8), 1, 1e-12) << stage;
  }
}

TEST(Ledger, OneGroupOfAllShardsAsZeroDoes) {
  const auto with = [](std::int64_t group) {
    return sent(changed(gpt3(),
                        [&](Job& s) {
                          s.layout.data_parallel = 8;
                          s.layout.shard_group_size = group;
                          s.layout.zero_stage = 3;
                        }),
                of(Dimension::data));
  };
  EXPECT_EQ(with(8), with(0));
}

TEST(Ledger, ZerosGradientsMayBeAllReduced) {
  const auto at = [](ZeroGradients how) {
    return sent(changed(gpt3(),
                        [&](Job& s) {
                          s.layout.data_parallel = 8;
                          s.layout.zero_stage = 1;
                          s.layout.zero_gradients = how;
                        }),
                of(Dimension::data));
  };
  // An all-reduce and an all-gather: 3 instead of 2.
  EXPECT_NEAR(at(ZeroGradients::all_reduce) / at(ZeroGradients::reduce_scatter), 1.5, 1e-12);
}

// DeepSpeed's logger shows ceil(parameters / bucket) calls: 26 of 5e8 elements for 13e9.
TEST(Ledger, GradientsLeaveInBuckets) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.data_parallel = 8;
    s.layout.bucket_size_bytes = 1e9;
  });
  const double elements = parameters_of(job.model).total;
  EXPECT_EQ(calls(job, of(Dimension::data)), std::ceil(elements / 5e8));
  const Job at_once = changed(job, [](Job& s) { s.layout.bucket_size_bytes = 0; });
  EXPECT_EQ(calls(at_once, of(Dimension::data)), 1);
  EXPECT_NEAR(sent(at_once, any) / sent(job, any), 1, 1e-12);
}

// arXiv:2104.04473, sections 3.2 and 4.1: b s h a boundary, direction and micro-batch; a share of it
// scattered; times v.
TEST(Ledger, PipelineSendsActivationsBetweenStages) {
  const Job line = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 8;
    s.work.global_batch_size = 64;
    s.model.tied_embeddings = false;
  });
  const WantedRow inner = [](const SentMessage& transfer) {
    return transfer.dimension == Dimension::pipeline && transfer.collective == Collective::send_receive &&
           takes_part(transfer, Stage{1, 0, false, false});
  };
  const double boundary = 2048.0 * 12288 * 2;
  EXPECT_EQ(sent(line, inner), 2 * 64 * boundary);
  const Job shared = changed(line, [](Job& s) { s.layout.sequence_parallel = true; });
  EXPECT_EQ(sent(shared, inner), 2 * 64 * boundary / 8);
  const Job scattered = changed(line, [](Job& s) { s.layout.scatter_gather = true; });
  EXPECT_EQ(sent(scattered, inner), 2 * 64 * boundary / 8);
  const Job chunked = changed(line, [](Job& s) {
    s.layout.pipeline_schedule = PipelineSchedule::interleaved;
    s.layout.virtual_stages = 3;
  });
  EXPECT_EQ(sent(chunked, inner), 3 * 2 * 64 * boundary);
}

TEST(Ledger, PipelineCrossesEveryBoundaryOnceAChunk) {
  for (const std::int64_t chunks : {1, 2, 3}) {
    const Job job = changed(gpt3(), [&](Job& s) {
      s.layout.pipeline_parallel = 4;
      s.layout.virtual_stages = chunks;
      s.layout.pipeline_schedule = PipelineSchedule::interleaved;
      s.work.global_batch_size = 8;
    });
    double forward = 0;
    for (int stage = 0; stage < 4; ++stage) {
      forward += calls(job, [stage](const SentMessage& transfer) {
        return transfer.dimension == Dimension::pipeline && transfer.phase == StepPhase::forward &&
               takes_part(transfer, Stage{1, 0, stage == 0, stage == 3});
      });
    }
    EXPECT_EQ(forward, 8 * (4 * static_cast<double>(chunks) - 1));
  }
}

// DualPipe sends half of the micro-batches either way: each boundary is crossed as often as in a line, an
// inner stage sends as much, and the ends half of it. The V crosses each boundary twice, and its fold never.
TEST(Ledger, DualPipeCrossesBoundariesFromBothEnds) {
  for (const PipelineSchedule schedule : {PipelineSchedule::dualpipe, PipelineSchedule::dualpipe_v}) {
    const Job job = changed(gpt3(), [&](Job& s) {
      s.layout.pipeline_parallel = 4;
      s.layout.pipeline_schedule = schedule;
      s.work.global_batch_size = 8;
    });
    const double passed = schedule == PipelineSchedule::dualpipe ? 1 : 2;
    std::vector<double> sent_by;
    for (int stage = 0; stage < 4; ++stage) {
      sent_by.push_back(calls(job, [stage](const SentMessage& transfer) {
        return transfer.dimension == Dimension::pipeline && transfer.phase == StepPhase::forward &&
               takes_part(transfer, Stage{1, 0, stage == 0, stage == 3});
      }));
    }
    EXPECT_EQ(sent_by, (std::vector<double>{4 * passed, 8 * passed, 8 * passed, 4 * passed}));
    // The same of the stages that a step is priced on: the first has both ends of the model.
    std::vector<double> priced;
    for (const Stage& stage : distinct_stages(job, stage_share(job))) {
      priced.push_back(calls(job, [stage](const SentMessage& transfer) {
        return transfer.dimension == Dimension::pipeline && transfer.phase == StepPhase::forward &&
               takes_part(transfer, stage);
      }));
    }
    EXPECT_EQ(priced, (std::vector<double>{4 * passed, 8 * passed, 4 * passed}));
  }
}

// The two copies of a stage are replicas: a GPU sums the gradients of both with as many others again.
TEST(Ledger, DualPipeSumsBothCopiesOfAStage) {
  const auto gradients = [](PipelineSchedule schedule) {
    const Job job = changed(gpt3(), [&](Job& s) {
      s.layout.pipeline_parallel = 4;
      s.layout.data_parallel = 4;
      s.layout.pipeline_schedule = schedule;
      s.layout.bucket_size_bytes = 0;
      s.work.global_batch_size = 4 * 8;
    });
    double bytes = 0;
    for (const SentMessage& entry : ledger_of(job)) {
      if (entry.part == Part::layers) bytes += entry.sent_bytes_per_gpu;
    }
    return bytes;
  };
  // 2 (n - 1)/n of the bytes, for 8 ranks and twice the bytes against 4 ranks.
  EXPECT_NEAR(gradients(PipelineSchedule::dualpipe) / gradients(PipelineSchedule::one_f_one_b),
              2 * (7.0 / 8) / (3.0 / 4), 1e-12);
}

// Megatron-LM: first and last stage keep a copy of a tied embedding each, V h / t elements, added up once a
// step.
TEST(Ledger, TiedEmbeddingsAreAddedUpAcrossThePipeline) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 8;
  });
  const WantedRow tied = [](const SentMessage& t) { return t.stages == Stages::first_and_last; };
  EXPECT_EQ(sent(job, tied), 51200.0 / 8 * 12288 * 2);
}

// Each context rank's keys and values visit the c-1 others: 2 (c-1)/c b s h_kv elements forward, twice that
// backward.
TEST(Ledger, ContextRingAndGatherSendTheSame) {
  ModelShape shape = classic_shape(32, 4096, 32);
  shape.num_kv_heads = 8;
  for (const ContextScheme scheme : {ContextScheme::ring, ContextScheme::all_gather}) {
    const Job job = changed(plain_job(shape, 32768), [&](Job& s) {
      s.layout.context_parallel = 4;
      s.layout.context_scheme = scheme;
    });
    const double once = 2 * 3.0 / 4 * 32768 * 8 * 128 * 2 * 32;
    EXPECT_DOUBLE_EQ(sent(job, of(Dimension::context, StepPhase::forward)), once);
    EXPECT_DOUBLE_EQ(sent(job, of(Dimension::context, StepPhase::backward)), 2 * once);
  }
}

// DeepSpeed-Ulysses: 4 N h / P a layer and direction for N tokens over P GPUs, as P grows.
TEST(Ledger, UlyssesSendsFourHiddenStatesOverItsRanks) {
  const Job job = changed(plain_job(classic_shape(1, 4096, 32), 32768), [](Job& s) {
    s.layout.context_parallel = 16;
    s.layout.context_scheme = ContextScheme::ulysses;
  });
  EXPECT_EQ(sent(job, of(Dimension::context, StepPhase::forward)), 4 * 32768.0 * 4096 / 16 * 15 / 16 * 2);
  EXPECT_EQ(calls(job, of(Dimension::context, StepPhase::forward)), 4);
}

TEST(Ledger, ExpertsReceiveEveryTokenTheyAreChosenFor) {
  ModelShape shape = classic_shape(4, 1024, 16);
  shape.num_experts = 8;
  shape.experts_per_token = 2;
  const Job job = changed(plain_job(shape, 2048), [](Job& s) {
    s.layout.data_parallel = 8;
    s.layout.expert_parallel = 4;
  });
  const double dispatch = 2048.0 * 2 * 1024 * 2 * 3 / 4;
  EXPECT_EQ(sent(job, of(Dimension::expert, StepPhase::forward)), 2 * 4 * dispatch);
  EXPECT_EQ(sent(job, of(Dimension::expert, StepPhase::backward)), 2 * 4 * dispatch);
  // Two ranks hold the same experts, eight the rest.
  for (const SentMessage& transfer : ledger_of(job)) {
    if (transfer.dimension != Dimension::data) continue;
    EXPECT_EQ(transfer.ranks.size, transfer.part == Part::experts ? 2 : 8);
  }
}

TEST(Ledger, FewerBytesOnTheWireCostPassesOverMemory) {
  const Job plain = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.data_parallel = 4;
  });
  const Job small = changed(plain, [](Job& s) {
    s.layout.activation_wire_bytes_per_element = 1;
    s.layout.gradient_wire_bytes_per_element = 1;
  });
  for (const Dimension dimension : {Dimension::tensor, Dimension::data}) {
    EXPECT_NEAR(sent(small, of(dimension)) / sent(plain, of(dimension)), 0.5, 1e-12);
  }
  for (const SentMessage& transfer : ledger_of(plain)) EXPECT_EQ(transfer.quantized_bytes_per_gpu, 0);
  for (const SentMessage& transfer : ledger_of(small)) {
    if (transfer.dimension != Dimension::tensor) continue;
    // Of an all-reduce: the whole message before the reduction, as much after it, a shard before the
    // gathering and the whole after it, each element read at one width and written at the other.
    const double elements = transfer.message_size_bytes;
    EXPECT_NEAR(transfer.quantized_bytes_per_gpu, transfer.calls * elements * (3 + 1.0 / 8) * 3, 1);
  }
}

TEST(Ledger, MarksWhatNothingHides) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.data_parallel = 4;
  });
  for (const SentMessage& transfer : ledger_of(job)) {
    EXPECT_EQ(transfer.overlaps_with == OverlapsWith::nothing, transfer.dimension != Dimension::data);
  }
  const Job overlapped = changed(job, [](Job& s) { s.layout.overlap_tensor = true; });
  for (const SentMessage& transfer : ledger_of(overlapped)) {
    if (transfer.dimension != Dimension::tensor) continue;
    EXPECT_EQ(transfer.overlaps_with == OverlapsWith::nothing, transfer.phase == StepPhase::forward);
  }
}

TEST(Ledger, GrowsWithEveryDegree) {
  ModelShape shape = classic_shape(32, 4096, 32, 32000);
  shape.num_experts = 64;
  const auto total = [&](const std::function<void(Layout&)>& change, Dimension dimension) {
    return sent(changed(plain_job(shape, 8192), [&](Job& s) { change(s.layout); }), of(dimension));
  };
  double last_tensor = 0, last_data = 0, last_context = 0;
  for (std::int64_t degree = 1; degree <= 32; degree *= 2) {
    const double tensor = total([&](Layout& l) { l.tensor_parallel = degree; }, Dimension::tensor);
    const double data = total([&](Layout& l) { l.data_parallel = degree; }, Dimension::data);
    const double context = total([&](Layout& l) { l.context_parallel = degree; }, Dimension::context);
    EXPECT_TRUE(degree == 1 || (tensor > last_tensor && data > last_data && context > last_context))
        << degree;
    last_tensor = tensor;
    last_data = data;
    last_context = context;
  }
}

TEST(Ledger, FitsItsCapacityWithEverythingOn) {
  ModelShape shape = classic_shape(64, 4096, 64, 32000);
  shape.num_experts = 64;
  shape.num_dense_layers = 8;
  std::size_t most = 0;
  for (std::int64_t stage = 0; stage <= 3; ++stage) {
    for (const ContextScheme scheme :
         {ContextScheme::ring, ContextScheme::all_gather, ContextScheme::ulysses}) {
      for (const bool spread : {false, true}) {
        const Job job = changed(plain_job(shape, 8192), [&](Job& s) {
          s.layout.tensor_parallel = 4;
          s.layout.sequence_parallel = spread;
          s.layout.regather_input = spread;
          s.layout.scatter_gather = true;
          s.layout.pipeline_parallel = 4;
          s.layout.virtual_stages = 2;
          s.layout.pipeline_schedule = PipelineSchedule::interleaved;
          s.layout.data_parallel = 8;
          s.layout.expert_parallel = 8;
          s.layout.context_parallel = 2;
          s.layout.context_scheme = scheme;
          s.layout.zero_stage = stage;
          s.work.recompute = Recompute::full;
          s.work.global_batch_size = 64;
        });
        ASSERT_TRUE(can_exist(job));
        most = std::max(most, ledger_of(job).size());
      }
    }
  }
  EXPECT_LT(most, Communications::capacity);
  EXPECT_GT(most, 30u);
}

// A ring within nodes, then between them, sends in all what one flat ring sends; the textbook two-level
// forms.
TEST(NetworkBytes, AndBytesWithinANodeAreTheFlatRings) {
  for (const double within : {1.0, 2.0, 4.0, 8.0}) {
    for (const double nodes : {1.0, 2.0, 16.0}) {
      const double ranks = within * nodes;
      if (ranks == 1) continue;
      Communication message{};
      message.dimension = Dimension::data;
      message.ranks = {ranks, 1};
      const double bytes = 1e6;
      const auto expect = [&](Collective collective, double sent, double network) {
        message.collective = collective;
        const SentBytes found = sent_bytes(message, bytes, within);
        EXPECT_NEAR(found.total(), sent, 1e-6);
        EXPECT_NEAR(found.network, network, 1e-6);
      };
      // Reduce-scatter and all-gather within, all-reduce of a share between.
      expect(Collective::all_reduce, 2 * (ranks - 1) / ranks * bytes,
             2 * (nodes - 1) / nodes * bytes / within);
      expect(Collective::all_gather, (ranks - 1) / ranks * bytes, (nodes - 1) / nodes * bytes / within);
      expect(Collective::all_to_all, (ranks - 1) / ranks * bytes, (ranks - within) / ranks * bytes);
    }
  }
}

TEST(NetworkBytes, DependOnWhereTheGroupsRanksLie) {
  const Job job = changed(gpt3(), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.data_parallel = 4;
    s.layout.pipeline_parallel = 2;
  });
  const Stage stage{96, 0};
  for (const SentMessage& transfer : ledger_of(job, stage, 8)) {
    const bool beside =
        transfer.dimension == Dimension::tensor || transfer.dimension == Dimension::vocabulary;
    EXPECT_EQ(transfer.network_bytes_per_gpu, beside ? 0 : transfer.sent_bytes_per_gpu);
  }
  for (const SentMessage& transfer : ledger_of(job, stage, 64)) EXPECT_EQ(transfer.network_bytes_per_gpu, 0);
}

}  // namespace
}  // namespace commcost
