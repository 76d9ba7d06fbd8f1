#include "core/network/reduce_kernel.h"

#include "core/collective/bus_bandwidth.h"
#include "core/network/predict.h"

namespace commcost {
namespace {

double first_start_us(const Fabric& fabric, const ReduceKernelConstants& constants) {
  switch (fabric.fabric_class) {
    case FabricClass::nvlink2:
    case FabricClass::nvlink3:
      return constants.start_ampere_us;
    case FabricClass::nvlink4:
      return constants.start_hopper_us;
    case FabricClass::nvlink5:
      return constants.start_blackwell_us;
    case FabricClass::infinity_fabric:
    case FabricClass::die_mesh:
      return constants.start_infinity_us;
    default:
      return constants.start_pcie_us;
  }
}

// In a mesh a rank has only the links to its peers in the group.
double bytes_per_us(const GpuGroup& group, double share) {
  const Fabric& fabric = *group.fabric;
  const bool mesh = fabric.topology == Topology::mesh && fabric.mesh_size > 1;
  const double links =
      mesh && group.num_gpus < fabric.mesh_size ? (group.num_gpus - 1) / (fabric.mesh_size - 1) : 1;
  return fabric.link_gb_per_sec * 1e3 * links * share;
}

ReducedBy by_library(const GpuGroup& group, double bytes) {
  const Curve curve = predictor_of(group, Collective::all_reduce).curve;
  const double transfer = curve.parts(bytes).transfer_us;
  return {ReduceKernel::nccl, curve.time_us(bytes) - transfer, transfer};
}

}  // namespace

bool runs(const GpuGroup& group, ReduceKernel kernel) {
  switch (kernel) {
    case ReduceKernel::one_shot:
    case ReduceKernel::two_shot:
      return !group.spans_nodes();
    case ReduceKernel::nvls:
      return !group.spans_nodes() && group.in_network;
    default:
      return true;
  }
}

double sent_messages(ReduceKernel kernel, double ranks) {
  switch (kernel) {
    case ReduceKernel::one_shot:
      return ranks - 1;
    case ReduceKernel::nvls:
      return 1 + 1 / ranks;
    default:
      return ring_sent_bytes(Collective::all_reduce, ranks, 1);
  }
}

ReducedBy reduced_by(const GpuGroup& group, ReduceKernel kernel, double message_size_bytes,
                     const ReduceKernelConstants& constants) {
  if (group.num_gpus <= 1) return {kernel, 0, 0};
  const double ranks = group.num_gpus;
  const double transfer =
      message_size_bytes * sent_messages(kernel, ranks) / bytes_per_us(group, constants.link_share);
  const double start =
      first_start_us(*group.fabric, constants) * (1 + constants.start_for_each_rank * (ranks - 2));
  switch (kernel) {
    case ReduceKernel::one_shot:
      return {kernel, start, transfer};
    case ReduceKernel::two_shot:
      return {kernel, constants.two_shot_starts * start, transfer};
    case ReduceKernel::nvls:
      // Switches do not start ranks one after the other.
      return {kernel, constants.nvls_starts * first_start_us(*group.fabric, constants), transfer};
    case ReduceKernel::nccl:
      return by_library(group, message_size_bytes);
    case ReduceKernel::best:
      break;
  }
  ReducedBy quickest = by_library(group, message_size_bytes);
  for (const ReduceKernel one : {ReduceKernel::one_shot, ReduceKernel::two_shot, ReduceKernel::nvls}) {
    if (!runs(group, one)) continue;
    const ReducedBy other = reduced_by(group, one, message_size_bytes, constants);
    if (other.time_us() < quickest.time_us()) quickest = other;
  }
  return quickest;
}

Band reduce_kernel_band() {
  return {0.78, 1.45};
}

double reduce_kernel_error_percent() {
  return 13.3;
}

}  // namespace commcost
