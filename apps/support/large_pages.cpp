#include "apps/support/large_pages.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#endif

namespace gt200::apps {

#if defined(__linux__) && defined(__GLIBC__)

void use_large_pages_for_heap() {
  constexpr std::uintptr_t page_bytes = std::uintptr_t{2} << 20;
  // The chip of the presets takes about 40 MB. Pages that nobody touches cost address space only.
  constexpr int heap_bytes = 64 << 20;
  // Grows the heap at once to its size, so that it is one mapping, and keeps it.
  mallopt(M_TOP_PAD, heap_bytes);
  mallopt(M_TRIM_THRESHOLD, heap_bytes);
  constexpr std::size_t more_than_is_free = 256 << 10;
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  void* last = std::malloc(more_than_is_free);
  if (last == nullptr) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(last) + page_bytes - 1) & ~(page_bytes - 1);
  std::free(last);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) & ~(page_bytes - 1);
  // A host that refuses goes on with small pages.
  if (begin < end) static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

#else

void use_large_pages_for_heap() {}

#endif

}  // namespace gt200::apps
