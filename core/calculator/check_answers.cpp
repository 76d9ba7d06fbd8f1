#include "core/calculator/calculations.h"
#include "core/calculator/tensor_parallel_fields.h"
#include "core/exercise/diagnosis.h"

namespace commcost::calculations {
namespace check_answers_table {

using Inputs = AnsweredExercise;

constexpr double most = 1e300;

constexpr InputField answers[] = {
    real<&Inputs::answer_message_size_bytes>(-most, most, "Your message size").optional(),
    real<&Inputs::answer_comm_volume_per_allreduce_bytes>(-most, most, "Your volume per all-reduce")
        .optional(),
    real<&Inputs::answer_total_comm_volume_bytes>(-most, most, "Your total volume").optional(),
    real<&Inputs::answer_total_comm_time_ms>(-most, most, "Your total time").optional(),
    real<&Inputs::tolerance_percent>(0, 100, "Tolerance of an answer; 0: four decimals").or_default(0),
};

constexpr FieldGroup groups[] = {group<Inputs, TensorParallelInputs>(tensor_parallel_fields),
                                 group<Inputs>(answers)};

constexpr ResultField columns[] = {
    result<&CheckedAnswer::name>("The result, as the exercise names it"),
    result<&CheckedAnswer::answer>("The answer as given"),
    result<&CheckedAnswer::expected>("The result of tensor_parallel_allreduce_cost"),
    result<&CheckedAnswer::tolerance>("Tolerance of the answer, in its unit"),
    result<&CheckedAnswer::agrees>("Whether the answer agrees to four decimals, or within the tolerance"),
    choice_result<&CheckedAnswer::verdict>(answer_verdict_names,
                                           "The verdict: right, right in fewer digits, following from an "
                                           "earlier wrong answer, a known mistake, or unknown"),
    result<&CheckedAnswer::is_sure>(
        "Whether one common mistake explains five digits of the answer, and no other does")
        .named("sure"),
    result<&CheckedAnswer::based_on>("The earlier wrong answer that this one was computed from; empty: none"),
    choices_result<&CheckedAnswer::mistakes>(misconception_names,
                                             "The mistakes that together give the answer; none: not known"),
    choices_result<&CheckedAnswer::or_mistakes>(misconception_names,
                                                "Other mistakes that would each give the same answer"),
};

constexpr ResultField results[] = {
    rows_result<&CheckedExercise::answers>(columns, "The answers, one row each")};

constexpr Calculation table = unswept_calculation<Inputs, CheckedExercise, commcost::check_answers, results>(
    "check_answers", "Checks answers to the exercise; explains the wrong ones", groups);

}  // namespace check_answers_table

const Calculation check_answers = check_answers_table::table;

}  // namespace commcost::calculations
