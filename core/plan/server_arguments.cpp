#include "core/plan/server_arguments.h"

#include "core/base/number_text.h"

namespace commcost {
namespace {

class Options {
 public:
  Options& add(std::string_view name) {
    if (!text_.empty()) text_ += ' ';
    text_ += name;
    return *this;
  }
  Options& add(std::string_view name, double value) { return add(name).add(text_of(value)); }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

double most_tokens(const ServingPlanInputs& inputs) {
  return static_cast<double>(inputs.prompt_tokens + inputs.output_tokens);
}

bool in_fp8(const ServingPlanInputs& inputs) {
  return inputs.job.work.matmul_precision == MatmulPrecision::fp8;
}

bool caches_fp8(const ServingPlanInputs& inputs) {
  return inputs.job.work.kv_bytes_per_element == 1;
}

// docs.vllm.ai, engine arguments.
ServerArguments vllm(const ServingPlanInputs& inputs, const ServingDeployment& one) {
  Options options;
  options.add("--tensor-parallel-size", one.tensor_parallel);
  if (one.expert_parallel > 1)
    options.add("--data-parallel-size", one.expert_parallel).add("--enable-expert-parallel");
  options.add("--max-num-seqs", one.batch_size).add("--max-model-len", most_tokens(inputs));
  if (in_fp8(inputs)) options.add("--quantization fp8");
  if (caches_fp8(inputs)) options.add("--kv-cache-dtype fp8");
  return {"vllm", std::move(options).text(), ""};
}

// docs.sglang.ai, server arguments: degrees and requests are those of all groups together.
ServerArguments sglang(const ServingPlanInputs& inputs, const ServingDeployment& one) {
  const double gpus = one.tensor_parallel * one.expert_parallel;
  Options options;
  options.add("--tp-size", gpus);
  if (one.expert_parallel > 1)
    options.add("--dp-size", one.expert_parallel).add("--enable-dp-attention").add("--ep-size", gpus);
  options.add("--max-running-requests", one.batch_size * one.expert_parallel)
      .add("--context-length", most_tokens(inputs));
  if (in_fp8(inputs)) options.add("--quantization fp8");
  if (caches_fp8(inputs)) options.add("--kv-cache-dtype fp8_e4m3");
  return {"sglang", std::move(options).text(), ""};
}

// nvidia.github.io/TensorRT-LLM, trtllm-serve; what it has no option for stands in its YAML file. Weights are
// quantized before, in the checkpoint.
ServerArguments tensorrt_llm(const ServingPlanInputs& inputs, const ServingDeployment& one) {
  const double gpus = one.tensor_parallel * one.expert_parallel;
  Options options;
  options.add("--tp_size", gpus);
  if (one.expert_parallel > 1) options.add("--ep_size", gpus);
  options.add("--max_batch_size", one.batch_size).add("--max_seq_len", most_tokens(inputs));
  std::string file;
  if (one.expert_parallel > 1) file += "enable_attention_dp: true\n";
  if (caches_fp8(inputs)) file += "kv_cache_config:\n  dtype: fp8\n";
  return {"tensorrt-llm", std::move(options).text(), file};
}

}  // namespace

std::vector<ServerArguments> server_arguments(const ServingPlanInputs& inputs, const ServingDeployment& one) {
  return {vllm(inputs, one), sglang(inputs, one), tensorrt_llm(inputs, one)};
}

}  // namespace commcost
