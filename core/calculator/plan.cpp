#include <algorithm>
#include <span>
#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/plan_fields.h"
#include "core/calculator/plan_row.h"
#include "core/parallel/stacks.h"
#include "core/plan/rules_of_thumb.h"
#include "core/plan/search_memory.h"
#include "core/plan/ties.h"

namespace commcost::calculations {
namespace plan_table {

/// A rule of thumb and whether the best layout keeps to it.
struct PlanRule {
  std::string_view rule;
  bool applies = false;
  bool held = false;
  std::string_view source;
  double condition = 0;
};

/// What was tried of a setting.
struct TriedSetting {
  std::string_view name;
  std::int64_t values = 1;
  std::string reason;
};

/// The search, and how far it goes.
struct PlanSearchInputs : PlanInputs {
  std::int64_t evaluations = 0;    ///< 0: until all is searched
  std::int64_t list_variants = 0;  ///< of the first family
};

/// What a plan finds.
struct PlanResults {
  bool possible = false;
  double progress = 0;
  std::vector<PlanRow> layouts;
  std::vector<FamilyRange> families;
  std::vector<PlanRow> variants;
  std::vector<PlanRow> fastest;
  std::vector<PlanRow> pareto_front;
  std::vector<PlanRow> roomiest;
  std::vector<PlanRow> smallest;
  double memory_limit_gib = 0;
  double deficit_gib = 0;
  double noise_floor_percent = 100 * noise_floor_share;
  double searched = 0;
  double evaluated = 0;
  double compared = 0;
  double out_of_memory = 0;
  double dominated = 0;
  double unsearched = 0;
  std::vector<Alternative> alternatives;
  std::vector<PlanRule> rules;
  bool stack_checked = false;
  std::string_view stack_date;
  std::string stack_source;
  Value::Numbers space;
  std::vector<TriedSetting> searched_settings;
};

using Inputs = PlanSearchInputs;
using Results = PlanResults;

constexpr InputField search_fields[] = {
    whole<&Inputs::best>(1, 10000, "Families to list, each a way of dividing the GPUs")
        .in("families")
        .or_default(8),
    whole<&Inputs::list_variants>(0, 1000, "Layouts of the first family to list as variants")
        .in("layouts")
        .or_default(0),
    flag<&Inputs::prune>("Whether to skip layouts that are proven to lose").or_default(1),
    whole<&Inputs::evaluations>(0, 1e15,
                                "Stop after this many evaluated steps, with the best so far; 0: search all")
        .in("layouts")
        .or_default(0),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(search_fields)};
constexpr auto groups = joined(machine_groups<Inputs>, host_groups<Inputs>, plan_groups<Inputs>, own_groups);

// The decision as it is typed into a link or a command.
std::string spelled(const Alternative& one) {
  const FieldIndex& fields = fields_of(calculations::training_step);
  const std::size_t at = fields.find(decision_names[static_cast<std::size_t>(one.decision)]);
  const Field& field = fields.places()[at].input->field;
  if (!field.choices.empty()) return std::string(field.choices[static_cast<std::size_t>(one.value)]);
  if (field.kind == FieldKind::flag) return one.value != 0 ? "true" : "false";
  return text_of(one.value);
}

constexpr ResultField alternative_columns[] = {
    choice_result<&Alternative::decision>(decision_names, "The decision that is changed"),
    derived_text<Alternative, spelled>("value", "Its other value, as typed"),
    result<&Alternative::step_time_ms>("Time of a training step"),
    result<&Alternative::memory_gib>("Memory of the fullest GPU"),
    result<&Alternative::fits>("Whether it fits"),
    choice_result<&Alternative::reason>(loss_reason_names, "Reason that it loses"),
    result<&Alternative::lost_ms>("Step time above the best layout's"),
    object_result<&Alternative::more>(part_columns<all_step_parts>,
                                      "Extra time of each part; adds up to lost_ms"),
    result<&Alternative::is_tie>("Whether it fits and its step time ties with the best layout's")
        .named("tie"),
    result<&Alternative::deficit_gib>("Memory that it lacks"),
    result<&Alternative::stack_rule>(
        "The rule of the stack that it breaks, to follow the stack's name; empty: the stack can run it"),
};

constexpr ResultField family_columns[] = {
    whole_result<&FamilyRange::layouts>("Layouts of the family that fit").in("layouts"),
    result<&FamilyRange::fastest_ms>("Time of the fastest layout's training step"),
    result<&FamilyRange::slowest_ms>("Time of the slowest layout's training step"),
    result<&FamilyRange::least_gib>("Memory of the layout that needs least"),
    result<&FamilyRange::most_gib>("Memory of the layout that needs most"),
};

constexpr ResultField rule_columns[] = {
    result<&PlanRule::rule>("Name of the rule"),
    result<&PlanRule::applies>("Whether it applies to the layout"),
    result<&PlanRule::held>("Whether the best layout keeps to it"),
    result<&PlanRule::source>("Source of the rule"),
    result<&PlanRule::condition>(
        "Margin by which its condition holds, above 1 where it does; 0: the rule has no condition"),
};

constexpr ResultField tried_columns[] = {
    result<&TriedSetting::name>("An input of training_step"),
    whole_result<&TriedSetting::values>("Values tried, its own among them").in("values"),
    result<&TriedSetting::reason>("Reason that no other value is tried; empty where several are"),
};

constexpr ResultField results[] = {
    result<&Results::possible>("Whether any layout fits in memory"),
    result<&Results::progress>("Share of the space computed or proven to lose; 1: all"),
    rows_result<&Results::layouts>(
        plan_row_columns,
        "The best families, each as the simplest of its layouts that tie with its fastest; families that tie "
        "with the overall fastest come first, simplest first"),
    rows_result<&Results::families>(
        family_columns,
        "Ranges of time and memory over all layouts of each family; empty until the search is done"),
    rows_result<&Results::variants>(plan_row_columns,
                                    "Layouts of the first family, fastest first, once the search is done"),
    rows_result<&Results::fastest>(
        plan_row_columns,
        "The fastest layout, of those that leave the headroom if any does; ties are measured against it"),
    rows_result<&Results::pareto_front>(plan_row_columns,
                                        "Layouts that no other beats in both time and memory"),
    rows_result<&Results::roomiest>(
        plan_row_columns, "The layout with most memory headroom among those that tie with the best"),
    rows_result<&Results::smallest>(plan_row_columns, "The layout seen that needs least memory"),
    result<&Results::memory_limit_gib>("Memory that a layout may take"),
    result<&Results::deficit_gib>("Memory that the smallest layout lacks; 0 where one fits"),
    result<&Results::noise_floor_percent>("Steps that differ by less are ties: two measurements of one "
                                          "configuration differ by about as much in the median"),
    whole_result<&Results::searched>(
        "Layouts in the space: the sum of compared, out_of_memory, dominated and unsearched")
        .in("layouts"),
    whole_result<&Results::evaluated>("Steps computed in full, of layouts that fit or don't").in("layouts"),
    whole_result<&Results::compared>("Layouts that fit and whose whole steps were compared").in("layouts"),
    whole_result<&Results::out_of_memory>("Layouts that do not fit").in("layouts"),
    whole_result<&Results::dominated>("Layouts skipped because they are proven to lose").in("layouts"),
    whole_result<&Results::unsearched>("Not looked at yet: `evaluations` was reached").in("layouts"),
    rows_result<&Results::alternatives>(alternative_columns,
                                        "The best layout with one decision changed, and why that loses"),
    rows_result<&Results::rules>(rule_columns, "Rules of thumb, held or broken by the best layout"),
    step_result<&Results::stack_checked>(),
    result<&Results::stack_date>("Date of the stack's sources that state these rules"),
    result<&Results::stack_source>("Repository or paper that states the rules, which all layouts keep; of a "
                                   "fork its original's; empty: not known"),
    result<&Results::space>("A sample of all layouts that fit: step_time_ms and memory_gib in turn"),
    rows_result<&Results::searched_settings>(tried_columns,
                                             "The settings that were searched, and what was tried of each"),
};

// Rows of a search's results, each compared with its fastest layout.
class Rows {
 public:
  Rows(const Inputs& inputs, const LayoutSearch& search) : inputs_(inputs), search_(search) {}

  PlanRow of(const PlannedLayout& layout) const { return plan_row(inputs_, search_, layout); }
  std::vector<PlanRow> of(std::span<const PlannedLayout> layouts) const {
    std::vector<PlanRow> rows;
    for (const PlannedLayout& layout : layouts) rows.push_back(of(layout));
    return rows;
  }

 private:
  const Inputs& inputs_;
  const LayoutSearch& search_;
};

void set_counts(Results& found, const LayoutSearch& search) {
  const SearchCounts& counts = search.counts();
  found.progress = search.progress();
  found.searched = counts.layouts;
  found.evaluated = counts.evaluated;
  found.compared = counts.compared;
  found.out_of_memory = counts.out_of_memory;
  found.dominated = counts.dominated;
  found.unsearched = counts.layouts - counts.compared - counts.out_of_memory - counts.dominated;
}

// About the best layout: which ties with it and is smallest, why others lose, which rules it keeps.
void add_reasons(Results& found, const Inputs& inputs, const LayoutSearch& search, const Rows& rows) {
  const PlannedLayout& best = search.best().front();
  const std::vector<PlannedLayout> front = search.pareto_front();
  if (const PlannedLayout* roomiest = roomiest_tie(front, search.fastest()->step_time_ms);
      roomiest != nullptr)
    found.roomiest.push_back(rows.of(*roomiest));
  found.alternatives = alternatives(inputs, best, search.limit_gib());
  for (const RuleVerdict& verdict : rules_of_thumb(best, found.alternatives)) {
    const RuleRow& rule = all_rules()[static_cast<std::size_t>(verdict.rule)];
    found.rules.push_back({rule.name, verdict.applies, verdict.held, rule.source, verdict.condition});
  }
}

// Fills in the families once every one of their layouts has been searched.
void add_families(Results& found, const Inputs& inputs, LayoutSearch& search, const Rows& rows) {
  for (const PlannedLayout& row : search.best()) found.families.push_back(search.range_of(row));
  if (inputs.list_variants == 0) return;
  const std::vector<PlannedLayout> all = search.variants_of(search.best().front());
  const auto wanted = static_cast<std::size_t>(inputs.list_variants);
  found.variants = rows.of(std::span(all).first(std::min(wanted, all.size())));
}

Outcome<Results> compute(const Inputs& inputs, SearchMemory& memory) {
  Problems problems = plan_problems(inputs);
  if (!problems.empty()) return problems;
  LayoutSearch& search = memory.searched(inputs, inputs.evaluations);

  Results found;
  const Rows rows(inputs, search);
  found.possible = !search.best().empty();
  found.layouts = rows.of(search.best());
  found.pareto_front = rows.of(search.pareto_front());
  if (search.fastest() != nullptr) found.fastest.push_back(rows.of(*search.fastest()));
  found.memory_limit_gib = search.limit_gib();
  if (search.smallest().step_time_ms > 0) {
    found.smallest.push_back(rows.of(search.smallest()));
    found.deficit_gib = search.deficit_gib();
  }
  set_counts(found, search);
  found.stack_checked = is_checked(inputs.job);
  if (const StackRules* rules = rules_of(inputs.job)) {
    found.stack_date = rules->source.date;
    found.stack_source = rules->source.cited();
  }
  found.space = search.sample();
  for (const SearchedSetting& searched : searched_settings(inputs))
    found.searched_settings.push_back(
        {setting_names[searched.place], static_cast<std::int64_t>(searched.values.size()), searched.reason});
  if (found.possible) add_reasons(found, inputs, search, rows);
  if (found.possible && search.done()) add_families(found, inputs, search, rows);
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "plan", "The best layouts of a model on a cluster, and why others lose", groups);

}  // namespace plan_table

const Calculation plan = plan_table::table;

}  // namespace commcost::calculations
