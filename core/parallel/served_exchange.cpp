#include "core/parallel/served_exchange.h"

#include "core/hardware/fabric.h"
#include "core/parallel/rank_groups.h"

namespace commcost {

ExchangeKernel served_exchange(const Job& job) {
  const Layout& layout = job.layout;
  const ExchangeKernel asked = layout.expert_exchange;
  // Kernels send to whole experts
  // (tensorrt_llm/_torch/modules/fused_moe/communication/communication_factory.py, moe_tp_size), and the
  // ranks of one group have the same tokens: vLLM and TensorRT-LLM then send none
  // (vllm/model_executor/layers/fused_moe/config.py, use_all2all_kernels); SGLang deals them out first.
  const bool same_tokens = groups_of_experts(layout) == 1 && !job.stack.serving.exchange_by_pass;
  if (layout.expert_parallel == 1 || expert_tensor_degree(layout) > 1 || same_tokens)
    return ExchangeKernel::nccl;
  if (asked == ExchangeKernel::by_rank) {
    // TensorRT-LLM tries its kernels over NVLink, then DeepEP's, then gathers (communication_factory.py).
    if (!is_nvlink(fabric_of(job.machine).fabric_class)) return ExchangeKernel::nccl;
    const double ranks = static_cast<double>(layout.expert_parallel);
    return ranks > scale_up_domain(job.machine) ? ExchangeKernel::normal : asked;
  }
  const bool reads_prompts = job.work.mode == Mode::prefill;
  if (asked == ExchangeKernel::low_latency && reads_prompts && job.stack.serving.exchange_by_pass)
    return ExchangeKernel::normal;
  return asked;
}

bool gathers_tokens(const Job& job) {
  return job.work.mode != Mode::training && job.layout.expert_exchange == ExchangeKernel::nccl;
}

}  // namespace commcost
