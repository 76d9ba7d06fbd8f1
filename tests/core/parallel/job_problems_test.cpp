#include "core/parallel/job_problems.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/compute/matrix_peak.h"

namespace commcost {
namespace {

Machine machine_with(std::string_view id) {
  Machine machine;
  machine.accelerator = place_of_accelerator(id);
  return machine;
}

// What the hardware lacks is refused, with what it has; what is kept in few bits is not.
TEST(JobProblems, NameThePrecisionsThatTheHardwareLacks) {
  Job job;
  job.model = {.num_layers = 2, .hidden_size = 64, .num_heads = 4};
  job.work.sequence_length = 16;
  job.work.batch_size = 1;
  for (const Accelerator& accelerator : all_accelerators()) {
    job.machine = machine_with(accelerator.id);
    const auto has = matmul_precisions(accelerator);
    for (std::size_t at = 0; at < std::size(matmul_precision_names); ++at) {
      job.work.matmul_precision = static_cast<MatmulPrecision>(at);
      const Job whole = completed(job);
      const bool right = job.work.matmul_precision == MatmulPrecision::stored ||
                         std::find(has.begin(), has.end(), matmul_precision_names[at]) != has.end();
      EXPECT_EQ(can_run(whole), right) << accelerator.id << ' ' << matmul_precision_names[at];
      EXPECT_EQ(problems_of(whole).empty(), right) << accelerator.id;
    }
    job.work.matmul_precision = MatmulPrecision::stored;
    for (const std::int64_t bytes : {1, 2, 4}) {
      job.work.bytes_per_element = bytes;
      EXPECT_TRUE(can_run(completed(job))) << accelerator.id << ' ' << bytes;
    }
  }
  job.work.matmul_precision = MatmulPrecision::nvfp4;
  job.machine = machine_with("h100-sxm");
  const Problems refused = problems_of(completed(job));
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].field, "matmul_precision");
  EXPECT_EQ(refused[0].message,
            "matmul_precision must be one that the hardware has: H100 SXM multiplies in bf16, fp16 and fp8, "
            "not nvfp4");
  EXPECT_EQ(refused[0].allowed, "stored, bf16, fp16 or fp8");
}

}  // namespace
}  // namespace commcost
