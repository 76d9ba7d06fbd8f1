#include "bench/validation/serving/kernel_rows.h"

#include <algorithm>

#include "bench/validation/csv.h"
#include "core/hardware/accelerators.h"

namespace commcost::validation::serving {
namespace {

std::string_view accelerator_of(std::string_view gpu) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"gb200", "gb200"},   {"b300", "b300"},          {"b200", "b200"},     {"h200", "h200-sxm"},
      {"h100", "h100-sxm"}, {"a100", "a100-sxm-80gb"}, {"mi355x", "mi325x"}, {"l40s", "l40s"}};
  for (const auto& [part, id] : names)
    if (gpu.starts_with(part)) return id;
  return "";
}

ReduceKernel kernel_of(std::string_view implementation) {
  if (contains(implementation, "two_shot")) return ReduceKernel::two_shot;
  if (contains(implementation, "one_shot")) return ReduceKernel::one_shot;
  if (implementation == "nvls") return ReduceKernel::nvls;
  return ReduceKernel::best;
}

// A node of eight, or the rack; over InfiniBand with a NIC of 400 Gbit/s for each GPU.
GpuGroup group_on(std::string_view accelerator, double ranks) {
  return group_of(*find_fabric(accelerator), ranks, 8, 50);
}

// DeepSeek-V3's; its kernels' own tests draw from four of the nodes (DeepEP tests/test_internode.py).
Routing routing_of(const Row& row, const GpuGroup& group) {
  constexpr double experts = 256;
  constexpr double most_nodes = 4;
  return {experts, number(row, "top_k"), group.nodes, std::min(most_nodes, group.nodes)};
}

double bytes_of_element(std::string_view type) {
  if (type == "nvfp4") return 0.5 + 1.0 / 16;
  return type == "fp8" || type == "mxfp8" ? 1 : 2;
}

}  // namespace

std::vector<ReduceRow> reduce_rows(const std::string& folder) {
  std::vector<ReduceRow> rows;
  for (const Row& row : read_csv(folder + "/small_allreduce.csv")) {
    const std::string_view implementation = text(row, "implementation");
    const std::string_view accelerator = accelerator_of(text(row, "gpu"));
    if (implementation == "nccl" || accelerator.empty() || text(row, "cuda_graph") == "no") continue;
    rows.push_back({std::string(text(row, "source").substr(0, 30)) + " " + std::string(implementation) + " " +
                        std::string(accelerator),
                    std::string(text(row, "source")), std::string(accelerator), std::string(implementation),
                    group_on(accelerator, number(row, "gpus")), kernel_of(implementation),
                    number(row, "bytes"), number(row, "time_us")});
  }
  return rows;
}

std::vector<ExchangeRow> exchange_rows(const std::string& folder) {
  std::vector<ExchangeRow> rows;
  for (const Row& row : read_csv(folder + "/moe_dispatch.csv")) {
    const std::string_view kind = text(row, "kind");
    const std::string_view accelerator = accelerator_of(text(row, "gpu"));
    const bool back = text(row, "phase") == "combine";
    if (accelerator.empty() || number(row, "time_us") <= 0 || text(row, "phase") == "prepare") continue;
    // Of other kernels one or two rows each, or by way of the network within a node.
    if (contains(kind, "pplx") || contains(kind, "torch") || contains(kind, "deepep") ||
        contains(text(row, "note"), "pure RDMA"))
      continue;
    ExchangeRow found;
    found.source = std::string(kind) + " " + std::string(accelerator);
    found.group = group_on(accelerator, number(row, "ep"));
    found.exchange.kernel = kind == "low_latency" ? ExchangeKernel::low_latency
                            : kind == "normal"    ? ExchangeKernel::normal
                                                  : ExchangeKernel::by_rank;
    found.exchange.phase = back ? ExchangePhase::combine : ExchangePhase::dispatch;
    found.exchange.tokens = number(row, "tokens");
    found.exchange.bytes_per_token =
        number(row, "hidden") * bytes_of_element(text(row, back ? "dtype_combine" : "dtype_dispatch"));
    found.exchange.routing = routing_of(row, found.group);
    found.measured_us = number(row, "time_us");
    rows.push_back(found);
  }
  return rows;
}

}  // namespace commcost::validation::serving
