#include <algorithm>
#include <iterator>

#include "core/launches/serving_options.h"
#include "core/launches/torchrun_options.h"

namespace commcost {
namespace sglang {

using namespace launches;
using Of = const LaunchedJob&;

constexpr std::string_view deepep = "deepep";
// By place of an ExchangeKernel: the low-latency kernels are for single tokens, prompts use the others.
constexpr std::string_view deepep_modes[] = {"", "auto", "", "normal"};

constexpr std::string_view one_for_both = "low_latency";

Taken take_dispatcher(LaunchedJob& launched, std::string_view value) {
  if (value != deepep && value != "none") return Taken::no;
  launched.job.layout.expert_exchange = value == deepep ? ExchangeKernel::low_latency : ExchangeKernel::nccl;
  return Taken::yes;
}
// Behind the dispatcher.
Taken take_deepep_mode(LaunchedJob& launched, std::string_view value) {
  const auto* mode = std::find(std::begin(deepep_modes), std::end(deepep_modes), value);
  ExchangeKernel& kernel = launched.job.layout.expert_exchange;
  if (value.empty() || (value != one_for_both && mode == std::end(deepep_modes))) return Taken::no;
  if (kernel == ExchangeKernel::nccl) return Taken::silent;
  if (value == one_for_both) return Taken::partly;
  kernel = static_cast<ExchangeKernel>(mode - std::begin(deepep_modes));
  return Taken::yes;
}

bool sends_by_deepep(Of launched) {
  return shares_experts(launched) &&
         !deepep_modes[static_cast<std::size_t>(launched.job.layout.expert_exchange)].empty();
}

// By DeepEP's low-latency kernels each GPU sends at most as many tokens as it has buffers for
// (docs/references/environment_variables.md).
constexpr std::int64_t usual_buffered_tokens = 128;

constexpr std::string_view fp8_cache = "fp8_e4m3";
constexpr std::string_view rendezvous_address = "\"${MASTER_ADDR:-localhost}:29500\"";

// Weights and cache, as a share of all memory; a layer's workspace and graphs come on top.
std::string static_share(Of launched) {
  constexpr double usual = 0.88;
  const double whole = whole_memory(launched);
  const StepMemory memory = served_memory(launched);
  return memory_share((memory.weights + memory.cache) / whole, usual,
                      (available_bytes(served_by(launched)) - memory.working) / whole);
}
// Of a prompt; divided among GPUs that attend to their own sequences.
std::string chunk_tokens(Of launched) {
  if (!launched.chunked_prefill) return "-1";
  return text_of_whole(launched.step_tokens * counted_groups(launched));
}

Taken take_chunk_tokens(LaunchedJob& launched, std::string_view value) {
  const auto tokens = parse_number(value);
  launched.chunked_prefill = tokens != -1.0;
  if (!launched.chunked_prefill) return Taken::yes;
  if (take_step_tokens(launched, value) == Taken::no) return Taken::no;
  launched.step_tokens =
      std::max<std::int64_t>(1, launched.step_tokens / groups_of_experts(launched.job.layout));
  return Taken::yes;
}

// clang-format off
constexpr StackOption options[] = {
    StackOption{"--model-path", "model", OptionKind::value, hub_model, take_hub_model}.also("--model"),
    option_of<&Layout::tensor_parallel>("--tp-size", tensor_ranks, take_degree<&Layout::tensor_parallel>)
        .also("--tensor-parallel-size --tp"),
    stages_option("--pp-size").also("--pipeline-parallel-size --pp"),
    option_of<&Layout::data_parallel>("--dp-size", groups_in_words, take_degree<&Layout::data_parallel>)
        .also("--data-parallel-size --dp").when(has_groups),
    // Each group of tensor ranks attends to sequences of its own.
    StackOption{"--enable-dp-attention", "expert_parallel", OptionKind::toggle, [](Of) { return std::string(); },
                [](LaunchedJob& launched, std::string_view) {
                  Layout& layout = launched.job.layout;
                  if (layout.tensor_parallel % layout.data_parallel != 0) return Taken::no;
                  attend_in_groups(layout, layout.data_parallel);
                  return Taken::yes;
                }}.when(attends_in_groups),
    option_of<&Layout::expert_parallel>("--ep-size", expert_ranks_in_words, take_expert_ranks)
        .also("--expert-parallel-size --ep").when(spreads_experts),
    option_of<&Layout::expert_exchange>("--moe-a2a-backend", [](Of) { return std::string(deepep); }, take_dispatcher)
        .when(sends_by_deepep),
    option_of<&Layout::expert_exchange>("--deepep-mode", [](Of launched) {
      return std::string(deepep_modes[static_cast<std::size_t>(launched.job.layout.expert_exchange)]);
    }, take_deepep_mode).when(sends_by_deepep).because("priced as auto, which reads prompts by the normal kernels"),
    StackOption{"--nnodes", "", OptionKind::value, [](Of launched) { return text_of_whole(server_nodes(launched)); }}
        .when(spans_nodes),
    fixed_option<rank_of_node>("--node-rank").when(spans_nodes),
    fixed_option<rendezvous_address>("--dist-init-addr").when(spans_nodes),
    whole_option<&Work::sequence_length>("--context-length"),
    // Of all groups that attend apart; copies have theirs each (python/sglang/srt/managers/tp_worker.py).
    option_of<&Work::batch_size>("--max-running-requests", [](Of launched) {
      return text_of_whole(launched.job.work.batch_size * counted_groups(launched));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto requests = whole_in(value);
      const std::int64_t groups = groups_of_experts(launched.job.layout);
      if (!requests || *requests < groups || *requests % groups != 0) return Taken::no;
      launched.job.work.batch_size = *requests / groups;
      return Taken::yes;
    }),
    StackOption{"--chunked-prefill-size", "step_tokens", OptionKind::value, chunk_tokens, take_chunk_tokens},
    memory_share_option<static_share>("--mem-fraction-static"),
    StackOption{"--cuda-graph-max-bs-decode", "", OptionKind::value, [](Of launched) {
      return text_of_whole(launched.job.work.batch_size);
    }}.also("--cuda-graph-max-bs").when(uses_graphs),
    toggle_option<&Stack::cuda_graphs, false>("--disable-cuda-graph"),
    dtype_option(),
    fp8_weights_option("--quantization"),
    fp8_cache_option<fp8_cache>("--kv-cache-dtype"),
};
// clang-format on

constexpr auto unsaid = all_of(any_server_unsaid, torch_server_unsaid);

constexpr std::string_view marks[] = {"sglang.launch_server"};

void command(Of launched, LaunchScript& script) {
  const Job& job = launched.job;
  if (sends_by_deepep(launched) && job.work.batch_size > usual_buffered_tokens &&
      job.layout.expert_exchange == ExchangeKernel::low_latency)
    script.variables.push_back(
        {"SGLANG_DEEPEP_NUM_MAX_DISPATCH_TOKENS_PER_RANK", text_of_whole(job.work.batch_size)});
  script.launcher = "python -m sglang.launch_server";
}

}  // namespace sglang

constinit const LaunchStack sglang_launches{
    "SGLang",
    sglang_source,
    "python/sglang/srt/server_args.py",
    "sglang",
    "",
    true,
    sglang::options,
    sglang::unsaid,
    sglang::marks,
    launches::assume_graphs,
    sglang::command,
    launches::load_dummy_weights,
};

}  // namespace commcost
