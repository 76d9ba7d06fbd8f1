#include "core/diagnosis/kernel_sort.h"

#include <string>

#include "core/base/letters.h"

namespace commcost {
namespace {

struct SortWord {
  std::string_view word;  // in lower case
  KernelSort sort;
};

// The first match in a name decides: attention kernels multiply too.
constexpr SortWord sort_words[] = {
    {"nccl", KernelSort::communication},
    {"rccl", KernelSort::communication},
    {"msccl", KernelSort::communication},
    {"oneccl", KernelSort::communication},
    {"allreduce", KernelSort::communication},
    {"all_reduce", KernelSort::communication},
    {"allgather", KernelSort::communication},
    {"all_gather", KernelSort::communication},
    {"reduce_scatter", KernelSort::communication},
    {"all_to_all", KernelSort::communication},
    {"deep_ep", KernelSort::communication},
    {"nvshmem", KernelSort::communication},
    {"flash", KernelSort::attention},
    {"fmha", KernelSort::attention},
    {"attention", KernelSort::attention},
    {"sdpa", KernelSort::attention},
    {"attn_fwd", KernelSort::attention},
    {"attn_bwd", KernelSort::attention},
    {"gemm", KernelSort::matmul},
    {"nvjet", KernelSort::matmul},
    {"cublas", KernelSort::matmul},
    {"splitk", KernelSort::matmul},
    {"cijk_", KernelSort::matmul},
    {"_mm_kernel", KernelSort::matmul},
    {"triton_mm", KernelSort::matmul},
    {"tem_fused_mm", KernelSort::matmul},
    {"s16816", KernelSort::matmul},
    {"cutlass", KernelSort::matmul},
};

struct GroupWord {
  std::string_view word;  // in lower case
  Dimension dimension;
};

// Context before data: gradients of both travel in DATA_PARALLEL_GROUP_WITH_CP.
constexpr GroupWord group_words[] = {
    {"expert_data", Dimension::data},
    {"data_parallel", Dimension::data},
    {"data_modulo", Dimension::data},
    {"partial_data", Dimension::data},
    {"dp_shard", Dimension::data},
    {"dp_replicate", Dimension::data},
    {"fsdp", Dimension::data},
    {"mesh_dp", Dimension::data},
    {"expert_model", Dimension::expert},
    {"expert_tensor", Dimension::expert},
    {"expert_parallel", Dimension::expert},
    {"mesh_ep", Dimension::expert},
    {"context_parallel", Dimension::context},
    {"mesh_cp", Dimension::context},
    {"pipeline", Dimension::pipeline},
    {"mesh_pp", Dimension::pipeline},
    {"tensor", Dimension::tensor},
    {"mesh_tp", Dimension::tensor},
};

std::string lowered(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) c = lower(c);
  return letters;
}

}  // namespace

KernelSort sort_of(std::string_view kernel) {
  const std::string name = lowered(kernel);
  for (const SortWord& one : sort_words)
    if (name.find(one.word) != std::string::npos) return one.sort;
  return KernelSort::elementwise;
}

std::optional<Dimension> dimension_of(std::string_view group) {
  const std::string name = lowered(group);
  for (const GroupWord& one : group_words)
    if (name.find(one.word) != std::string::npos) return one.dimension;
  return std::nullopt;
}

}  // namespace commcost
