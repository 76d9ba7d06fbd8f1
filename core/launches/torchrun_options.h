#pragma once

#include "core/launches/stack_option.h"

// torchrun's options for the number of processes, docs.pytorch.org/docs/stable/elastic/run.html.
namespace commcost::launches {

inline constexpr std::string_view rendezvous_backend = "c10d";
inline constexpr std::string_view rendezvous = "\"${MASTER_ADDR:-localhost}:29500\"";
inline constexpr std::string_view rank_of_node = "\"${NODE_RANK:-0}\"";
inline constexpr std::string_view master = "\"${MASTER_ADDR:-localhost}\"";
inline constexpr std::string_view master_port = "29500";

/// GPUs of a node that take part.
constexpr StackOption nodes_gpus_option(std::string_view name = "--nproc-per-node") {
  return option_of<&Layout::cluster_gpus>(
             name,
             [](const LaunchedJob& launched) { return text_of_whole(launched_gpus_per_node(launched)); },
             [](LaunchedJob& launched, std::string_view value) {
               const auto gpus = whole_in(value);
               if (!gpus || *gpus < 1) return Taken::no;
               launched.job.layout.cluster_gpus = *gpus;
               return Taken::yes;
             })
      .in(OptionPlace::launcher);
}

/// Nodes, read after the GPUs of each: if there are several, they are full.
constexpr StackOption nodes_option(std::string_view name = "--nnodes") {
  return option_of<&Machine::gpus_per_node>(
             name, [](const LaunchedJob& launched) { return text_of_whole(launched_nodes(launched)); },
             [](LaunchedJob& launched, std::string_view value) {
               const auto nodes = whole_in(value);
               std::int64_t& gpus = launched.job.layout.cluster_gpus;
               if (!nodes || *nodes < 1 || gpus < 1) return Taken::no;
               if (*nodes == 1) return Taken::silent;
               launched.job.machine.gpus_per_node = gpus;
               gpus *= *nodes;
               return Taken::yes;
             })
      .in(OptionPlace::launcher);
}

}  // namespace commcost::launches
