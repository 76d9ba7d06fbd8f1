#include <algorithm>

#include "core/launches/launch_stack.h"

namespace commcost {
namespace {

void add_lines(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += " \\\n  " + line;
}

}  // namespace

std::string shell_text(const LaunchScript& script) {
  std::string text;
  for (const LaunchVariable& variable : script.variables)
    text += "export " + std::string(variable.name) + '=' + variable.value + '\n';
  if (!script.file_text.empty())
    text += "cat > " + script.file_name + " <<'EOF'\n" + script.file_text + "EOF\n";
  text += script.launcher;
  add_lines(text, script.launcher_options);
  if (!script.script.empty()) add_lines(text, {script.script});
  add_lines(text, script.script_options);
  return text + '\n';
}

}  // namespace commcost
