#include <algorithm>

#include "core/launches/launch_stack.h"

namespace commcost {
namespace {

void add_lines(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += " \\\n  " + line;
}

// Calls `take(key, entries of that key, whether it is a value)` in order.
template <class Take>
void for_each_key(std::span<const FileEntry> entries, std::size_t from, const Take& take) {
  for (std::size_t begin = 0; begin < entries.size();) {
    const std::string& path = entries[begin].path;
    const std::size_t point = path.find('.', from);
    const std::string key = path.substr(from, point - from);
    std::size_t end = begin + 1;
    while (point != std::string::npos && end < entries.size() &&
           entries[end].path.compare(0, point + 1, path, 0, point + 1) == 0)
      ++end;
    take(key, entries.subspan(begin, end - begin), point == std::string::npos);
    begin = end;
  }
}

std::string json_object(std::span<const FileEntry> entries, std::size_t from, const std::string& indent) {
  std::string text;
  for_each_key(entries, from, [&](const std::string& key, std::span<const FileEntry> same, bool is_value) {
    text += (text.empty() ? "{\n" : ",\n") + indent + "  \"" + key + "\": " +
            (is_value ? same.front().value : json_object(same, from + key.size() + 1, indent + "  "));
  });
  return text + '\n' + indent + '}';
}

std::string yaml_map(std::span<const FileEntry> entries, std::size_t from, const std::string& indent) {
  std::string text;
  for_each_key(entries, from, [&](const std::string& key, std::span<const FileEntry> same, bool is_value) {
    text += indent + key + ':' +
            (is_value ? ' ' + same.front().value + '\n'
                      : '\n' + yaml_map(same, from + key.size() + 1, indent + "  "));
  });
  return text;
}

}  // namespace

std::string json_text(std::span<const FileEntry> entries) {
  return json_object(entries, 0, "") + '\n';
}

std::string yaml_text(std::span<const FileEntry> entries) {
  return yaml_map(entries, 0, "");
}

std::string shell_text(const LaunchScript& script) {
  std::string text;
  for (const LaunchVariable& variable : script.variables)
    text += "export " + std::string(variable.name) + '=' + variable.value + '\n';
  for (const LaunchFile& file : script.files)
    text += "cat > " + file.name + " <<'EOF'\n" + file.text + "EOF\n";
  text += script.launcher;
  add_lines(text, script.launcher_options);
  if (!script.script.empty()) add_lines(text, {script.script});
  add_lines(text, script.script_options);
  return text + '\n';
}

}  // namespace commcost
