#include "core/parallel/exported_layout.h"

#include "core/parallel/export_options.h"

namespace commcost {
namespace {

constexpr ExportTarget targets[] = {
    {"Megatron-LM @d98e8a64 (2026-08-22)",
     "github.com/NVIDIA/Megatron-LM megatron/training/arguments.py @d98e8a64", &megatron_core_rules},
    {"torchtitan @000204a (2025)",
     "github.com/pytorch/torchtitan torchtitan/config/job_config.py @000204a4a8", &torchtitan_rules},
};

// One argument a line, each but the last with a backslash.
std::string arguments_text(const ExportedLayout& exported) {
  std::string text;
  for (const ExportedOption& option : exported.options) {
    if (!text.empty()) text += " \\\n";
    text += option.option;
    if (!option.value.empty()) text += ' ' + option.value;
  }
  return text + '\n';
}

// Tables in the order of their first entries; entries of a table stand together.
std::string toml_text(const ExportedLayout& exported) {
  std::string text;
  std::string_view section;
  for (const ExportedOption& option : exported.options) {
    if (option.section != section) {
      section = option.section;
      text += (text.empty() ? "[" : "\n[") + option.section + "]\n";
    }
    text += option.option + " = " + option.value + '\n';
  }
  return text;
}

}  // namespace

const ExportTarget& export_target(ExportFormat format) {
  return targets[static_cast<std::size_t>(format)];
}

ExportedLayout exported_layout(const Job& job, ExportFormat format) {
  const bool arguments = format == ExportFormat::megatron_lm;
  ExportedLayout exported = arguments ? megatron_options(job) : torchtitan_options(job);
  for (const Ability* broken : broken_abilities(job, *export_target(format).rules))
    exported.not_exported.push_back({broken->field, std::string(broken->says)});
  exported.text = arguments ? arguments_text(exported) : toml_text(exported);
  return exported;
}

}  // namespace commcost
