// Ends the program in one line on a processor that lacks the instructions it was compiled for
// (cmake/processor.cmake). This file is compiled without them, and runs before what the others initialise.
#include <unistd.h>

#include "apps/exit_code.h"

namespace {

[[gnu::constructor(101)]] void require_processor() {
#ifdef GT200_COMPILED_FOR_X86_64_V3
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt"))
    return;
  constexpr char message[] =
      "gt200: this program was compiled for processors with AVX2; compile it with -DGT200_PROCESSOR=any\n";
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit(static_cast<int>(gt200::apps::exit_code::internal));
  _exit(static_cast<int>(gt200::apps::exit_code::internal));
#endif
}

}  // namespace
