#include "bench/validation/serving/serving_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/validation/csv.h"
#include "core/hardware/accelerators.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::serving {
namespace {

struct Source {
  std::string_view part;       // of the source's name
  std::string_view framework;  // part of
  std::string_view gpu;        // part of
  std::string_view name;
};

// Those that serving.md trusts, but for maximum throughputs, where the batch is not stated.
constexpr Source sources[] = {
    {"gpt-fast@", "", "", "gpt-fast A100"},
    {"FasterTransformer@", "", "", "FasterTransformer A100"},
    {"argonne", "TensorRT", "h100", "LLM-Inference-Bench TensorRT-LLM H100"},
    {"argonne", "TensorRT", "a100", "LLM-Inference-Bench TensorRT-LLM A100"},
    {"argonne", "vLLM", "h100", "LLM-Inference-Bench vLLM H100"},
    {"argonne", "vLLM", "a100", "LLM-Inference-Bench vLLM A100"},
    {"ROCm/vllm@", "", "", "ROCm vLLM MI300X"},
    {"vllm issue#16300", "", "", "vLLM QwQ-32B A100"},
    {"vllm PR#2192", "", "", "vLLM custom all-reduce A/B"},
    {"TensorRT-LLM@138f96d4", "", "", "TensorRT-LLM v0.5 first token"},
    {"nim/benchmarking", "", "", "NIM 70B H100"},
    {"buildkite.com/vllm", "", "", "vLLM CI H200"},
    {"NeMo-Framework-Launcher", "", "", "NeMo A100"},
};

const Source* source_of(const Row& row) {
  for (const Source& source : sources) {
    if (contains(text(row, "source"), source.part) && contains(text(row, "framework"), source.framework) &&
        contains(text(row, "gpu"), source.gpu))
      return &source;
  }
  return nullptr;
}

struct Named {
  std::string_view part;
  std::string_view id;
};

constexpr Named gpus[] = {{"b200", "b200"},          {"h200", "h200-sxm"},      {"h100", "h100-sxm"},
                          {"ALCF", "a100-sxm-40gb"}, {"a100", "a100-sxm-80gb"}, {"t4", "t4"},
                          {"l40s", "l40s"},          {"mi300x", "mi300x"}};
constexpr Named stacks[] = {{"gpt-fast", "gpt-fast"},
                            {"FasterTransformer", "faster-transformer"},
                            {"TensorRT-LLM", "tensorrt-llm"},
                            {"SGLang", "sglang"},
                            {"vLLM", "vllm"}};
constexpr Named models[] = {{"Llama-2-7b", "llama-2-7b"},
                            {"LLaMA 7B", "llama-2-7b"},
                            {"Llama 13B", "llama-2-13b"},
                            {"Llama-2-70b", "llama-2-70b"},
                            {"Llama-2-70B", "llama-2-70b"},
                            {"LLaMA 70B", "llama-2-70b"},
                            {"Llama-3-8B", "llama-3.1-8b"},
                            {"Llama-3.1-8B", "llama-3.1-8b"},
                            {"Llama-3-70B", "llama-3.1-70b"},
                            {"Llama-3.1-70B", "llama-3.1-70b"},
                            {"Llama-3.3-70B", "llama-3.1-70b"},
                            {"Llama-3.1-405B", "llama-3.1-405b"},
                            {"Mistral-7B", "mistral-7b-v0.1"},
                            {"Mixtral-8x7B", "mixtral-8x7b"},
                            {"QwQ-32B", "qwen2.5-32b"},
                            {"BLOOM", "bloom-176b"},
                            {"530B", "mt-nlg-530b"}};

template <std::size_t Count>
std::string_view named(const Named (&table)[Count], std::string_view words) {
  for (const Named& row : table)
    if (contains(words, row.part)) return row.id;
  return "";
}

struct Classic {
  std::string_view part;
  std::int64_t layers, hidden, heads, vocabulary;
  bool parallel;
};
constexpr Classic classics[] = {
    {"GPT-J 6B", 28, 4096, 16, 50400, true},  {"GPT-6.7B", 32, 4096, 32, 51200, false},
    {"GPT 5B", 24, 4096, 32, 51200, false},   {"GPT-20B", 44, 6144, 48, 51200, false},
    {"GPT 20B", 44, 6144, 48, 51200, false},  {"GPT-89B", 48, 12288, 96, 51200, false},
    {"GPT-175B", 96, 12288, 96, 51200, false}};

std::optional<ModelShape> shape_of(std::string_view words) {
  for (const Classic& row : classics) {
    if (!contains(words, row.part)) continue;
    ModelShape shape;
    shape.num_layers = row.layers;
    shape.hidden_size = row.hidden;
    shape.num_heads = row.heads;
    shape.vocab_size = row.vocabulary;
    shape.tied_embeddings = shape.biases = true;
    shape.parallel_sublayers = row.parallel;
    return shape;
  }
  const std::string_view id = named(models, words);
  for (const auto& model : all_models())
    if (model.id == id) return model.shape;
  return std::nullopt;
}

enum class Bits { sixteen, eight, eight_weights };

std::optional<Bits> bits_of(std::string_view precision) {
  if (precision.starts_with("fp8")) return Bits::eight;
  if (precision.starts_with("int8")) return Bits::eight_weights;
  if (precision.starts_with("fp16") || precision.starts_with("bf16") || precision.starts_with("unknown"))
    return Bits::sixteen;
  return std::nullopt;
}

std::optional<Measured> measured_of(const Row& row, const Source& source) {
  const std::string_view metric = text(row, "metric");
  if (metric == "e2e_ms") return Measured::request;
  if (metric == "tokens_per_s" && source.name == "gpt-fast A100") return Measured::request;
  if (metric == "prefill_ms" || metric == "ttft_ms") return Measured::prefill;
  if (metric == "itl_ms" || metric == "tpot_ms" || metric == "decode_step_ms") return Measured::decode;
  return std::nullopt;
}

// Whether a first token waited for other requests.
bool under_load(const Row& row, const Source& source) {
  return text(row, "metric") == "ttft_ms" && number(row, "batch") > 1 && !contains(source.part, "argonne");
}

void set_precision(Job& step, Bits bits, std::string_view precision) {
  if (bits == Bits::sixteen) return;
  step.work.weight_bytes_per_element = 1;
  if (bits == Bits::eight) step.work.matmul_precision = MatmulPrecision::fp8;
  if (contains(precision, "fp8 kv")) step.work.kv_bytes_per_element = 1;
}

Job job_of(const Row& row, const Source& source, const ModelShape& shape, std::string_view recipe,
           std::string_view gpu) {
  Job step;
  fill(step, *find_recipe(recipe));
  step.model = shape;
  Layout& layout = step.layout;
  layout.tensor_parallel = static_cast<std::int64_t>(number(row, "tp", 1));
  layout.pipeline_parallel = static_cast<std::int64_t>(number(row, "pp", 1));
  step.work.batch_size = static_cast<std::int64_t>(number(row, "batch"));
  step.machine.accelerator = place_of_accelerator(gpu);
  if (contains(text(row, "note"), "custom all-reduce (after)"))
    step.stack.serving.allreduce_kernel = ReduceKernel::best;
  if (source.name == "vLLM custom all-reduce A/B" && contains(text(row, "note"), "NCCL"))
    step.stack.serving.allreduce_kernel = ReduceKernel::nccl;
  return step;
}

std::optional<ServingRow> row_of(const Row& row) {
  const Source* source = source_of(row);
  if (source == nullptr) return std::nullopt;
  const std::string_view words = text(row, "model");
  const auto shape = shape_of(words);
  const std::string_view gpu = named(gpus, text(row, "gpu"));
  const auto bits = bits_of(text(row, "precision"));
  const auto measured = measured_of(row, *source);
  const std::string_view input = text(row, "input_len");
  if (!shape || gpu.empty() || !bits || !measured || number(row, "batch") < 1 || input.empty())
    return std::nullopt;
  if (number(row, "ep", 1) > 1 || number(row, "dp", 1) > 1 || under_load(row, *source) ||
      contains(text(row, "note"), "MTP"))
    return std::nullopt;

  ServingRow found;
  found.id = text(row, "id");
  found.source = source->name;
  found.recipe = named(stacks, text(row, "framework"));
  found.model = words;
  found.measured = *measured;
  found.job = job_of(row, *source, *shape, found.recipe, gpu);
  found.generation = accelerator_of(found.job.machine).generation;
  found.input_tokens = std::max(1.0, input == "few" ? 8 : number(row, "input_len"));
  found.output_tokens = number(row, "output_len");
  set_precision(found.job, *bits, text(row, "precision"));
  const double value = number(row, "value");
  const double batch = number(row, "batch");
  found.measured_ms = text(row, "metric") == "tokens_per_s" ? 1e3 * found.output_tokens * batch / value
                      : contains(text(row, "unit"), "summed over the batch") ? value * batch
                                                                             : value;
  for (const char* name : {"source", "framework", "version", "model", "gpu", "precision", "pp", "batch",
                           "input_len", "output_len", "metric"})
    found.series += std::string(text(row, name)) + "|";
  found.series += contains(text(row, "note"), "NCCL") ? "nccl" : "";
  return found;
}

double time_ms(Job step, Mode mode, double tokens) {
  step.work.mode = mode;
  step.work.sequence_length = static_cast<std::int64_t>(std::max(1.0, std::round(tokens)));
  return serving_time(completed(step)).parts.total_us() * 1e-3;
}

}  // namespace

double predicted_ms(const ServingRow& row) {
  double ms = 0;
  if (row.measured != Measured::decode) ms += time_ms(row.job, Mode::prefill, row.input_tokens);
  if (row.measured == Measured::prefill || (row.measured == Measured::request && row.output_tokens <= 1))
    return ms;
  const double steps = row.measured == Measured::decode ? 1 : row.output_tokens - 1;
  return ms + steps * time_ms(row.job, Mode::decode, row.input_tokens + row.output_tokens / 2);
}

std::vector<ServingRow> serving_rows(const std::string& folder) {
  std::vector<ServingRow> rows;
  for (const Row& row : read_csv(folder + "/serving.csv")) {
    if (auto found = row_of(row)) rows.push_back(std::move(*found));
  }
  return rows;
}

}  // namespace commcost::validation::serving
