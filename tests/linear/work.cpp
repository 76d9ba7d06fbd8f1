#include "linear/work.h"

#include <cstdint>

namespace {

bool counting = false;
std::uint64_t blocks = 0;
std::uint64_t bytes = 0;

}  // namespace

// Called at each basic block of what is compiled with -fsanitize-coverage=trace-pc. A fuzzer brings its own.
extern "C" __attribute__((weak)) void __sanitizer_cov_trace_pc() {
  ++blocks;
}

namespace commcost::linear {

void begin_counting() {
  blocks = 0;
  bytes = 0;
  counting = true;
}

Work counted() {
  counting = false;
  return {static_cast<double>(blocks), static_cast<double>(bytes)};
}

void count_bytes(std::size_t count) {
  if (counting) bytes += count;
}

}  // namespace commcost::linear
