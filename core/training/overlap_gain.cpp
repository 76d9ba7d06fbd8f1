#include "core/training/overlap_gain.h"

#include <algorithm>
#include <cmath>

#include "core/compute/kernel_price.h"
#include "core/compute/tiles.h"

namespace commcost {
namespace {

/// Size of an output tile that one multiprocessor works on, in 16 bits.
constexpr double tile_rows = 128;
constexpr double tile_columns = 256;
/// No kernel is left without multiprocessors or memory bandwidth.
constexpr double least_left = 0.05;

/// Bytes that the memory moves for each byte that a GPU sends: read and written; if it adds, its own too.
double touches(Collective collective) {
  const bool adds = collective == Collective::all_reduce || collective == Collective::reduce_scatter ||
                    collective == Collective::reduce;
  return adds ? 3 : 2;
}

}  // namespace

OverlapGain overlap_gain(const OverlapQuestion& question, const Accelerator& accelerator,
                         const Predictor& predictor) {
  OverlapGain gain;
  KernelQuestion alone_on_gpu;
  alone_on_gpu.call = question.product;
  const KernelPrice price = price_of(alone_on_gpu, accelerator);
  gain.product_us = price.time_us;
  gain.multiprocessors = accelerator.multiprocessors;

  const double size = question.message_size_bytes;
  const Prediction alone = predictor.at(size);
  gain.communication_us = alone.time_us;
  const double carried = question.channels * question.channel_gb_per_sec;  // bus bandwidth
  const double bus = std::min(carried, predictor.curve.bytes_per_us * 1e-3 * predictor.factor);
  const double transfer_us = predictor.curve.parts(size).transfer_us;
  gain.with_channels_us = bus <= 0 ? 0 : alone.time_us - transfer_us + size * predictor.factor / (bus * 1e3);

  const double hbm = accelerator.hbm_gb_per_sec;
  gain.memory_gb_per_sec =
      gain.with_channels_us > 0 ? std::min(hbm * (1 - least_left), bus * touches(question.collective)) : 0;
  const double all = std::max(1, accelerator.multiprocessors);
  const double left = all > 1 ? std::max(all * least_left, all - question.channels) : all;
  const double tiles =
      std::ceil(question.product.m / tile_rows) * std::ceil(question.product.n / tile_columns);
  const double by_tiles = waves(tiles, left) / waves(tiles, all);
  const double by_memory = price.bytes / ((hbm - gain.memory_gb_per_sec) * 1e3);
  gain.slowed_product_us =
      gain.with_channels_us > 0 ? std::max(gain.product_us * by_tiles, by_memory) : gain.product_us;

  gain.sequential_us = gain.product_us + gain.communication_us;
  const double slower = gain.slowed_product_us / gain.product_us;
  const double beside = gain.with_channels_us / slower;  // of the product's own time
  gain.overlapped_us =
      beside >= gain.product_us ? gain.with_channels_us : gain.with_channels_us + gain.product_us - beside;
  gain.gain_percent = 100 * (1 - gain.overlapped_us / gain.sequential_us);
  gain.slowdown_percent = 100 * (slower - 1);
  return gain;
}

}  // namespace commcost
