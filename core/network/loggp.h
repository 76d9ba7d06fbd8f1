#pragma once

#include <span>

#include "core/collective/kind.h"
#include "core/network/fit.h"

namespace commcost {

/// The LogGP model of a machine (Alexandrov et al., SPAA 1995): a message of k bytes takes o + (k-1) G + L +
/// o, and a rank starts one message every g at most. A log of whole collectives determines only L + 2o: L is
/// NCCL's latency of a hop, o half of the rest.
struct LogGp {
  double latency_us = 0;             ///< L: on the wire
  double overhead_us = 0;            ///< o: of sending, and of receiving, a message
  double gap_us = 0;                 ///< g: between two messages that follow each other
  double gap_per_byte_ns = 0;        ///< G: a byte of a long message
  double ranks = 0;                  ///< P
  double error_percent = 0;          ///< of the fit, median absolute
  double alpha_us = 0;               ///< of Hockney's model fitted to the same times: latency of a message
  double bandwidth_gb_per_sec = 0;   ///< and its rate
  double hockney_error_percent = 0;  ///< of that fit, median absolute
  bool differs =
      false;  ///< whether g explains more than its being fitted costs (Bayesian information criterion)
};

/// Bytes that go out as one message: a slice of NCCL's buffers (4 MiB in eight steps).
inline constexpr double message_slice_bytes = 524288;

/// The time of a message in a ring of `ranks` (>= 2) by both models: rounds of a chunk each, cut into slices
/// that follow each other.
double loggp_us(const LogGp& model, Collective collective, double message_size_bytes);

/// Both models fitted to a log by least squares on log time, as fit_curve; `hop_us` is NCCL's latency of a
/// hop. Zero where the log has fewer than four sizes or its ranks are not known.
LogGp fit_loggp(std::span<const TimedMessage> points, Collective collective, double ranks, double hop_us);

}  // namespace commcost
