#pragma once

namespace commcost {

/// Communication beside compute: what is hidden, and what hiding it costs.
struct Hiding {
  double hidden_us = 0;     ///< communication that takes no time of its own
  double slow_down_us = 0;  ///< compute lost meanwhile: both use the same memory and processors
  /// What the step still pays.
  double exposed_us(double communication_us) const { return communication_us - hidden_us + slow_down_us; }
};

/// `communication_us` beside `compute_us`, of which `share` (0 to 1) can be hidden; compute runs slower
/// meanwhile. The slow-down's factor as Hetu-Galvatron profiled it: 1.1256.
Hiding hide(double communication_us, double compute_us, double share);

/// Time until both of two queues that feed each other are done, us: the longer, and more where they are
/// alike. The fourth-power mean, (a^4 + b^4)^(1/4): at most 19 % above the longer.
double joint_us(double device_us, double host_us);

}  // namespace commcost
