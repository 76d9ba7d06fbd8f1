#include "core/exercise/drawing.h"

#include <limits>
#include <string_view>

#include "core/base/split_mix.h"
#include "core/exercise/misconceptions.h"
#include "core/hardware/links.h"
#include "core/model/catalog.h"

namespace commcost {
namespace {

constexpr std::int64_t hidden_sizes[] = {1024, 2048, 4096, 8192};
constexpr std::int64_t sequence_lengths[] = {512, 1024, 2048, 4096};
constexpr std::int64_t batch_sizes[] = {1, 2, 4, 8, 16};
// With one GPU or two a ring looks like its mistakes.
constexpr std::int64_t group_sizes[] = {4, 8};
constexpr std::int64_t drawn_layers[] = {8, 16, 24, 32, 40};
constexpr std::int64_t awkward_group_sizes[] = {5, 6, 7, 12, 24, 48};

// Named one by one, so that an exercise stays the same when a catalog grows. All of these sum twice a layer.
constexpr std::string_view models[] = {
    "gpt2-xl",       "gpt3-175b",      "llama-2-7b",      "llama-2-13b",        "llama-2-70b", "llama-3.1-8b",
    "llama-3.1-70b", "llama-3.1-405b", "mistral-7b-v0.3", "mistral-large-2407", "qwen2.5-7b",  "qwen2.5-32b",
    "qwen2.5-72b",   "qwen3-8b",       "gemma-2-27b",     "bloom-176b",         "mt-nlg-530b",
};
constexpr std::string_view links_in_a_node[] = {
    "nvlink2", "nvlink3", "nvlink4", "nvlink5", "infinity-fabric-mi300x", "pcie4", "pcie5"};
constexpr std::string_view links_between_nodes[] = {"nic-100", "nic-200", "nic-400", "nic-800"};
constexpr std::int64_t longest_sequence = 8192;
constexpr NumberFormat formats[] = {NumberFormat::bf16, NumberFormat::fp16, NumberFormat::fp32};

std::int64_t bytes_of(NumberFormat format) {
  return format == NumberFormat::fp32 ? 4 : 2;
}

/// A published model over `link`.
void draw_real(SplitMix& random, const Link& link, DrawnExercise& drawn) {
  const ModelRow& model = *find_model(random.one_of(models));
  std::int64_t sequence = longest_sequence;
  while (sequence > model.context_length) sequence /= 2;
  drawn.model = model.name;
  drawn.link = link.name;
  drawn.num_heads = model.shape.num_heads;
  drawn.number_format = random.one_of(formats);
  drawn.inputs.hidden_size = model.shape.hidden_size;
  drawn.inputs.num_layers = model.shape.num_layers;
  drawn.inputs.sequence_length = sequence >> random.below(3);
  drawn.inputs.batch_size = random.one_of(batch_sizes);
  drawn.inputs.num_gpus = random.one_of(group_sizes);
  drawn.inputs.bytes_per_element = bytes_of(drawn.number_format);
  drawn.inputs.bandwidth_gb_per_sec = link.bandwidth_gb_per_sec;
}

void draw_round(SplitMix& random, DrawnExercise& drawn) {
  drawn.inputs.hidden_size = random.one_of(hidden_sizes);
  drawn.inputs.sequence_length = random.one_of(sequence_lengths);
  drawn.inputs.batch_size = random.one_of(batch_sizes);
  drawn.inputs.num_gpus = random.one_of(group_sizes);
  drawn.inputs.num_layers = random.one_of(drawn_layers);
}

enum class Catch { awkward_group, bits, more_passes };
constexpr int catches = 3;

void draw_with_a_catch(SplitMix& random, DrawnExercise& drawn) {
  const auto chosen = static_cast<Catch>(random.below(catches));
  const auto holds = [&](Catch other) {
    const bool also = random.below(3) == 0;
    return chosen == other || also;
  };
  const bool bits = holds(Catch::bits);
  draw_real(random, *find_link(bits ? random.one_of(links_between_nodes) : random.one_of(links_in_a_node)),
            drawn);
  if (bits) drawn.stated_bandwidth_unit = BandwidthUnit::gigabits;
  if (holds(Catch::awkward_group)) drawn.inputs.num_gpus = random.one_of(awkward_group_sizes);
  if (holds(Catch::more_passes)) drawn.passes = static_cast<ExercisePasses>(1 + random.below(2));
  drawn.inputs.allreduces_per_layer *= 1 + static_cast<int>(drawn.passes);
}

DrawnExercise draw_once(SplitMix& random, int level) {
  DrawnExercise drawn;
  if (level <= 1) {
    draw_round(random, drawn);
  } else if (level == 2) {
    draw_real(random, *find_link(random.one_of(links_in_a_node)), drawn);
  } else {
    draw_with_a_catch(random, drawn);
  }
  const double unit = drawn.stated_bandwidth_unit == BandwidthUnit::gigabits ? 8 : 1;
  drawn.stated_bandwidth = drawn.inputs.bandwidth_gb_per_sec * unit;
  return drawn;
}

/// No seed below 2^53 that was tried needs more than a few.
constexpr int most_draws = 1000;

/// GPUs that links within a node join: NVLink 5 those of a rack.
std::int64_t joined_by(std::string_view link) {
  if (link == find_link("nvlink5")->name) return 72;
  for (const std::string_view id : links_in_a_node)
    if (link == find_link(id)->name) return 8;
  return std::numeric_limits<std::int64_t>::max();
}

bool can_exist(const DrawnExercise& drawn) {
  return drawn.num_heads % drawn.inputs.num_gpus == 0 && drawn.inputs.num_gpus <= joined_by(drawn.link);
}

}  // namespace

DrawnExercise draw(std::uint64_t seed, int level, int edition) {
  // Seeds stay below 2^53: levels have sequences of their own.
  SplitMix random(seed + (static_cast<std::uint64_t>(level) << 56));
  const auto is_good = [edition](const DrawnExercise& drawn) {
    return tells_mistakes_apart(drawn.inputs, edition) && (edition == 1 || can_exist(drawn));
  };
  DrawnExercise drawn = draw_once(random, level);
  for (int again = 1; again < most_draws && !is_good(drawn); ++again) drawn = draw_once(random, level);
  return drawn;
}

}  // namespace commcost
