#pragma once

#include <vector>

#include "core/parallel/ledger.h"
#include "core/parallel/pipeline.h"
#include "core/training/step_time.h"

namespace commcost {

/// One kind of message as a row of the report, timed as the step times it.
struct LedgerRow : PricedMessage {
  double line_rate_us;  ///< within nodes and between, one after the other
  bool critical_path;   ///< whether nothing hides it
  bool sent_by_stage;   ///< whether the report's stage sends it
  double quantizing_time_us;
};

/// Which stage a ledger is of.
enum class LedgerStage : std::uint8_t {
  busiest,  ///< the first of those that send most bytes
  first,
  inner,  ///< of those between first and last, the one with most experts
  last,
};
inline constexpr std::string_view ledger_stage_names[] = {"busiest", "first", "inner", "last"};

/// What a GPU of the report's stage sends.
struct LedgerSum : MessageSum {
  double line_rate_us = 0;      ///< at the links' line rates
  double critical_time_us = 0;  ///< if everything is hidden that can be
  double quantizing_time_us = 0;

  void add(const LedgerRow& row);
};

/// The same under one heading.
template <class Heading>
struct LedgerPart : LedgerSum {
  Heading heading;
  double share = 0;  ///< of the bytes sent, 0 to 1
};

/// Messages of at least `at_least_bytes` (a power of two) and less than twice that.
struct MessageSizeBin {
  double at_least_bytes;
  double calls;
  double sent_bytes_per_gpu;
};

/// The ledger of one stage, with the sums of what a GPU of it sends.
struct LedgerReport : LedgerSum {
  StagePlace stage = StagePlace::only;
  std::vector<LedgerRow> rows;
  std::vector<LedgerPart<Dimension>> by_dimension;
  std::vector<LedgerPart<Collective>> by_collective;
  std::vector<MessageSizeBin> message_sizes;
  double cluster_gpus = 0;
  double micro_batches = 0;
  double layers_per_stage = 0;
  double parameters = 0;
  double parameters_per_gpu = 0;
  double bubble_of_ideal = 0;
  double bubble_of_total = 0;
};

/// The ledger of that stage, which the layout must have, of a completed job without problems; each message
/// timed as in its step.
LedgerReport ledger_report(const StepModel& step, LedgerStage stage = LedgerStage::busiest);
inline LedgerReport ledger_report(const Job& job, LedgerStage stage = LedgerStage::busiest) {
  return ledger_report(StepModel(job), stage);
}

}  // namespace commcost
