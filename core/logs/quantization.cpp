#include "core/logs/quantization.h"

#include "core/base/number_text.h"

namespace commcost {
namespace {

// A text of an object, or "".
std::string_view text_in(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->text() != nullptr ? *found->text() : std::string_view();
}

double number_in(const Value& object, std::string_view name, double otherwise) {
  const Value* found = object.find(name);
  return found != nullptr && found->number() != nullptr ? *found->number() : otherwise;
}

// Bits of an element with its share of a scale of 16 bits, or of what the format has.
double bytes_of(double bits, double group, double scale_bits = 16) {
  return (bits + (group > 0 ? scale_bits / group : 0)) / 8;
}

bool plausible(double bits) {
  return bits >= 1 && bits <= 16;
}

// The weights of the first group of compressed-tensors and modelopt.
const Value* first_weights(const Value& config) {
  const Value* groups = config.find("config_groups");
  if (groups == nullptr || groups->object() == nullptr) return nullptr;
  for (const auto& [name, group] : *groups->object())
    if (const Value* weights = group.find("weights"); weights != nullptr && weights->object() != nullptr)
      return weights;
  return nullptr;
}

double weight_bytes(const Value& config) {
  const std::string_view method = text_in(config, "quant_method");
  const std::string_view algorithm = text_in(config, "quant_algo");
  if (algorithm == "NVFP4") return bytes_of(4, 16, 8);
  if (algorithm == "FP8" || method == "fp8" || method == "fbgemm_fp8") return 1;
  if (method == "mxfp4") return bytes_of(4, 32, 8);
  if (const Value* weights = first_weights(config)) {
    const double bits = number_in(*weights, "num_bits", 0);
    const double group = number_in(*weights, "group_size", 0);
    if (plausible(bits)) return bytes_of(bits, group, group == 16 ? 8 : 16);
  }
  if (method == "awq" || method == "gptq") {
    const double bits = number_in(config, "bits", number_in(config, "w_bit", 0));
    const double group = number_in(config, "group_size", number_in(config, "q_group_size", 0));
    if (plausible(bits)) return bytes_of(bits, group);
  }
  if (method == "bitsandbytes") {
    const Value* four = config.find("load_in_4bit");
    return four != nullptr && four->flag() != nullptr && *four->flag() ? bytes_of(4, 64, 32) : 1;
  }
  return 0;
}

double cache_bytes(const Value& config) {
  const Value* scheme = config.find("kv_cache_scheme");
  const double bits = scheme == nullptr ? 0 : number_in(*scheme, "num_bits", 0);
  if (plausible(bits)) return bits / 8;
  return text_in(config, "kv_cache_quant_algo") == "FP8" ? 1 : 0;
}

}  // namespace

Quantization read_quantization(const ConfigKeys& whole, ConfigKeys& text) {
  constexpr std::string_view key = "quantization_config";
  const Value* config = whole.find(key);
  if (config == nullptr) config = text.find(key);
  if (config == nullptr || config->object() == nullptr) return {};
  const Quantization read = {weight_bytes(*config), cache_bytes(*config)};
  if (read.weight_bytes == 0) {
    text.remark(key, "isn't known; weights are counted as kept in bytes_per_element");
  } else {
    text.remark(key, "weights are kept in " + text_of(read.weight_bytes) +
                         (read.weight_bytes == 1 ? " byte" : " bytes") +
                         " each, scales included; layers that are left out of it count the same");
  }
  return read;
}

}  // namespace commcost
