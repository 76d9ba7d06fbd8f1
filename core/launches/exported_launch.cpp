#include "core/launches/exported_launch.h"

#include <algorithm>
#include <iterator>

#include "core/base/letters.h"
#include "core/parallel/recipes.h"

namespace commcost {
namespace {

constexpr const LaunchStack* stacks[] = {
    &megatron_lm_launches, &megatron_bridge_launches, &torchtitan_launches,  &deepspeed_launches,
    &vllm_launches,        &sglang_launches,          &tensorrt_llm_launches};
static_assert(std::size(stacks) == std::size(launch_format_names));

// A value of several words is quoted for the shell if its option takes one word.
std::string quoted(const std::string& value) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return is_alphanumeric(c) || std::string_view("_-./:=,+@%").find(c) != std::string_view::npos;
  });
  return plain || value.front() == '"' || value.front() == '\'' ? value : '\'' + value + '\'';
}

// The content of a JSON or shell string in quotes.
std::string without_quotes(std::string value) {
  const bool quotes = value.size() > 1 && value.front() == '"';
  return quotes ? value.substr(1, value.size() - 2) : value;
}

std::string spelled(const StackOption& option, const std::string& value) {
  std::string name(option.name);
  switch (option.kind) {
    case OptionKind::toggle:
      return name;
    case OptionKind::value:
      return name + ' ' + quoted(value);
    case OptionKind::values:
      return name + ' ' + value;
    case OptionKind::with_equals:
      return name + '=' + quoted(value);
    case OptionKind::with_colon:
      return name + ':' + quoted(value);
  }
  return name;
}

LaunchScript script_of(const LaunchedJob& launched, const LaunchStack& stack,
                       std::vector<ExportedOption>& options) {
  LaunchScript script;
  for (const StackOption& option : stack.options) {
    if (option.write == nullptr || (option.applies != nullptr && !option.applies(launched))) continue;
    std::string value = option.write(launched);
    if (option.place == OptionPlace::file) {
      script.entries.push_back({std::string(option.name), value});
    } else {
      auto& lines = option.place == OptionPlace::launcher ? script.launcher_options : script.script_options;
      lines.push_back(spelled(option, value));
    }
    options.push_back({option.name, without_quotes(std::move(value)), option.field});
  }
  stack.command(launched, script);
  return script;
}

std::string notes(const LaunchedJob& launched, const LaunchStack& stack,
                  const std::vector<NotExported>& unsaid, std::string (*label)(std::string_view field)) {
  std::string text = "# " + std::string(stack.name) + " @" + std::string(stack.source.commit) + " (" +
                     std::string(stack.source.date) + ")\n";
  // A name in parentheses says which model this one is counted as; the launch starts that one.
  if (launched.model != nullptr && launched.model->name.find('(') != std::string_view::npos)
    text += "# Model: " + std::string(launched.model->name) + "\n";
  if (!unsaid.empty()) text += "# Differs from this layout, or is left to you:\n";
  for (const NotExported& one : unsaid)
    text += "# - " + label(one.field) + ": " + std::string(stack.name) + ' ' + one.why + ".\n";
  if (stack.left_out != nullptr) text += "# Left to defaults: " + stack.left_out(launched) + ".\n";
  return text;
}

}  // namespace

const LaunchStack& launch_stack(LaunchFormat format) {
  return *stacks[static_cast<std::size_t>(format)];
}

ExportedLaunch exported_launch(const LaunchedJob& launched, LaunchFormat format,
                               std::string (*label)(std::string_view field)) {
  const LaunchStack& stack = launch_stack(format);
  ExportedLaunch exported;
  for (const UnsaidRule& rule : stack.unsaid)
    if (rule.applies(launched)) exported.not_exported.push_back({rule.field, std::string(rule.says)});
  // A launch's own note on a field is more specific than the rule, and one note is enough.
  const std::vector<NotExported> said = exported.not_exported;
  for (const Ability* broken : broken_abilities(launched.job, stack.recipe)) {
    const std::string rule(rule_of(*find_recipe(stack.recipe), *broken));
    const auto same_field = [broken](const NotExported& one) { return one.field == broken->field; };
    const auto same = [&](const NotExported& one) { return same_field(one) && one.why == rule; };
    auto& all = exported.not_exported;
    if (std::none_of(said.begin(), said.end(), same_field) && std::none_of(all.begin(), all.end(), same))
      all.push_back({broken->field, rule});
  }
  const int recipe = launched.job.stack.recipe;
  if (recipe >= 0 && all_recipes()[static_cast<std::size_t>(recipe)].id == "other")
    exported.not_exported.push_back({"recipe", "stands in for your own stack, whose launch isn't known"});
  const LaunchedJob started = stack.started == nullptr ? launched : stack.started(launched);
  LaunchScript script = script_of(started, stack, exported.options);
  const std::string head = notes(launched, stack, exported.not_exported, label);
  exported.text = head + shell_text(script);
  stack.rehearse(started, script);
  exported.dry_run = head + shell_text(script);
  return exported;
}

}  // namespace commcost
