#include "core/launches/serving_options.h"
#include "core/launches/torchrun_options.h"

namespace commcost {
namespace vllm {

using namespace launches;
using Of = const LaunchedJob&;

// By place of an ExchangeKernel.
constexpr std::string_view exchanges[] = {"allgather_reducescatter", "deepep_low_latency", "",
                                          "deepep_high_throughput"};

bool spans_nodes_as_one(Of launched) {
  return spans_nodes(launched) && !has_groups(launched);
}
bool spans_nodes_in_groups(Of launched) {
  return spans_nodes(launched) && has_groups(launched);
}
std::string groups_of_a_node(Of launched) {
  return text_of_whole(std::max<std::int64_t>(1, groups_of_server(launched) / server_nodes(launched)));
}

constexpr std::string_view rpc_port = "13345";

// Weights, activations and cache together, as a share of all memory.
std::string memory_utilization(Of launched) {
  constexpr double usual = 0.9;
  const double whole = whole_memory(launched);
  return memory_share(served_memory(launched).total() / whole, usual,
                      available_bytes(served_by(launched)) / whole);
}

// clang-format off
constexpr StackOption options[] = {
    StackOption{"--model", "model", OptionKind::value, nullptr, take_hub_model},
    whole_option<&Layout::tensor_parallel>("--tensor-parallel-size").also("-tp"),
    stages_option("--pipeline-parallel-size").also("-pp"),
    // Experts are spread over the ranks of all groups, and each expert is sliced unless an option says
    // otherwise.
    option_of<&Layout::data_parallel>("--data-parallel-size", groups_in_words, [](LaunchedJob& launched, std::string_view value) {
      const Taken taken = take_degree<&Layout::data_parallel>(launched, value);
      Layout& layout = launched.job.layout;
      if (has_experts(launched.job.model)) layout.expert_tensor_parallel = layout.tensor_parallel * layout.data_parallel;
      return taken;
    }).also("-dp").when(has_groups),
    StackOption{"--enable-expert-parallel", "expert_parallel", OptionKind::toggle, [](Of) { return std::string(); },
                [](LaunchedJob& launched, std::string_view) {
                  Layout& layout = launched.job.layout;
                  layout.expert_parallel = layout.tensor_parallel * layout.data_parallel;
                  layout.expert_tensor_parallel = 1;
                  return Taken::yes;
                }}.also("-ep").when(spreads_experts),
    // Groups exchange tokens; one alone has all of them.
    choice_option<&Layout::expert_exchange, exchanges>("--all2all-backend").when([](Of launched) {
      return spreads_experts(launched) && has_groups(launched) &&
             !exchanges[static_cast<std::size_t>(launched.job.layout.expert_exchange)].empty();
    }),
    StackOption{"--nnodes", "", OptionKind::value, [](Of launched) { return text_of_whole(server_nodes(launched)); }}
        .when(spans_nodes_as_one),
    fixed_option<rank_of_node>("--node-rank").when(spans_nodes_as_one),
    fixed_option<master>("--master-addr").when(spans_nodes_as_one),
    StackOption{"--data-parallel-size-local", "", OptionKind::value, groups_of_a_node}.when(spans_nodes_in_groups),
    StackOption{"--data-parallel-start-rank", "", OptionKind::value, [](Of launched) {
      return "\"$(( ${NODE_RANK:-0} * " + groups_of_a_node(launched) + " ))\"";
    }}.when(spans_nodes_in_groups),
    fixed_option<master>("--data-parallel-address").when(spans_nodes_in_groups),
    fixed_option<rpc_port>("--data-parallel-rpc-port").when(spans_nodes_in_groups),
    whole_option<&Work::sequence_length>("--max-model-len"),
    whole_option<&Work::batch_size>("--max-num-seqs"),
    step_tokens_option("--max-num-batched-tokens"),
    // On unless switched off.
    chunks_option<true>("--enable-chunked-prefill").only_read(),
    chunks_option<false>("--no-enable-chunked-prefill"),
    memory_share_option<memory_utilization>("--gpu-memory-utilization"),
    StackOption{"--max-cudagraph-capture-size", "", OptionKind::value, [](Of launched) {
      return text_of_whole(launched.job.work.batch_size);
    }}.when(uses_graphs),
    toggle_option<&Stack::cuda_graphs, false>("--enforce-eager"),
    dtype_option(),
    fp8_weights_option("--quantization").also("-q"),
    fp8_cache_option<fp8_word>("--kv-cache-dtype"),
};
// clang-format on

constexpr auto unsaid = all_of(any_server_unsaid, torch_server_unsaid);

constexpr std::string_view marks[] = {"vllm", "vllm.entrypoints.openai.api_server"};

void command(Of launched, LaunchScript& script) {
  script.launcher = "vllm serve " + hub_model(launched);
  // Only the first node answers.
  if (spans_nodes(launched))
    script.script_options.emplace_back("$([ \"${NODE_RANK:-0}\" = 0 ] || echo '--headless')");
}

}  // namespace vllm

constinit const LaunchStack vllm_launches{
    "vLLM",
    vllm_source,
    "vllm/engine/arg_utils.py",
    "vllm",
    "",
    true,
    vllm::options,
    vllm::unsaid,
    vllm::marks,
    launches::assume_graphs,
    vllm::command,
    launches::load_dummy_weights,
};

}  // namespace commcost
