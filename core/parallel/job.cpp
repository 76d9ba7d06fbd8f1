#include "core/parallel/job.h"

namespace commcost {
namespace {

// Of steps with experts, relative to those of all releases together: `validation steps --fit`, by five and
// three series on Blackwell.
constexpr double release_time_scales[] = {1, 1.2, 0.85};

}  // namespace

Job completed(const Job& job) {
  const Work work = completed(job.work);
  return {completed(job.model), work, completed(job.layout, work), job.stack, completed(job.machine)};
}

double time_scale(const Job& job) {
  const double own = job.stack.time_scale;
  return has_experts(job.model) ? own * release_time_scales[static_cast<std::size_t>(job.stack.release)]
                                : own;
}

}  // namespace commcost
