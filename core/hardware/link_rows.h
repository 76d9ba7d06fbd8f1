#pragma once

#include <array>
#include <string_view>

#include "core/hardware/links.h"

// Every link. A separate header, so that the accelerators' rows can take rates from here at compile time.
namespace commcost {
/// Every link, by class and age.
inline constexpr auto link_rows = [] {
  constexpr std::string_view ml_engineering = "github.com/stas00/ml-engineering network/README.md @744d01e";
  constexpr std::string_view scaling_book = "github.com/jax-ml/scaling-book tpus.md @0819a7d";
  constexpr std::string_view pcie = "PCI-SIG rate less 128b/130b coding; ml-engineering @744d01e";
  using enum LinkClass;
  // clang-format off
  return std::to_array<Link>({
      {"nvlink2", "NVLink 2 (V100)", scale_up, 150, "6 x 25 GB/s", ml_engineering},
      {"nvlink3", "NVLink 3 (A100)", scale_up, 300, "12 x 25 GB/s", ml_engineering},
      {"nvlink3-a800", "NVLink 3 (A800)", scale_up, 200, "8 x 25 GB/s", "aiwiki.ai/wiki/nvidia_a800 (400 GB/s of both directions)"},
      {"nvlink4", "NVLink 4 (H100, H200)", scale_up, 450, "18 x 25 GB/s", ml_engineering},
      {"nvlink4-h800", "NVLink 4 (H800)", scale_up, 200, "8 x 25 GB/s", "philisun.com, NVIDIA H800 vs H100 (400 GB/s of both directions)"},
      {"nvlink4-bridge", "NVLink bridge (H100 NVL)", scale_up, 300, "12 x 25 GB/s to one peer", "NVIDIA's 600 GB/s of both directions"},
      {"nvlink5", "NVLink 5 (B200, GB200)", scale_up, 900, "18 x 50 GB/s", ml_engineering},
      {"infinity-fabric-mi250x", "Infinity Fabric (MI250X)", scale_up, 350, "7 x 50 GB/s", ml_engineering},
      {"infinity-fabric-mi300x", "Infinity Fabric (MI300X, MI325X)", scale_up, 448, "7 x 64 GB/s", ml_engineering},
      {"infinity-fabric-mi355x", "Infinity Fabric (MI355X)", scale_up, 535.5, "7 x 76.5 GB/s", ml_engineering},
      {"gaudi2", "Gaudi 2, in a node", scale_up, 262.5, "21 x 100 Gb/s", ml_engineering},
      {"gaudi3", "Gaudi 3, in a node", scale_up, 525, "21 x 200 Gb/s", ml_engineering},
      {"neuronlink3", "NeuronLink 3 (Trainium 2)", scale_up, 640, "half of 1.28 TB/s both ways", ml_engineering},
      {"ici-v4", "ICI (TPU v4), one axis", scale_up, 90, "2 links x 45 GB/s", scaling_book},
      {"ici-v5e", "ICI (TPU v5e), one axis", scale_up, 90, "2 links x 45 GB/s", scaling_book},
      {"ici-v5p", "ICI (TPU v5p), one axis", scale_up, 180, "2 links x 90 GB/s", scaling_book},
      {"ici-v6e", "ICI (TPU v6e), one axis", scale_up, 180, "2 links x 90 GB/s", scaling_book},
      {"ici-v7", "ICI (TPU v7), one axis", scale_up, 200, "2 links x 100 GB/s", "docs.cloud.google.com/tpu/docs/tpu7x (1200 GB/s of both directions over 6 links)"},
      {"pcie3", "PCIe 3 x16", host, 15.75, "16 x 8 GT/s", pcie},
      {"pcie4", "PCIe 4 x16", host, 31.5, "16 x 16 GT/s", pcie},
      {"pcie5", "PCIe 5 x16", host, 63, "16 x 32 GT/s", pcie},
      {"nic-100", "100 Gb/s NIC (EDR, EFA)", network, 12.5, "100 Gb/s", ml_engineering},
      {"nic-200", "200 Gb/s NIC (HDR, Slingshot 11)", network, 25, "200 Gb/s", ml_engineering},
      {"nic-400", "400 Gb/s NIC (NDR)", network, 50, "400 Gb/s", ml_engineering},
      {"nic-800", "800 Gb/s NIC (XDR)", network, 100, "800 Gb/s", ml_engineering},
  });
  // clang-format on
}();

/// One way, per accelerator, GB/s; 0 where there is no such link.
constexpr double link_rate_gb_per_sec(std::string_view id) {
  for (const Link& link : link_rows) {
    if (link.id == id) return link.bandwidth_gb_per_sec;
  }
  return 0;
}

}  // namespace commcost
