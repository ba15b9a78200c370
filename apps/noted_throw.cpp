// The function that every `throw` of the program, and of the shared objects that it loads, calls. It notes which
// code throws (toolchain/foreign_code.h) and calls the function of the C++ library. Only the program has it: a
// library must not change how the programs that link it throw.
#include <dlfcn.h>

#include <cstdlib>

#include "toolchain/foreign_code.h"

#if defined(__SANITIZE_ADDRESS__)
#define GT200_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GT200_ADDRESS_SANITIZER
#endif
#endif
#ifdef GT200_ADDRESS_SANITIZER
extern "C" void __asan_handle_no_return();  // NOLINT(bugprone-reserved-identifier)
#endif

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((visibility("default"), noreturn)) void __cxa_throw(void* thrown, void* type,
                                                                             void (*destructor)(void*)) {
  using function = void (*)(void*, void*, void (*)(void*));
  static const auto of_library = reinterpret_cast<function>(dlsym(RTLD_NEXT, "__cxa_throw"));
  gt200::note_throw(thrown, __builtin_return_address(0));
#ifdef GT200_ADDRESS_SANITIZER
  __asan_handle_no_return();  // its own __cxa_throw is not called
#endif
  of_library(thrown, type, destructor);
  std::abort();
}
