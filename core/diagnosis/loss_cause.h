#pragma once

#include <cstdint>
#include <string_view>

namespace commcost {

/// Why a step takes longer than it should.
enum class LossCause : std::uint8_t {
  slow_matmuls,      ///< matrix products are slower than they are elsewhere
  slow_attention,    ///< the attention core is slower
  slow_elementwise,  ///< all other kernels are slower
  throttled_clocks,  ///< the GPUs' clocks are held down
  more_work,         ///< kernels run that the job does not ask for, such as recomputation
  slow_links,        ///< collectives within a node
  slow_network,      ///< collectives between nodes
  not_overlapped,    ///< communication that compute should hide
  host,              ///< the GPU waits for launches
  input,             ///< nothing runs for long: data, checkpoints
  pipeline_bubble,   ///< stages wait longer for each other than the schedule asks for
  stage_imbalance,   ///< one stage computes longer than the others
  straggler,         ///< one GPU computes longer than others of its kind
  stalls,            ///< single steps take far longer
  drift,             ///< steps get slower as the run goes on
  warm_up,           ///< the first steps of the log
};
inline constexpr std::string_view loss_cause_names[] = {"slow_matmuls",
                                                        "slow_attention",
                                                        "slow_elementwise",
                                                        "throttled_clocks",
                                                        "more_work",
                                                        "slow_links",
                                                        "slow_network",
                                                        "not_overlapped",
                                                        "host",
                                                        "input",
                                                        "pipeline_bubble",
                                                        "stage_imbalance",
                                                        "straggler",
                                                        "stalls",
                                                        "drift",
                                                        "warm_up"};

/// A cause in words, and the command that confirms it.
struct LossCauseRow {
  LossCause cause;
  std::string_view title;    ///< as shown in the waterfall
  std::string_view command;  ///< to run next
};

/// The row of a cause.
const LossCauseRow& row_of(LossCause cause);

}  // namespace commcost
