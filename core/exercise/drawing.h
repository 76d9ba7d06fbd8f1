#pragma once

#include <cstdint>
#include <string_view>

#include "core/exercise/answer.h"

namespace commcost {

/// How the numbers of an activation are kept, and so how many bytes one takes.
enum class NumberFormat { fp16, bf16, fp32 };

/// The formats' names, in their order.
inline constexpr std::string_view number_format_names[] = {"fp16", "bf16", "fp32"};

/// In what an exercise states its bandwidth: bytes or bits.
enum class BandwidthUnit { gigabytes, gigabits };

/// The units as written, in their order.
inline constexpr std::string_view bandwidth_unit_names[] = {"GB/s", "Gb/s"};

/// The part of a training step that an exercise asks about; each pass over the layers sums twice a layer.
enum class ExercisePasses { forward, forward_and_backward, forward_backward_and_recompute };

/// Their names, in their order.
inline constexpr std::string_view exercise_passes_names[] = {"forward", "forward_and_backward",
                                                             "forward_backward_and_recompute"};

/// An exercise for a learner: its inputs, and the words and units in which it states them.
struct DrawnExercise {
  TensorParallelInputs inputs;                      ///< what is to be calculated with
  std::string_view model;                           ///< the model it is about; empty: none by name
  std::string_view link;                            ///< the link between the GPUs; empty: none by name
  std::int64_t num_heads = 0;                       ///< of the model's attention; 0: none by name
  NumberFormat number_format = NumberFormat::fp16;  ///< of bytes_per_element
  double stated_bandwidth = 0;                      ///< the bandwidth as stated
  BandwidthUnit stated_bandwidth_unit = BandwidthUnit::gigabytes;  ///< and its unit
  ExercisePasses passes = ExercisePasses::forward;                 ///< of allreduces_per_layer
};

/// The hardest level of draw().
inline constexpr int hardest_level = 3;

/// The exercise that belongs to `seed`, the same on every machine. Level 1: round numbers and the usual two
/// bytes, 300 GB/s and two sums a layer; 2: published models over real links, also with four bytes; 3: with
/// at least one catch: a number of GPUs that is no power of two, a bandwidth in bits, sums of the backward
/// pass too. Redrawn until every mistake that the edition knows can be told from the others
/// (`tells_mistakes_apart`) and, since the second edition, until a model's heads can be split over its GPUs
/// and its link can join these.
DrawnExercise draw(std::uint64_t seed, int level, int edition);

}  // namespace commcost
