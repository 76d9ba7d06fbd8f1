#pragma once

#include <string>
#include <string_view>

#include "core/launches/launch_stack.h"

// Options that Megatron-LM and Megatron-Bridge name alike, and their meaning for a job.
namespace commcost::megatron {

using Of = const LaunchedJob&;

inline const ModelShape& shape_of(Of launched) {
  return launched.job.model;
}
inline const Layout& layout_of(Of launched) {
  return launched.job.layout;
}
inline const Work& work_of(Of launched) {
  return launched.job.work;
}

bool is_latent(Of launched);
bool routes(Of launched);
bool sends_tokens(Of launched);
bool has_stages(Of launched);
bool has_replicas(Of launched);
bool is_sharded(Of launched);  ///< by ZeRO of any stage
bool is_fsdp(Of launched);     ///< by a stage that shards gradients
bool splits_tokens(Of launched);
/// Whether userbuffers hide any messages of tensor ranks.
bool overlaps_tensor(Of launched);
bool is_selective(Of launched);
bool is_fp16(Of launched);

/// Whether the value of that field breaks a rule of Megatron-Core.
bool breaks(Of launched, std::string_view field);

/// By place of an ExchangeKernel; empty: there is none.
inline constexpr std::string_view dispatchers[] = {"alltoall", "", "flex", "flex"};
inline constexpr std::string_view backends[] = {"", "", "hybridep", "deepep"};
/// Whether a dispatcher with a backend sends tokens.
bool is_flexible(Of launched);
std::string dispatcher(Of launched);
/// All-gather is read as an all-to-all.
Taken take_dispatcher(LaunchedJob& launched, std::string_view value);
inline constexpr std::string_view gathers_tokens = "an all-gather of tokens is priced as an all-to-all";

/// Whether stages have different numbers of layers.
bool deals_unevenly(Of launched);
bool ends_are_given(Of launched);
/// Whether only a string of layers can express the chunks of a job whose ends are not given.
bool needs_pipeline_string(Of launched);
Taken take_pipeline_string(LaunchedJob& launched, std::string_view value);
Taken take_chunks(LaunchedJob& launched, std::string_view value);
/// Read after the number of layers and of stages.
Taken take_layers_of_a_chunk(LaunchedJob& launched, std::string_view value);

/// What CUDA graphs capture.
std::string captured(Of launched);
Taken take_captured(LaunchedJob& launched, std::string_view value);

/// By place of a Recompute.
inline constexpr std::string_view granularities[] = {"", "selective", "full"};
/// Whether any recomputation is set.
bool recomputes(Of launched);
bool recomputes_layers(Of launched);
/// Those modules of selective recomputation that they can name.
std::string recomputed_modules(Of launched);
/// Whether there are others besides the attention core, which is repeated by default.
bool names_modules(Of launched);
Taken take_modules(LaunchedJob& launched, std::string_view value);
inline constexpr std::string_view prices_modules =
    "of modules, core_attn, layernorm, moe_act and mla_up_proj are priced as recomputed";
/// Whether whole layers are recomputed, but only the first ones of each stage.
bool recomputes_block(Of launched);
/// The method for whole layers: units of one layer each, or a block in each chunk.
std::string method(Of launched);
std::string method_layers(Of launched);
Taken take_method(LaunchedJob& launched, std::string_view value);
Taken take_method_layers(LaunchedJob& launched, std::string_view value);

/// Inputs that neither can set.
inline constexpr UnsaidRule keeps_activations{
    "recompute_elementwise",
    [](Of launched) {
      return is_selective(launched) && work_of(launched).recompute_elementwise && !routes(launched);
    },
    "keeps the activation function of an MLP without experts"};
inline constexpr UnsaidRule gathers_with_reduction{
    "overlap_param_gather",
    [](Of launched) {
      const Layout& layout = layout_of(launched);
      return is_sharded(launched) && layout.overlap_param_gather && !layout.overlap_data;
    },
    "overlaps the parameter gather only where it overlaps gradient reduction"};

}  // namespace commcost::megatron
