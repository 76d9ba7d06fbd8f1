#include "core/calculator/choice_labels.h"

#include <array>

#include "core/collective/kind.h"
#include "core/collective/reduce_kernel.h"
#include "core/collective/token_exchange.h"
#include "core/hardware/launch.h"
#include "core/hardware/machine.h"
#include "core/hardware/network_kinds.h"
#include "core/model/work.h"
#include "core/parallel/communication.h"
#include "core/parallel/layout.h"
#include "core/parallel/stage.h"
#include "core/plan/goodput_plan.h"
#include "core/serving/serving_load.h"

namespace commcost {
namespace {

using Texts = std::span<const std::string_view>;

struct LabelledNames {
  Texts names;
  Texts labels;
};

// A missing label does not compile.
template <std::size_t Count>
constexpr LabelledNames labelled(const std::string_view (&names)[Count],
                                 const std::string_view (&labels)[Count]) {
  return {names, labels};
}

constexpr std::string_view recompute_labels[] = {"nothing", "attention core", "whole layers"};
constexpr std::string_view precision_labels[] = {"as stored", "BF16", "FP16", "FP8", "MXFP8", "NVFP4"};
constexpr std::string_view mode_labels[] = {"training step", "serving: prompt", "serving: next token"};
constexpr std::string_view schedule_labels[] = {
    "1F1B", "interleaved", "zero bubble", "GPipe", "zero bubble (2p)", "DualPipe", "DualPipe-V"};
constexpr std::string_view context_scheme_labels[] = {"ring", "all-gather", "Ulysses"};
constexpr std::string_view zero_gradients_labels[] = {"reduce-scatter", "all-reduce"};
constexpr std::string_view launch_labels[] = {"a process per GPU", "a thread per GPU", "one thread for all"};
constexpr std::string_view switch_reduction_labels[] = {"where they can", "on", "off"};
constexpr std::string_view exchange_kernel_labels[] = {"NCCL’s collectives", "a kernel, one copy per expert",
                                                       "a kernel, one copy per GPU",
                                                       "a kernel, one copy per node"};
constexpr std::string_view reduce_kernel_labels[] = {"NCCL", "a one-shot kernel", "a two-shot kernel",
                                                     "a kernel over NVLS", "the fastest of all"};
constexpr std::string_view kernel_library_labels[] = {"any library", "TensorRT-LLM", "SGLang", "vLLM"};
constexpr std::string_view request_routing_labels[] = {"round-robin", "random"};
constexpr std::string_view latency_percentile_labels[] = {"P50", "P90", "P95", "P99"};
constexpr std::string_view collective_labels[] = {
    "all-reduce", "all-gather", "reduce-scatter", "broadcast",    "reduce",
    "gather",     "scatter",    "all-to-all",     "send-receive", "barrier"};
constexpr std::string_view algorithm_labels[] = {"ring",
                                                 "recursive doubling",
                                                 "recursive halving",
                                                 "Rabenseifner",
                                                 "binomial tree",
                                                 "double binary tree",
                                                 "Bruck",
                                                 "pairwise",
                                                 "direct (one shot)",
                                                 "two-shot",
                                                 "scatter + all-gather",
                                                 "dissemination",
                                                 "two-level",
                                                 "2D torus",
                                                 "in-network"};
constexpr std::string_view part_labels[] = {"attention",
                                            "MLP",
                                            "shared experts",
                                            "attention and MLP",
                                            "norms, routers, latents",
                                            "embedding",
                                            "LM head",
                                            "loss",
                                            "layers",
                                            "experts",
                                            "whole model",
                                            "stage boundary"};
constexpr std::string_view payload_labels[] = {"activations", "activation gradients", "keys and values",
                                               "weights",     "weight gradients",     "loss terms",
                                               "logits",      "tokens to experts",    "results of experts"};
constexpr std::string_view overlaps_with_labels[] = {"critical path",
                                                     "forward pass",
                                                     "backward pass",
                                                     "weight gradients",
                                                     "input gradients",
                                                     "attention",
                                                     "matrix products, piece by piece",
                                                     "another micro-batch"};
constexpr std::string_view dimension_labels[] = {"TP", "SP", "vocabulary", "DP", "PP", "CP", "EP"};
constexpr std::string_view stage_place_labels[] = {"only stage", "first stage", "inner stages", "last stage"};

constexpr auto network_kind_labels = [] {
  std::array<std::string_view, std::size(network_kinds)> labels;
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = network_kinds[i].name;
  return labels;
}();

constexpr LabelledNames tables[] = {
    labelled(recompute_names, recompute_labels),
    labelled(matmul_precision_names, precision_labels),
    labelled(mode_names, mode_labels),
    labelled(pipeline_schedule_names, schedule_labels),
    labelled(context_scheme_names, context_scheme_labels),
    labelled(zero_gradients_names, zero_gradients_labels),
    labelled(launch_names, launch_labels),
    labelled(switch_reduction_names, switch_reduction_labels),
    labelled(exchange_kernel_names, exchange_kernel_labels),
    labelled(reduce_kernel_names, reduce_kernel_labels),
    labelled(kernel_library_names, kernel_library_labels),
    labelled(request_routing_names, request_routing_labels),
    labelled(latency_percentile_names, latency_percentile_labels),
    labelled(collective_names, collective_labels),
    labelled(algorithm_names, algorithm_labels),
    labelled(part_names, part_labels),
    labelled(payload_names, payload_labels),
    labelled(overlaps_with_names, overlaps_with_labels),
    labelled(dimension_names, dimension_labels),
    labelled(stage_place_names, stage_place_labels),
    {network_kind_names, network_kind_labels},
};

}  // namespace

std::span<const std::string_view> labels_of(std::span<const std::string_view> names) {
  for (const LabelledNames& table : tables) {
    if (table.names.data() == names.data() && table.names.size() == names.size()) return table.labels;
  }
  return {};
}

}  // namespace commcost
