#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/field.h"
#include "core/base/outcome.h"
#include "core/base/result.h"
#include "core/calculator/complete.h"

namespace commcost {

/// Runs of a calculation, one after another: who wants them fills the inputs and takes what comes out.
class Runs {
 public:
  /// Fills the inputs of the next run; false where there is none. They keep what the last one has filled.
  virtual bool fill(void* inputs) = 0;
  /// Whether the run ends with the inputs completed: take() is then given these.
  virtual bool only_completes() const { return false; }
  virtual void take(const void* results) = 0;
  virtual void refuse(const Problems& problems) = 0;

 protected:
  ~Runs() = default;
};

/// Reads a text that comes in pieces, which may end anywhere.
class TextReader {
 public:
  virtual ~TextReader() = default;
  virtual void read(std::string_view piece) = 0;
};

/// How the text of a calculation may come in pieces, before its other inputs.
struct TextInPieces {
  std::string_view field;  ///< the input that is the last piece; it need not be given
  std::unique_ptr<TextReader> (*open)();
  void (*hand_over)(TextReader& from, void* inputs);
};

/// A calculation offered to the outside: its name, its tables, and how to run it.
struct Calculation {
  std::string_view name;                 ///< as JavaScript calls it
  std::string_view help;                 ///< one line
  std::span<const FieldGroup> inputs;    ///< its input fields
  std::span<const ResultField> results;  ///< its result fields
  void (*run)(Runs& runs);
  std::uint32_t
      sweep_points;  ///< most points of a sweep() over it, about a second's work; 0: it is not swept
  const TextInPieces* pieces = nullptr;  ///< null: its inputs come at once
  bool of_scenario = true;               ///< whether its inputs are a scenario's

  /// A calculation that asks about a thing by itself, which no scenario holds.
  constexpr Calculation apart() const {
    Calculation other = *this;
    other.of_scenario = false;
    return other;
  }
};

namespace detail {

template <class Reader>
struct PieceByPiece final : TextReader {
  void read(std::string_view piece) override { reader.read(piece); }
  Reader reader;
};

// All that depends on a calculation's types: reading and writing go by the tables.
template <class Inputs, class Results, auto Compute>
void run(Runs& runs) {
  Inputs inputs{};
  while (runs.fill(&inputs)) {
    if (runs.only_completes()) {
      complete(inputs);
      return runs.take(&inputs);
    }
    const Outcome<Results> results = Compute(inputs);
    if (results) {
      runs.take(&*results);
    } else {
      runs.refuse(results.problems());
    }
  }
}

}  // namespace detail

/// A row of the table: a core function from `Inputs` to Outcome<Results>, with its names and help.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation calculation(std::string_view name, std::string_view help,
                                  std::span<const FieldGroup> inputs, std::uint32_t sweep_points = 131072) {
  return {name, help, inputs, Fields, detail::run<Inputs, Results, Compute>, sweep_points};
}

/// How the text `Text` of the inputs comes in pieces to their member `Reader`.
template <auto Text, auto Reader>
inline constexpr TextInPieces text_in_pieces = {
    detail::member_name<Text>,
    []() -> std::unique_ptr<TextReader> {
      return std::make_unique<detail::PieceByPiece<detail::TypeOf<Reader>>>();
    },
    [](TextReader& from, void* inputs) {
      static_cast<detail::OwnerOf<Reader>*>(inputs)->*Reader =
          std::move(static_cast<detail::PieceByPiece<detail::TypeOf<Reader>>&>(from).reader);
    }};

/// As calculation(), for one whose results no sweep makes sense of: catalogs, schedules, logs.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation unswept_calculation(std::string_view name, std::string_view help,
                                          std::span<const FieldGroup> inputs,
                                          const TextInPieces* pieces = nullptr) {
  return {name, help, inputs, Fields, detail::run<Inputs, Results, Compute>, 0, pieces};
}

}  // namespace commcost
