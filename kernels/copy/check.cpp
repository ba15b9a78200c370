#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::copy {

// The buffer shifted_out has the N words from the word OFFSET on; those around them keep their zeros.
launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  launch::reference_result expected;
  for (const std::uint32_t word : context.initial<std::uint32_t>("in")) expected.value.push_back(word);
  if (buffer == "shifted_out") {
    const auto words = static_cast<std::size_t>(context.parameter("N"));
    const auto offset = static_cast<std::size_t>(context.parameter("OFFSET"));
    for (std::size_t i = 0; i < expected.value.size(); ++i)
      if (i < offset || i >= offset + words) expected.value[i] = 0;
  }
  return expected;
}

}  // namespace gt200::kernels::copy
