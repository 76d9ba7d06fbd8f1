#include "core/textbook/playbook_sizes.h"

#include "core/model/activations.h"
#include "core/model/parameters.h"

namespace commcost {
namespace {

double activation_bytes(const ModelShape& shape, const Work& work) {
  return over_layers(shape, [&](LayerKind kind) { return layer_activations(shape, work, {}, kind).total(); });
}

}  // namespace

std::vector<SizeRow> model_sizes(const ModelShape& shape, const Work& work) {
  const auto layers = static_cast<double>(shape.num_layers);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto gradient = static_cast<double>(work.gradient_bytes_per_element);
  const auto optimizer = static_cast<double>(work.optimizer_bytes_per_parameter);
  const double square = hidden * hidden;
  // A2 counts the optimizer's fp32 copy and moments in elements of 2 bytes.
  constexpr double states_a_weight = 6;
  constexpr double element_of_a2 = 2;

  const Parameters count = parameters_of(shape);
  const double layer = layer_parameters(count, shape, usual_layer(shape));
  const double mlp = layer - count.attention - count.norm;
  const double all_layers =
      count.total - count.embedding - count.positions - count.final_norm - count.lm_head;
  const double rule_of_model = 16 * square * layers;
  const double activations = activation_bytes(shape, work);
  const auto weights = [element](double elements) { return elements * element; };

  return {
      {SizeQuantity::tokens, tokens(work), 0, tokens(work)},
      {SizeQuantity::hidden_state, tokens(work) * hidden, weights(tokens(work) * hidden),
       tokens(work) * hidden},
      {SizeQuantity::weight_matrix, square, weights(square), square},
      {SizeQuantity::weight_gradient, square, square * gradient, square},
      {SizeQuantity::weight_optimizer, square * optimizer / element_of_a2, square * optimizer,
       states_a_weight * square},
      {SizeQuantity::attention, count.attention, weights(count.attention), 4 * square},
      {SizeQuantity::mlp, mlp, weights(mlp), 12 * square},
      {SizeQuantity::layer, layer, weights(layer), 16 * square},
      {SizeQuantity::layers, all_layers, weights(all_layers), rule_of_model},
      {SizeQuantity::embedding, count.embedding, weights(count.embedding), count.embedding},
      {SizeQuantity::lm_head, count.lm_head, weights(count.lm_head), count.lm_head},
      {SizeQuantity::positions, count.positions, weights(count.positions), count.positions},
      {SizeQuantity::parameters, count.total, weights(count.total), rule_of_model},
      {SizeQuantity::gradients, count.total, count.total * gradient, rule_of_model},
      {SizeQuantity::optimizer, count.total * optimizer / element_of_a2, count.total * optimizer,
       states_a_weight * rule_of_model},
      {SizeQuantity::activations, activations / element, activations,
       rule_of_thumb_activations(shape, work, {}) / element_of_a2},
  };
}

}  // namespace commcost
