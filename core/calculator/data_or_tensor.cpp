#include "core/parallel/data_or_tensor.h"

#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"

namespace commcost::calculations {
namespace data_or_tensor_table {

/// What data_or_tensor takes.
struct DataOrTensorInputs {
  ModelShape shape;
  Work work;
  double num_gpus = 8;
};

/// What data_or_tensor gives.
struct DataOrTensorResults : DataOrTensor {
  double step_tokens = 0;
  bool data_sends_less = false;
};

using Inputs = DataOrTensorInputs;
using Results = DataOrTensorResults;

constexpr InputField group_fields[] = {group_gpus_field<&Inputs::num_gpus>()};
constexpr auto counted_fields = picked(
    work_fields, {"sequence_length", "batch_size", "global_batch_size", "bytes_per_element", "recompute"});
constexpr auto gradient_fields = picked(recipe_work_fields, {"gradient_bytes_per_element"});

constexpr FieldGroup groups[] = {
    group<Inputs>(group_fields),
    group_of<&Inputs::shape>(model_field),
    group_of<&Inputs::shape>(model_shape_fields),
    group_of<&Inputs::work>(counted_fields),
    group_of<&Inputs::work>(gradient_fields),
};

constexpr ResultField results[] = {
    result<&Results::data_sends_less>("Whether data parallelism sends less"),
    result<&Results::ratio>("TP communication over DP communication: above 1, data parallelism sends less"),
    result<&Results::printed_ratio>("T/(3h), the same for a layer of 12 h^2 parameters and equal types"),
    whole_result<&Results::step_tokens>("T: tokens of a step that these GPUs work on together").in("tokens"),
    result<&Results::even_tokens>("Tokens of a step at which both send the same").in("tokens"),
    result<&Results::tensor_sent_bytes>("Bytes that each GPU sends for one layer under tensor parallelism")
        .in("B"),
    result<&Results::data_sent_bytes>("Bytes that each GPU sends for one layer under data parallelism")
        .in("B"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Work work = completed(inputs.work);
  Results all;
  const auto micro_batches = static_cast<double>(work.batch_size) * inputs.num_gpus;
  const double sequences =
      work.global_batch_size > 0 ? static_cast<double>(work.global_batch_size) : micro_batches;
  all.step_tokens = sequences * static_cast<double>(work.sequence_length);
  static_cast<DataOrTensor&>(all) =
      commcost::data_or_tensor(completed(inputs.shape), work, all.step_tokens, inputs.num_gpus);
  all.data_sends_less = all.ratio > 1;
  return all;
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
    "data_or_tensor", "Whether tensor or data parallelism sends less for a layer, and where that changes",
    groups);

}  // namespace data_or_tensor_table

const Calculation data_or_tensor = data_or_tensor_table::table;

}  // namespace commcost::calculations
