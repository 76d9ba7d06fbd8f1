#include "core/launches/megatron_words.h"

#include <algorithm>
#include <cmath>

#include "core/launches/pipeline_string.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/stacks.h"
#include "core/parallel/stage_share.h"

namespace commcost::megatron {

bool is_latent(Of launched) {
  return shape_of(launched).kv_rank > 0;
}
bool routes(Of launched) {
  return has_experts(shape_of(launched));
}
bool sends_tokens(Of launched) {
  return layout_of(launched).expert_parallel > 1;
}
bool has_stages(Of launched) {
  return layout_of(launched).pipeline_parallel > 1;
}
bool has_replicas(Of launched) {
  return data_ranks(layout_of(launched)).size > 1;
}
bool is_sharded(Of launched) {
  return has_replicas(launched) && layout_of(launched).zero_stage >= 1;
}
bool is_fsdp(Of launched) {
  return has_replicas(launched) && layout_of(launched).zero_stage >= 2;
}
bool splits_tokens(Of launched) {
  return layout_of(launched).tensor_parallel > 1 && layout_of(launched).sequence_parallel;
}
bool overlaps_tensor(Of launched) {
  const Layout& layout = layout_of(launched);
  return splits_tokens(launched) && (layout.overlap_tensor || layout.overlap_tensor_forward);
}
bool is_selective(Of launched) {
  return work_of(launched).recompute == Recompute::selective;
}
bool is_fp16(Of launched) {
  return work_of(launched).matmul_precision == MatmulPrecision::fp16;
}

bool breaks(Of launched, std::string_view field) {
  const auto broken = broken_abilities(launched.job, "megatron-core");
  return std::any_of(broken.begin(), broken.end(), [&](const Ability* one) { return one->field == field; });
}

bool is_flexible(Of launched) {
  return sends_tokens(launched) &&
         dispatchers[static_cast<std::size_t>(layout_of(launched).expert_exchange)] == "flex";
}

std::string dispatcher(Of launched) {
  return is_flexible(launched) ? "flex" : "alltoall";
}

Taken take_dispatcher(LaunchedJob& launched, std::string_view value) {
  const bool gathers = value == "allgather";
  if (value != "alltoall" && value != "flex" && !gathers) return Taken::no;
  launched.job.layout.expert_exchange = value == "flex" ? ExchangeKernel::normal : ExchangeKernel::nccl;
  return gathers ? Taken::partly : Taken::yes;
}

bool deals_unevenly(Of launched) {
  const StageLayers dealt = stage_share(launched.job).dealt;
  const bool alike =
      dealt.first == dealt.last && (layout_of(launched).pipeline_parallel == 2 || dealt.inner == dealt.first);
  return has_stages(launched) && !ends_meet(layout_of(launched)) && !alike && dealt.last > 0;
}

bool ends_are_given(Of launched) {
  return layout_of(launched).first_stage_layers + layout_of(launched).last_stage_layers > 0;
}

// Flags set the layers of the ends; stages between that differ, and chunks, need the string.
bool needs_pipeline_string(Of launched) {
  const double inner = stage_share(launched.job).dealt.inner;
  return !ends_are_given(launched) &&
         (layout_of(launched).virtual_stages > 1 || inner != std::floor(inner)) && deals_unevenly(launched) &&
         !breaks(launched, "virtual_stages");
}

Taken take_pipeline_string(LaunchedJob& launched, std::string_view value) {
  Layout& layout = launched.job.layout;
  const auto layers = layers_of_stages(value, layout.pipeline_parallel);
  if (!layers) return Taken::no;
  layout.virtual_stages = layers->chunks;
  if (layers->chunks > 1) layout.pipeline_schedule = PipelineSchedule::interleaved;
  // What the defaults give is left to them.
  const StageLayers dealt = stage_share(launched.job).dealt;
  if (dealt.first == static_cast<double>(layers->first) && dealt.last == static_cast<double>(layers->last))
    return Taken::yes;
  if (layers->inner != std::floor(layers->inner)) return Taken::no;
  if (static_cast<double>(layers->first) != layers->inner) layout.first_stage_layers = layers->first;
  if (static_cast<double>(layers->last) != layers->inner) layout.last_stage_layers = layers->last;
  return Taken::yes;
}

Taken take_chunks(LaunchedJob& launched, std::string_view value) {
  const auto chunks = whole_in(value);
  if (!chunks || *chunks < 1) return Taken::no;
  launched.job.layout.virtual_stages = *chunks;
  if (*chunks > 1) launched.job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  return Taken::yes;
}

Taken take_layers_of_a_chunk(LaunchedJob& launched, std::string_view value) {
  const auto each = whole_in(value);
  const std::int64_t stages = launched.job.layout.pipeline_parallel;
  const std::int64_t layers = launched.job.model.num_layers;
  if (!each || *each < 1 || stages < 1 || layers < 1 || layers % stages != 0) return Taken::no;
  const std::int64_t of_a_stage = layers / stages;
  return of_a_stage % *each == 0 ? take_chunks(launched, text_of_whole(of_a_stage / *each)) : Taken::no;
}

std::string recomputed_modules(Of launched) {
  const Work& work = work_of(launched);
  std::string modules;
  const auto add = [&](bool is, std::string_view module) {
    if (is) modules.append(modules.empty() ? "" : " ").append(module);
  };
  add(work.recompute_attention_core, "core_attn");
  add(work.recompute_elementwise, "layernorm");
  add(work.recompute_elementwise && routes(launched), "moe_act");
  add(work.recompute_latent_projections && is_latent(launched), "mla_up_proj");
  return modules;
}

bool names_modules(Of launched) {
  const std::string modules = recomputed_modules(launched);
  return is_selective(launched) && !modules.empty() && modules != "core_attn";
}

bool recomputes(Of launched) {
  return recomputes_layers(launched) || (is_selective(launched) && !recomputed_modules(launched).empty());
}

bool recomputes_layers(Of launched) {
  return work_of(launched).recompute == Recompute::full;
}

Taken take_modules(LaunchedJob& launched, std::string_view value) {
  Work& work = launched.job.work;
  work.recompute_attention_core = work.recompute_elementwise = work.recompute_latent_projections = false;
  bool all = true;
  while (!value.empty()) {
    const std::size_t begin = value.find_first_not_of(" ,[]'\"");
    if (begin == std::string_view::npos) break;
    value.remove_prefix(begin);
    const std::string_view module = value.substr(0, value.find_first_of(" ,[]'\""));
    if (module == "core_attn") {
      work.recompute_attention_core = true;
    } else if (module == "layernorm") {
      work.recompute_elementwise = true;
    } else if (module == "mla_up_proj") {
      work.recompute_latent_projections = true;
    } else if (module == "mlp" || module == "moe" || module == "shared_experts") {
      all = false;
    } else if (module != "moe_act") {
      return Taken::no;
    }
    value.remove_prefix(module.size());
  }
  return all ? Taken::yes : Taken::partly;
}

std::string captured(Of launched) {
  return launched.job.stack.cuda_graphs ? "local" : "none";
}
Taken take_captured(LaunchedJob& launched, std::string_view value) {
  const bool captures = value == "local" || value == "transformer_engine" || value == "full_iteration";
  if (!captures && value != "none") return Taken::no;
  launched.job.stack.cuda_graphs = captures;
  return Taken::yes;
}

constexpr std::int64_t most_layers = 1 << 20;

bool recomputes_block(Of launched) {
  return recomputes_layers(launched) && work_of(launched).recomputed_layers > 0;
}
std::string method(Of launched) {
  return recomputes_block(launched) ? "block" : "uniform";
}
Taken take_method(LaunchedJob& launched, std::string_view value) {
  if (value == "uniform") return Taken::silent;
  if (value != "block") return Taken::no;
  launched.job.work.recomputed_layers = most_layers;  // until their number is known: all
  return Taken::yes;
}

// Of a block in each chunk; uniform units are of one layer.
std::string method_layers(Of launched) {
  const auto chunks = has_stages(launched) ? layout_of(launched).virtual_stages : 1;
  return text_of_whole(recomputes_block(launched)
                           ? std::max<std::int64_t>(1, work_of(launched).recomputed_layers / chunks)
                           : 1);
}
Taken take_method_layers(LaunchedJob& launched, std::string_view value) {
  Work& work = launched.job.work;
  const auto layers = whole_in(value);
  if (work.recomputed_layers == 0) return value == "1" ? Taken::silent : Taken::no;
  if (!layers || *layers < 1) return Taken::no;
  const std::int64_t chunks = has_stages(launched) ? launched.job.layout.virtual_stages : 1;
  if (*layers > most_layers / chunks) return Taken::no;
  work.recomputed_layers = *layers * chunks;
  return Taken::yes;
}

}  // namespace commcost::megatron
