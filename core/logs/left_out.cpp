#include "core/logs/left_out.h"

#include <algorithm>
#include <array>

#include "core/base/letters.h"
#include "core/logs/config_keys.h"

namespace commcost {
namespace {

/// A kind's name in links, and its sentence with # for each number.
struct LeftOutRow {
  std::string_view name;
  std::string_view says;
};

// In the order of the kinds.
constexpr auto rows = std::to_array<LeftOutRow>({
    {"window", "# of # layers see a window of the sequence alone; they are counted as full attention"},
    {"linear_attention", "# of # layers have linear attention; they are counted as full attention"},
    {"state_space", "# of # layers have a state space (Mamba); they are counted as full attention"},
    {"convolution", "# of # layers have a short convolution; they are counted as full attention"},
    {"sparse_attention",
     "# of # layers attend to selected or compressed tokens; they are counted as full attention"},
    {"windows", "layers that see a window alone are counted as seeing the whole sequence"},
    {"selected_tokens", "layers attend to selected or compressed tokens; they are counted as full attention"},
    {"single_blocks", "# blocks, # of them Mamba; each MLP is counted as a layer with attention"},
    {"moved_dense", "# of # layers have no experts; they are counted as the first ones"},
    {"state_beside", "the state space (Mamba) next to the attention of each layer is left out"},
    {"own_embeddings", "embeddings that each layer has of its own are left out"},
    {"shared_cache", "# layers use the keys and values of another; they are counted as having their own"},
    {"zero_experts",
     "the second attention and the dense MLP of each layer, and experts that pass tokens on as they are, "
     "are left out"},
    {"shared_width", "# is no multiple of an expert's width (#); counted as # shared experts"},
    {"low_rank_queries", "queries of low rank are counted as of full rank"},
    {"low_rank_output", "an attention output of low rank is counted as of full rank"},
    {"hyper_connections", "# residual streams side by side (hyper-connections) are counted as one"},
    {"output_gate", "the gate of the attention's output is left out"},
    {"attention_biases", "biases of the attention's matrices are left out"},
    {"further_tokens", "layers that predict further tokens are left out"},
    {"text_part", "the text part alone is read"},
});

// No layer or width is longer.
constexpr std::size_t most_digits = 12;

const LeftOutRow& row_of(LeftOut kind) {
  return rows[static_cast<std::size_t>(kind)];
}

// The numbers behind a name, each after a point; false where one is none.
bool read_numbers(std::string_view text, std::vector<std::int64_t>& numbers) {
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view digits = text.substr(0, text.find('.'));
    if (digits.empty() || digits.size() > most_digits) return false;
    std::int64_t number = 0;
    for (const char digit : digits) {
      if (!is_digit(digit)) return false;
      number = 10 * number + (digit - '0');
    }
    numbers.push_back(number);
    text.remove_prefix(digits.size());
  }
  return true;
}

// The sentence of one text; empty where it is none.
std::string sentence_of(std::string_view code) {
  const std::string_view name = code.substr(0, code.find('.'));
  const auto* row =
      std::find_if(rows.begin(), rows.end(), [&](const LeftOutRow& one) { return one.name == name; });
  std::vector<std::int64_t> numbers;
  if (row == rows.end() || !read_numbers(code.substr(name.size()), numbers)) return {};
  if (std::count(row->says.begin(), row->says.end(), '#') != static_cast<std::ptrdiff_t>(numbers.size()))
    return {};
  return left_out_words(static_cast<LeftOut>(row - rows.begin()), numbers);
}

}  // namespace

std::string left_out_words(LeftOut kind, std::span<const std::int64_t> numbers) {
  std::string words;
  std::size_t next = 0;
  for (const char letter : row_of(kind).says) {
    if (letter == '#' && next < numbers.size()) {
      words += digits_of(numbers[next++]);
    } else {
      words += letter;
    }
  }
  return words;
}

std::string left_out_code(LeftOut kind, std::span<const std::int64_t> numbers) {
  std::string code(row_of(kind).name);
  for (const std::int64_t number : numbers) code += '.' + digits_of(number);
  return code;
}

Outcome<std::vector<std::string>> left_out_of(std::string_view field, std::string_view codes) {
  std::vector<std::string> all;
  Problems problems;
  while (!codes.empty()) {
    const std::string_view code = codes.substr(0, codes.find(','));
    codes.remove_prefix(std::min(codes.size(), code.size() + 1));
    std::string words = sentence_of(code);
    if (words.empty()) {
      problems.push_back(must_be(field, ProblemCode::malformed, "as read_model_config gives it", code));
    } else {
      all.push_back(std::move(words));
    }
  }
  if (!problems.empty()) return problems;
  return all;
}

}  // namespace commcost
