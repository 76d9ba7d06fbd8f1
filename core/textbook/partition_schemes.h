#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/shape.h"
#include "core/model/work.h"

namespace commcost {

/// Ways to divide a layer's matrices among ranks.
enum class PartitionScheme : std::uint8_t {
  one_d,             ///< by columns, then rows: Megatron (arXiv:1909.08053)
  two_d,             ///< in a square grid: SUMMA, as in Optimus (arXiv:2104.05343)
  two_and_a_half_d,  ///< in several square grids: Tesseract (arXiv:2105.14500)
  three_d,           ///< in a cube (arXiv:2105.14450)
};
inline constexpr std::string_view partition_scheme_names[] = {"1d", "2d", "2.5d", "3d"};

/// What a scheme requires of the number of ranks.
enum class PartitionNeed : std::uint8_t { nothing, square, square_times_depth, cube };
inline constexpr std::string_view partition_need_names[] = {"nothing", "square", "square_times_depth",
                                                            "cube"};

/// How one layer is to be divided.
struct PartitionInputs {
  std::int64_t num_gpus = 64;         ///< ranks
  std::int64_t depth = 0;             ///< grids of 2.5D; 0: the depth that sends least
  double latency_us = 5;              ///< of a step
  double bandwidth_gb_per_sec = 300;  ///< one way, per GPU
};

/// One scheme for one layer, forward and backward; elements and bytes per GPU.
struct PartitionRow {
  PartitionScheme scheme;
  PartitionNeed needs;
  bool possible = false;           ///< whether num_gpus meets the requirement
  double side = 0;                 ///< ranks along one side of the grid
  double depth = 0;                ///< grids; of a cube its side
  double forward_elements = 0;     ///< sent
  double backward_elements = 0;    ///< sent
  double sent_bytes_per_gpu = 0;   ///< both
  double steps = 0;                ///< latencies, one after the other
  double time_us = 0;              ///< steps and bytes
  double weight_elements = 0;      ///< kept
  double activation_elements = 0;  ///< inputs of the four matrices, kept
  double printed_bandwidth = 0;    ///< Colossal-AI's printed factor, of one matrix
  double printed_latency = 0;      ///< Colossal-AI's printed count, of one matrix
  double optimus_elements =
      0;  ///< sent, as Optimus prints it: tree broadcasts, full recomputation; 0: not printed
};

/// All four schemes for a layer of a completed shape. Volumes are those of ring collectives: 1D two
/// all-reduces each way; 2D three passes over tokens and weights, (q-1)/q^2 of each; 2.5D the same with
/// tokens shared by depth, and weight gradients summed over it; 3D six gatherings and scatterings, (q-1)/q^3
/// each.
std::vector<PartitionRow> partition_schemes(const ModelShape& shape, const Work& work,
                                            const PartitionInputs& inputs);

}  // namespace commcost
