// Counts, in addition to basic blocks, the bytes that are allocated and those that the C library processes.
// The linker calls __wrap_f for f; the sanitizer has its own versions of some.

#include <cstddef>

#include "linear/work.h"

using commcost::linear::count_bytes;

extern "C" {

void __sanitizer_malloc_hook(const volatile void*, std::size_t size) {
  count_bytes(size);
}
void __sanitizer_free_hook(const volatile void*) {}

#define COMMCOST_COUNT(result, name, first, second)                 \
  result __real_##name(first, second, std::size_t);                 \
  result __wrap_##name(first one, second other, std::size_t size) { \
    count_bytes(size);                                              \
    return __real_##name(one, other, size);                         \
  }

COMMCOST_COUNT(void*, memcpy, void*, const void*)
COMMCOST_COUNT(void*, memmove, void*, const void*)
COMMCOST_COUNT(void*, memset, void*, int)
COMMCOST_COUNT(void*, __asan_memcpy, void*, const void*)
COMMCOST_COUNT(void*, __asan_memmove, void*, const void*)
COMMCOST_COUNT(void*, __asan_memset, void*, int)
COMMCOST_COUNT(int, memcmp, const void*, const void*)

// What it goes through ends where it finds something.
void* __real_memchr(const void*, int, std::size_t);
void* __wrap_memchr(const void* in, int what, std::size_t size) {
  void* found = __real_memchr(in, what, size);
  count_bytes(found == nullptr
                  ? size
                  : static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(in)));
  return found;
}
}
