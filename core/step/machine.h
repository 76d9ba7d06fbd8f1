#pragma once

#include <cstdint>
#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/step/gemm.h"

namespace commcost {

/// The accelerators and how they are joined; field names as they cross the boundary.
struct Machine {
  int accelerator = 0;             ///< position in all_accelerators()
  std::int64_t gpus_per_node = 8;  ///< GPUs that share the scale-up link
  double nic_gb_per_sec = 0;       ///< network, one way, per GPU; 0: as the accelerator's usual system
};

/// Factors on the machine, 1 as it is: what elasticities and what-if curves vary.
struct MachineScales {
  double link = 1;            ///< scale-up bandwidth
  double network = 1;         ///< bandwidth between nodes
  double latency = 1;         ///< of every collective
  double matmul = 1;          ///< achievable FLOP rate
  double hbm = 1;             ///< memory bandwidth
  double launch = 1;          ///< launches a second
  double overlap = 1;         ///< share of communication that can be hidden
  double matrix_traffic = 1;  ///< what thin matrices cost on top
  double pipeline_sync = 1;   ///< what a pipeline boundary costs
  double straggler = 1;       ///< spread of the replicas' times
  double data_overlap = 1;    ///< share of gradient traffic that can be hidden
};

/// The accelerator of a machine.
const Accelerator& accelerator_of(const Machine& machine);

/// The machine with the usual network in place of 0.
Machine completed(Machine machine);

/// Dense matrix peak for elements of that size, TFLOP/s: fp8, 16 bits, or tf32, else fp32, else six products
/// of 16 bits.
double matrix_peak_tflops(const Accelerator& accelerator, std::int64_t bytes_per_element);

/// Share of that peak that large GEMMs reach in training: fitted, or its measured greatest rate times what
/// the fitted accelerators reach of theirs.
double matmul_share(const Accelerator& accelerator);

/// The rates that the step model computes with.
ComputeRates compute_rates(const Machine& machine, std::int64_t bytes_per_element,
                           const MachineScales& scales);

}  // namespace commcost
