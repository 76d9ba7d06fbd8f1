#include "bench/validation/serving/deployments_table.h"

#include <cmath>
#include <cstdio>

#include "bench/validation/csv.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/plan/goodput_plan.h"
#include "core/serving/serving_load.h"

namespace commcost::validation::serving {
namespace {

/// Sequences at once where no limit is kept: the cache limits them before.
constexpr std::int64_t any_batch = 2048;
/// A server that is always full: more requests change little.
constexpr std::int64_t enough_requests = 3000;

template <class Inputs>
Inputs question(const Row& row) {
  Inputs inputs;
  Job& job = inputs.job;
  job.model = find_model(text(row, "model"))->shape;
  job.machine.accelerator = place_of_accelerator(text(row, "accelerator"));
  const std::string_view precision = text(row, "precision");
  if (precision == "fp8") {
    job.work.weight_bytes_per_element = 1;
    job.work.matmul_precision = MatmulPrecision::fp8;
  } else if (precision == "mxfp4") {
    job.work.weight_bytes_per_element = 0.53125;
  }
  return inputs;
}

std::string deployment_name(const ServingDeployment& one) {
  const auto of = [](const char* degree, double ranks) {
    return ranks > 1 ? degree + std::to_string(std::lround(ranks)) : std::string();
  };
  return std::to_string(std::lround(one.replicas)) + " x TP " +
         std::to_string(std::lround(one.tensor_parallel)) + of(" x PP ", one.pipeline_parallel) +
         of(" x DP ", one.data_parallel) + of(" + EP ", one.expert_parallel);
}

void print_answer(const Row& row) {
  auto inputs = question<GoodputPlanInputs>(row);
  inputs.cluster_gpus = whole(row, "gpus");
  SimulatedDeployments none;
  const Outcome<GoodputPlan> plan = plan_goodput(inputs, 0, none);
  if (!plan || !plan->found) {
    std::printf("no deployment keeps the limits");
    return;
  }
  const ServingDeployment& best = plan->deployments.front();
  const double steady = number(row, "requests_per_sec");
  std::printf(
      "%s, %.0f sequences, %.0f tokens per step: %.1f requests/s (%.0f %% of the answer's at the mean), %.0f "
      "tokens/s/GPU, P99 TPOT %.0f ms, P99 TTFT %.0f ms",
      deployment_name(best).c_str(), best.batch_size, best.step_tokens, best.requests_per_sec,
      100 * best.requests_per_sec / steady, best.output_tokens_per_sec_per_gpu, best.token_ms,
      best.first_token_ms);
}

// One server as it was published, all requests at once.
void print_most(const Row& row) {
  const double published = number(row, "most_tokens_per_sec_per_gpu");
  if (published <= 0) {
    std::printf("; no throughput published");
    return;
  }
  auto inputs = question<ServingLoadInputs>(row);
  fill(inputs.job, *find_recipe("tensorrt-llm"));
  inputs.prompt_tokens = whole(row, "most_prompt");
  inputs.output_tokens = whole(row, "most_output");
  inputs.job.layout.tensor_parallel = whole(row, "most_tensor");
  inputs.job.layout.expert_parallel = whole(row, "most_experts");
  inputs.job.work.kv_bytes_per_element = number(row, "most_kv_bytes");
  inputs.job.work.batch_size = any_batch;
  inputs.requests = enough_requests;
  const Outcome<ServingLoad> load = expected_load(inputs);
  const double most = load ? load->output_tokens_per_sec_per_gpu : 0;
  std::printf(
      "; TensorRT-LLM without limits at TP %lld + EP %lld, %lld in, %lld out: %.0f tokens/s/GPU, published "
      "%.0f (%+.0f %%)",
      static_cast<long long>(inputs.job.layout.tensor_parallel),
      static_cast<long long>(inputs.job.layout.expert_parallel), static_cast<long long>(inputs.prompt_tokens),
      static_cast<long long>(inputs.output_tokens), most, published, 100 * (most / published - 1));
}

}  // namespace

void print_deployments(const std::string& data) {
  std::printf("1,024 tokens in, 256 out, P99 TPOT within 50 ms and P99 TTFT within 1 s\n");
  for (const Row& row : read_csv(data + "/serving_deployments.csv")) {
    const auto cell = [&row](const char* name) { return std::string(text(row, name)); };
    std::printf("- %s %s on %s %s: ", cell("model").c_str(), cell("precision").c_str(), cell("gpus").c_str(),
                cell("accelerator").c_str());
    print_answer(row);
    print_most(row);
    std::printf(". %s (%s)\n", cell("judgement").c_str(), cell("source").c_str());
  }
}

}  // namespace commcost::validation::serving
