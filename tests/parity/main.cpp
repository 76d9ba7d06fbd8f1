// Runs a calculation on random inputs that are the same in every build, and writes its results or compares
// them with those written by another build.
//
//   parity list                                     the calculations
//   parity write CALCULATION COUNT SEED FILE        results to the file
//   parity numbers                                  what each line of the input spells
//   parity compare CALCULATION COUNT SEED FILE      own results next to those in it

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/number_text.h"
#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/random_inputs.h"

namespace commcost::parity {
namespace {

// Answers one after the other, each as it crosses the boundary behind a u32 of its length.
class Answers {
 public:
  Answers(const char* path, const char* mode) : file_(std::fopen(path, mode)) {}
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  ~Answers() {
    if (file_ != nullptr) std::fclose(file_);
  }

  bool open() const { return file_ != nullptr; }
  std::size_t bytes() const { return bytes_; }

  void write(const std::string& answer) {
    const auto size = static_cast<std::uint32_t>(answer.size());
    std::fwrite(&size, sizeof size, 1, file_);
    std::fwrite(answer.data(), 1, size, file_);
    bytes_ += sizeof size + size;
  }

  std::string read() {
    std::uint32_t size = 0;
    if (std::fread(&size, sizeof size, 1, file_) != 1) return {};
    std::string answer(size, '\0');
    answer.resize(std::fread(answer.data(), 1, size, file_));
    bytes_ += sizeof size + size;
    return answer;
  }

 private:
  std::FILE* file_;
  std::size_t bytes_ = 0;
};

// The first place where two values differ, in words; empty where they do not.
std::string difference(const std::string& path, const Value& here, const Value& there) {
  const Value::Object* members = here.object();
  const Value::List* list = here.list();
  if (members != nullptr && there.object() != nullptr && members->size() == there.object()->size()) {
    for (std::size_t i = 0; i < members->size(); ++i) {
      const std::string name = path + "." + (*members)[i].name;
      std::string found = difference(name, (*members)[i].value, (*there.object())[i].value);
      if (!found.empty()) return found;
    }
    return "";
  }
  if (list != nullptr && there.list() != nullptr && list->size() == there.list()->size()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      std::string found = difference(path + "[" + std::to_string(i) + "]", (*list)[i], (*there.list())[i]);
      if (!found.empty()) return found;
    }
    return "";
  }
  WireBytes mine;
  WireBytes other;
  WireWriter(mine).value(here);
  WireWriter(other).value(there);
  return mine == other ? "" : path + ": " + text_of(here) + " here, " + text_of(there) + " there";
}

Value value_on(const std::string& answer, const Calculation& calculation) {
  WireReader from(answer);
  return read_value(from, calculation.results);
}

// The results of random inputs, or the problems.
std::string answer_to(const Calculation& calculation, const Value& inputs, std::size_t& accepted) {
  WireBytes given;
  WireWriter(given).value(inputs);
  WireBytes answer;
  WireWriter to(answer);
  const Problems problems = run(calculation, WireReader(given), to);
  if (problems.empty()) {
    ++accepted;
    return std::string(std::string_view(answer));
  }
  answer.clear();
  WireWriter(answer).value(value_of(problems));
  return std::string(std::string_view(answer));
}

// Schedules and ledgers are long: answers of so many bytes an input say enough.
constexpr std::size_t bytes_an_input = 1024;

int go_through(const Calculation& calculation, std::size_t most, std::uint64_t seed, Answers& answers,
               bool compare) {
  // A catalog answers always the same.
  const std::size_t count = calculation.inputs.empty() ? 1 : most;
  test::Random random(seed);
  std::size_t accepted = 0;
  std::size_t done = 0;
  for (; done < count && answers.bytes() < count * bytes_an_input; ++done) {
    const std::string answer = answer_to(calculation, test::random_inputs(calculation, random), accepted);
    if (!compare) {
      answers.write(answer);
      continue;
    }
    const std::string other = answers.read();
    if (answer == other) continue;
    std::printf("input %zu of seed %llu: %s\n", done, static_cast<unsigned long long>(seed),
                difference("", value_on(answer, calculation), value_on(other, calculation)).c_str());
    return EXIT_FAILURE;
  }
  std::printf("{\"inputs\": %zu, \"accepted\": %zu}\n", done, accepted);
  return EXIT_SUCCESS;
}

int list() {
  for (const Calculation* calculation : all_calculations()) {
    std::printf("%.*s\n", static_cast<int>(calculation->name.size()), calculation->name.data());
  }
  return EXIT_SUCCESS;
}

// In hexadecimal digits of its bits, which no rounding blurs; a line for each line.
int numbers() {
  std::string text;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      text += static_cast<char>(c);
      continue;
    }
    const std::optional<double> number = parse_number(text);
    if (number) {
      // Debian's em++ has no std::bit_cast.
      unsigned long long bits = 0;
      static_assert(sizeof bits == sizeof *number);
      std::memcpy(&bits, &*number, sizeof bits);
      std::printf("%016llx\n", bits);
    } else {
      std::printf("none\n");
    }
    text.clear();
  }
  return EXIT_SUCCESS;
}

int main(std::span<char*> arguments) {
  if (arguments.size() == 2 && std::string_view(arguments[1]) == "numbers") return numbers();
  if (arguments.size() == 2 && std::string_view(arguments[1]) == "list") return list();
  const bool compare = arguments.size() == 6 && std::string_view(arguments[1]) == "compare";
  const Calculation* calculation = arguments.size() == 6 ? find_calculation(arguments[2]) : nullptr;
  if (calculation == nullptr) {
    std::fprintf(stderr, "usage: parity list | numbers | (write|compare) CALCULATION COUNT SEED FILE\n");
    return EXIT_FAILURE;
  }
  Answers answers(arguments[5], compare ? "rb" : "wb");
  if (!answers.open()) {
    std::fprintf(stderr, "cannot open %s\n", arguments[5]);
    return EXIT_FAILURE;
  }
  return go_through(*calculation, std::strtoul(arguments[3], nullptr, 10),
                    std::strtoull(arguments[4], nullptr, 10), answers, compare);
}

}  // namespace
}  // namespace commcost::parity

int main(int count, char** arguments) {
  return commcost::parity::main({arguments, static_cast<std::size_t>(count)});
}
