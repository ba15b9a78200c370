// Tells AddressSanitizer that a thread goes on with another stack; nothing without it.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GT200_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GT200_ADDRESS_SANITIZER
#endif

#ifdef GT200_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#define GT200_CHANGES_STACKS [[gnu::no_sanitize_address]]
#else
#define GT200_CHANGES_STACKS
#endif

namespace gt200::cudart {

struct stack_change {
  // Before the change, to the stack from `bottom` on. `kept`: what the sanitizer keeps of this one; null if it
  // ends.
  static void begin([[maybe_unused]] void** kept, [[maybe_unused]] const void* bottom,
                    [[maybe_unused]] std::size_t bytes) {
#ifdef GT200_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(kept, bottom, bytes);
#endif
  }
  // After it, on the other stack: what was kept of that, and where the change came from.
  static void end([[maybe_unused]] void* kept, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* bytes) {
#ifdef GT200_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(kept, bottom, bytes);
#endif
  }
};

}  // namespace gt200::cudart
