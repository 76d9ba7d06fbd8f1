#include <string>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/fills.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/compute/matrix_peak.h"
#include "core/hardware/accelerators.h"
#include "core/hardware/links.h"
#include "core/hardware/systems.h"

namespace commcost::calculations {
namespace hardware_catalog_table {

/// What hardware_catalog gives.
struct HardwareCatalog {
  std::span<const Accelerator> accelerators = all_accelerators();
  std::span<const GenerationRow> generations = generation_rows;
  std::span<const Link> links = all_links();
  std::span<const NetworkKindRow> networks = network_kinds;
  std::span<const System> systems = all_systems();
};

struct Nothing {};

using Catalog = HardwareCatalog;

constexpr std::string_view fills_help = "Inputs that it fills, with their values";
// What an accelerator fills: its rates, and the stack that trains on it.
struct OfJob {
  Job job;
};
constexpr FieldGroup accelerator_groups[] = {of_job<OfJob, &Job::machine>(accelerator_preset),
                                             of_job<OfJob, &Job::machine>(rate_fields),
                                             of_job<OfJob>(training_recipe_field)};
constexpr FieldGroup system_groups[] = {group<Machine>(system_field), group<Machine>(system_machine_fields),
                                        group<Machine>(spine_fields)};

std::string precisions_of(const Accelerator& accelerator) {
  std::string text;
  for (const std::string_view name : matmul_precisions(accelerator))
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string rate_source_of(const Accelerator& accelerator) {
  const ProductRate& rate = accelerator.product_rate;
  return (rate.like.empty() ? "" : "as " + std::string(rate.like) + ": ") + std::string(rate.source);
}

constexpr ResultField accelerator_columns[] = {
    result<&Accelerator::id>("Name in links and calls"),
    result<&Accelerator::name>("Name as written"),
    derived_text<Accelerator, [](const Accelerator& row) { return name_of(row_of(row.generation).vendor); }>(
        "vendor", "The vendor"),
    derived_text<Accelerator, [](const Accelerator& row) { return row_of(row.generation).id; }>(
        "generation", "Id of the generation of its matrix units"),
    result<&Accelerator::memory_gb>("Memory, as the vendor prints it"),
    result<&Accelerator::hbm_gb_per_sec>("Memory bandwidth"),
    result<&Accelerator::fp32_tflops>("Vector peak; 0: no figure"),
    result<&Accelerator::tf32_tflops>("Dense matrix peak; 0: no figure"),
    result<&Accelerator::bf16_tflops>("Dense matrix peak; 0: no such format"),
    result<&Accelerator::fp16_tflops>("Dense matrix peak; 0: no such format"),
    result<&Accelerator::fp8_tflops>("Dense matrix peak; 0: no such format"),
    result<&Accelerator::fp4_tflops>("Dense matrix peak; 0: no such format"),
    result<&Accelerator::achievable_tflops>("Highest measured BF16 matrix rate; 0: not measured"),
    derived_text<Accelerator, precisions_of>("matmul_precisions", "Precisions of its matrix units"),
    derived_text<Accelerator, rate_source_of>(
        "product_rate_source",
        "Source of the rate that large products reach: a measurement, or another accelerator"),
    result<&Accelerator::link>("Id of its scale-up link"),
    result<&Accelerator::host_link>("Id of its link to the host; empty: not known"),
    fills_result<OfJob, accelerator_groups, all_accelerators>(fills_help),
    result<&Accelerator::source>("Source of the figures"),
};

constexpr ResultField generation_columns[] = {
    result<&GenerationRow::id>("Name in results and tables"),
    result<&GenerationRow::name>("Name as written"),
    choice_result<&GenerationRow::vendor>(vendor_names, "The vendor"),
};

constexpr ResultField link_columns[] = {
    result<&Link::id>("Name in links and calls"),
    result<&Link::name>("Name as written"),
    choice_result<&Link::link_class>(link_class_names, "The place of the link: in a node, or between nodes"),
    result<&Link::bandwidth_gb_per_sec>("One way, per accelerator"),
    result<&Link::made_of>("The parts of the bandwidth: links times rate"),
    result<&Link::source>("Source of the figure"),
};

constexpr ResultField system_columns[] = {
    result<&System::id>("Name in links and calls"),
    result<&System::name>("Name as written"),
    result<&System::accelerator>("Id of its accelerator"),
    result<&System::gpus_per_node>("Accelerators in one scale-up domain"),
    result<&System::gpus_per_host>("Accelerators of one host; 0: gpus_per_node"),
    result<&System::nic_gb_per_sec>("Network, one way, per accelerator"),
    result<&System::nics>("The parts of the network's rate: cards times rate"),
    optional_choice_result<&System::network, network_kind_names>("Network between nodes; empty: unknown"),
    optional_choice_result<&System::launch, launch_names>("Usual launch mode; empty: unknown"),
    result<&System::nodes>("Nodes of the whole machine; 0: not published").in("nodes"),
    result<&System::cpu>("Processor of a node; empty: not published"),
    result<&System::cpu_sockets>("Processors of a node; 0: not published"),
    result<&System::nvlinks_per_peer>("NVLinks from one GPU to each other GPU of its node; 0 with a switch")
        .in("links"),
    result<&System::pinned_copy_gb_per_sec>("Host to GPU from pinned memory, measured; 0: not published"),
    result<&System::pageable_copy_gb_per_sec>("Host to GPU from pageable memory, measured; 0: not published"),
    result<&System::peer_to_peer_gb_per_sec>(
        "One GPU to another of its node, one way, measured; 0: not published"),
    fills_result<Machine, system_groups, all_systems>(fills_help),
    result<&System::source>("Source of the figures"),
};

constexpr ResultField network_columns[] = {
    result<&NetworkKindRow::id>("Name in links and calls"),
    result<&NetworkKindRow::name>("Name as written"),
    result<&NetworkKindRow::source>("Source of the description"),
};

constexpr ResultField results[] = {
    rows_result<&Catalog::accelerators>(accelerator_columns, "Accelerators"),
    rows_result<&Catalog::generations>(generation_columns, "Generations of accelerators"),
    rows_result<&Catalog::links>(link_columns, "Links"),
    rows_result<&Catalog::networks>(network_columns, "Kinds of networks between nodes"),
    rows_result<&Catalog::systems>(system_columns, "Systems"),
};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

constexpr Calculation table = unswept_calculation<Nothing, Catalog, read, results>(
    "hardware_catalog", "Accelerators, links, networks and systems, each with its source", {});

}  // namespace hardware_catalog_table

const Calculation hardware_catalog = hardware_catalog_table::table;

}  // namespace commcost::calculations
