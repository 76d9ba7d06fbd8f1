#include "core/logs/shell_words.h"

#include <algorithm>
#include <utility>

#include "core/base/letters.h"

namespace commcost {
namespace {

bool is_name(char c) {
  return is_alphanumeric(c) || c == '_';
}
bool is_blank_char(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

class ShellReader {
 public:
  explicit ShellReader(std::string_view text) : text_(text) {}

  ShellText read() && {
    while (at_ < text_.size()) step();
    end_command();
    return std::move(read_);
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool looks_at(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  void pass_line() {
    if (here() == '\n') ++line_;
    ++at_;
  }

  void step() {
    const char c = here();
    if (c == '\n') return end_line();
    if (is_blank_char(c)) return end_word();
    if (c == '#' && !begun_) return pass_comment();
    if (c == ')' && in_array_) return end_array();
    if (c == '(' && begins_array()) return begin_array();
    if (!in_array_ && looks_at("<<")) return begin_document();
    if (!in_array_ && (c == ';' || c == '&' || c == '|' || c == '(' || c == ')')) return end_of_part();
    begin_word();
    if (c == '\\') return pass_escape();
    if (c == '\'') return pass_quoted();
    if (c == '"') return pass_double_quoted();
    if (c == '$') return expand(false);
    add(c);
    ++at_;
  }

  void begin_word() {
    if (!begun_) word_ = {"", line_};
    begun_ = true;
  }
  void add(char c) { word_.text += c; }

  void end_word() {
    finish_word();
    if (at_ < text_.size()) ++at_;
  }
  void end_of_part() {
    end_command();
    ++at_;
  }
  void end_line() {
    if (in_array_) {
      finish_word();
      return pass_line();
    }
    end_command();
    pass_line();
    for (const std::string& delimiter : delimiters_) read_document(delimiter);
    delimiters_.clear();
  }

  void finish_word() {
    if (!begun_) return;
    begun_ = false;
    (in_array_ ? array_ : command_).push_back(std::move(word_));
  }

  // Assignments before a command, and commands that only assign.
  void end_command() {
    finish_word();
    if (in_array_) end_array();
    auto word = command_.begin();
    while (word != command_.end()) {
      if (word->text == "export" || word->text == "declare" || word->text == "local") {
        ++word;
      } else if (!assign(*word)) {
        break;
      } else {
        ++word;
      }
    }
    command_.erase(command_.begin(), word);
    if (!command_.empty()) read_.commands.push_back(std::move(command_));
    command_.clear();
  }

  // The end of NAME= or NAME+= at the start of a word; 0 if there is none.
  static std::size_t end_of_name(std::string_view word) {
    std::size_t end = 0;
    while (end < word.size() && is_name(word[end])) ++end;
    if (end == 0 || is_digit(word[0])) return 0;
    if (word.substr(end, 2) == "+=") return end + 2;
    return word.substr(end, 1) == "=" ? end + 1 : 0;
  }

  bool assign(const ShellWord& word) {
    const std::size_t end = end_of_name(word.text);
    if (end == 0) return false;
    const bool appends = word.text[end - 2] == '+';
    auto& value = read_.variables[word.text.substr(0, end - (appends ? 2 : 1))];
    const std::string said = word.text.substr(end);
    if (appends && !value.empty()) {
      value.back().text += said;
    } else {
      value = {{said, word.line}};
    }
    return true;
  }

  // An array is assigned where a word is only NAME=.
  bool begins_array() const {
    return begun_ && !in_array_ && !word_.text.empty() && end_of_name(word_.text) == word_.text.size();
  }
  void begin_array() {
    in_array_ = true;
    begun_ = false;
    name_ = std::move(word_.text);
    array_.clear();
    ++at_;
  }
  void end_array() {
    finish_word();
    in_array_ = false;
    const bool appends = name_[name_.size() - 2] == '+';
    auto& value = read_.variables[name_.substr(0, name_.size() - (appends ? 2 : 1))];
    if (!appends) value.clear();
    std::move(array_.begin(), array_.end(), std::back_inserter(value));
    array_.clear();
    if (here() == ')') ++at_;
  }

  void pass_comment() {
    while (at_ < text_.size() && here() != '\n') ++at_;
  }
  void pass_escape() {
    ++at_;
    if (here() == '\r') ++at_;
    if (here() == '\n') {
      // The command goes on, and this word has not begun yet.
      if (word_.text.empty()) begun_ = false;
      return pass_line();
    }
    if (at_ < text_.size()) add(text_[at_++]);
  }
  void pass_quoted() {
    ++at_;
    while (at_ < text_.size() && here() != '\'') {
      add(here());
      pass_line();
    }
    ++at_;
  }
  void pass_double_quoted() {
    ++at_;
    while (at_ < text_.size() && here() != '"') {
      if (here() == '$') {
        expand(true);
      } else if (here() == '\\' && at_ + 1 < text_.size()) {
        const char next = text_[at_ + 1];
        ++at_;
        if (next != '\n' && next != '"' && next != '\\' && next != '$' && next != '`') add('\\');
        if (next != '\n') add(next);
        pass_line();
      } else {
        add(here());
        pass_line();
      }
    }
    ++at_;
  }

  // $NAME, ${NAME}, ${NAME[@]}, ${NAME:-otherwise}; anything else is kept as it is written.
  void expand(bool quoted) {
    const std::size_t begin = at_++;
    if (here() == '(') return keep_to_the_bracket(begin);
    const bool braced = here() == '{';
    if (braced) ++at_;
    const std::size_t name = at_;
    while (at_ < text_.size() && is_name(here())) ++at_;
    const std::string key(text_.substr(name, at_ - name));
    if (!braced) return put_in(key, quoted, text_.substr(begin, at_ - begin));
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) return keep(begin, text_.size());
    std::string_view rest = text_.substr(at_, end - at_);
    line_ += static_cast<double>(std::count(rest.begin(), rest.end(), '\n'));
    at_ = end + 1;
    if (rest.starts_with("[@]") || rest.starts_with("[*]")) rest.remove_prefix(3);
    const bool otherwise = rest.starts_with(":-") || rest.starts_with('-');
    if (otherwise) rest.remove_prefix(rest.find('-') + 1);
    if (!rest.empty() && !otherwise) return keep(begin, at_);
    put_in(key, quoted, otherwise ? rest : text_.substr(begin, at_ - begin));
  }

  void keep(std::size_t begin, std::size_t end) {
    word_.text += text_.substr(begin, end - begin);
    at_ = end;
  }
  void keep_to_the_bracket(std::size_t begin) {
    std::size_t depth = 0;
    do {
      depth += here() == '(' ? 1 : 0;
      depth -= here() == ')' ? 1 : 0;
      pass_line();
    } while (depth > 0 && at_ < text_.size());
    keep(begin, std::min(at_, text_.size()));
  }

  // After a variable's first word each of its words starts a new one; what is not quoted is split at blanks.
  void put_in(const std::string& key, bool quoted, std::string_view otherwise) {
    const auto found = read_.variables.find(key);
    if (found == read_.variables.end()) {
      word_.text += otherwise;
      return;
    }
    bool first = true;
    for (const ShellWord& word : found->second) {
      expanded_ += word.text.size() + 1;
      if (expanded_ > longest_expansion) {
        read_.cut = true;
        return;
      }
      if (!first) {
        next_word(word.line);
      } else if (word_.text.empty()) {
        word_.line = word.line;
      }
      first = false;
      if (quoted) {
        word_.text += word.text;
      } else {
        add_words(word);
      }
    }
    if (found->second.empty() && word_.text.empty()) begun_ = false;
  }
  void next_word(double line) {
    finish_word();
    word_ = {"", line};
    begun_ = true;
  }
  void add_words(const ShellWord& word) {
    bool blank = false;
    for (const char c : word.text) {
      if (is_blank_char(c) || c == '\n') {
        blank = true;
        continue;
      }
      if (blank && !word_.text.empty()) next_word(word.line);
      blank = false;
      add(c);
    }
  }

  void begin_document() {
    finish_word();
    at_ += 2;
    if (here() == '<') {  // <<<: a word, not a document
      ++at_;
      return;
    }
    if (here() == '-') ++at_;
    while (is_blank_char(here())) ++at_;
    std::string delimiter;
    while (at_ < text_.size() && !is_blank_char(here()) && here() != '\n' && here() != ';' && here() != '|') {
      if (here() != '\'' && here() != '"' && here() != '\\') delimiter += here();
      ++at_;
    }
    if (!delimiter.empty()) delimiters_.push_back(std::move(delimiter));
  }
  void read_document(const std::string& delimiter) {
    ShellWord document{"", line_};
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      ++line_;
      const std::size_t begin = line.find_first_not_of('\t');
      if (begin != std::string_view::npos && line.substr(begin) == delimiter) break;
      document.text.append(line) += '\n';
    }
    read_.documents.push_back(std::move(document));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  double line_ = 1;
  ShellText read_;
  std::vector<ShellWord> command_;
  ShellWord word_;
  bool begun_ = false;
  std::vector<ShellWord> array_;
  std::string name_;
  bool in_array_ = false;
  std::vector<std::string> delimiters_;
  std::size_t expanded_ = 0;
};

}  // namespace

ShellText shell_words(std::string_view text) {
  return ShellReader(text).read();
}

}  // namespace commcost
