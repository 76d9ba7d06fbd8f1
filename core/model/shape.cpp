#include "core/model/shape.h"

namespace commcost {

ModelShape completed(ModelShape shape) {
  if (shape.num_kv_heads == 0) shape.num_kv_heads = shape.num_heads;
  if (shape.head_size == 0 && shape.num_heads > 0) shape.head_size = shape.hidden_size / shape.num_heads;
  if (shape.ffn_hidden_size == 0) shape.ffn_hidden_size = 4 * shape.hidden_size;
  if (shape.routed_groups == 0) shape.routed_groups = shape.expert_groups;
  if (shape.dense_ffn_hidden_size == 0) shape.dense_ffn_hidden_size = shape.ffn_hidden_size;
  return shape;
}

}  // namespace commcost
