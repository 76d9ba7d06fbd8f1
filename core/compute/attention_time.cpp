#include "core/compute/attention_time.h"

#include "core/base/natural_log.h"
#include "core/compute/gemm_time.h"
#include "core/compute/power.h"
#include "core/compute/tiles.h"

namespace commcost {

const std::array<KernelConstantRow, num_kernel_constants> prefill_constants = {{
    {"start_us", 8, 0.5, "Time of an empty kernel in a graph"},
    {"matrix_share", 0.7, 0.3, "Share of the matrix peak while products run"},
    {"tile_start", 64, 0.8, "What a query costs besides its keys, in keys"},
    {"softmax_size", 32, 0.7, "Exponentials of a score, as elements of a head in 16 bits"},
    {"move_passes", 2, 0.7, "Times that queries, keys, values and results are moved"},
    {"last_wave", 0.3, 0.5, "Share of the longest tile for which others wait at the end"},
}};

const std::array<KernelConstantRow, num_kernel_constants> decode_constants = {{
    {"start_us", 7, 0.4, "Time of an empty kernel in a graph"},
    {"memory_share", 0.8, 0.15, "Share of the memory bandwidth that the cache is read at"},
    {"cache_gain", 2.5, 0.5, "Rate of a cache that lies in L2, over the memory's"},
    {"block_us", 2, 0.7, "Time of a multiprocessor for each head of a sequence"},
    {"lone_share", 0.3, 2,
     "Share of the 16-bit peak where more than 16 heads share a key, which some libraries lack a kernel for"},
    {"span_us", 0.5, 0.7, "What a cache twice as long takes more, to be divided and summed up"},
}};

const std::array<KernelConstantRow, num_kernel_constants> latent_decode_constants = {{
    {"start_us", 7, 0.4, "Time of an empty kernel in a graph"},
    {"memory_share", 0.8, 0.15, "Share of the memory bandwidth that the cache is read at"},
    {"cache_gain", 2, 0.5, "Rate of a cache that lies in L2, over the memory's"},
    {"block_us", 2, 0.7, "Time of a multiprocessor for each sequence"},
    {"matrix_share", 0.6, 0.4, "Share of the matrix peak that the heads of one latent reach together"},
    {"span_us", 0.5, 0.7, "What a cache twice as long takes more, to be divided and summed up"},
}};

namespace {

constexpr double flops_of_multiply_add = 2;
// Queries of a tile; heads that share a key in every library; how many queries read each key.
constexpr double tile_queries = 64;
constexpr double group_queries = 16;
constexpr double tile_keys = 64;

double seen(double window, double sequence) {
  return window > 0 ? std::min(window, sequence) : sequence;
}

double power_of(const Chip& chip) {
  return gemm_constants[gemm_constant::watts_per_tflops].prior * chip.wide_flops_per_us / chip.flops_per_us;
}

}  // namespace

KernelParts prefill_parts(const PrefillCall& call, const Chip& chip, const KernelConstants& constants,
                          const KernelRun& run) {
  using namespace prefill_constant;
  const double sequence = call.sequence;
  const double keys = seen(call.window, sequence);
  const double scores = call.causal ? keys * (sequence - keys) + keys * keys / 2 : sequence * keys;
  const double heads = call.batch * call.heads;

  KernelParts parts;
  parts.flops = heads * scores * flops_of_multiply_add * (call.key_size + call.value_size);
  // Masked halves of the tiles on the diagonal are computed too.
  const double computed = scores + (call.causal ? std::min(sequence, tile_queries) * sequence / 2 : 0) +
                          constants[tile_start] * sequence;
  const double exponentials = 2 * flops_of_multiply_add * constants[softmax_size] / chip.exponential_rate *
                              chip.flops_per_us / chip.wide_flops_per_us;
  const double work =
      heads * computed * (flops_of_multiply_add * (call.key_size + call.value_size) + exponentials);
  const double count = std::ceil(sequence / tile_queries) * heads;
  // A causal mask gives the last tile of a sequence twice the mean.
  const double longest = (call.causal ? 2 : 1) * work / count;
  const double rate = chip.flops_per_us * constants[matrix_share];
  const double one = rate / chip.multiprocessors;
  parts.compute_us = chip.multiprocessors <= 1
                         ? work / rate
                         : std::max(longest / one, work / rate + constants[last_wave] * longest / one);
  const double moved = call.batch * sequence * bytes_of_16_bits * (call.heads + call.kv_heads) *
                       (call.key_size + call.value_size);
  parts.bytes = moved;
  parts.memory_us = constants[move_passes] *
                    beyond_cache(moved, run.warm_cache ? chip.cache_bytes : 0, activation_cache_gain) /
                    chip.hbm_bytes_per_us;
  parts.start_us = constants[start_us];
  const double busy = parts.compute_us * throttling(chip, parts.flops, parts.compute_us, power_of(chip), run);
  parts.time_us = parts.start_us + parts.memory_us + std::max(busy, parts.flops / chip.limit_flops_per_us);
  return parts;
}

KernelParts decode_parts(const DecodeCall& call, const Chip& chip, const KernelConstants& constants,
                         const KernelRun& run) {
  using namespace decode_constant;
  const double keys = seen(call.window, call.sequence);
  const double read_keys = std::max(keys, tile_keys);
  const double group = call.heads / call.kv_heads;
  // A latent is key and value at once.
  const double kept = call.kv_heads * (call.latent ? call.key_size : call.key_size + call.value_size);
  const double queries = call.batch * call.heads * (call.key_size + call.value_size) * bytes_of_16_bits;

  KernelParts parts;
  parts.flops = flops_of_multiply_add * call.batch * keys * call.heads * (call.key_size + call.value_size);
  parts.bytes = call.batch * keys * kept * call.cache_bytes + queries;
  const double read = call.batch * read_keys * kept * call.cache_bytes + queries;
  parts.memory_us = beyond_cache(read, run.warm_cache ? chip.cache_bytes : 0, constants[cache_gain]) /
                    streaming_rate(chip, constants[memory_share]);
  const double work = parts.flops * read_keys / keys;
  const double blocks = call.batch * call.kv_heads * std::ceil(group / tile_queries);
  parts.compute_us = constants[block_us] * std::max(0.0, blocks / chip.multiprocessors - 1);
  if (call.latent) {
    parts.compute_us += work / (chip.flops_per_us * constants[matrix_share]);
  } else if (group > group_queries) {
    parts.compute_us += work / (chip.wide_flops_per_us * constants[matrix_share]);
  }
  constexpr double short_keys = 256;
  constexpr double ln_2 = 0.6931471805599453;
  parts.start_us = constants[start_us] + constants[span_us] * natural_log(1 + keys / short_keys) / ln_2;
  parts.time_us = parts.start_us + side_by_side(parts.memory_us, parts.compute_us);
  return parts;
}

}  // namespace commcost
