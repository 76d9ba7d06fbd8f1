#include "core/step/constants.h"

namespace commcost {
namespace {

constexpr std::string_view fit =
    "fit to measured steps without tensor parallelism: `validation steps --fit` "
    "(tests/data/measured_steps_*.csv, "
    "tests/data/published_steps.csv)";
constexpr std::string_view counted = "counted: operations of the block as PyTorch runs it, each operand once";

constexpr StepConstant table[] = {
    {"hbm_share", constants::hbm_share, "fit as below, held to at most 0.92"},
    {"matrix_traffic_weight", constants::matrix_traffic_weight,
     "each matrix once through memory, not hidden; a fit gains nothing over it"},
    {"blackwell_sustained_share", constants::blackwell_sustained_share, fit},
    {"launches_per_collective", constants::launches_per_collective, counted},
    {"optimizer_traffic_bytes", constants::optimizer_traffic_bytes, counted},
    {"optimizer_fixed_us", constants::optimizer_fixed_us, "estimate: a few dozen launches and one norm"},
    {"overlap_slow_down", constants::overlap_slow_down,
     "Hetu-Galvatron's profiled coefficient, 1.1256 (github.com/PKU-DAIR/Hetu-Galvatron @cea12ff)"},
    {"data_overlap_window", constants::data_overlap_window,
     "estimate: the first bucket waits for a fifth of the pass"},
    {"data_overlap_share", constants::data_overlap_share, fit},
    {"gather_overlap_share", constants::gather_overlap_share,
     "estimate: the first gather has nothing to run beside"},
    {"memory_reserved_gib", constants::memory_reserved_gib,
     "estimate: CUDA context, NCCL buffers, allocator"},
};

}  // namespace

std::span<const StepConstant> step_constants() {
  return table;
}

}  // namespace commcost
