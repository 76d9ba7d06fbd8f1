#include "core/diagnosis/kernel_sort.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

// As profiles of PyTorch have them.
TEST(KernelSort, IsToldByTheKernelsName) {
  using enum KernelSort;
  const struct {
    const char* name;
    KernelSort sort;
  } kernels[] = {
      {"nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT", matmul},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_"
       "kernel__5x_cublas",
       matmul},
      {"ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_tn", matmul},
      {"Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256x256x64", matmul},
      {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>", matmul},
      {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>(flash::Flash_fwd_params)",
       attention},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_3_64x128x128_4x1x1_kernel0_0",
       attention},
      {"fmha_cutlassF_bf16_aligned_64x128_rf_sm80(PyTorchMemEffAttention::AttentionKernel)", attention},
      {"void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90>>", attention},
      {"ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", communication},
      {"void deep_ep::intranode::dispatch<8, 768, 8192>", communication},
      {"triton_poi_fused_mul_silu_split_0", elementwise},
      {"void at::native::vectorized_elementwise_kernel<4>", elementwise},
      {"Memcpy DtoD (Device -> Device)", elementwise},
  };
  for (const auto& [name, sort] : kernels) EXPECT_EQ(sort_of(name), sort) << name;
}

// As Megatron-LM's parallel_state and PyTorch's DeviceMesh describe them.
TEST(KernelSort, GroupsSayTheirDimension) {
  EXPECT_EQ(dimension_of("TENSOR_MODEL_PARALLEL_GROUP"), Dimension::tensor);
  EXPECT_EQ(dimension_of("DATA_PARALLEL_GROUP_WITH_CP"), Dimension::data);
  EXPECT_EQ(dimension_of("PIPELINE_MODEL_PARALLEL_GROUP"), Dimension::pipeline);
  EXPECT_EQ(dimension_of("CONTEXT_PARALLEL_GROUP"), Dimension::context);
  EXPECT_EQ(dimension_of("EXPERT_MODEL_PARALLEL_GROUP"), Dimension::expert);
  EXPECT_EQ(dimension_of("EXPERT_DATA_PARALLEL_GROUP"), Dimension::data);
  EXPECT_EQ(dimension_of("mesh_dp_shard_cp"), Dimension::data);
  EXPECT_EQ(dimension_of("mesh_tp"), Dimension::tensor);
  EXPECT_EQ(dimension_of("default_pg"), std::nullopt);
}

}  // namespace
}  // namespace commcost
