#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/hardware/accelerator_rows.h"
#include "core/network/collective_timer.h"
#include "core/network/elasticity.h"
#include "core/network/link_use.h"
#include "core/network/nccl_model.h"
#include "core/network/predict.h"
#include "core/network/reduce_kernel.h"
#include "core/network/spine.h"
#include "core/network/textbook.h"

namespace commcost::calculations {
namespace predict_collective_table {

constexpr double unknown = 0;

// GCC 12 gives assign<&T::member> external linkage even where T has none, so T needs a name of its own.
struct PredictCollectiveInputs {
  Collective collective = Collective::all_reduce;
  Machine machine;
  double num_gpus = 8;
  double rank_stride = 1;
  double message_size_bytes = 0;
  ReduceKernel allreduce_kernel = ReduceKernel::nccl;
  double calls = 1;
  bool details = false;
};

/// What lengthens the time most beyond the textbook's.
enum class Bottleneck { nothing, launch, latency, ramp, plateau };

/// NCCL's name of a combination, where it has one.
struct NcclPick {
  double message_size_bytes = 0;
  std::string_view algorithm;
  std::string_view protocol;
};

struct PredictCollectiveResults : Prediction {
  ReduceKernel allreduce_kernel = ReduceKernel::nccl;
  Algorithm algorithm = Algorithm::ring;
  Basis basis = Basis::estimated;
  double measured_error_percent = 0;
  double nodes = 1;
  Topology topology = Topology::switched;
  double link_utilization_percent = 0;
  double network_utilization_percent = 0;
  double ranks_in_pod = 0;
  double ranks_in_superpod = 0;
  double spine_share_percent = 100;
  double core_share_percent = 100;
  NetworkKind network = NetworkKind::infiniband;
  Launch launch = Launch::process_per_gpu;
  double latency_part_us = 0;
  double ramp_part_us = 0;
  double transfer_part_us = 0;
  double launch_floor_us = 0;
  double plateau_bus_bandwidth_gb_per_sec = 0;
  double textbook_us = 0;
  double total_ms = 0;
  double total_low_ms = 0;
  double total_high_ms = 0;
  Bottleneck bottleneck = Bottleneck::nothing;
  double hockney_us = 0;
  double two_level_us = 0;
  double nccl_us = unknown;
  std::string_view nccl_algorithm;
  std::string_view nccl_protocol;
  std::vector<NcclPick> nccl_switches;
  std::vector<Elasticity> elasticities;
  std::vector<Assumption> assumed;
};

constexpr std::string_view bottleneck_names[] = {"nothing", "launch", "latency", "ramp", "plateau"};
constexpr double most_calls = greatest_exact_whole;

constexpr InputField fields[] = {
    collective_choice_field<&PredictCollectiveInputs::collective>(collective_names),
    group_gpus_field<&PredictCollectiveInputs::num_gpus>(),
    whole<&PredictCollectiveInputs::rank_stride>(
        1, most_gpus,
        "GPUs from one rank of the group to the next: 1 for neighbours, the GPUs of a node for one rank in "
        "each; the groups in between send at the same time")
        .in("GPUs")
        .labelled("Rank stride")
        .or_default(1),
    message_size_field<&PredictCollectiveInputs::message_size_bytes>(),
    allreduce_kernel_field<&PredictCollectiveInputs::allreduce_kernel>().or_default(0),
    whole<&PredictCollectiveInputs::calls>(1, most_calls, "Number of such collectives, one after the other")
        .or_default(1),
    flag<&PredictCollectiveInputs::details>("Whether to return NCCL's switching points and the elasticities")
        .or_default(0),
};

constexpr FieldGroup groups[] = {
    group<PredictCollectiveInputs>(fields),
    group_of<&PredictCollectiveInputs::machine>(system_field),
    group_of<&PredictCollectiveInputs::machine>(system_machine_fields),
    group_of<&PredictCollectiveInputs::machine>(switch_fields),
    group_of<&PredictCollectiveInputs::machine>(spine_fields),
    group_of<&PredictCollectiveInputs::machine>(calibration_fields),
};

constexpr ResultField pick_columns[] = {
    whole_result<&NcclPick::message_size_bytes>("The first message size of this choice, a power of two"),
    result<&NcclPick::algorithm>("NCCL's algorithm"),
    result<&NcclPick::protocol>("NCCL's protocol"),
};

constexpr ResultField elasticity_columns[] = {
    result<&Elasticity::name>("An input, a link rate, or a fitted constant"),
    result<&Elasticity::elasticity>("Change of the time in percent, for one percent more of it"),
    result<&Elasticity::help>("Its meaning"),
};

constexpr ResultField results[] = {
    result<&PredictCollectiveResults::time_us>("Expected time").labelled("Expected time"),
    result<&PredictCollectiveResults::low_us>(
        "Lower end of the band: 80 % of unseen measurements fall in it"),
    result<&PredictCollectiveResults::high_us>("Upper end of the band"),
    result<&PredictCollectiveResults::bus_bandwidth_gb_per_sec>(
        "Algorithm bandwidth times nccl-tests' factor; above the link's rate where switches reduce, because "
        "GPUs then send less than in a ring"),
    choice_result<&PredictCollectiveResults::allreduce_kernel>(
        reduce_kernel_names, "The all-reduce kernel: NCCL, or a serving stack's"),
    choice_result<&PredictCollectiveResults::algorithm>(algorithm_names, "Algorithm for large messages"),
    choice_result<&PredictCollectiveResults::basis>(basis_names, "Basis of the prediction"),
    result<&PredictCollectiveResults::algorithm_bandwidth_gb_per_sec>("Message over time"),
    result<&PredictCollectiveResults::lower_bound_us>("Lower bound at the links' line rates"),
    result<&PredictCollectiveResults::measured_error_percent>(
        "Median error on public measurements of sites not used in the fit; 0: none"),
    whole_result<&PredictCollectiveResults::nodes>("Scale-up domains that the group spans").in("nodes"),
    choice_result<&PredictCollectiveResults::topology>(topology_names,
                                                       "Topology that joins the GPUs of a node"),
    result<&PredictCollectiveResults::link_utilization_percent>(
        "Use of a GPU's scale-up links (NVLink): the rate at which it sends over them, as a share of theirs"),
    result<&PredictCollectiveResults::network_utilization_percent>(
        "Use of a GPU's share of the network in the same way; 0 within one node"),
    whole_result<&PredictCollectiveResults::ranks_in_pod>(
        "Ranks of the group that reach each other without the spine; 0: all")
        .in("ranks"),
    whole_result<&PredictCollectiveResults::ranks_in_superpod>(
        "Ranks of the group that reach each other without the core; 0: all")
        .in("ranks"),
    result<&PredictCollectiveResults::spine_share_percent>(
        "Share of a network card's rate that spine and core let through while all groups of this kind send"),
    result<&PredictCollectiveResults::core_share_percent>("Share that the core alone would let through"),
    choice_result<&PredictCollectiveResults::network>(network_kind_names, "Network between nodes"),
    choice_result<&PredictCollectiveResults::launch>(launch_names, "Launch mode, as the input says"),
    result<&PredictCollectiveResults::latency_part_us>("Latency part: the time of an empty message"),
    result<&PredictCollectiveResults::ramp_part_us>("Time lost while channels and pipeline fill"),
    result<&PredictCollectiveResults::transfer_part_us>("Transfer part: the message at the plateau's rate"),
    result<&PredictCollectiveResults::launch_floor_us>(
        "Floor set by a process that launches for several GPUs; 0: none"),
    result<&PredictCollectiveResults::plateau_bus_bandwidth_gb_per_sec>(
        "Bus bandwidth that huge messages approach"),
    result<&PredictCollectiveResults::textbook_us>(
        "Textbook time: ring volume over the line rate of the "
        "narrower level; for an all-to-all or a send, what each GPU sends by itself"),
    result<&PredictCollectiveResults::total_ms>("Expected time of all calls"),
    result<&PredictCollectiveResults::total_low_ms>("Lower end of the total's band"),
    result<&PredictCollectiveResults::total_high_ms>("Upper end of the total's band"),
    choice_result<&PredictCollectiveResults::bottleneck>(bottleneck_names,
                                                         "The part that adds most to the textbook time"),
    result<&PredictCollectiveResults::hockney_us>(
        "Hockney's model: the textbook's time plus a latency per round"),
    result<&PredictCollectiveResults::two_level_us>("Hockney's model within nodes, then across them"),
    result<&PredictCollectiveResults::nccl_us>("Time by NCCL's own cost model; 0: it has none for this")
        .labelled("NCCL’s own model"),
    result<&PredictCollectiveResults::nccl_algorithm>(
        "Algorithm that NCCL's model picks; empty: it has no model of this"),
    result<&PredictCollectiveResults::nccl_protocol>("Protocol that NCCL's model picks"),
    rows_result<&PredictCollectiveResults::nccl_switches>(
        pick_columns, "Message sizes at which NCCL's choice changes; with details only"),
    rows_result<&PredictCollectiveResults::elasticities>(
        elasticity_columns, "Sensitivities of the time, greatest first; with details only"),
    rows_result<&PredictCollectiveResults::assumed>(assumption_columns, "Assumptions about the machine"),
};

Bottleneck bottleneck_of(const PredictCollectiveResults& all) {
  const double busy = all.latency_part_us + all.ramp_part_us + all.transfer_part_us;
  // A floor above everything else is the reason by itself.
  const double launch = all.launch_floor_us > busy ? all.time_us : 0;
  const double added[] = {0, launch, all.latency_part_us, all.ramp_part_us,
                          all.transfer_part_us - all.textbook_us};
  return static_cast<Bottleneck>(std::max_element(std::begin(added), std::end(added)) - std::begin(added));
}

std::optional<Problem> refused_kernel(const PredictCollectiveInputs& inputs, const GpuGroup& gpus) {
  const ReduceKernel kernel = inputs.allreduce_kernel;
  if (kernel == ReduceKernel::nccl) return std::nullopt;
  // Only NCCL runs the other collectives, and a single candidate is the best.
  if (kernel == ReduceKernel::best && inputs.collective != Collective::all_reduce) return std::nullopt;
  const std::string name(reduce_kernel_names[static_cast<std::size_t>(kernel)]);
  if (inputs.collective != Collective::all_reduce)
    return Problem{"allreduce_kernel", ProblemCode::inconsistent,
                   "allreduce_kernel must be nccl: " + name + " runs all-reduces alone", "nccl"};
  if (runs(gpus, kernel)) return std::nullopt;
  const bool nvls = kernel == ReduceKernel::nvls && !gpus.spans_nodes();
  return Problem{"allreduce_kernel", ProblemCode::inconsistent,
                 "allreduce_kernel must not be " + name +
                     (nvls ? ": the switches of this accelerator's nodes do not reduce"
                           : ": the group spans several scale-up domains"),
                 "nccl or best"};
}

// What a kernel of a serving stack changes about the answer.
void set_kernel(const PredictCollectiveInputs& inputs, const GpuGroup& gpus, PredictCollectiveResults& all) {
  if (inputs.collective != Collective::all_reduce) return;
  const ReducedBy by = reduced_by(gpus, inputs.allreduce_kernel, inputs.message_size_bytes);
  all.allreduce_kernel = by.kernel;
  // NCCL's own curve says more where NCCL is the fastest.
  if (by.kernel == ReduceKernel::nccl) return;
  const Band band = reduce_kernel_band();
  const double scale = inputs.machine.latency_scale;
  const double transfer =
      by.transfer_us / (inputs.machine.bandwidth_scale * inputs.machine.link_bandwidth_scale);
  const double factor = all.algorithm_bandwidth_gb_per_sec > 0
                            ? all.bus_bandwidth_gb_per_sec / all.algorithm_bandwidth_gb_per_sec
                            : 0;
  all.time_us = by.start_us * scale + transfer;
  all.low_us = std::max(all.time_us * band.low, all.lower_bound_us);
  all.high_us = all.time_us * band.high;
  all.algorithm_bandwidth_gb_per_sec = inputs.message_size_bytes / (all.time_us * 1e3);
  all.bus_bandwidth_gb_per_sec = all.algorithm_bandwidth_gb_per_sec * factor;
  all.latency_part_us = by.start_us * scale;
  all.ramp_part_us = 0;
  all.transfer_part_us = transfer;
  all.launch_floor_us = 0;
  all.measured_error_percent = reduce_kernel_error_percent();
}

Outcome<PredictCollectiveResults> compute(const PredictCollectiveInputs& inputs) {
  const Machine machine = completed(inputs.machine);
  const Fabric fabric = fabric_of(machine);
  if (!can_reduce_so(machine)) return reduction_problem();
  const GpuGroup gpus = group_of(machine, fabric, Ranks{inputs.num_gpus, inputs.rank_stride});
  if (auto refused = refused_kernel(inputs, gpus)) return std::move(*refused);

  const double size = inputs.collective == Collective::barrier ? 0 : inputs.message_size_bytes;
  const Predictor predictor = predictor_of(gpus, inputs.collective, calibration_of(machine));
  PredictCollectiveResults all;
  static_cast<Prediction&>(all) = predictor.at(size);
  all.algorithm = predictor.algorithm;
  all.basis = predictor.basis;
  all.nodes = gpus.nodes;
  all.topology = fabric.topology;
  all.network = gpus.network;
  all.launch = gpus.launch;
  if (gpus.spans_nodes()) all.assumed = assumptions_of(inputs.machine);
  if (inputs.num_gpus <= 1) return all;
  const CurveParts parts = predictor.curve.parts(size);
  all.measured_error_percent = measured_error_percent(gpus, predictor.basis);
  all.latency_part_us = parts.latency_us;
  all.ramp_part_us = parts.ramp_us;
  all.transfer_part_us = parts.transfer_us;
  all.launch_floor_us = predictor.curve.launch_us;
  all.ranks_in_pod = gpus.ranks_below[0];
  all.ranks_in_superpod = gpus.ranks_below[1];
  all.spine_share_percent = 100 * spine_share(gpus, inputs.collective);
  all.core_share_percent = 100 * border_share(gpus, 1, inputs.collective);
  all.plateau_bus_bandwidth_gb_per_sec = predictor.curve.bytes_per_us / 1e3 * predictor.factor;
  all.textbook_us = textbook_us(gpus, inputs.collective, size);
  if (inputs.allreduce_kernel != ReduceKernel::nccl) set_kernel(inputs, gpus, all);
  const LinkUse use = link_use(gpus, inputs.collective, all.algorithm, size);
  all.link_utilization_percent = 100 * use.link_us / all.time_us;
  all.network_utilization_percent = 100 * use.network_us / all.time_us;
  all.total_ms = inputs.calls * all.time_us / 1e3;
  all.total_low_ms = inputs.calls * all.low_us / 1e3;
  all.total_high_ms = inputs.calls * all.high_us / 1e3;
  all.bottleneck = bottleneck_of(all);
  all.hockney_us = hockney_us(gpus, inputs.collective, size);
  all.two_level_us = two_level_us(gpus, inputs.collective, size);
  const NcclModel nccl = nccl_model(gpus, inputs.collective);
  if (nccl.known) {
    const NcclChoice pick = nccl.choice(size);
    all.nccl_us = pick.time_us;
    all.nccl_algorithm = name_of(pick.algorithm);
    all.nccl_protocol = name_of(pick.protocol);
  }
  if (inputs.details) {
    for (const NcclSwitch& row : nccl.switches()) {
      all.nccl_switches.push_back({row.message_size_bytes, name_of(row.algorithm), name_of(row.protocol)});
    }
    all.elasticities = elasticities(gpus, inputs.collective, size);
  }
  return all;
}

constexpr Calculation table =
    calculation<PredictCollectiveInputs, PredictCollectiveResults, compute, results>(
        "predict_collective", "Time of a collective on real hardware, with its range", groups);

}  // namespace predict_collective_table

const Calculation predict_collective = predict_collective_table::table;

}  // namespace commcost::calculations
