#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/problem.h"
#include "core/parallel/job.h"
#include "core/parallel/stack_source.h"

namespace commcost {

struct Recipe;

/// What a rule depends on besides the model: a search checks the rule as soon as that is chosen.
enum class AbilityScope : std::uint8_t {
  degrees,   ///< degrees, and how context ranks and experts exchange what they share
  tokens,    ///< sequence parallelism, recomputation and degrees
  batch,     ///< micro-batch, degrees and sequence parallelism
  schedule,  ///< schedule, chunks and degrees
  zero,      ///< ZeRO stage and degrees
};

/// What a stack can run: one of its rules.
struct Ability {
  std::string_view name;  ///< as tests/data/stack_abilities.csv calls it, such as "pipeline.schedules"
  AbilityScope scope;
  std::string_view field;         ///< the input to change
  bool (*holds)(const Job& job);  ///< of a completed job without layout problems
  std::string_view says;    ///< follows the stack's name: "runs 1F1B and the interleaved schedule"; empty:
                            ///< where it runs, as rule_of() has it
  std::string_view source;  ///< file and line of the stack's repository, or section of the paper
};

/// A setting that a training stack has, so that a search may choose its value.
struct StackSwitch {
  std::string_view field;       ///< the input that sets it
  std::string_view ability;     ///< the row of tests/data/stack_abilities.csv that states it
  bool (*has)(const Job& job);  ///< whether the stack can set the job's value; null: every value
};

/// The rules of a stack, its switches, and where they were read.
struct StackRules {
  StackSource source;
  std::span<const Ability> abilities;
  std::span<const StackSwitch> switches = {};
};
extern const StackRules megatron_core_rules;
extern const StackRules megatron_2021_rules;
extern const StackRules nanotron_rules;
extern const StackRules fsdp_rules;
extern const StackRules torchtitan_rules;
extern const StackRules deepspeed_rules;
extern const StackRules maxtext_rules;
extern const StackRules vllm_rules;
extern const StackRules sglang_rules;
extern const StackRules tensorrt_llm_rules;
extern const StackRules gpt_fast_rules;

/// What the stack of one of all_recipes() can run; null: not known.
const StackRules* rules_of(const Recipe& recipe);
/// The rules that a job's stack must keep, including those of a fork's original; null without a recipe, if
/// its rules are not known, and if it serves what is trained or trains what is served.
const StackRules* rules_of(const Job& job);
/// Whether its rules are known and belong to the very stack that runs on the accelerator, not to a fork or
/// plugin.
bool is_checked(const Job& job);

/// Whether the stack of a completed job keeps its rules of one scope; allocates nothing.
bool can_run(const Job& job, AbilityScope scope);
/// Whether a job's stack can set the job's value of a setting; assumed if its rules are not known.
bool can_switch(const Job& job, std::string_view field);
/// The rules that a completed job breaks.
std::vector<const Ability*> broken_abilities(const Job& job);
/// Those that it would break in the stack of that recipe.
std::vector<const Ability*> broken_abilities(Job job, std::string_view recipe);
/// The first rule that the job breaks; null where its stack can run it, as far as its rules are known.
const Ability* broken_ability(const Job& job);
/// A rule of a recipe's stack in words that follow the stack's name.
std::string_view rule_of(const Recipe& recipe, const Ability& ability);
/// The same of the first rule that the job breaks; empty where its stack can run it.
std::string_view broken_rule(const Job& job);
/// Ids of the recipes that run on the accelerator and can run the rest of the job as it is, by known rules;
/// if there are none, those of forks, or otherwise one whose rules are not known.
std::vector<std::string_view> recipes_for(Job job, const std::function<bool(const Job&)>& can);
/// The problem that the stack of a completed job can run no such "layout …", with the rules that the job
/// breaks and the recipes to try instead. If it doesn't run on the hardware, no other rule matters.
Problem problem_of_stack(const Job& job, std::string_view layout, const std::vector<std::string_view>& able);

}  // namespace commcost
