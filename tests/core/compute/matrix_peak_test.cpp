#include "core/compute/matrix_peak.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

namespace commcost {
namespace {

struct PeakCase {
  const char* name;
  const char* accelerator;
  std::int64_t bytes_per_element;
  double tflops;
};
void PrintTo(const PeakCase& one, std::ostream* out) {
  *out << one.name;
}

class MatrixPeak : public testing::TestWithParam<PeakCase> {};

TEST_P(MatrixPeak, DependsOnTheElement) {
  const PeakCase& one = GetParam();
  EXPECT_DOUBLE_EQ(matrix_peak_tflops(*find_accelerator(one.accelerator), one.bytes_per_element), one.tflops);
}

INSTANTIATE_TEST_SUITE_P(Machine, MatrixPeak,
                         testing::Values(PeakCase{"16_bits", "a100-sxm-80gb", 2, 312},
                                         PeakCase{"8_bits", "h100-sxm", 1, 1979},
                                         PeakCase{"8_bits_without_a_unit_for_them", "a100-sxm-80gb", 1, 312},
                                         PeakCase{"32_bits_as_tf32", "a100-sxm-80gb", 4, 156},
                                         PeakCase{"32_bits_without_tf32", "v100-sxm", 4, 15.7},
                                         PeakCase{"32_bits_in_six_passes", "tpu-v5p", 4, 76.5}));

TEST(MatrixPeaks, MultipliesInThePrecisionOfItsProducts) {
  Machine b200;
  b200.accelerator = place_of_accelerator("b200");
  const auto peak = [&](MatmulPrecision precision) {
    Work work;
    work.matmul_precision = precision;
    return matrix_peak_tflops(b200, work);
  };
  EXPECT_EQ(peak(MatmulPrecision::stored), 2250);
  EXPECT_EQ(peak(MatmulPrecision::bf16), 2250);
  EXPECT_EQ(peak(MatmulPrecision::mxfp8), 4500);
  EXPECT_EQ(peak(MatmulPrecision::nvfp4), 9000);
}

struct PrecisionCase {
  const char* accelerator;
  std::vector<std::string_view> precisions;
};

// By the data sheets: bf16 since Ampere, fp8 since Hopper and Ada, blocks of 32 and 4 bits since Blackwell
// and CDNA 4; TPUs have no fp16.
TEST(MatrixPeaks, MultipliesInWhatItsMatrixUnitsHave) {
  const PrecisionCase cases[] = {
      {"v100-sxm", {"fp16"}},
      {"t4", {"fp16"}},
      {"a100-sxm-80gb", {"bf16", "fp16"}},
      {"h100-sxm", {"bf16", "fp16", "fp8"}},
      {"l40s", {"bf16", "fp16", "fp8"}},
      {"b200", {"bf16", "fp16", "fp8", "mxfp8", "nvfp4"}},
      {"mi250x", {"bf16", "fp16"}},
      {"mi300x", {"bf16", "fp16", "fp8"}},
      {"mi355x", {"bf16", "fp16", "fp8", "mxfp8", "nvfp4"}},
      {"tpu-v5p", {"bf16"}},
      {"tpu-v7x", {"bf16", "fp8"}},
  };
  for (const PrecisionCase& one : cases)
    EXPECT_EQ(matmul_precisions(*find_accelerator(one.accelerator)), one.precisions) << one.accelerator;
}

}  // namespace
}  // namespace commcost
