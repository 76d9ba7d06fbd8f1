#include <vector>

#include "core/base/units.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/step_fields.h"
#include "core/model/flops.h"
#include "core/plan/rules_of_thumb.h"

namespace commcost::calculations {

/// A layout of a plan, in the inputs of training_step.
struct PlanRow {
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  bool regather_input = false;
  std::int64_t pipeline_parallel = 1;
  std::int64_t virtual_stages = 1;
  PipelineSchedule pipeline_schedule = PipelineSchedule::one_f_one_b;
  std::int64_t data_parallel = 1;
  std::int64_t zero_stage = 0;
  std::int64_t context_parallel = 1;
  std::int64_t expert_parallel = 1;
  std::int64_t batch_size = 1;
  Recompute recompute = Recompute::none;
  double step_time_ms = 0;
  double memory_gib = 0;
  double mfu_percent = 0;
  double tokens_per_sec_per_gpu = 0;
  StepParts parts;
};

/// A rule of thumb and whether the best layout keeps to it.
struct PlanRule {
  std::string_view rule;
  bool applies = false;
  bool held = false;
  std::string_view source;
};

/// The software that the rows mean: inputs of training_step that all of them share.
struct PlanSoftware {
  Software software = Software::given;
  bool flash_attention = false;
  bool dropout = false;
  double gradient_bytes_per_element = 0;
  bool overlap_tensor = false;
  bool overlap_data = false;
  bool balanced_stages = false;
};

/// What a plan finds.
struct PlanResults {
  bool possible = false;
  std::vector<PlanRow> layouts;
  std::vector<PlanRow> front;
  std::vector<PlanRow> smallest;
  double memory_limit_gib = 0;
  double short_gib = 0;
  double searched = 0;
  double evaluated = 0;
  double too_large = 0;
  double outdone = 0;
  std::vector<Alternative> alternatives;
  std::vector<PlanRule> rules;
  PlanSoftware software;
  Value::Numbers space;
};

namespace {

using Inputs = PlanInputs;
using Results = PlanResults;

constexpr InputField fields[] = {
    whole<&Inputs::num_gpus>("num_gpus", "GPUs", 1, 1048576, "GPUs to use, all of them"),
    whole<&Inputs::global_batch_size>("global_batch_size", "sequences", 1, 1073741824, "Sequences a step"),
    whole<&Inputs::sequence_length>("sequence_length", "tokens", 1, 1099511627776, "Tokens in a sequence"),
    whole<&Inputs::bytes_per_element>("bytes_per_element", "bytes", 1, 8, "Bytes of a weight or activation")
        .or_default(2),
    whole<&Inputs::optimizer_bytes_per_parameter>("optimizer_bytes_per_parameter", "bytes", 0, 64,
                                                  "Optimizer state of a parameter")
        .or_default(12),
    flag<&Inputs::causal_attention>("causal_attention",
                                    "Whether the masked half of the scores is not counted as FLOPs")
        .or_default(0),
    choice<&Inputs::software>("software", software_names,
                              "classic, or current software (also for usual and given)")
        .or_default(2),
    flag<&Inputs::zero_bubble_2p>(
        "zero_bubble_2p", "Whether to try the schedule without a bubble that holds twice the activations too")
        .or_default(0),
    real<&Inputs::memory_limit_gib>("memory_limit_gib", "GiB", 0, 1e6,
                                    "Memory of a GPU to use at most; 0: all that it can give")
        .or_default(0),
    whole<&Inputs::best>("best", "layouts", 1, 1000, "Layouts to list").or_default(20),
    flag<&Inputs::prune>("prune", "Whether to skip layouts that are proven to lose").or_default(1),
    whole<&Inputs::part>("part", "", 0, 65535, "Search only this part of the space, from 0").or_default(0),
    whole<&Inputs::parts>("parts", "", 1, 65536, "Parts of the space: all together find what one search does")
        .or_default(1),
};

constexpr FieldGroup groups[] = {group_of<&Inputs::shape>(model_shape_fields),
                                 group_of<&Inputs::machine>(machine_fields), group<Inputs>(fields)};

constexpr ResultField row_columns[] = {
    whole_result<&PlanRow::tensor_parallel>("tensor_parallel", "GPUs", "Tensor degree"),
    result<&PlanRow::sequence_parallel>("sequence_parallel", "",
                                        "Whether tokens are shared between matrices"),
    result<&PlanRow::regather_input>("regather_input", "", "Whether inputs are gathered again"),
    whole_result<&PlanRow::pipeline_parallel>("pipeline_parallel", "stages", "Pipeline degree"),
    whole_result<&PlanRow::virtual_stages>("virtual_stages", "chunks", "Chunks a stage"),
    choice_result<&PlanRow::pipeline_schedule>("pipeline_schedule", pipeline_schedule_names, "Order of work"),
    whole_result<&PlanRow::data_parallel>("data_parallel", "replicas", "Data degree"),
    whole_result<&PlanRow::zero_stage>("zero_stage", "", "ZeRO stage"),
    whole_result<&PlanRow::context_parallel>("context_parallel", "GPUs", "Context degree"),
    whole_result<&PlanRow::expert_parallel>("expert_parallel", "GPUs", "Expert degree"),
    whole_result<&PlanRow::batch_size>("batch_size", "sequences", "Micro-batch"),
    choice_result<&PlanRow::recompute>("recompute", recompute_names, "What is computed again"),
    result<&PlanRow::step_time_ms>("step_time_ms", "ms", "A step"),
    result<&PlanRow::memory_gib>("memory_gib", "GiB", "Memory of the fullest GPU"),
    result<&PlanRow::mfu_percent>("mfu_percent", "%", "Model FLOPs, of the peak"),
    result<&PlanRow::tokens_per_sec_per_gpu>("tokens_per_sec_per_gpu", "tokens/s", "Throughput of a GPU"),
    object_result<&PlanRow::parts>("parts", step_part_columns, "Where the time goes"),
};

constexpr ResultField alternative_columns[] = {
    choice_result<&Alternative::decision>("decision", decision_names, "What is decided otherwise"),
    result<&Alternative::value>("value", "", "A degree, a stage, or a place among the choices"),
    result<&Alternative::step_time_ms>("step_time_ms", "ms", "A step"),
    result<&Alternative::memory_gib>("memory_gib", "GiB", "Memory of the fullest GPU"),
    result<&Alternative::fits>("fits", "", "Whether it fits"),
    choice_result<&Alternative::reason>("reason", loss_reason_names, "Why it loses"),
    result<&Alternative::lost_ms>("lost_ms", "ms", "Step time above the best layout's"),
    result<&Alternative::reason_ms>("reason_ms", "ms", "How much more of the reason's part"),
    result<&Alternative::short_gib>("short_gib", "GiB", "Memory that it lacks"),
};

constexpr ResultField rule_columns[] = {
    result<&PlanRule::rule>("rule", "", "Name of the rule"),
    result<&PlanRule::applies>("applies", "", "Whether the layout decides about it"),
    result<&PlanRule::held>("held", "", "Whether the best layout keeps to it"),
    result<&PlanRule::source>("source", "", "Who gives the rule"),
};

constexpr ResultField software_columns[] = {
    choice_result<&PlanSoftware::software>("software", software_names, "Always given: the rest says it"),
    result<&PlanSoftware::flash_attention>("flash_attention", "", "Whether scores are never stored"),
    result<&PlanSoftware::dropout>("dropout", "", "Whether dropout masks are stored"),
    whole_result<&PlanSoftware::gradient_bytes_per_element>("gradient_bytes_per_element", "bytes",
                                                            "Of gradients"),
    result<&PlanSoftware::overlap_tensor>("overlap_tensor", "",
                                          "Whether weight gradients hide tensor traffic"),
    result<&PlanSoftware::overlap_data>("overlap_data", "",
                                        "Whether the backward pass hides the replicas' traffic"),
    result<&PlanSoftware::balanced_stages>("balanced_stages", "",
                                           "Whether the last stage gets fewer layers for its LM head"),
};

constexpr ResultField results[] = {
    result<&Results::possible>("possible", "", "Whether any layout fits"),
    rows_result<&Results::layouts>("layouts", row_columns, "The quickest layouts that fit, quickest first"),
    rows_result<&Results::front>("front", row_columns, "Layouts that none beats in time and memory"),
    rows_result<&Results::smallest>("smallest", row_columns, "The layout seen that needs least memory"),
    result<&Results::memory_limit_gib>("memory_limit_gib", "GiB", "Memory that a layout may take"),
    result<&Results::short_gib>("short_gib", "GiB", "Memory that the smallest lacks; 0 where a layout fits"),
    whole_result<&Results::searched>("searched", "layouts", "Layouts in the space"),
    whole_result<&Results::evaluated>("evaluated", "layouts", "Of those, whole steps computed"),
    whole_result<&Results::too_large>("too_large", "layouts", "Of those, do not fit"),
    whole_result<&Results::outdone>("outdone", "layouts", "Of those, skipped because proven to lose"),
    object_result<&Results::software>("software", software_columns,
                                      "Inputs of training_step that all rows share"),
    rows_result<&Results::alternatives>("alternatives", alternative_columns,
                                        "The best layout with one decision otherwise, and why that loses"),
    rows_result<&Results::rules>("rules", rule_columns, "Rules of thumb, held or broken by the best layout"),
    result<&Results::space>("space", "",
                            "A sample of all layouts that fit: step_time_ms and memory_gib in turn"),
};

PlanRow row_of(const PlannedLayout& planned) {
  const Layout& layout = planned.inputs.layout;
  const Work& work = planned.inputs.work;
  const auto gpus = static_cast<double>(gpus_needed(layout));
  const auto sequences = static_cast<double>(work.global_batch_size);
  const double peak = matrix_peak_tflops(accelerator_of(planned.inputs.machine), work.bytes_per_element);
  return {layout.tensor_parallel,
          layout.sequence_parallel,
          layout.regather_input,
          layout.pipeline_parallel,
          layout.virtual_stages,
          layout.pipeline_schedule,
          layout.data_parallel,
          layout.zero_stage,
          layout.context_parallel,
          layout.expert_parallel,
          work.batch_size,
          work.recompute,
          planned.step_time_ms,
          planned.memory_gib,
          utilization_percent(step_flops(completed(planned.inputs.shape), work, sequences).model,
                              planned.step_time_ms, gpus, peak),
          sequences * static_cast<double>(work.sequence_length) / (planned.step_time_ms * 1e-3) / gpus,
          planned.parts};
}

std::vector<PlanRow> rows_of(const std::vector<PlannedLayout>& planned) {
  std::vector<PlanRow> rows;
  for (const PlannedLayout& layout : planned) rows.push_back(row_of(layout));
  return rows;
}

Outcome<Results> compute(const Inputs& inputs) {
  Problems problems = plan_problems(inputs);
  if (!problems.empty()) return problems;
  LayoutSearch search(inputs);
  constexpr std::int64_t slice = 1 << 20;
  do {
    search.advance(slice);
  } while (!search.done());

  Results found;
  found.possible = !search.best().empty();
  found.layouts = rows_of(search.best());
  found.front = rows_of(search.front());
  found.memory_limit_gib = search.limit_gib();
  if (search.smallest().step_time_ms > 0) {
    found.smallest.push_back(row_of(search.smallest()));
    const double lack = search.smallest().memory_gib - search.limit_gib();
    found.short_gib = found.possible || lack < 0 ? 0 : lack;
  }
  found.searched = search.counts().layouts;
  found.evaluated = search.counts().evaluated;
  found.too_large = search.counts().too_large;
  found.outdone = search.counts().outdone;
  found.space = search.sample();
  const TrainingStepInputs one = step_inputs(inputs, {});
  found.software = {one.software,
                    one.work.flash_attention,
                    one.work.dropout,
                    static_cast<double>(one.work.gradient_bytes_per_element),
                    one.layout.overlap_tensor,
                    one.layout.overlap_data,
                    one.layout.balanced_stages};
  if (found.possible) {
    found.alternatives = alternatives(inputs, search.best().front(), search.limit_gib());
    const std::vector<RuleVerdict> verdicts = rules_of_thumb(search.best().front(), found.alternatives);
    for (const RuleVerdict& verdict : verdicts) {
      const RuleRow& rule = all_rules()[static_cast<std::size_t>(verdict.rule)];
      found.rules.push_back({rule.name, verdict.applies, verdict.held, rule.source});
    }
  }
  return found;
}

}  // namespace

const Calculation plan = unswept_calculation<Inputs, Results, compute, results>(
    "plan", "The best layouts of a model on a cluster, and why others lose", groups);

}  // namespace commcost::calculations
