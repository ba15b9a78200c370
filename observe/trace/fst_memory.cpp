// Replaces malloc() and mmap() in GTKWave's code (CMakeLists.txt), which does not look whether it has got the
// memory. std::bad_alloc goes through its functions, which hold nothing that must be given back.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

extern "C" {

void* gt200_fst_malloc(std::size_t bytes) {
  void* const got = std::malloc(bytes);
  if (got == nullptr && bytes != 0) throw std::bad_alloc();
  return got;
}

void* gt200_fst_calloc(std::size_t count, std::size_t bytes) {
  void* const got = std::calloc(count, bytes);
  if (got == nullptr && count != 0 && bytes != 0) throw std::bad_alloc();
  return got;
}

void* gt200_fst_realloc(void* known, std::size_t bytes) {
  void* const got = std::realloc(known, bytes);
  if (got == nullptr && bytes != 0) throw std::bad_alloc();
  return got;
}

void* gt200_fst_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  void* const got = mmap(at, bytes, protection, flags, file, offset);
  if (got == MAP_FAILED) throw std::bad_alloc();
  return got;
}

}  // extern "C"
