#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace commcost {

/// A word of a command, and the line where it is written, from 1.
struct ShellWord {
  std::string text;
  double line = 0;
};

/// What a shell would run, with variables expanded that the same text sets; one that is not set stays as it
/// is written.
struct ShellText {
  std::vector<std::vector<ShellWord>> commands;
  std::vector<ShellWord> documents;                         ///< text between <<EOF and EOF
  std::map<std::string, std::vector<ShellWord>> variables;  ///< one word, or those of an array
  bool cut = false;  ///< whether variables expanded to more than is kept
};

/// Bytes that variables may expand to, all together.
inline constexpr std::size_t longest_expansion = 1048576;

/// Parses a script as a POSIX shell does, with bash's arrays: quotes, backslashes, comments, assignments,
/// documents. Runs nothing: $(…) and $((…)) stay as they are written.
ShellText shell_words(std::string_view text);

}  // namespace commcost
