#pragma once

#include "core/collective/token_exchange.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The constants: `validation serving --fit` over tests/data/moe_dispatch.csv.
struct ExchangeConstants {
  double start_hopper_us = 10.7;     ///< of a dispatch of one token, by generation
  double start_blackwell_us = 16.4;  ///< NVLink 5
  double normal_starts = 3;          ///< of a kernel that counts first
  double combine_starts = 1.2;       ///< of the way back
  double network_starts = 2.1;       ///< of one that leaves the domain
  double link_share = 0.54;          ///< of the link's rate that kernels reach
  double network_share = 0.92;       ///< of the NIC's
};

/// The fitted values.
inline constexpr ExchangeConstants exchange_constants{};

/// How long an exchange of tokens over the ranks of a group takes, us.
double exchange_us(const GpuGroup& group, const TokenExchange& exchange,
                   const ExchangeConstants& constants = exchange_constants);

}  // namespace commcost
