#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "core/calculator/engine.h"
#include "support/csv.h"

namespace commcost {
namespace {

// Tables of tests/data/ledgers, derived by hand from what Megatron does: what each GPU sends, with the
// arithmetic in words. Their heads hold the inputs: "#= name value".

std::string path_of(const std::string& name) {
  return test::data_file("ledgers/" + std::string(name) + ".csv");
}

Value value_in(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' ? Value(number) : Value(text);
}

Value::Object inputs_of_case(const std::string& name) {
  Value::Object inputs;
  std::ifstream file(path_of(name));
  std::string mark;
  std::string field;
  std::string value;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (words >> mark >> field >> value && mark == "#=") inputs.push_back({field, value_in(value)});
  }
  return inputs;
}

/// What one kind of call comes to, however many rows say it.
struct Sum {
  double calls = 0;
  double sent_bytes = 0;
  std::string said;  ///< how the table comes to it
};
using Sums = std::map<std::string, Sum>;

void add(Sums& sums, const std::string& key, double calls, double sent_bytes, const std::string& said) {
  Sum& sum = sums[key];
  sum.calls += calls;
  sum.sent_bytes += sent_bytes;
  sum.said += said + "\n";
}

Sums by_hand(const std::string& name) {
  Sums sums;
  for (const test::CsvRow& row : test::read_csv(path_of(name))) {
    std::string key;
    for (const char* column : {"dimension", "phase", "part", "collective", "stages"})
      key += row.at(column) + " ";
    add(sums, key + "of " + row.at("group_size"), row.number("calls"), row.number("sent_bytes_per_gpu"),
        row.at("arithmetic"));
  }
  return sums;
}

Sums by_the_engine(const std::string& name) {
  Sums sums;
  const auto ledger = run("communication_ledger", inputs_of_case(name));
  if (!ledger) {
    ADD_FAILURE() << ledger.problems()[0].message;
    return sums;
  }
  for (const Value& row : *ledger->find("rows")->list()) {
    std::string key;
    for (const char* column : {"dimension", "phase", "part", "collective", "stages"}) {
      key += *row.find(column)->text() + " ";
    }
    add(sums, key + "of " + text_of(*row.find("group_size")), *row.find("calls")->number(),
        *row.find("sent_bytes_per_gpu")->number(), "");
  }
  return sums;
}

class HandLedger : public testing::TestWithParam<const char*> {};

// Enabled once the ledger is rewritten: it differs where it is known to be wrong.
TEST_P(HandLedger, IsTheEngines) {
  const Sums expected = by_hand(GetParam());
  const Sums got = by_the_engine(GetParam());
  ASSERT_FALSE(expected.empty());
  for (const auto& [key, sum] : expected) {
    const auto found = got.find(key);
    if (found == got.end()) {
      ADD_FAILURE() << "the engine does not send " << key << ", " << sum.sent_bytes << " bytes: " << sum.said;
      continue;
    }
    EXPECT_NEAR(found->second.sent_bytes, sum.sent_bytes, 1e-9 * sum.sent_bytes) << key << ": " << sum.said;
    EXPECT_EQ(found->second.calls, sum.calls) << key << ": " << sum.said;
  }
  for (const auto& [key, sum] : got) {
    EXPECT_EQ(expected.count(key), 1u)
        << "only the engine sends " << key << ", " << sum.sent_bytes << " bytes";
  }
}

// What a row claims must follow from its own elements and calls.
TEST_P(HandLedger, MultipliesOut) {
  for (const test::CsvRow& row : test::read_csv(path_of(GetParam()))) {
    const std::string& collective = row.at("collective");
    const double others = row.number("group_size") - 1;
    const double share = collective == "send_receive" ? 1
                         : collective == "all_reduce" ? 2 * others / row.number("group_size")
                                                      : others / row.number("group_size");
    EXPECT_NEAR(row.number("sent_bytes_per_gpu"),
                share * row.number("message_size_bytes") * row.number("calls"),
                1e-12 * row.number("sent_bytes_per_gpu"))
        << row.line();
    const double width = row.number("message_size_bytes") / row.number("message_elements");
    EXPECT_TRUE(width == 2 || width == 4) << row.line();
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HandLedger,
                         testing::Values("gpt3_175b", "llama_3_1_70b_zero_1", "llama_3_1_70b_zero_2",
                                         "llama_3_1_70b_zero_3", "llama_3_1_405b_all_gather",
                                         "llama_3_1_405b_ring", "mixtral_8x7b", "deepseek_v3_pp16_ep64",
                                         "deepseek_v3_tp8_ep32"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace commcost
