#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/plan_fields.h"
#include "core/calculator/plan_row.h"
#include "core/plan/rules_of_thumb.h"

namespace commcost::calculations {

/// A rule of thumb and whether the best layout keeps to it.
struct PlanRule {
  std::string_view rule;
  bool applies = false;
  bool held = false;
  std::string_view source;
};

/// What is sought, and how far.
struct PlanSearchInputs : PlanInputs {
  std::int64_t evaluations = 0;  ///< 0: until all is searched
};

/// What a plan finds.
struct PlanResults {
  bool possible = false;
  double settled_share = 0;
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
  Value::Numbers space;
};

namespace {

using Inputs = PlanSearchInputs;
using Results = PlanResults;

constexpr InputField search_fields[] = {
    whole<&Inputs::best>("best", "layouts", 1, 1000, "Layouts to list").or_default(20),
    flag<&Inputs::prune>("prune", "Whether to skip layouts that are proven to lose").or_default(1),
    whole<&Inputs::evaluations>("evaluations", "layouts", 0, 1e15,
                                "Stop after so many whole steps, with the best until then; 0: search all")
        .or_default(0),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(search_fields)};
constexpr auto groups = joined(plan_groups<Inputs>, machine_groups<Inputs>, own_groups);

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

constexpr ResultField results[] = {
    result<&Results::possible>("possible", "", "Whether any layout fits"),
    result<&Results::settled_share>("settled_share", "",
                                    "Of the space, what is computed or proven to lose; 1: all"),
    rows_result<&Results::layouts>("layouts", plan_row_columns,
                                   "The quickest layouts that fit, quickest first"),
    rows_result<&Results::front>("front", plan_row_columns, "Layouts that none beats in time and memory"),
    rows_result<&Results::smallest>("smallest", plan_row_columns, "The layout seen that needs least memory"),
    result<&Results::memory_limit_gib>("memory_limit_gib", "GiB", "Memory that a layout may take"),
    result<&Results::short_gib>("short_gib", "GiB", "Memory that the smallest lacks; 0 where a layout fits"),
    whole_result<&Results::searched>("searched", "layouts", "Layouts in the space"),
    whole_result<&Results::evaluated>("evaluated", "layouts", "Of those, whole steps computed"),
    whole_result<&Results::too_large>("too_large", "layouts", "Of those, do not fit"),
    whole_result<&Results::outdone>("outdone", "layouts", "Of those, skipped because proven to lose"),
    rows_result<&Results::alternatives>("alternatives", alternative_columns,
                                        "The best layout with one decision otherwise, and why that loses"),
    rows_result<&Results::rules>("rules", rule_columns, "Rules of thumb, held or broken by the best layout"),
    result<&Results::space>("space", "",
                            "A sample of all layouts that fit: step_time_ms and memory_gib in turn"),
};

std::vector<PlanRow> rows_of(const Inputs& inputs, const std::vector<PlannedLayout>& planned) {
  std::vector<PlanRow> rows;
  for (const PlannedLayout& layout : planned) rows.push_back(plan_row(inputs, layout));
  return rows;
}

Outcome<Results> compute(const Inputs& inputs) {
  Problems problems = plan_problems(inputs);
  if (!problems.empty()) return problems;
  LayoutSearch search(inputs);
  constexpr std::int64_t slice = 1 << 20;
  do {
    search.advance(inputs.evaluations > 0 ? inputs.evaluations : slice);
  } while (inputs.evaluations == 0 && !search.done());

  Results found;
  found.possible = !search.best().empty();
  found.layouts = rows_of(inputs, search.best());
  found.front = rows_of(inputs, search.front());
  found.memory_limit_gib = search.limit_gib();
  if (search.smallest().step_time_ms > 0) {
    found.smallest.push_back(plan_row(inputs, search.smallest()));
    found.short_gib = search.short_gib();
  }
  found.settled_share = search.settled_share();
  found.searched = search.counts().layouts;
  found.evaluated = search.counts().evaluated;
  found.too_large = search.counts().too_large;
  found.outdone = search.counts().outdone;
  found.space = search.sample();
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
