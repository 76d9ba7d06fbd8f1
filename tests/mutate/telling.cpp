// Which switches the recorded lines of a calculation notice, and drawn inputs that notice more.
// COMMCOST_TELLING is a file of the calculation's name and the switches that nothing has noticed yet; there
// is written, a line each, what noticed some: its place among the recorded ones, or the inputs drawn.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/calculator/calculations.h"
#include "support/drawn_inputs.h"
#include "support/random_inputs.h"
#include "support/recorded_lines.h"
#include "switched.h"

namespace {

using commcost::Calculation;
using commcost::Value;
namespace test = commcost::test;

/// Seconds after which a changed calculation never ends.
constexpr unsigned endless = 10;
/// What all trials of a line may take, seconds.
constexpr double most_of_trials = 3;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Search {
 public:
  Search(const Calculation& calculation, std::vector<int> open, std::ostream& out)
      : calculation_(calculation), open_(std::move(open)), out_(out) {}

  /// Tries inputs, and writes them where they notice something.
  void attempt(const std::string& place, const Value& inputs) {
    std::memset(switched::reached, 0, sizeof switched::reached);
    const double began = processor_seconds();
    const std::string line = test::recorded_line(calculation_, inputs);
    const double took = processor_seconds() - began;
    if (place == "drawn" && took > test::most_of_a_line) return;
    std::vector<int> reached;
    for (const int id : open_)
      if (switched::reached[id] != 0) reached.push_back(id);
    std::stable_sort(reached.begin(), reached.end(), [&](int a, int b) { return tries_[a] < tries_[b]; });
    const double trials = std::ceil(most_of_trials / std::max(took, 1e-4));
    if (static_cast<double>(reached.size()) > trials) reached.resize(static_cast<std::size_t>(trials));
    for (const int id : reached) ++tries_[id];
    const std::vector<int> noticed = noticed_of(reached, inputs, line);
    if (noticed.empty()) return;
    std::erase_if(open_,
                  [&](int id) { return std::find(noticed.begin(), noticed.end(), id) != noticed.end(); });
    out_ << place << '\t';
    for (const int id : noticed) out_ << id << ' ';
    out_ << '\t' << line << std::endl;
  }

 private:
  // Changed code may do anything: it runs in a separate process, which reports for each switch whether the
  // line differs.
  std::vector<int> noticed_of(const std::vector<int>& ids, const Value& inputs, const std::string& line) {
    std::vector<int> noticed;
    std::size_t next = 0;
    while (next < ids.size()) {
      int ends[2];
      if (pipe(ends) != 0) std::abort();
      const pid_t child = fork();
      if (child == 0) {
        for (std::size_t at = next; at < ids.size(); ++at) {
          alarm(endless);
          switched::which() = ids[at];
          const char other = test::recorded_line(calculation_, inputs) != line ? 1 : 0;
          if (write(ends[1], &other, 1) != 1) _exit(1);
          // What changed code left behind would change what follows.
          if (other != 0) _exit(0);
        }
        _exit(0);
      }
      close(ends[1]);
      const std::size_t first = next;
      for (char other = 0; read(ends[0], &other, 1) == 1; ++next)
        if (other != 0) noticed.push_back(ids[next]);
      close(ends[0]);
      int status = 0;
      waitpid(child, &status, 0);
      const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      if (!fine && next < ids.size()) noticed.push_back(ids[next++]);
      if (next == first) std::abort();
    }
    return noticed;
  }

  const Calculation& calculation_;
  std::vector<int> open_;
  std::ostream& out_;
  std::map<int, int> tries_;
};

class Tells : public testing::EmptyTestEventListener {
 private:
  void OnTestProgramStart(const testing::UnitTest&) override {
    std::ifstream in(std::getenv("COMMCOST_TELLING"));
    std::string name;
    double seconds = 0;
    std::uint64_t seed = 0;
    in >> name >> seconds >> seed;
    std::vector<int> open;
    for (int id = 0; in >> id;) open.push_back(id);
    in.close();
    std::ofstream out(std::getenv("COMMCOST_TELLING"));
    for (const Calculation* calculation : commcost::all_calculations()) {
      if (calculation->name != name) continue;
      Search search(*calculation, open, out);
      const std::vector<std::string> lines = test::recorded_lines(test::recorded_file(*calculation));
      for (std::size_t at = 0; at < lines.size(); ++at)
        search.attempt(std::to_string(at), test::inputs_on(lines[at]));
      for (const std::string& line :
           test::recorded_lines(std::string(std::getenv("COMMCOST_TELLING")) + "-pool"))
        search.attempt("drawn", test::as_recorded(*calculation, test::inputs_on(line)));
      test::Random random(seed);
      const std::time_t until = std::time(nullptr) + static_cast<std::time_t>(seconds);
      while (!calculation->inputs.empty() && std::time(nullptr) < until)
        search.attempt("drawn", test::drawn_inputs(*calculation, random));
    }
    out.close();
    std::exit(0);
  }
};

const bool told = [] {
  const bool asked = std::getenv("COMMCOST_TELLING") != nullptr;
  if (asked) testing::UnitTest::GetInstance()->listeners().Append(new Tells);
  return asked;
}();

}  // namespace
