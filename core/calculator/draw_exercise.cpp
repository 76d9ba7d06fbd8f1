#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/drawing_fields.h"
#include "core/calculator/tensor_parallel_fields.h"
#include "core/exercise/drawing.h"

namespace commcost::calculations {
namespace draw_exercise_table {

using Results = DrawnExercise;

constexpr FieldGroup groups[] = {group<DrawInputs>(drawing_fields)};

constexpr auto columns = input_columns<tensor_parallel_fields, &Results::inputs>();

constexpr ResultField results[] = {
    object_result<&Results::inputs>(columns, "Inputs of tensor_parallel_allreduce_cost"),
    result<&Results::model>("The model it is about; empty: no named model"),
    result<&Results::link>("The link between the GPUs; empty: no named link"),
    choice_result<&Results::number_format>(number_format_names, "Number format of activations"),
    result<&Results::stated_bandwidth>("The bandwidth as the exercise states it"),
    choice_result<&Results::stated_bandwidth_unit>(bandwidth_unit_names, "The unit in which it is stated"),
    choice_result<&Results::passes>(exercise_passes_names,
                                    "The passes that it asks about; each has two all-reduces per layer"),
};

Outcome<DrawnExercise> drawn(const DrawInputs& inputs) {
  return draw(static_cast<std::uint64_t>(inputs.seed), inputs.level, inputs.edition);
}

constexpr Calculation table = unswept_calculation<DrawInputs, DrawnExercise, drawn, results>(
    "draw_exercise", "An exercise for a learner, the same for the same seed", groups);

}  // namespace draw_exercise_table

const Calculation draw_exercise = draw_exercise_table::table;

}  // namespace commcost::calculations
