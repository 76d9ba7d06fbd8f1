#include "core/hardware/systems.h"

namespace commcost {
namespace {

constexpr std::string_view ml_engineering = "github.com/stas00/ml-engineering network/README.md @744d01e";
constexpr std::string_view exacomm = "ExaComm'24 panel, M. Emani, Table 4";
constexpr std::string_view olcf = "github.com/olcf/olcf-user-docs @2745903";

// clang-format off
constexpr System systems[] = {
    {.id = "dgx-1v", .name = "DGX-1V", .accelerator = "v100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 6.25, .nics = "4 x 100 Gb/s EDR", .network = NetworkKind::infiniband,
     .source = "NVIDIA DGX-1 data sheet"},
    {.id = "summit", .name = "Summit", .accelerator = "v100-sxm",
     .gpus_per_node = 6, .nic_gb_per_sec = 3.8, .nics = "dual EDR, 23 GB/s a node", .network = NetworkKind::infiniband, .launch = Launch::process_per_gpu,
     .source = olcf},
    {.id = "dgx-a100", .name = "DGX A100", .accelerator = "a100-sxm-80gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 200 Gb/s HDR", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "azure-nd-a100", .name = "Azure ND A100 v4", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 200 Gb/s HDR", .network = NetworkKind::infiniband,
     .source = "github.com/Azure/aks-rdma-infiniband @700dabb"},
    {.id = "oci-a100", .name = "OCI BM.GPU4.8", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 2 x 100 Gb/s RoCE", .network = NetworkKind::roce,
     .source = "github.com/oracle-quickstart/oci-hpc-oke @61d210a"},
    {.id = "aws-p4d", .name = "AWS p4d", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 6.25, .nics = "4 x 100 Gb/s EFA", .network = NetworkKind::efa_v1,
     .source = ml_engineering},
    {.id = "aws-p4de", .name = "AWS p4de", .accelerator = "a100-sxm-80gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 6.25, .nics = "4 x 100 Gb/s EFA", .network = NetworkKind::efa_v1,
     .source = ml_engineering},
    {.id = "jean-zay", .name = "Jean Zay A100", .accelerator = "a100-sxm-80gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 6.25, .nics = "4 x 100 Gb/s Omni-Path", .network = NetworkKind::omnipath, .launch = Launch::process_per_gpu,
     .source = "github.com/bigscience-workshop/bigscience @00327f8"},
    {.id = "polaris-2023", .name = "Polaris (before its Slingshot 11)", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 4, .nic_gb_per_sec = 6.25, .nics = "2 x 100 Gb/s ConnectX-5", .network = NetworkKind::roce, .launch = Launch::process_per_gpu,
     .nodes = 560, .cpu = "AMD EPYC 7543P", .cpu_sockets = 1, .nvlinks_per_peer = 4, .pinned_copy_gb_per_sec = 24.6, .pageable_copy_gb_per_sec = 19.2, .peer_to_peer_gb_per_sec = 80.5,
     .source = exacomm},
    {.id = "polaris", .name = "Polaris", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 4, .nic_gb_per_sec = 12.5, .nics = "2 x 200 Gb/s Slingshot 11", .network = NetworkKind::slingshot, .launch = Launch::process_per_gpu,
     .nodes = 560, .cpu = "AMD EPYC 7543P", .cpu_sockets = 1, .nvlinks_per_peer = 4, .pinned_copy_gb_per_sec = 24.6, .pageable_copy_gb_per_sec = 19.2, .peer_to_peer_gb_per_sec = 80.5,
     .source = "github.com/argonne-lcf/user-guides docs/polaris @7d04a3f; copies: ExaComm'24 panel, M. Emani, Table 4"},
    {.id = "perlmutter", .name = "Perlmutter", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 4, .nic_gb_per_sec = 25, .nics = "4 x 200 Gb/s Slingshot 11", .network = NetworkKind::slingshot, .launch = Launch::process_per_gpu,
     .nvlinks_per_peer = 4,
     .source = "docs.nersc.gov/systems/perlmutter/architecture"},
    {.id = "tg40", .name = "ThetaGPU 40 GB", .accelerator = "a100-sxm-40gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 200 Gb/s ConnectX-6", .network = NetworkKind::infiniband, .launch = Launch::process_per_gpu,
     .nodes = 22, .cpu = "AMD EPYC 7742", .cpu_sockets = 2, .pinned_copy_gb_per_sec = 26.1, .pageable_copy_gb_per_sec = 12.2, .peer_to_peer_gb_per_sec = 277.6,
     .source = exacomm},
    {.id = "tg80", .name = "ThetaGPU 80 GB", .accelerator = "a100-sxm-80gb",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 200 Gb/s ConnectX-6", .network = NetworkKind::infiniband, .launch = Launch::process_per_gpu,
     .nodes = 2, .cpu = "AMD EPYC 7742", .cpu_sockets = 2, .pinned_copy_gb_per_sec = 26.2, .pageable_copy_gb_per_sec = 12.4, .peer_to_peer_gb_per_sec = 278.8,
     .source = exacomm},
    {.id = "a100-pcie-box", .name = "PCIe box, 8 x A100", .accelerator = "a100-pcie",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "100 Gb/s a GPU",
     .source = ml_engineering},
    {.id = "aws-g5", .name = "AWS g5.48xlarge", .accelerator = "a10g",
     .gpus_per_node = 8, .nic_gb_per_sec = 1.5625, .nics = "100 Gb/s EFA a node", .network = NetworkKind::efa_v1,
     .source = "docs.aws.amazon.com/ec2/latest/instancetypes/ac.html"},
    {.id = "dgx-h100", .name = "DGX H100", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s NDR", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "meta-h100", .name = "Meta Grand Teton (Llama 3)", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s RoCE", .network = NetworkKind::roce, .launch = Launch::process_per_gpu,
     .pod_gpus = 3072, .oversubscription = 7,
     .source = "arXiv:2407.21783 section 3.3.1: pods of 3,072 GPUs, 1:7 oversubscription between them"},
    {.id = "oci-h100", .name = "OCI BM.GPU.H100.8", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 2 x 200 Gb/s RoCE", .network = NetworkKind::roce,
     .source = "github.com/oracle-quickstart/oci-hpc-oke @61d210a"},
    {.id = "aws-p5", .name = "AWS p5", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "32 x 100 Gb/s EFA", .network = NetworkKind::efa,
     .source = ml_engineering},
    {.id = "gcp-a3-mega", .name = "GCP A3 Mega", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "8 x 200 Gb/s", .network = NetworkKind::gpudirect_tcp,
     .source = ml_engineering},
    {.id = "gcp-a3-high", .name = "GCP A3 High", .accelerator = "h100-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "4 x 200 Gb/s", .network = NetworkKind::gpudirect_tcp,
     .source = ml_engineering},
    {.id = "h100-pcie-box", .name = "PCIe box, 8 x H100", .accelerator = "h100-pcie",
     .gpus_per_node = 8, .nic_gb_per_sec = 25, .nics = "200 Gb/s a GPU",
     .source = ml_engineering},
    {.id = "dgx-h200", .name = "DGX H200", .accelerator = "h200-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s NDR", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "aws-p5en", .name = "AWS p5en", .accelerator = "h200-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "16 x 200 Gb/s EFA", .network = NetworkKind::efa,
     .source = ml_engineering},
    {.id = "h800-node", .name = "H800, 8 a node (DeepSeek-V3)", .accelerator = "h800-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s", .network = NetworkKind::infiniband,
     .source = "arXiv:2412.19437 section 3.1"},
    {.id = "alibaba-hpn", .name = "Alibaba HPN, with H800", .accelerator = "h800-sxm",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 2 x 200 Gb/s RoCE", .network = NetworkKind::roce,
     .pod_gpus = 128, .rails = 8, .oversubscription = 128.0 * 200 / (60 * 400), .superpod_gpus = 15360, .core_oversubscription = 15,
     .source = "doi:10.1145/3651890.3672265: leaves of 128 x 200 Gb/s down and 60 x 400 Gb/s up, 1,024 GPUs on 8 rails, 15 such segments, 15:1 to the core; its GPUs aren't named there"},
    {.id = "gh200-node", .name = "GH200, 4 a node (Alps, Isambard-AI)", .accelerator = "gh200",
     .gpus_per_node = 4, .nic_gb_per_sec = 25, .nics = "4 x 200 Gb/s Slingshot 11", .network = NetworkKind::slingshot, .launch = Launch::process_per_gpu,
     .source = "Isambard-AI and Alps public documentation"},
    {.id = "dgx-b200", .name = "DGX B200", .accelerator = "b200",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s NDR", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "aws-p6-b200", .name = "AWS p6-b200", .accelerator = "b200",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s EFA", .network = NetworkKind::efa,
     .source = ml_engineering},
    {.id = "dgx-b300", .name = "DGX B300", .accelerator = "b300",
     .gpus_per_node = 8, .nic_gb_per_sec = 100, .nics = "8 x 800 Gb/s XDR", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "aws-p6-b300", .name = "AWS p6-b300", .accelerator = "b300",
     .gpus_per_node = 8, .nic_gb_per_sec = 100, .nics = "16 x 400 Gb/s EFA", .network = NetworkKind::efa,
     .source = ml_engineering},
    {.id = "gb200-nvl72", .name = "GB200 NVL72", .accelerator = "gb200",
     .gpus_per_node = 72, .gpus_per_host = 4, .nic_gb_per_sec = 50, .nics = "400 Gb/s a GPU", .network = NetworkKind::infiniband,
     .source = ml_engineering},
    {.id = "gb300-nvl72", .name = "GB300 NVL72", .accelerator = "gb300",
     .gpus_per_node = 72, .gpus_per_host = 4, .nic_gb_per_sec = 100, .nics = "800 Gb/s a GPU", .network = NetworkKind::infiniband,
     .source = "verda.com/blog/gb300-nvl72-architecture; vendordeep.com/report/nvidia-launches-blackwell-ultra-gb300 (ConnectX-8)"},
    {.id = "l40s-box", .name = "PCIe box, 8 x L40S", .accelerator = "l40s",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "100 Gb/s a GPU",
     .source = ml_engineering},
    {.id = "rtx4090-box", .name = "PCIe box, 8 x RTX 4090", .accelerator = "rtx4090",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "100 Gb/s a GPU",
     .source = ml_engineering},
    {.id = "frontier", .name = "Frontier (8 dies a node)", .accelerator = "mi250x-gcd",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "4 x 200 Gb/s Slingshot 11", .network = NetworkKind::slingshot, .launch = Launch::process_per_gpu,
     .nodes = 9856, .cpu = "AMD EPYC, 64 cores", .cpu_sockets = 1,
     .source = olcf},
    {.id = "lumi", .name = "LUMI-G (8 dies a node)", .accelerator = "mi250x-gcd",
     .gpus_per_node = 8, .nic_gb_per_sec = 12.5, .nics = "4 x 200 Gb/s Slingshot 11", .network = NetworkKind::slingshot, .launch = Launch::process_per_gpu,
     .source = "github.com/spyysalo/lumi-llm-scaling @7314958"},
    {.id = "mi300x-node", .name = "MI300X, 8 a node", .accelerator = "mi300x",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s",
     .source = ml_engineering},
    {.id = "mi355x-node", .name = "MI355X, 8 a node", .accelerator = "mi355x",
     .gpus_per_node = 8, .nic_gb_per_sec = 50, .nics = "8 x 400 Gb/s",
     .source = ml_engineering},
    {.id = "hls-gaudi2", .name = "Gaudi 2, 8 a node", .accelerator = "gaudi2",
     .gpus_per_node = 8, .nic_gb_per_sec = 37.5, .nics = "3 x 100 Gb/s a card", .network = NetworkKind::roce,
     .source = ml_engineering},
    {.id = "hls-gaudi3", .name = "Gaudi 3, 8 a node", .accelerator = "gaudi3",
     .gpus_per_node = 8, .nic_gb_per_sec = 75, .nics = "3 x 200 Gb/s a card", .network = NetworkKind::roce,
     .source = ml_engineering},
    {.id = "tpu-v5e-pod", .name = "TPU v5e pod", .accelerator = "tpu-v5e",
     .gpus_per_node = 256, .gpus_per_host = 8, .nic_gb_per_sec = 3.125, .nics = "25 Gb/s a chip between slices", .network = NetworkKind::ethernet,
     .source = "github.com/jax-ml/scaling-book tpus.md @0819a7d"},
    {.id = "tpu-v5p-pod", .name = "TPU v5p pod", .accelerator = "tpu-v5p",
     .gpus_per_node = 8960, .gpus_per_host = 4, .nic_gb_per_sec = 6.25, .nics = "50 Gb/s a chip between slices", .network = NetworkKind::ethernet,
     .source = "docs.cloud.google.com/tpu/docs/tpu7x"},
    {.id = "tpu-v6e-pod", .name = "TPU v6e pod", .accelerator = "tpu-v6e",
     .gpus_per_node = 256, .nic_gb_per_sec = 12.5, .nics = "100 Gb/s a chip between slices", .network = NetworkKind::ethernet,
     .source = "docs.cloud.google.com/tpu/docs/tpu7x"},
    {.id = "tpu-v7x-pod", .name = "TPU v7 pod", .accelerator = "tpu-v7x",
     .gpus_per_node = 9216, .gpus_per_host = 4, .nic_gb_per_sec = 12.5, .nics = "100 Gb/s a chip between slices", .network = NetworkKind::ethernet,
     .source = "docs.cloud.google.com/tpu/docs/tpu7x"},
};
// clang-format on

static_assert(std::size(systems) == system_count);

constexpr std::array<std::string_view, system_count> ids = [] {
  std::array<std::string_view, system_count> all{};
  for (std::size_t i = 0; i < system_count; ++i) all[i] = systems[i].id;
  return all;
}();

}  // namespace

constinit const std::array<std::string_view, system_count> system_ids = ids;

std::span<const System> all_systems() {
  return systems;
}

const System* find_system(std::string_view id) {
  for (const System& system : systems) {
    if (system.id == id) return &system;
  }
  return nullptr;
}

}  // namespace commcost
