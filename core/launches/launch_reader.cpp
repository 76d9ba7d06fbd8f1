#include "core/launches/launch_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/letters.h"
#include "core/base/name_list.h"
#include "core/base/nearest_name.h"
#include "core/base/number_text.h"
#include "core/logs/json.h"
#include "core/logs/shell_words.h"
#include "core/parallel/recipes.h"

namespace commcost {
namespace {

constexpr std::size_t format_count = std::size(launch_format_names);

// An option as it is in a launch.
struct SaidOption {
  std::string name;
  std::string value;
  double line = 0;
};

// Parsers treat - and _ alike.
std::string canonical(std::string_view name) {
  std::string same(name);
  std::replace(same.begin(), same.end(), '_', '-');
  return same;
}

using Rows = std::map<std::string, const StackOption*>;

// All names of all options of a stack.
Rows rows_of(const LaunchStack& stack) {
  Rows rows;
  for (const StackOption& option : stack.options) {
    rows.emplace(canonical(option.name), &option);
    for (std::string_view names = option.aliases; !names.empty(); names = names_behind_first(names))
      rows.emplace(canonical(first_name(names)), &option);
  }
  return rows;
}

const std::array<Rows, format_count>& all_rows() {
  static const std::array<Rows, format_count> rows = [] {
    std::array<Rows, format_count> all;
    for (std::size_t at = 0; at < format_count; ++at)
      all[at] = rows_of(launch_stack(static_cast<LaunchFormat>(at)));
    return all;
  }();
  return rows;
}

bool is_option(std::string_view word) {
  const bool dashed = word.size() > 1 && word[0] == '-';
  return dashed && word != "--" && !parse_number(word);
}

// The name in front of = in a word, and the value after it.
std::pair<std::string_view, std::optional<std::string_view>> split_at(std::string_view word, char mark) {
  const std::size_t at = word.find(mark);
  if (at == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, at), word.substr(at + 1)};
}

const StackOption* row_of(const Rows& rows, std::string_view name) {
  const auto found = rows.find(canonical(name));
  return found == rows.end() ? nullptr : found->second;
}

// The row of a word that holds both name and value.
const StackOption* row_of_pair(const Rows& rows, std::string_view word) {
  for (const auto& [mark, kind] :
       {std::pair{'=', OptionKind::with_equals}, std::pair{':', OptionKind::with_colon}}) {
    const StackOption* row = row_of(rows, split_at(word, mark).first);
    if (row != nullptr && row->kind == kind) return row;
  }
  return nullptr;
}

// Whether a word is a command that only this stack has, in whichever folder.
bool has_mark(const LaunchStack& stack, std::string_view word) {
  return std::any_of(stack.marks.begin(), stack.marks.end(), [word](std::string_view mark) {
    return word == mark ||
           (word.size() > mark.size() && word.ends_with(mark) && word[word.size() - mark.size() - 1] == '/');
  });
}

// How many options of each stack a script has, and whether it runs a command that only one has.
class Recognition {
 public:
  void see(std::string_view word) {
    const std::string_view name = split_at(word, '=').first;
    for (std::size_t at = 0; at < format_count; ++at) {
      const LaunchStack& stack = launch_stack(static_cast<LaunchFormat>(at));
      const StackOption* row =
          is_option(word) ? row_of(all_rows()[at], name) : row_of_pair(all_rows()[at], word);
      if (row != nullptr && row->place == OptionPlace::script) ++scores_[at];
      if (has_mark(stack, word)) scores_[at] += certain;
    }
  }
  std::optional<LaunchFormat> best() const {
    const auto* most = std::max_element(scores_.begin(), scores_.end());
    if (*most == 0) return std::nullopt;
    return static_cast<LaunchFormat>(most - scores_.begin());
  }

 private:
  static constexpr double certain = 1e9;
  std::array<double, format_count> scores_{};
};

std::optional<LaunchFormat> recognized(const std::vector<std::vector<ShellWord>>& commands) {
  Recognition recognition;
  for (const auto& command : commands)
    for (const ShellWord& word : command) recognition.see(word.text);
  return recognition.best();
}

class LaunchWords {
 public:
  LaunchWords(const LaunchStack& stack, const Rows& rows, std::vector<SaidOption>& said)
      : stack_(stack), rows_(rows), said_(said) {}

  void read(const std::vector<ShellWord>& command) {
    const bool concerns = std::any_of(command.begin(), command.end(), [this](const ShellWord& word) {
      return is_option(word.text) ? row_of(rows_, split_at(word.text, '=').first) != nullptr
                                  : row_of_pair(rows_, word.text) != nullptr || word.text == "serve";
    });
    if (!concerns) return;
    for (std::size_t at = begin_of(command); at < command.size();) at = read_at(command, at);
  }

 private:
  std::size_t read_at(const std::vector<ShellWord>& command, std::size_t at) {
    const ShellWord& word = command[at];
    if (is_option(word.text)) return read_option(command, at);
    // The served model follows the word, without a name.
    const bool serves = word.text == "serve" || word.text.ends_with("trtllm-serve");
    if (serves && at + 1 < command.size() && !is_option(command[at + 1].text) &&
        command[at + 1].text != "serve") {
      said_.push_back({"--model", command[at + 1].text, command[at + 1].line});
      return at + 2;
    }
    if (row_of_pair(rows_, word.text) != nullptr || is_override(word.text)) {
      const char mark = word.text.find('=') < word.text.find(':') ? '=' : ':';
      const auto [name, value] = split_at(word.text, mark);
      said_.push_back({std::string(name), std::string(value.value_or("")), word.line});
    }
    return at + 1;
  }

  // "model.something=8", as Hydra has it.
  static bool is_override(std::string_view word) {
    const std::string_view name = split_at(word, '=').first;
    return name.size() < word.size() && name.find('.') != std::string_view::npos &&
           name.find_first_of("/:$\"' ") == std::string_view::npos;
  }

  std::size_t read_option(const std::vector<ShellWord>& command, std::size_t at) {
    const ShellWord& word = command[at++];
    if (word.text == "-m") return at;  // Python's own
    const auto [name, inline_value] = split_at(word.text, '=');
    SaidOption option{std::string(name), std::string(inline_value.value_or("")), word.line};
    const StackOption* row = row_of(rows_, name);
    const bool many = row == nullptr || row->kind == OptionKind::values;
    std::size_t most = inline_value || (row != nullptr && row->kind == OptionKind::toggle) ? 0
                       : many                                                              ? command.size()
                                                                                           : 1;
    for (; most > 0 && at < command.size() && !is_option(command[at].text); --most, ++at) {
      if (many && row_of_pair(rows_, command[at].text) != nullptr) break;
      if (!option.value.empty()) option.value += ' ';
      option.value += command[at].text;
    }
    said_.push_back(std::move(option));
    return at;
  }

  // What precedes a server is what runs it.
  std::size_t begin_of(const std::vector<ShellWord>& command) const {
    if (!stack_.serves) return 0;
    const auto begin = std::find_if(command.begin(), command.end(),
                                    [this](const ShellWord& word) { return has_mark(stack_, word.text); });
    return begin == command.end() ? 0 : static_cast<std::size_t>(begin - command.begin());
  }

  const LaunchStack& stack_;
  const Rows& rows_;
  std::vector<SaidOption>& said_;
};

std::string text_of_value(const Value& value) {
  if (const double* number = value.number()) return text_of(*number);
  if (const bool* flag = value.flag()) return true_or_false(*flag);
  if (const std::string* text = value.text()) return *text;
  return {};
}

// No option's path is as long.
constexpr std::size_t longest_path = 200;

// Every value of a configuration, by its path of keys.
void flatten(const Value& value, const std::string& path, double line, std::vector<SaidOption>& said) {
  const Value::Object* object = value.object();
  if (object == nullptr || path.size() > longest_path) {
    said.push_back({path, text_of_value(value), line});
    return;
  }
  for (const Member& member : *object) {
    const std::string name = member.name.substr(0, longest_path);
    flatten(member.value, path.empty() ? name : path + '.' + name, line, said);
  }
}

// Each "key: value" by its path; deeper levels are indented further.
void read_yaml(const ShellWord& document, std::vector<SaidOption>& said) {
  struct Level {
    std::size_t indent;
    std::size_t path;
  };
  constexpr std::size_t deepest = 16;
  std::vector<Level> levels;
  std::string path;
  std::string_view rest = document.text;
  for (double line = document.line; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t indent = text.find_first_not_of(' ');
    const std::size_t colon = text.find(':');
    if (indent == std::string_view::npos || colon == std::string_view::npos || text[indent] == '#') continue;
    if (colon < indent || colon - indent > longest_path) continue;
    while (!levels.empty() && levels.back().indent >= indent) {
      path.resize(levels.back().path);
      levels.pop_back();
    }
    std::string_view value = text.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    value = value.substr(0, value.find_last_not_of(" \r") + 1);
    const std::string key((path.empty() ? "" : ".") + std::string(text.substr(indent, colon - indent)));
    if (!value.empty()) {
      said.push_back({path + key, std::string(value), line});
    } else if (levels.size() < deepest) {
      levels.push_back({indent, path.size()});
      path += key;
    }
  }
}

// The first line with content opens a section.
bool is_toml(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    if (line[0] != '#') return line[0] == '[' && line.find(']') != std::string_view::npos;
    text.remove_prefix(begin + line.size());
  }
  return false;
}

// A value without its quotes, or without the comment after it.
std::string_view toml_value(std::string_view value) {
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  if (!value.empty() && (value[0] == '"' || value[0] == '\''))
    return value.substr(1, value.find(value[0], 1) - 1);
  value = value.substr(0, value.find('#'));
  return value.substr(0, value.find_last_not_of(" \t\r") + 1);
}

// The flags of torchtitan that have the names of a TOML file's keys; a model's name and flavor are one.
void read_toml(std::string_view text, std::vector<SaidOption>& said) {
  std::string section;
  SaidOption model{"--config", "", 0};
  for (double line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    row.remove_prefix(std::min(row.find_first_not_of(" \t"), row.size()));
    if (row.empty() || row[0] == '#') continue;
    if (row[0] == '[') {
      section = row.substr(1, std::min(row.find(']') - 1, longest_path));
      continue;
    }
    const auto [name, value] = split_at(row, '=');
    if (!value) continue;
    const std::string key(name.substr(0, std::min(name.find_last_not_of(" \t") + 1, longest_path)));
    const std::string is(toml_value(*value));
    if (section == "model" && (key == "name" || key == "flavor")) {
      model.value = key == "name" ? is + model.value : model.value + '_' + is;
      model.line = line;
    } else {
      said.push_back({"--" + section + '.' + key, is, line});
    }
  }
  if (model.line == 0) return;
  for (char& c : model.value) {
    c = c == '.' || c == '-' ? '_' : lower(c);
  }
  said.push_back(std::move(model));
}

bool is_json(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{';
}

// A launch's own configuration file; others, such as a script, are not read.
void read_document(const ShellWord& document, LaunchFormat format, std::vector<SaidOption>& said) {
  if (format == LaunchFormat::tensorrt_llm) return read_yaml(document, said);
  if (format != LaunchFormat::deepspeed || !is_json(document.text)) return;
  if (const Outcome<Value> value = parse_json("arguments", document.text))
    flatten(*value, "", document.line, said);
}

// What a launch's script reads from environment variables of its own names; later options override them.
void read_variables(const ShellText& shell, const LaunchStack& stack, std::vector<SaidOption>& said) {
  for (const StackOption& option : stack.options) {
    for (std::string_view names = option.aliases; !names.empty(); names = names_behind_first(names)) {
      const std::string name(first_name(names));
      const auto found = shell.variables.find(name);
      if (found != shell.variables.end() && found->second.size() == 1)
        said.push_back({name, found->second[0].text, found->second[0].line});
    }
  }
}

// The inputs that a step needs and that are missing.
std::vector<std::string_view> missing_inputs(const Job& job) {
  std::vector<std::string_view> missing;
  const auto need = [&](bool is_there, std::string_view field) {
    if (!is_there) missing.push_back(field);
  };
  need(job.model.num_layers > 0, "num_layers");
  need(job.model.hidden_size > 0, "hidden_size");
  need(job.model.num_heads > 0, "num_heads");
  need(job.work.sequence_length > 0, "sequence_length");
  need(job.work.batch_size > 0, "batch_size");
  return missing;
}

class LaunchReader {
 public:
  explicit LaunchReader(LaunchFormat format) : stack_(launch_stack(format)) {
    read_.format = format;
    read_.recipe = stack_.recipe;
    Job& job = read_.launched.job;
    fill(job, *find_recipe(stack_.recipe));
    job.work.sequence_length = job.work.batch_size = 0;
    job.work.mode = stack_.serves ? Mode::decode : Mode::training;
    stack_.assume(read_.launched);
  }

  ReadLaunch read(const std::vector<SaidOption>& said) && {
    // If an option is given twice, the last one counts.
    std::map<const StackOption*, const SaidOption*> last;
    const Rows& rows = all_rows()[static_cast<std::size_t>(read_.format)];
    std::vector<std::string_view> names;
    for (const StackOption& option : stack_.options) names.push_back(option.name);
    for (const SaidOption& option : said) {
      if (const StackOption* row = row_of(rows, option.name)) {
        last[row] = &option;
      } else {
        refuse(option, "not among the options that are read", {}, nearest_name(option.name, names));
      }
    }
    for (const StackOption& row : stack_.options) {
      const auto found = last.find(&row);
      if (row.read == nullptr || found == last.end()) continue;
      take(row, *found->second);
    }
    const bool tuned =
        std::any_of(last.begin(), last.end(), [](const auto& one) { return one.first->tuned; });
    if (!tuned && !stack_.cloned.empty()) take_as_cloned();
    take_replicas();
    sum_up();
    return std::move(read_);
  }

 private:
  void refuse(const SaidOption& option, std::string_view why, std::string_view field,
              std::optional<std::string_view> meant = std::nullopt) {
    read_.not_understood.push_back({option.name.substr(0, longest_path), option.value.substr(0, longest_path),
                                    option.line, why, field, meant.value_or("")});
  }

  void take(const StackOption& row, const SaidOption& option) {
    const LaunchedJob before = read_.launched;
    switch (row.read(read_.launched, option.value)) {
      case Taken::no:
        read_.launched = before;
        return refuse(option, row.why, row.field);
      case Taken::silent:
        return;
      case Taken::partly:
        refuse(option, row.why, row.field);
        [[fallthrough]];
      case Taken::yes:
        read_.found.push_back({row.field, option.name, option.value.substr(0, longest_path), option.line});
    }
  }

  bool is_found(std::string_view field) const {
    return std::any_of(read_.found.begin(), read_.found.end(),
                       [&](const ReadInput& one) { return one.field == field; });
  }

  // Options keep what they set; the stack's speed comes from the other recipe.
  void take_as_cloned() {
    read_.recipe = stack_.cloned;
    Job job;
    fill(job, *find_recipe(stack_.cloned));
    job.stack.cuda_graphs = read_.launched.job.stack.cuda_graphs;
    read_.launched.job.stack = job.stack;
  }

  // Replicas are the GPUs that other degrees leave.
  void take_replicas() {
    Layout& layout = read_.launched.job.layout;
    const std::int64_t others = layout.tensor_parallel * layout.pipeline_parallel * layout.context_parallel;
    if (stack_.serves || is_found("data_parallel") || layout.cluster_gpus < 1) return;
    if (others < 1 || layout.cluster_gpus % others != 0) return;
    layout.data_parallel = layout.cluster_gpus / others;
    const auto gpus = std::find_if(read_.found.begin(), read_.found.end(),
                                   [](const ReadInput& one) { return one.field == "cluster_gpus"; });
    if (gpus != read_.found.end())
      read_.found.push_back({"data_parallel", gpus->option, gpus->value, gpus->line});
  }

  void sum_up() {
    std::stable_sort(
        read_.not_understood.begin(), read_.not_understood.end(),
        [](const NotUnderstood& one, const NotUnderstood& other) { return one.line < other.line; });
    read_.missing = missing_inputs(read_.launched.job);
    std::set<std::string_view> named(read_.missing.begin(), read_.missing.end());
    for (const ReadInput& one : read_.found) named.insert(one.field);
    const bool has_model = read_.launched.job.model.num_layers > 0;
    for (const StackOption& row : stack_.options) {
      if (row.read == nullptr || row.field.empty() || (row.field == "model" && has_model)) continue;
      if (named.insert(row.field).second) read_.assumed.push_back(row.field);
    }
    if (read_.launched.model == nullptr && read_.missing.empty())
      read_.launched.model = model_of_shape(completed(read_.launched.job.model), nullptr);
  }

  const LaunchStack& stack_;
  ReadLaunch read_;
};

bool has_row(const Rows& rows, const std::vector<SaidOption>& said) {
  return std::any_of(said.begin(), said.end(),
                     [&](const SaidOption& one) { return row_of(rows, one.name) != nullptr; });
}

Problem not_a_launch() {
  return must_be(
      "arguments", ProblemCode::malformed,
      "a launch of Megatron-LM, Megatron-Bridge, torchtitan, DeepSpeed, vLLM, SGLang or TensorRT-LLM",
      "none of their options");
}

}  // namespace

Outcome<ReadLaunch> read_launch(std::string_view text) {
  std::vector<SaidOption> said;
  if (is_json(text)) {
    const Outcome<Value> config = parse_json("arguments", text);
    if (!config) return config.problems();
    flatten(*config, "", 1, said);
    const Rows& rows = all_rows()[static_cast<std::size_t>(LaunchFormat::deepspeed)];
    if (!has_row(rows, said)) return Problems{not_a_launch()};
    return LaunchReader(LaunchFormat::deepspeed).read(said);
  }
  if (is_toml(text)) {
    read_toml(text, said);
    if (has_row(all_rows()[static_cast<std::size_t>(LaunchFormat::torchtitan)], said)) {
      ReadLaunch launch = LaunchReader(LaunchFormat::torchtitan).read(said);
      launch.not_understood.push_back(
          {"TOML", "", 1, "torchtitan retired these files in February 2026: read as the flags they became"});
      return launch;
    }
    said.clear();
  }
  const ShellText shell = shell_words(text);
  std::vector<std::vector<ShellWord>> commands = shell.commands;
  std::optional<LaunchFormat> format = recognized(commands);
  // Arguments may be kept in variables that no command uses.
  if (!format) {
    for (const auto& [name, words] : shell.variables) commands.push_back(words);
    format = recognized(commands);
  }
  if (!format) return Problems{not_a_launch()};
  const Rows& rows = all_rows()[static_cast<std::size_t>(*format)];
  read_variables(shell, launch_stack(*format), said);
  LaunchWords words(launch_stack(*format), rows, said);
  for (const auto& command : commands) words.read(command);
  for (const ShellWord& document : shell.documents) read_document(document, *format, said);
  ReadLaunch launch = LaunchReader(*format).read(said);
  if (shell.cut) launch.not_understood.push_back({"$", "", 0, "variables come to more than is put in"});
  return launch;
}

}  // namespace commcost
