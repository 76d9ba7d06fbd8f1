#include "core/launches/serving_options.h"

namespace commcost {
namespace tensorrt_llm {

using namespace launches;
using Of = const LaunchedJob&;

constexpr std::string_view config_file = "config.yaml";

// The cache, as a share of what weights leave.
std::string cache_share(Of launched) {
  constexpr double usual = 0.9;
  constexpr double most = 0.98;
  const StepMemory memory = served_memory(launched);
  const double left = available_bytes(served_by(launched)) - memory.weights - memory.working;
  return memory_share(left > 0 ? memory.cache / left : 1, usual, most);
}

// clang-format off
constexpr StackOption options[] = {
    StackOption{"serve MODEL", "model", OptionKind::value, nullptr, take_hub_model}.also("--model"),
    option_of<&Layout::tensor_parallel>("--tp_size", tensor_ranks, take_degree<&Layout::tensor_parallel>)
        .also("--tensor_parallel_size"),
    stages_option("--pp_size").also("--pipeline_parallel_size"),
    option_of<&Layout::expert_parallel>("--ep_size", expert_ranks_in_words, take_expert_ranks)
        .also("--moe_expert_parallel_size").when(spreads_experts),
    whole_option<&Work::batch_size>("--max_batch_size"),
    step_tokens_option("--max_num_tokens"),
    whole_option<&Work::sequence_length>("--max_seq_len"),
    memory_share_option<cache_share>("--kv_cache_free_gpu_memory_fraction").also("--free_gpu_memory_fraction"),
    chunks_option<true>("--enable_chunked_prefill"),
    fixed_option<config_file>("--config").also("--extra_llm_api_options"),
    // Behind the degrees: every GPU attends to sequences of its own.
    StackOption{"enable_attention_dp", "data_parallel", OptionKind::value, [](Of) { return true_or_false(true); },
                [](LaunchedJob& launched, std::string_view value) {
                  const auto is = switch_in(value);
                  Layout& layout = launched.job.layout;
                  if (!is) return Taken::no;
                  if (!*is) return Taken::silent;
                  attend_in_groups(layout, layout.tensor_parallel);
                  return Taken::yes;
                }}.in(OptionPlace::file).when(attends_in_groups),
    option_of<&Work::kv_bytes_per_element>("kv_cache_config.dtype", [](Of launched) {
      return std::string(caches_fp8(launched) ? fp8_word : nvfp4_word);
    }, take_cache_type).in(OptionPlace::file).when(quantizes_cache),
    StackOption{"cuda_graph_config", "cuda_graphs", OptionKind::value, [](Of) { return std::string("null"); },
                [](LaunchedJob& launched, std::string_view value) {
                  if (!value.empty() && value != "null") return Taken::no;
                  launched.job.stack.cuda_graphs = false;
                  return Taken::yes;
                }}.in(OptionPlace::file).when([](Of launched) { return !uses_graphs(launched); }),
    StackOption{"cuda_graph_config.max_batch_size", "cuda_graphs", OptionKind::value, [](Of launched) {
      return text_of_whole(launched.job.work.batch_size);
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto batch = whole_in(value);
      if (!batch) return Taken::no;
      launched.job.stack.cuda_graphs = true;
      return Taken::yes;
    }}.in(OptionPlace::file).when(uses_graphs),
    StackOption{"cuda_graph_config.enable_padding", "", OptionKind::value, [](Of) { return true_or_false(true); }}
        .in(OptionPlace::file).when(uses_graphs),
};

constexpr UnsaidRule own_unsaid[] = {
    {"bytes_per_element", [](Of launched) { return launched.job.work.bytes_per_element != 2; },
     "keeps activations in 2 bytes, as the checkpoint has them"},
    {"matmul_precision", [](Of launched) {
      return !multiplies_as_kept(launched.job.work) && !(multiplies_fp8(launched) && hub_weight_bytes(launched) == 1);
    },
     "serves checkpoints that were quantized before: name one, such as nvidia/…-FP8 or -FP4"},
    {"data_parallel", [](Of launched) { return !has_experts(launched.job.model) && launched.job.layout.data_parallel > 1; },
     "starts one server here: start one for each further copy, with a router in front of them"},
    {"expert_exchange", [](Of launched) {
      return shares_experts(launched) && launched.job.layout.expert_exchange != ExchangeKernel::by_rank;
    }, "chooses what exchanges tokens by itself"},
};
constexpr auto unsaid = all_of(any_server_unsaid, own_unsaid);
// clang-format on

constexpr std::string_view marks[] = {"trtllm-serve"};

// Prompts are read whole unless an option chunks them.
void assume(LaunchedJob& launched) {
  assume_graphs(launched);
  launched.chunked_prefill = false;
}

void command(Of launched, LaunchScript& script) {
  const std::string served = "trtllm-serve " + hub_model(launched);
  script.launcher = spans_nodes(launched) ? "mpirun -n " + text_of_whole(server_gpus(launched)) +
                                                " trtllm-llmapi-launch " + served
                                          : served;
  script.files = {{std::string(config_file), yaml_text(script.entries)}};
}

// The same without weights: memory and speed are those of the model.
void rehearse(Of, LaunchScript& script) {
  script.entries.push_back({"load_format", "dummy"});
  script.files = {{std::string(config_file), yaml_text(script.entries)}};
}

}  // namespace tensorrt_llm

constinit const LaunchStack tensorrt_llm_launches{
    "TensorRT-LLM",
    tensorrt_llm_source,
    "tensorrt_llm/llmapi/llm_args.py",
    "tensorrt-llm",
    "",
    true,
    tensorrt_llm::options,
    tensorrt_llm::unsaid,
    tensorrt_llm::marks,
    tensorrt_llm::assume,
    tensorrt_llm::command,
    tensorrt_llm::rehearse,
};

}  // namespace commcost
