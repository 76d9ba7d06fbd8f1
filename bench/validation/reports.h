#pragma once

#include <string>

namespace commcost::validation {

/// What a report is asked for.
struct Options {
  bool fit = false;      ///< the constants that the rows ask for
  bool csv = false;      ///< a table of the scoreboard, and nothing else
  bool kernels = false;  ///< of serving: the table of measured all-reduce kernels, and nothing else
  bool deployments =
      false;           ///< of serving: ten deployments at P99 next to what vendors publish, and nothing else
  bool write = false;  ///< of kernels: the source of the fitted table, and nothing else
  bool projection = false;  ///< of steps: the table of the view Projection, and nothing else
  bool other = false;       ///< of steps: how far stacks lie from the recipe `other`, and nothing else
  bool every_row = false;   ///< each row with its error
  std::string table;        ///< of steps: only tables whose name holds this, and nothing else
  std::string data;         ///< the folder tests/data
};

// How far predictions are from what was measured. Each says whether its targets hold.
namespace collectives {
bool report(const Options& options);
}
namespace steps {
bool report(const Options& options);
}
namespace kernels {
bool report(const Options& options);
}
namespace serving {
bool report(const Options& options);
}

}  // namespace commcost::validation
