#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/hardware/network_kinds.h"
#include "core/parallel/layout.h"
#include "core/parallel/stack.h"

// What tests/data/measured_steps_2.csv says in words, as inputs of training_step: the one place to add an
// input to.
namespace commcost::validation::steps {

/// A framework of the table.
struct Framework {
  std::string_view prefix;    ///< of the column `framework`
  std::string_view family;    ///< runs that are judged together
  std::string_view recipe;    ///< id of the recipe it uses
  std::int64_t zero_stage;    ///< if the row does not say how it shards
  bool gradients_in_16_bits;  ///< as sent
  /// Whether its tensor ranks always share what lies between the matrices, as with sequence_parallel.
  bool shares_between_matrices = false;
};
const Framework* framework_of(std::string_view framework);

/// The release in a column `framework_version`, as far as it matters on a generation.
StackRelease release_of(std::string_view version, Generation generation);

/// A precision of the table.
struct Precision {
  std::string_view name;
  MatmulPrecision matmul;
};
const Precision* precision_of(std::string_view name);

/// What comes nearest to what a row recomputes; nothing where it does not say.
Recompute recompute_of(std::string_view recompute);

/// ZeRO's stage; the stack's own where the row does not say.
std::int64_t zero_stage_of(std::string_view sharding, const Framework& stack);

/// GPUs among which a row says that it shards; 0: all of them, or it does not say.
std::int64_t shard_group_of(std::string_view note, std::string_view overlap_flags);

/// Slices of TPUs, each of which shards for itself, in an id such as "maxtext-v5p-128b-2x256"; 0: none.
std::int64_t slices_of(std::string_view id);

PipelineSchedule schedule_of(std::string_view overlap_flags, std::int64_t virtual_stages);

/// What joins the nodes; none where the row does not say.
std::optional<NetworkKind> network_of(std::string_view network);

/// What the table leaves out of a model's shape.
struct ModelTraits {
  std::string_view prefix;  ///< of the column `model`
  bool tied_embeddings;
  bool biases;
};
ModelTraits traits_of(std::string_view model);

/// Id of the generation of an accelerator of the catalog.
std::string_view generation_of(std::string_view accelerator);

/// What the table counts as one GPU.
struct Counted {
  std::string_view gpu;          ///< of the column `gpu`
  std::string_view accelerator;  ///< its id in the catalog
  std::int64_t ranks = 1;        ///< of the table's degrees and micro-batches on each
};
Counted counted_as(std::string_view gpu);

}  // namespace commcost::validation::steps
