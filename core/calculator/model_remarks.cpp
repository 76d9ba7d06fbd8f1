#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/logs/left_out.h"

namespace commcost::calculations {
namespace model_remarks_table {

/// What model_remarks takes.
struct ModelRemarksInputs {
  std::string left_out;
};

/// A sentence about a model.
struct ModelRemark {
  std::string says;
};

/// What model_remarks gives.
struct ModelRemarks {
  std::vector<ModelRemark> remarks;
};

using Inputs = ModelRemarksInputs;
using Results = ModelRemarks;

// Twice as long as all there are, each with its numbers.
constexpr double longest_text = 2000;

constexpr InputField fields[] = {text<&Inputs::left_out>(
    longest_text, "The left_out of read_model_config's remarks, separated by commas")};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField columns[] = {
    result<&ModelRemark::says>("The remark: what the shape leaves out or replaces"),
};

constexpr ResultField results[] = {
    rows_result<&Results::remarks>(columns,
                                   "Parts of the model that were left out or counted as something similar"),
};

Outcome<Results> compute(const Inputs& inputs) {
  Outcome<std::vector<std::string>> words = left_out_of("left_out", inputs.left_out);
  if (!words) return words.problems();
  Results said;
  for (const std::string& one : *words) said.remarks.push_back({one});
  return said;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "model_remarks", "Parts that a model's shape leaves out, in words, from their short form in a link",
    groups);

}  // namespace model_remarks_table

const Calculation model_remarks = model_remarks_table::table;

}  // namespace commcost::calculations
