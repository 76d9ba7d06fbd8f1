#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/field.h"
#include "core/base/outcome.h"
#include "core/base/result.h"
#include "core/calculator/complete.h"
#include "core/calculator/memories.h"

namespace commcost {

/// Runs of a calculation, one after another: the caller fills the inputs and takes the results.
class Runs {
 public:
  /// Fills the inputs of the next run; false if there is none. They keep what the last run filled in.
  virtual bool fill(void* inputs) = 0;
  /// Whether the run ends with completed inputs, which take() then receives.
  virtual bool only_completes() const { return false; }
  virtual void take(const void* results) = 0;
  virtual void refuse(const Problems& problems) = 0;

 protected:
  ~Runs() = default;
};

/// A calculation with its own inputs; these, and what its function remembers, carry over from one run to the
/// next.
class Worker {
 public:
  explicit Worker(void* inputs) : inputs_(inputs) {}
  virtual ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void* inputs() { return inputs_; }
  /// Resets the inputs to their state before any is read; keeps what is remembered.
  virtual void* cleared_inputs() = 0;
  virtual void run(Runs& runs) = 0;

 private:
  void* inputs_;
};

/// Reads a text that arrives in pieces, which may end anywhere.
class TextReader {
 public:
  virtual ~TextReader() = default;
  virtual void read(std::string_view piece) = 0;
};

/// How the text of a calculation may arrive in pieces, before its other inputs.
struct TextInPieces {
  std::string_view field;  ///< the input that holds the last piece; it need not be given
  std::unique_ptr<TextReader> (*open)();
  void (*hand_over)(TextReader& from, void* inputs);
};

/// A calculation offered to the outside: its name, its tables, and how to run it.
struct Calculation {
  std::string_view name;                                ///< as JavaScript calls it
  std::string_view help;                                ///< one line
  std::span<const FieldGroup> inputs;                   ///< its input fields
  std::span<const ResultField> results;                 ///< its result fields
  std::unique_ptr<Worker> (*open)(Memories& memories);  ///< for a first run, with what is remembered there
  std::uint32_t
      sweep_points;  ///< most points of a sweep() over it, about a second's work; 0: it can't be swept
  bool remembers;    ///< whether a worker's runs leave something for the next
  const TextInPieces* pieces = nullptr;  ///< null: its inputs arrive at once
  bool of_scenario = true;               ///< whether its inputs are a scenario's

  /// A worker that shares its memory with no other.
  std::unique_ptr<Worker> opened_alone() const {
    Memories own;
    return open(own);
  }

  /// A calculation about one thing by itself, which is not part of a scenario.
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

// What a calculation's function remembers: its second parameter.
struct Nothing {};
template <class Results, class Inputs>
Nothing memory_of(Outcome<Results> (*)(const Inputs&));
template <class Results, class Inputs, class Memory>
Memory memory_of(Outcome<Results> (*)(const Inputs&, Memory&));
template <auto Compute>
inline constexpr bool remembers = !std::is_same_v<decltype(memory_of(Compute)), Nothing>;

// Everything that depends on a calculation's types: the tables do the reading and writing.
template <class Inputs, class Results, auto Compute>
class WorkerOf final : public Worker {
 public:
  explicit WorkerOf(Memories& memories) : Worker(&inputs_) {
    if constexpr (remembers<Compute>) memory_ = memories.of<Memory>();
  }

  void* cleared_inputs() override {
    inputs_ = Inputs{};
    return &inputs_;
  }

  void run(Runs& runs) override {
    if (runs.only_completes()) {
      if (!runs.fill(&inputs_)) return;
      complete(inputs_);
      return runs.take(&inputs_);
    }
    while (runs.fill(&inputs_)) {
      const Outcome<Results> results = compute();
      if (results) {
        runs.take(&*results);
      } else {
        runs.refuse(results.problems());
      }
    }
  }

 private:
  using Memory = decltype(memory_of(Compute));

  Outcome<Results> compute() {
    if constexpr (remembers<Compute>) {
      return Compute(inputs_, *memory_);
    } else {
      return Compute(inputs_);
    }
  }

  Inputs inputs_{};
  [[no_unique_address]] std::conditional_t<remembers<Compute>, std::shared_ptr<Memory>, Nothing> memory_;
};

template <class Inputs, class Results, auto Compute>
std::unique_ptr<Worker> open(Memories& memories) {
  return std::make_unique<WorkerOf<Inputs, Results, Compute>>(memories);
}

}  // namespace detail

/// A row of the table: a core function from `Inputs`, and a memory where it keeps one from run to run, to
/// Outcome<Results>, with its names and help.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation calculation(std::string_view name, std::string_view help,
                                  std::span<const FieldGroup> inputs, std::uint32_t sweep_points = 131072) {
  return {name,
          help,
          inputs,
          Fields,
          detail::open<Inputs, Results, Compute>,
          sweep_points,
          detail::remembers<Compute>};
}

/// How the text `Text` of the inputs reaches their member `Reader` in pieces.
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

/// As calculation(), for one whose results make no sense in a sweep: catalogs, schedules, logs.
template <class Inputs, class Results, auto Compute, const auto& Fields>
constexpr Calculation unswept_calculation(std::string_view name, std::string_view help,
                                          std::span<const FieldGroup> inputs,
                                          const TextInPieces* pieces = nullptr) {
  return {name,  help, inputs, Fields, detail::open<Inputs, Results, Compute>, 0, detail::remembers<Compute>,
          pieces};
}

}  // namespace commcost
