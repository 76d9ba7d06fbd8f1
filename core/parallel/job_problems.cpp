#include "core/parallel/job_problems.h"

#include "core/base/name_list.h"
#include "core/base/number_text.h"
#include "core/compute/matrix_peak.h"
#include "core/parallel/recipes.h"

namespace commcost {
namespace {

bool has_precision(const Job& job) {
  return matrix_peak_tflops(accelerator_of(job.machine), job.work.matmul_precision) > 0;
}

bool reaches_host(const Job& job) {
  return !offloads(job.work) || completed(job.machine).host_gb_per_sec > 0;
}

bool knows_release(const Job& job) {
  if (job.stack.release == StackRelease::any) return true;
  const bool by_megatron =
      job.stack.recipe < 0 || job.stack.recipe == static_cast<int>(usual_training_recipe);
  return by_megatron && accelerator_of(job.machine).generation == Generation::blackwell;
}

}  // namespace

bool has_hardware(const Job& job) {
  return has_precision(job) && reaches_host(job);
}

bool can_run(const Job& job) {
  return can_exist(job) && has_hardware(job) && can_reduce_so(job.machine) && knows_release(job);
}

Problems problems_of(const Job& job) {
  Problems problems = layout_problems(job);
  if (!can_reduce_so(job.machine)) problems.push_back(reduction_problem());
  if (!knows_release(job)) {
    problems.push_back({"release", ProblemCode::inconsistent,
                        "release must be any: only runs of " +
                            std::string(all_recipes()[usual_training_recipe].name) +
                            " on Blackwell tell releases apart",
                        "any"});
  }
  if (!reaches_host(job)) {
    problems.push_back({"host_gb_per_sec", ProblemCode::inconsistent,
                        "host_gb_per_sec must be given where anything is kept in host memory: the link of " +
                            std::string(accelerator_of(job.machine).name) + " to its host is not known",
                        "more than 0"});
  }
  if (has_precision(job)) return problems;
  const Accelerator& accelerator = accelerator_of(job.machine);
  const std::string name(matmul_precision_names[static_cast<std::size_t>(job.work.matmul_precision)]);
  const std::vector<std::string_view> has = matmul_precisions(accelerator);
  problems.push_back({"matmul_precision", ProblemCode::inconsistent,
                      "matmul_precision must be one that the hardware has: " + std::string(accelerator.name) +
                          " multiplies in " + in_words(has, " and ") + ", not " + name,
                      "stored, " + in_words(has, " or ")});
  return problems;
}

Problems server_problems(const Job& job) {
  const auto tensor = job.layout.tensor_parallel;
  const auto experts = job.layout.expert_parallel;
  if (experts % tensor == 0 || tensor % experts == 0) return {};
  Job without = job;
  without.layout = server_layout(tensor, job.layout.pipeline_parallel, 1);
  Problems problems = problems_of(completed(without));
  problems.push_back(
      must_be("expert_parallel", ProblemCode::inconsistent,
              "a divisor or a multiple of tensor_parallel (" + text_of(static_cast<double>(tensor)) + ")",
              text_of(static_cast<double>(experts))));
  return problems;
}

}  // namespace commcost
