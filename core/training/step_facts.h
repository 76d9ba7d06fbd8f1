#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/measured_band.h"
#include "core/model/flops.h"
#include "core/parallel/memory.h"
#include "core/training/step_lists.h"

namespace commcost {

/// Bytes that each GPU of a stage sends for one dimension in a step.
struct DimensionBytes {
  Dimension dimension = Dimension::tensor;  ///< sequence and vocabulary count as tensor
  double scale_up = 0;                      ///< over the links of the node
  double network = 0;                       ///< between nodes
};

/// Facts about a step that do not depend on the speed of its links.
struct StepFacts {
  StepMemory memory;  ///< of the fullest GPU
  StepFlops flops;
  double peak_tflops = 0;  ///< of a GPU
  RunKind run_kind = RunKind::dense;
  StepBand band;
  std::string beyond_runs;      ///< names of the inputs that go beyond any run
  bool stack_checked = false;   ///< whether the stack's rules are known
  std::string_view stack_rule;  ///< that the layout breaks; empty: none
  double host_updates_us = 0;   ///< the host's own part of an update, on the stage where it takes longest
  double scale_up_domain = 0;   ///< GPUs that the scale-up links join
  /// What each of the distinct stages sends, once it has been asked for.
  std::array<std::optional<std::vector<DimensionBytes>>, 3> sent;
};

/// Of a completed job without problems.
StepFacts step_facts(const Job& job);

/// What a GPU of one of a step's distinct stages sends, as in the ledger.
std::vector<DimensionBytes> dimension_bytes(const Job& job, const StepLists& lists, std::size_t at,
                                            double scale_up_domain);

}  // namespace commcost
