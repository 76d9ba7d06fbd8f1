#include "core/textbook/partition_schemes.h"

#include <cmath>

#include "core/base/units.h"
#include "core/model/matrices.h"

namespace commcost {
namespace {

// The tensors of a layer's products, in elements: inputs, weights, outputs, of all matrices together.
struct Tensors {
  double matrices;      // how many
  double hidden_state;  // the layer's input, b s h
  double inputs;
  double column_inputs;  // of those, what 1D keeps whole: all but the row-parallel matrices' inputs
  double weights;
  double outputs;
  double square;  // h^2
};

Tensors tensors_of(const ModelShape& shape, const Work& work) {
  const double all = tokens(work);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const LayerMatrices layer = layer_matrices(shape, LayerKind::dense);
  Tensors tensors{};
  tensors.matrices = static_cast<double>(layer.size());
  tensors.hidden_state = all * hidden;
  tensors.square = hidden * hidden;
  for (const Matrix& matrix : layer) {
    tensors.inputs += all * matrix.inputs;
    if (matrix.split != MatrixSplit::row) tensors.column_inputs += all * matrix.inputs;
    tensors.weights += matrix.inputs * matrix.outputs;
    tensors.outputs += all * matrix.outputs;
  }
  return tensors;
}

// Optimus, table 1: trees of log2(p) levels broadcast panels of the square root of p.
double optimus(const Tensors& tensors, double ranks, double hidden_states, double squares) {
  return std::log2(ranks) / (2 * std::sqrt(ranks)) *
         (hidden_states * tensors.hidden_state + squares * tensors.square);
}

std::int64_t root(std::int64_t number, int degree) {
  auto guess = static_cast<std::int64_t>(std::lround(std::pow(static_cast<double>(number), 1.0 / degree)));
  std::int64_t power = 1;
  for (int factor = 0; factor < degree; ++factor) power *= guess;
  return power == number ? guess : 0;
}

// All-reduces of 1D, forward and backward: after attention and after the MLP.
constexpr double sums = 4;

PartitionRow one_d(const Tensors& tensors, double ranks) {
  PartitionRow row{PartitionScheme::one_d, PartitionNeed::nothing, true, ranks, 1};
  const double sum = 2 * (ranks - 1) / ranks * tensors.hidden_state;
  row.forward_elements = sums / 2 * sum;
  row.backward_elements = sums / 2 * sum;
  row.steps = sums * 2 * (ranks - 1);
  row.weight_elements = tensors.weights / ranks;
  row.activation_elements = tensors.column_inputs + (tensors.inputs - tensors.column_inputs) / ranks;
  row.printed_bandwidth = 2 * (ranks - 1) / ranks;
  row.printed_latency = 2 * (ranks - 1);
  row.optimus_elements = (ranks - 1) / ranks * 12 * tensors.hidden_state;
  return row;
}

PartitionRow grids(PartitionScheme scheme, PartitionNeed needs, const Tensors& tensors, double side,
                   double depth) {
  PartitionRow row{scheme, needs, true, side, depth};
  const double pass = (side - 1) / (side * side) * (tensors.inputs / depth + tensors.weights);
  row.forward_elements = pass;
  row.backward_elements = 2 * pass + 2 * (depth - 1) / depth * tensors.weights / (side * side);
  row.steps = tensors.matrices * (6 * (side - 1) + 2 * (depth - 1));
  row.weight_elements = tensors.weights / (side * side);
  row.activation_elements = tensors.inputs / (depth * side * side);
  row.printed_bandwidth = 3 * (side - 1) * (depth + 1) / (depth * side);
  row.printed_latency = 6 * (side - 1);
  return row;
}

PartitionRow two_d(const Tensors& tensors, std::int64_t ranks) {
  const std::int64_t side = root(ranks, 2);
  if (side == 0) return {PartitionScheme::two_d, PartitionNeed::square};
  PartitionRow row =
      grids(PartitionScheme::two_d, PartitionNeed::square, tensors, static_cast<double>(side), 1);
  row.optimus_elements = optimus(tensors, static_cast<double>(ranks), 28, 48);
  return row;
}

PartitionRow two_and_a_half_d(const Tensors& tensors, std::int64_t ranks, std::int64_t depth) {
  constexpr PartitionScheme scheme = PartitionScheme::two_and_a_half_d;
  constexpr PartitionNeed needs = PartitionNeed::square_times_depth;
  PartitionRow best{scheme, needs};
  // No deeper than wide, as Tesseract requires; depth 1 would be 2D.
  for (std::int64_t grid = 2; grid * grid * grid <= ranks; ++grid) {
    if ((depth != 0 && grid != depth) || ranks % grid != 0) continue;
    const std::int64_t side = root(ranks / grid, 2);
    if (side == 0) continue;
    const PartitionRow row =
        grids(scheme, needs, tensors, static_cast<double>(side), static_cast<double>(grid));
    const double sent = row.forward_elements + row.backward_elements;
    if (!best.possible || sent < best.forward_elements + best.backward_elements) best = row;
  }
  return best;
}

PartitionRow three_d(const Tensors& tensors, std::int64_t ranks) {
  const std::int64_t root_of_ranks = root(ranks, 3);
  PartitionRow row{PartitionScheme::three_d, PartitionNeed::cube};
  if (root_of_ranks == 0) return row;
  const auto side = static_cast<double>(root_of_ranks);
  const double cube = side * side * side;
  row.possible = true;
  row.side = side;
  row.depth = side;
  // Gathered inputs and weights are kept for the backward pass: six transfers then, not nine.
  row.forward_elements = (side - 1) / cube * (tensors.inputs + tensors.weights + tensors.outputs);
  row.backward_elements = row.forward_elements;
  row.steps = tensors.matrices * 6 * (side - 1);
  row.weight_elements = tensors.weights / cube;
  row.activation_elements = tensors.inputs / (side * side);
  row.printed_bandwidth = 6 * (side - 1) / cube;
  row.printed_latency = 6 * (side - 1);
  return row;
}

}  // namespace

std::vector<PartitionRow> partition_schemes(const ModelShape& shape, const Work& work,
                                            const PartitionInputs& inputs) {
  const Tensors tensors = tensors_of(shape, work);
  std::vector<PartitionRow> rows = {
      one_d(tensors, static_cast<double>(inputs.num_gpus)), two_d(tensors, inputs.num_gpus),
      two_and_a_half_d(tensors, inputs.num_gpus, inputs.depth), three_d(tensors, inputs.num_gpus)};
  for (PartitionRow& row : rows) {
    row.sent_bytes_per_gpu =
        (row.forward_elements + row.backward_elements) * static_cast<double>(work.bytes_per_element);
    row.time_us =
        row.steps * inputs.latency_us + transfer_us(row.sent_bytes_per_gpu, inputs.bandwidth_gb_per_sec);
  }
  return rows;
}

}  // namespace commcost
