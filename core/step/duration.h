#pragma once

namespace commcost {

/// Days that a training run takes: `tokens` at that many of the whole cluster a second; 0 where there are
/// none.
double training_days(double tokens, double tokens_per_sec);

}  // namespace commcost
