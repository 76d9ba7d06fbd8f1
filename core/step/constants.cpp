#include "core/step/constants.h"

namespace commcost {
namespace {

constexpr std::string_view fit =
    "fit to measured steps without tensor parallelism: `step_report --fit` (tests/data/measured_steps_*.csv, "
    "tests/data/published_steps.csv)";
constexpr std::string_view counted = "counted: operations of the block as PyTorch runs it, each operand once";

constexpr StepConstant table[] = {
    {"hbm_share", constants::hbm_share, "fit as below, held to at most 0.92"},
    {"matrix_traffic_weight", constants::matrix_traffic_weight, fit},
    {"flash_attention_share", constants::flash_attention_share,
     "FlashAttention-2 on H100, forward and backward: 335 of 989 TFLOP/s (arXiv:2307.08691, section 4)"},
    {"flash_attention_backward", constants::flash_attention_backward, "arXiv:2307.08691, section 4.1"},
    {"launch_us", constants::launch_us, fit},
    {"collective_start_us", constants::collective_start_us,
     "estimate: streams wait for each other before and after, and ranks do not arrive together"},
    {"launches_per_collective", constants::launches_per_collective, counted},
    {"launches_classic_layer", constants::launches_classic_layer, counted},
    {"launches_gated_layer", constants::launches_gated_layer, counted},
    {"launches_backward", constants::launches_backward, counted},
    {"launches_head", constants::launches_head, counted},
    {"bytes_per_logit", constants::bytes_per_logit, counted},
    {"bytes_kept_per_logit", constants::bytes_kept_per_logit, counted},
    {"optimizer_traffic_bytes", constants::optimizer_traffic_bytes, counted},
    {"optimizer_fixed_us", constants::optimizer_fixed_us, "estimate: a few dozen launches and one norm"},
    {"pipeline_sync_us", constants::pipeline_sync_us, fit},
    {"overlap_slow_down", constants::overlap_slow_down,
     "Hetu-Galvatron's profiled coefficient, 1.1256 (github.com/PKU-DAIR/Hetu-Galvatron @cea12ff)"},
    {"data_overlap_window", constants::data_overlap_window,
     "estimate: the first bucket waits for a fifth of the pass"},
    {"data_overlap_share", constants::data_overlap_share, fit},
    {"gather_overlap_share", constants::gather_overlap_share,
     "estimate: the first gather has nothing to run beside"},
    {"straggler_share", constants::straggler_share,
     "fit as above, held to at most 0.03: eight replicas on eight nodes cost 3.5 % in all (arXiv:2205.05198, "
     "section 6)"},
    {"memory_reserved_gb", constants::memory_reserved_gb, "estimate: CUDA context, NCCL buffers, allocator"},
    {"communication_band_share", constants::communication_band_share,
     "between the prediction's error on one node and on several"},
    {"band_share", constants::band_share,
     "mean error of `step_report` on rows that no constant was fitted on"},
};

constexpr MatmulShare shares[] = {
    {"v100", 1.0, fit},          {"a100", 0.9, fit},           {"h100", 0.5825, fit},
    {"h200", 0.5825, "as h100"}, {"gh200", 0.5825, "as h100"},
};

}  // namespace

std::span<const StepConstant> step_constants() {
  return table;
}

std::span<const MatmulShare> fitted_matmul_shares() {
  return shares;
}

}  // namespace commcost
