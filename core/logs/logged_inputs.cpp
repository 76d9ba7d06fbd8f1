#include "core/logs/logged_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/logs/log_words.h"
#include "core/logs/step_lines.h"
#include "core/model/work.h"

namespace commcost {
namespace {

using enum LoggedField;

// A key and its meaning: a line about a step, an input's number, or with a word, what that word means.
struct Key {
  std::string_view text;
  LoggedField field = sequence_length;
  std::string_view word = {};
  double value = 0;
  int format = -1;  // of step_formats
};

constexpr double place_of(Recompute what) {
  return static_cast<double>(what);
}

// The arguments dumped by Megatron-LM and nanotron, torchtitan's configuration and DeepSpeed's; a batch that
// grows is given by the lines of steps.
constexpr Key input_keys[] = {
    {"seq_length", sequence_length},
    {"sequence_length", sequence_length},
    {"sequence length", sequence_length},
    {"encoder_seq_length", sequence_length},
    {"seq_len", sequence_length},
    {"micro_batch_size", batch_size},
    {"local batch size", batch_size},
    {"train_micro_batch_size_per_gpu", batch_size},
    {"local_batch_size", batch_size},
    {"global_batch_size", global_batch_size},
    {"global batch size", global_batch_size},
    {"train_batch_size", global_batch_size},
    {"tensor_model_parallel_size", tensor_parallel},
    {"tensor-model-parallel size", tensor_parallel},
    {"tp", tensor_parallel},
    {"tensor_parallel_degree", tensor_parallel},
    {"pipeline_model_parallel_size", pipeline_parallel},
    {"pipeline-model-parallel size", pipeline_parallel},
    {"pp", pipeline_parallel},
    {"pipeline_parallel_degree", pipeline_parallel},
    {"context_parallel_size", context_parallel},
    {"context-parallel size", context_parallel},
    {"cp", context_parallel},
    {"context_parallel_degree", context_parallel},
    {"data_parallel_size", data_parallel},
    {"data-parallel size", data_parallel},
    {"dp", data_parallel},
    {"expert_model_parallel_size", expert_parallel},
    {"expert-model-parallel size", expert_parallel},
    {"ep", expert_parallel},
    {"expert_parallel_degree", expert_parallel},
    {"expert_tensor_parallel_size", expert_tensor_parallel},
    {"expert-tensor-parallel size", expert_tensor_parallel},
    {"etp", expert_tensor_parallel},
    {"expert_tensor_parallel_degree", expert_tensor_parallel},
    {"world_size", cluster_gpus},
    {"world size", cluster_gpus},
    {"virtual_pipeline_model_parallel_size", virtual_stages},
    {"zero_stage", zero_stage},
    {"zero_optimization_stage", zero_stage},
    {"sequence_parallel", sequence_parallel, "True", 1},
    {"sequence_parallel", sequence_parallel, "False", 0},
    {"use_distributed_optimizer", zero_stage, "True", 1},
    {"use_distributed_optimizer", zero_stage, "False", 0},
    {"recompute_granularity", recompute, "None", place_of(Recompute::none)},
    {"recompute_granularity", recompute, "selective", place_of(Recompute::selective)},
    {"recompute_granularity", recompute, "full", place_of(Recompute::full)},
    {"recompute_layer", recompute, "True", place_of(Recompute::full)},
    {"recompute_layer", recompute, "False", place_of(Recompute::none)},
};
constexpr std::size_t key_count = std::size(input_keys) + step_format_count;

std::uint8_t letter_of(char c) {
  return static_cast<std::uint8_t>(c);
}

// All keys by their first letter, so that a line is scanned once instead of once per key.
class KeyTable {
 public:
  KeyTable() {
    auto next = std::copy(std::begin(input_keys), std::end(input_keys), keys_.begin());
    for (std::size_t at = 0; at < step_format_count; ++at)
      *next++ = {.text = step_formats[at].mark, .format = static_cast<int>(at)};
    std::stable_sort(keys_.begin(), keys_.end(), [](const Key& one, const Key& other) {
      return letter_of(one.text[0]) < letter_of(other.text[0]);
    });
    for (std::size_t letter = 0; letter < first_.size(); ++letter) {
      first_[letter] = static_cast<std::uint8_t>(
          std::find_if(keys_.begin(), keys_.end(),
                       [&](const Key& key) { return letter_of(key.text[0]) >= letter; }) -
          keys_.begin());
    }
  }

  // Calls `take(key, place)` for each key at the start of a word of the line.
  template <class Take>
  void for_each_in(std::string_view line, const Take& take) const {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const std::size_t letter = letter_of(line[at]);
      if (first_[letter] == first_[letter + 1] || !begins_word(line, at)) continue;
      for (std::size_t key = first_[letter]; key < first_[letter + 1]; ++key) {
        if (line.substr(at).starts_with(keys_[key].text)) take(keys_[key], at);
      }
    }
  }

 private:
  std::array<Key, key_count> keys_;
  std::array<std::uint8_t, 257> first_{};  // the first key that begins with that letter or a later one
};

}  // namespace

unsigned LoggedInputs::read(std::string_view line, double number) {
  static const KeyTable keys;
  unsigned formats = 0;
  keys.for_each_in(line, [&](const Key& key, std::size_t) {
    if (key.format >= 0) formats |= 1u << key.format;
  });
  if (formats != 0) return formats;
  keys.for_each_in(line, [&](const Key& key, std::size_t at) {
    const std::size_t end = at + key.text.size();
    if (!is_key(line, at, end)) return;
    if (!key.word.empty()) {
      if (word_after_key(line, end) == key.word) offer(key.field, key.value, number);
      return;
    }
    const double least = key.field == zero_stage ? 0 : 1;
    const double most = key.field == zero_stage ? 3 : 1e12;
    const auto said = number_after_key(line, end);
    if (said && *said >= least && *said <= most && *said == std::floor(*said))
      offer(key.field, *said, number);
  });
  read_mesh(line, number);
  return 0;
}

// torchtitan: "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]".
void LoggedInputs::read_mesh(std::string_view line, double number) {
  if (line.find("device mesh with") == std::string_view::npos) return;
  const std::vector<NamedNumber> dimensions = named_numbers(line);
  double gpus = 1;
  double replicas = 1;
  bool shards = false;
  for (const auto& [name, size] : dimensions) {
    gpus *= size;
    if (name.starts_with("dp")) replicas *= size;
    if (name.starts_with("dp_shard") && size > 1) shards = true;
  }
  if (dimensions.empty() || !(gpus <= 1e9)) return;
  for (const auto& [name, size] : dimensions) {
    if (name == "tp") hold(tensor_parallel, size, number);
    if (name == "pp") hold(pipeline_parallel, size, number);
    if (name == "cp") hold(context_parallel, size, number);
  }
  hold(data_parallel, replicas, number);
  hold(cluster_gpus, gpus, number);
  // Weights are freed after the forward pass, unless there are stages (fsdp_reshard_after_forward: default).
  if (shards) hold(zero_stage, value(pipeline_parallel) > 1 ? 2 : 3, number);
}

void LoggedInputs::offer(LoggedField field, double value, double line) {
  const auto place = static_cast<std::size_t>(field);
  if (since_step_[place].line == 0) since_step_[place] = {field, value, line};
  Held& held = held_[place];
  if (held.input.line == 0 || held.of_earlier_run) held = {{field, value, line}, false};
}

void LoggedInputs::hold(LoggedField field, double value, double line) {
  const auto place = static_cast<std::size_t>(field);
  since_step_[place] = {field, value, line};
  held_[place] = {{field, value, line}, false};
}

void LoggedInputs::pass_step() {
  since_step_.fill({});
}

void LoggedInputs::start_run() {
  for (std::size_t place = 0; place < logged_field_count; ++place) {
    if (since_step_[place].line > 0) {
      held_[place] = {since_step_[place], false};
    } else {
      held_[place].of_earlier_run = true;
    }
  }
}

}  // namespace commcost
