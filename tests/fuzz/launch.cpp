// The reader of launches: a job whose every number is of its option, or a sentence.

#include "core/launches/launch_reader.h"

#include <cstdint>

#include "core/logs/shell_words.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t bytes = 0;
  for (const auto& command : shell_words(text).commands)
    for (const ShellWord& word : command) bytes += word.text.size();
  require(bytes <= size + longest_expansion);
  const Outcome<ReadLaunch> read = read_launch(text);
  if (!read) {
    require(!read.problems().empty());
    for (const Problem& problem : read.problems())
      require(problem.field == "arguments" && !problem.message.empty());
    return 0;
  }
  for (const ReadInput& one : read->found) require(!one.field.empty() && !one.option.empty());
  for (const NotUnderstood& one : read->not_understood) require(!one.why.empty());
  const Layout& layout = read->launched.job.layout;
  require(layout.virtual_stages >= 0 && layout.zero_stage <= 1000000000000000);
  return 0;
}
