#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// The kinds of exercise besides the four-number one, in the order of the track.
enum class ExerciseTrack {
  ring_rounds,  ///< how a ring goes: rounds, chunks, bytes
  partition,    ///< columns, then rows: what is held and what is summed
  latency,      ///< latency against bandwidth
  utilization,  ///< bus bandwidth over the link's
  node_border,  ///< the ring that leaves the node
  ratio,        ///< communication over computation
  memory,       ///< what tensor parallelism saves
  overlap,      ///< what compute hides
  layout,       ///< degrees, micro-batches, bubble
};

/// Their names in links and calls, in their order.
inline constexpr std::string_view exercise_track_names[] = {"ring_rounds", "partition",   "latency",
                                                            "utilization", "node_border", "ratio",
                                                            "memory",      "overlap",     "layout"};

/// The numbers of an exercise, in the order of its table; those it asks for likewise.
using ExerciseValues = const double*;

/// A number that a kind of exercise gives.
struct ExerciseInput {
  std::string_view name;          ///< snake_case, as in texts between braces
  std::string_view label;         ///< in words
  std::string_view unit;          ///< such as "GB/s"; empty: a count
  std::span<const double> round;  ///< what the first level draws from; empty: nothing
  std::span<const double> real;   ///< what the second draws from
  double (*made)(ExerciseValues in,
                 double drawn) = nullptr;  ///< computed from the earlier ones and the one drawn, if any
};

/// A number that it asks for, computed from those given and those asked for before it.
struct ExerciseResult {
  std::string_view name;
  std::string_view label;
  std::string_view unit;
  double (*value)(ExerciseValues in, ExerciseValues before);
  std::string_view idea;     ///< first hint: what the learner has to see
  std::string_view formula;  ///< second hint
  std::string_view numbers;  ///< third: the formula with the numbers, by name between braces
  /// The choices; the value is the number of the right one, from 1. Empty: a number is asked for.
  std::span<const std::string_view> choices = {};
};

/// A known mistake in one of its results.
struct ExerciseMistake {
  int result;                                                 ///< which, from 0
  std::string_view words;                                     ///< what went wrong, addressed to the learner
  double (*value)(ExerciseValues in, ExerciseValues before);  ///< NaN: with these numbers it is no mistake
  bool may_coincide = false;  ///< whether another mistake may give the same number: then both are named
};

/// Whether it is about a ring of its `n` GPUs, whose laps are then drawn.
enum class ExerciseRing { none, drawn };

/// Whether a layout of its cluster is also chosen, and judged by how much longer its step takes than the
/// fastest.
enum class ExerciseChoice { none, layout };

/// A kind of exercise: everything known about it.
struct ExerciseKind {
  ExerciseTrack track;        ///< which it is
  std::string_view title;     ///< in words
  std::string_view question;  ///< with its numbers by name between braces
  std::span<const ExerciseInput> inputs;
  std::span<const ExerciseResult> results;
  std::span<const ExerciseMistake> mistakes;
  ExerciseRing ring = ExerciseRing::none;
  /// Whether the numbers drawn pose the question at all; null: all of them do.
  bool (*asks)(ExerciseValues in) = nullptr;
  ExerciseChoice choice = ExerciseChoice::none;
  int edition = 1;  ///< of exercises, which says what is not drawn
};

/// The most numbers that a kind gives, and asks for.
inline constexpr int most_exercise_inputs = 6;
inline constexpr int most_exercise_results = 4;

/// Every kind of an edition, in that order. Links that name none were made of the first.
std::span<const ExerciseKind> exercise_kinds(int edition);

}  // namespace commcost
