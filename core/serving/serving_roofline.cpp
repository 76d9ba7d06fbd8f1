#include "core/serving/serving_roofline.h"

#include "core/parallel/job_kernels.h"
#include "core/parallel/job_pricer.h"
#include "core/parallel/job_problems.h"

namespace commcost {

Outcome<Roofline> serving_roofline(const ServingStepInputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_run(job)) return problems_of(job);
  const Job one = served_micro_batch(job);
  return roofline_of(layer_kernels(one, usual_layer(one.model)), kernel_pricer(one), one.machine, one.work);
}

}  // namespace commcost
