// Notes which switches each test reaches: one line per test in COMMCOST_REACHED, with its seconds and the
// switches' numbers; the first line has those reached before any test.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "switched.h"

namespace {

class Notes : public testing::EmptyTestEventListener {
 public:
  explicit Notes(const char* path) : out_(path, std::ios::app) {}

 private:
  void OnTestProgramStart(const testing::UnitTest&) override { note("", 0); }
  void OnTestEnd(const testing::TestInfo& test) override {
    note(std::string(test.test_suite_name()) + "." + test.name(),
         static_cast<double>(test.result()->elapsed_time()) / 1000);
  }

  void note(const std::string& test, double seconds) {
    out_ << "{\"test\":\"" << test << "\",\"seconds\":" << seconds << ",\"ids\":[";
    const char* between = "";
    for (int id = 0; id < static_cast<int>(std::size(switched::reached)); ++id) {
      if (switched::reached[id] == 0) continue;
      out_ << between << (switched::reached[id] == 2 ? "-" : "") << id;
      between = ",";
    }
    out_ << "]}\n";
    std::memset(switched::reached, 0, sizeof switched::reached);
  }

  std::ofstream out_;
};

const bool noted = [] {
  const char* path = std::getenv("COMMCOST_REACHED");
  if (path != nullptr) testing::UnitTest::GetInstance()->listeners().Append(new Notes(path));
  return path != nullptr;
}();

}  // namespace
