#include "core/parallel/job.h"

namespace commcost {

Job completed(const Job& job) {
  const Work work = completed(job.work);
  return {completed(job.model), work, completed(job.layout, work), job.stack, completed(job.machine)};
}

}  // namespace commcost
