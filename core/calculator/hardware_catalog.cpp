#include <vector>

#include "core/calculator/calculations.h"
#include "core/hardware/accelerators.h"
#include "core/hardware/links.h"
#include "core/hardware/systems.h"

namespace commcost::calculations {

/// What hardware_catalog gives.
struct HardwareCatalog {
  std::span<const Accelerator> accelerators = all_accelerators();
  std::span<const Link> links = all_links();
  std::span<const NetworkKindRow> networks = network_kinds;
  std::span<const System> systems = all_systems();
};

namespace {

struct Nothing {};

using Catalog = HardwareCatalog;

constexpr ResultField accelerator_columns[] = {
    result<&Accelerator::id>("id", "", "Name in links and calls"),
    result<&Accelerator::name>("name", "", "Name as written"),
    result<&Accelerator::memory_gb>("memory_gb", "GB", "Memory, as the vendor prints it"),
    result<&Accelerator::hbm_gb_per_sec>("hbm_gb_per_sec", "GB/s", "Memory bandwidth"),
    result<&Accelerator::fp32_tflops>("fp32_tflops", "TFLOP/s", "Vector peak; 0: no figure"),
    result<&Accelerator::tf32_tflops>("tf32_tflops", "TFLOP/s", "Dense matrix peak; 0: no figure"),
    result<&Accelerator::bf16_tflops>(
        "bf16_tflops", "TFLOP/s", "Dense matrix peak of 16 bits: bf16, or fp16 where bf16 does not exist"),
    result<&Accelerator::fp16_tflops>("fp16_tflops", "TFLOP/s", "Dense matrix peak; 0: no such format"),
    result<&Accelerator::fp8_tflops>("fp8_tflops", "TFLOP/s", "Dense matrix peak; 0: no such format"),
    result<&Accelerator::fp4_tflops>("fp4_tflops", "TFLOP/s", "Dense matrix peak; 0: no such format"),
    result<&Accelerator::achievable_tflops>("achievable_tflops", "TFLOP/s",
                                            "Greatest measured bf16 matrix rate; 0: not measured"),
    result<&Accelerator::link>("link", "", "Id of its scale-up link"),
    result<&Accelerator::host_link>("host_link", "", "Id of its link to the host; empty: not known"),
    result<&Accelerator::source>("source", "", "Where the figures come from"),
};

constexpr ResultField link_columns[] = {
    result<&Link::id>("id", "", "Name in links and calls"),
    result<&Link::name>("name", "", "Name as written"),
    choice_result<&Link::link_class>("link_class", link_class_names, "Where it is used"),
    result<&Link::bandwidth_gb_per_sec>("bandwidth_gb_per_sec", "GB/s", "One way, per accelerator"),
    result<&Link::made_of>("made_of", "", "How the bandwidth comes about"),
    result<&Link::source>("source", "", "Where the figure comes from"),
};

constexpr ResultField system_columns[] = {
    result<&System::id>("id", "", "Name in links and calls"),
    result<&System::name>("name", "", "Name as written"),
    result<&System::accelerator>("accelerator", "", "Id of its accelerator"),
    result<&System::gpus_per_node>("gpus_per_node", "GPUs", "Accelerators in one scale-up domain"),
    result<&System::gpus_per_host>("gpus_per_host", "GPUs", "Accelerators of one host; 0: gpus_per_node"),
    result<&System::nic_gb_per_sec>("nic_gb_per_sec", "GB/s", "Network, one way, per accelerator"),
    result<&System::nics>("nics", "", "How the network's rate comes about"),
    optional_choice_result<&System::network, network_kind_names>("network",
                                                                 "What joins the nodes; empty: not said"),
    optional_choice_result<&System::launch, launch_names>("launch",
                                                          "How jobs are usually started; empty: not said"),
    result<&System::nodes>("nodes", "nodes", "Of the whole machine; 0: not published"),
    result<&System::cpu>("cpu", "", "Processor of a node; empty: not published"),
    result<&System::cpu_sockets>("cpu_sockets", "", "Processors of a node; 0: not published"),
    result<&System::nvlinks_per_peer>("nvlinks_per_peer", "links",
                                      "From one GPU to each other of its node; 0 where a switch joins them"),
    result<&System::pinned_copy_gb_per_sec>("pinned_copy_gb_per_sec", "GB/s",
                                            "Host to GPU from pinned memory, measured; 0: not published"),
    result<&System::pageable_copy_gb_per_sec>("pageable_copy_gb_per_sec", "GB/s",
                                              "Host to GPU from pageable memory, measured; 0: not published"),
    result<&System::peer_to_peer_gb_per_sec>(
        "peer_to_peer_gb_per_sec", "GB/s",
        "One GPU to another of its node, one way, measured; 0: not published"),
    result<&System::source>("source", "", "Where the figures come from"),
};

constexpr ResultField network_columns[] = {
    result<&NetworkKindRow::id>("id", "", "Name in links and calls"),
    result<&NetworkKindRow::name>("name", "", "Name as written"),
    result<&NetworkKindRow::source>("source", "", "Where it is described"),
};

constexpr ResultField results[] = {
    rows_result<&Catalog::accelerators>("accelerators", accelerator_columns, "Accelerators"),
    rows_result<&Catalog::links>("links", link_columns, "Links"),
    rows_result<&Catalog::networks>("networks", network_columns, "Kinds of networks between nodes"),
    rows_result<&Catalog::systems>("systems", system_columns, "Systems"),
};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

}  // namespace

const Calculation hardware_catalog = unswept_calculation<Nothing, Catalog, read, results>(
    "hardware_catalog", "Accelerators, links, networks and systems, each with its source", {});

}  // namespace commcost::calculations
