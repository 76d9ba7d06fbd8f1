#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/launches/hub_model.h"
#include "core/parallel/memory.h"

// Options that servers share. A server is its groups of tensor ranks; further copies are started one by one.
namespace commcost::launches {

inline std::int64_t server_gpus(const LaunchedJob& launched) {
  const Layout& layout = launched.job.layout;
  return layout.tensor_parallel * layout.pipeline_parallel * groups_of_server(launched);
}
inline std::int64_t server_nodes(const LaunchedJob& launched) {
  const std::int64_t per_node = launched.job.machine.gpus_per_node;
  return (server_gpus(launched) + per_node - 1) / per_node;
}
inline bool spans_nodes(const LaunchedJob& launched) {
  return server_nodes(launched) > 1;
}
inline bool has_groups(const LaunchedJob& launched) {
  return groups_of_server(launched) > 1;
}
inline bool shares_experts(const LaunchedJob& launched) {
  return launched.job.layout.expert_parallel > 1;
}
/// Whether groups of tensor ranks share experts, each with sequences of its own.
inline bool attends_in_groups(const LaunchedJob& launched) {
  return has_experts(launched.job.model) && has_groups(launched);
}
/// Groups counted by a degree or a limit of the whole server; each copy of a dense server has its own.
inline std::int64_t counted_groups(const LaunchedJob& launched) {
  return attends_in_groups(launched) ? groups_of_server(launched) : 1;
}
/// Ranks in a degree that counts every group.
inline std::string tensor_ranks(const LaunchedJob& launched) {
  return text_of_whole(launched.job.layout.tensor_parallel * counted_groups(launched));
}

/// A degree of the layout, which is at least 1.
template <auto Member>
Taken take_degree(LaunchedJob& launched, std::string_view value) {
  const auto degree = whole_in(value);
  if (!degree || *degree < 1) return Taken::no;
  launched.job.layout.*Member = *degree;
  return Taken::yes;
}

/// Whether a server's options can spread its experts over that many GPUs.
inline bool spreads_experts(const LaunchedJob& launched) {
  return shares_experts(launched) && holds_experts_once(launched.job.layout);
}

/// GPUs over which experts are spread, of those of a stage, which share each where there are more of these.
inline Taken take_expert_ranks(LaunchedJob& launched, std::string_view value) {
  Layout& layout = launched.job.layout;
  const auto degree = whole_in(value);
  const std::int64_t ranks = std::max(layout.tensor_parallel, ranks_of_experts(layout));
  if (!degree || *degree < 1 || ranks % *degree != 0) return Taken::no;
  if (*degree == 1) return Taken::silent;
  layout.expert_parallel = *degree;
  layout.expert_tensor_parallel = ranks / *degree;
  return Taken::yes;
}

inline std::string expert_ranks_in_words(const LaunchedJob& launched) {
  return text_of_whole(launched.job.layout.expert_parallel);
}

/// Attention by groups of the given tensor ranks, experts as before over all of them.
inline void attend_in_groups(Layout& layout, std::int64_t groups) {
  layout.expert_tensor_parallel = expert_tensor_degree(layout);
  layout.tensor_parallel /= groups;
  layout.data_parallel = groups;
}

inline bool has_stages(const LaunchedJob& launched) {
  return launched.job.layout.pipeline_parallel > 1;
}

/// Pipeline stages.
constexpr StackOption stages_option(std::string_view name) {
  return option_of<&Layout::pipeline_parallel>(
             name,
             [](const LaunchedJob& launched) { return text_of_whole(launched.job.layout.pipeline_parallel); },
             take_degree<&Layout::pipeline_parallel>)
      .when(has_stages);
}

/// Groups of tensor ranks of one server.
inline std::string groups_in_words(const LaunchedJob& launched) {
  return text_of_whole(groups_of_server(launched));
}

/// Servers capture their steps in CUDA graphs unless an option turns that off.
inline void assume_graphs(LaunchedJob& launched) {
  launched.job.stack.cuda_graphs = true;
}

/// The same server without weights: memory and speed are those of the model.
inline void load_dummy_weights(const LaunchedJob&, LaunchScript& script) {
  script.script_options.emplace_back("--load-format dummy");
}

inline bool caches_fp8(const LaunchedJob& launched) {
  return launched.job.work.kv_bytes_per_element == 1;
}
/// Whether keys and values are kept in fewer bits than they are computed in.
inline bool quantizes_cache(const LaunchedJob& launched) {
  const Work& work = launched.job.work;
  return cached_bytes(work) != static_cast<double>(work.bytes_per_element);
}
inline bool multiplies_fp8(const LaunchedJob& launched) {
  return launched.job.work.matmul_precision == MatmulPrecision::fp8;
}
inline bool uses_graphs(const LaunchedJob& launched) {
  return launched.job.stack.cuda_graphs;
}

inline bool in_chunks(const LaunchedJob& launched) {
  return launched.chunked_prefill;
}
inline bool in_whole(const LaunchedJob& launched) {
  return !launched.chunked_prefill;
}

/// Tokens of all sequences that a step works on at most: one of each, and as many as the longest prompt where
/// it is read whole.
inline std::int64_t most_tokens(const LaunchedJob& launched) {
  const Work& work = launched.job.work;
  return std::max({launched.step_tokens, work.batch_size,
                   launched.chunked_prefill ? std::int64_t{1} : work.sequence_length});
}
inline std::string most_tokens_of_a_step(const LaunchedJob& launched) {
  return text_of_whole(most_tokens(launched));
}

inline Taken take_step_tokens(LaunchedJob& launched, std::string_view value) {
  const auto tokens = whole_in(value);
  if (!tokens || *tokens < 1) return Taken::no;
  launched.step_tokens = *tokens;
  return Taken::yes;
}
constexpr StackOption step_tokens_option(std::string_view name) {
  return {name, "step_tokens", OptionKind::value, most_tokens_of_a_step, take_step_tokens};
}

/// A switch that is set if prompts are read in chunks, or if they are not.
template <bool On>
constexpr StackOption chunks_option(std::string_view name) {
  return StackOption{name, "chunked_prefill", OptionKind::toggle,
                     [](const LaunchedJob&) { return std::string(); },
                     [](LaunchedJob& launched, std::string_view value) {
                       const auto is = switch_in(value);
                       if (!is) return Taken::no;
                       launched.chunked_prefill = *is == On;
                       return Taken::yes;
                     }}
      .when(On ? in_chunks : in_whole);
}

/// A share of memory: the launch's own, otherwise what `Needed` returns for the batch.
template <std::string (*Needed)(const LaunchedJob&)>
constexpr StackOption memory_share_option(std::string_view name) {
  return {name, "memory_share", OptionKind::value,
          [](const LaunchedJob& launched) {
            return launched.memory_share > 0 ? text_of(launched.memory_share) : Needed(launched);
          },
          [](LaunchedJob& launched, std::string_view value) {
            const auto share = parse_number(value);
            if (!share || !(*share > 0) || *share > 1) return Taken::no;
            launched.memory_share = *share;
            return Taken::yes;
          }};
}

/// What a GPU of the server keeps, bytes.
inline StepMemory served_memory(const LaunchedJob& launched) {
  Job job = launched.job;
  job.work.mode = Mode::decode;
  job.work.step_tokens = most_tokens(launched);
  return fullest_gpu(job).memory;
}
inline const Accelerator& served_by(const LaunchedJob& launched) {
  return accelerator_of(launched.job.machine);
}
/// Its memory, as the stacks count it.
inline double whole_memory(const LaunchedJob& launched) {
  return served_by(launched).memory_gb * gib;
}

/// A share of memory as options spell it: what the planned batch needs, at least the usual share, at most
/// what there is.
inline std::string memory_share(double needed, double usual, double most) {
  const double percents =
      std::min(std::ceil(100 * std::max(needed, usual) - 1e-9), std::floor(100 * most + 1e-9));
  return text_of(std::max(1.0, percents) / 100);
}

inline constexpr std::string_view fp8_word = "fp8";
inline constexpr std::string_view nvfp4_word = "nvfp4";

inline Taken take_cache_type(LaunchedJob& launched, std::string_view value) {
  if (value == "auto") return Taken::silent;
  const bool in_a_byte = value.starts_with("fp8") && value != "fp8_ds_mla";
  if (!in_a_byte && value != nvfp4_word) return Taken::no;
  launched.job.work.kv_bytes_per_element = in_a_byte ? 1 : nvfp4_bytes;
  return Taken::yes;
}

/// A word for keys and values of one byte each.
template <const auto& Word>
constexpr StackOption fp8_cache_option(std::string_view name) {
  return option_of<&Work::kv_bytes_per_element>(
             name, [](const LaunchedJob&) { return std::string(Word); }, take_cache_type)
      .when(caches_fp8);
}

/// Weights that are quantized as they are loaded.
constexpr StackOption fp8_weights_option(std::string_view name) {
  return option_of<&Work::matmul_precision>(
             name, [](const LaunchedJob&) { return std::string(fp8_word); },
             [](LaunchedJob& launched, std::string_view value) {
               if (value != fp8_word) return Taken::no;
               launched.job.work.matmul_precision = MatmulPrecision::fp8;
               launched.job.work.weight_bytes_per_element = 1;
               return Taken::yes;
             })
      .when([](const LaunchedJob& launched) {
        return multiplies_fp8(launched) && hub_weight_bytes(launched) != 1;
      });
}

/// Bytes of activations, and of weights that are not quantized.
constexpr StackOption dtype_option() {
  return option_of<&Work::bytes_per_element>(
      "--dtype",
      [](const LaunchedJob& launched) {
        return std::string(launched.job.work.bytes_per_element == 4 ? "float32" : "bfloat16");
      },
      [](LaunchedJob& launched, std::string_view value) {
        const bool whole = value == "float32" || value == "float";
        if (!whole && value != "bfloat16" && value != "float16" && value != "half" && value != "auto")
          return Taken::no;
        launched.job.work.bytes_per_element = whole ? 4 : 2;
        return Taken::yes;
      });
}

/// Inputs that no server's options set.
inline constexpr UnsaidRule any_server_unsaid[] = {
    {"model", [](const LaunchedJob& launched) { return hub_name(launched).empty(); },
     "takes the model from a checkpoint: set MODEL to its folder"},
    {"weight_bytes_per_element",
     [](const LaunchedJob& launched) {
       const Work& work = launched.job.work;
       const double stored = served_weight_bytes(work);
       return stored != hub_weight_bytes(launched) && !(multiplies_fp8(launched) && stored == 1);
     },
     "takes the weights' precision from the checkpoint: serve one that is quantized so"},
    {"context_parallel", [](const LaunchedJob& launched) { return launched.job.layout.context_parallel > 1; },
     "is written here without context parallelism"},
    {"data_parallel",
     [](const LaunchedJob& launched) {
       return has_experts(launched.job.model) &&
              launched.job.layout.data_parallel > groups_of_server(launched);
     },
     "starts one server here: start one for each further copy, with a router in front of them"},
};

/// Further inputs that vLLM and SGLang have no option for.
inline constexpr UnsaidRule torch_server_unsaid[] = {
    {"matmul_precision",
     [](const LaunchedJob& launched) {
       const Work& work = launched.job.work;
       return !multiplies_as_kept(work) && !multiplies_fp8(launched);
     },
     "takes MXFP8, NVFP4 and FP16 products from the checkpoint: serve one that is quantized so"},
    {"kv_bytes_per_element",
     [](const LaunchedJob& launched) { return quantizes_cache(launched) && !caches_fp8(launched); },
     "is told here to keep keys and values as activations or in 1 byte"},
    {"bytes_per_element",
     [](const LaunchedJob& launched) {
       return launched.job.work.bytes_per_element != 2 && launched.job.work.bytes_per_element != 4;
     },
     "keeps activations in 2 or 4 bytes"},
};

}  // namespace commcost::launches
