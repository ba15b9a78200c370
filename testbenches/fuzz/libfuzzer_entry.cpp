// libFuzzer calls the target this file is compiled for; a finding aborts the process, which libFuzzer reports with
// the input that caused it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "testbenches/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    gt200::fuzz::GT200_FUZZ_TARGET(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
  return 0;
}
