#include <cstddef>
#include <cstdint>

namespace {

template <class T>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  T value;
};
using Eight = Unaligned<std::uint64_t>;
using Four = Unaligned<std::uint32_t>;

}  // namespace

// Emscripten's copies four bytes at a time, and from 512 bytes on it calls JavaScript: here most copies are
// shorter than a page, and there are many. By default, compilers turn a copying loop into a call of memcpy.
extern "C" __attribute__((no_builtin("memcpy"))) void* memcpy(void* __restrict destination,
                                                              const void* __restrict source,
                                                              std::size_t size) {
  char* to = static_cast<char*>(destination);
  const char* from = static_cast<const char*>(source);
  // What is left over is copied with some of what was.
  char* const last_to = to + size;
  const char* const last_from = from + size;
  if (size >= sizeof(Eight)) {
    constexpr std::size_t line = 4 * sizeof(Eight);
    for (; size >= line; size -= line, to += line, from += line) {
      for (std::size_t at = 0; at < 4; ++at)
        reinterpret_cast<Eight*>(to)[at] = reinterpret_cast<const Eight*>(from)[at];
    }
    for (; size >= sizeof(Eight); size -= sizeof(Eight), to += sizeof(Eight), from += sizeof(Eight))
      *reinterpret_cast<Eight*>(to) = *reinterpret_cast<const Eight*>(from);
    reinterpret_cast<Eight*>(last_to)[-1] = reinterpret_cast<const Eight*>(last_from)[-1];
  } else if (size >= sizeof(Four)) {
    *reinterpret_cast<Four*>(to) = *reinterpret_cast<const Four*>(from);
    reinterpret_cast<Four*>(last_to)[-1] = reinterpret_cast<const Four*>(last_from)[-1];
  } else {
    while (to != last_to) *to++ = *from++;
  }
  return destination;
}
