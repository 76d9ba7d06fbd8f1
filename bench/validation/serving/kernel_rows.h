#pragma once

#include <string>
#include <vector>

#include "core/network/expert_exchange.h"
#include "core/network/reduce_kernel.h"

namespace commcost::validation::serving {

/// A published time of a serving stack's all-reduce kernel, replayed in a graph.
struct ReduceRow {
  std::string source;          ///< who measured which kernel on which links: left out together
  std::string published;       ///< where
  std::string accelerator;     ///< id
  std::string implementation;  ///< as in tests/data/small_allreduce.csv
  GpuGroup group;
  ReduceKernel kernel;
  double bytes = 0;
  double measured_us = 0;
};

/// Rows of tests/data/small_allreduce.csv but for NCCL's, and for those that the host's launches are in.
std::vector<ReduceRow> reduce_rows(const std::string& folder);

/// A published time of a dispatch or combine.
struct ExchangeRow {
  std::string source;
  GpuGroup group;
  TokenExchange exchange;
  double measured_us = 0;
};

/// Rows of tests/data/moe_dispatch.csv within one scale-up domain, or from node to node by DeepEP.
std::vector<ExchangeRow> exchange_rows(const std::string& folder);

/// Medians of absolute errors on left-out sources, %.
struct KernelErrors {
  double reduce_percent = 0;
  double exchange_percent = 0;
};

/// Prints the constants of both, and their errors on left-out sources.
KernelErrors print_kernels(const std::string& folder);

}  // namespace commcost::validation::serving
