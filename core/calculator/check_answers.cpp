#include "core/calculator/calculations.h"
#include "core/calculator/tensor_parallel_fields.h"
#include "core/exercise/diagnosis.h"

namespace commcost::calculations {
namespace {

using Inputs = AnsweredExercise;

constexpr double most = 1e300;

constexpr InputField answers[] = {
    real<&Inputs::answer_message_size_bytes>("answer_message_size_bytes", "bytes", -most, most,
                                             "Your message size")
        .optional(),
    real<&Inputs::answer_comm_volume_per_allreduce_bytes>("answer_comm_volume_per_allreduce_bytes", "bytes",
                                                          -most, most, "Your volume per all-reduce")
        .optional(),
    real<&Inputs::answer_total_comm_volume_bytes>("answer_total_comm_volume_bytes", "bytes", -most, most,
                                                  "Your total volume")
        .optional(),
    real<&Inputs::answer_total_comm_time_ms>("answer_total_comm_time_ms", "ms", -most, most,
                                             "Your total time")
        .optional(),
    real<&Inputs::tolerance_percent>("tolerance_percent", "%", 0, 100,
                                     "How far an answer may be from the result; 0: four decimals")
        .or_default(0),
};

constexpr FieldGroup groups[] = {group<Inputs, TensorParallelInputs>(tensor_parallel_fields),
                                 group<Inputs>(answers)};

constexpr ResultField columns[] = {
    result<&CheckedAnswer::name>("name", "", "The result, as the exercise names it"),
    result<&CheckedAnswer::answer>("answer", "", "As given"),
    result<&CheckedAnswer::expected>("expected", "", "The result of tensor_parallel_allreduce_cost"),
    result<&CheckedAnswer::tolerance>("tolerance", "",
                                      "How far the answer may be from the result, in its unit"),
    result<&CheckedAnswer::agrees>("agrees", "",
                                   "Whether the answer agrees to four decimals, or within the tolerance"),
    choice_result<&CheckedAnswer::verdict>("verdict", answer_verdict_names,
                                           "Right; right in fewer digits; what follows from an earlier wrong "
                                           "answer; a known mistake; or none that is known"),
    result<&CheckedAnswer::based_on>(
        "based_on", "", "The earlier answer, itself not right, that this one was made from; empty: none"),
    choices_result<&CheckedAnswer::mistakes>("mistakes", misconception_names,
                                             "The mistakes that together give the answer; none: not known"),
    choices_result<&CheckedAnswer::or_mistakes>(
        "or_mistakes", misconception_names,
        "Other mistakes, each of which alone would give the answer as well"),
};

constexpr ResultField results[] = {
    rows_result<&CheckedExercise::answers>("answers", columns, "Each answer given")};

}  // namespace

const Calculation check_answers =
    unswept_calculation<Inputs, CheckedExercise, commcost::check_answers, results>(
        "check_answers", "Checks answers to the exercise; explains the wrong ones", groups);

}  // namespace commcost::calculations
