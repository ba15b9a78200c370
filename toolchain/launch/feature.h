// Device features a launch may require by name. A device that lacks one refuses the launch before it begins.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace gt200::launch {

struct feature {
  const char* name;
  unsigned capability;  // lowest compute capability that has it, x 10
  const char* meaning;
};

// Source: CUDA C programming guide 4.2, appendix F.1.
inline constexpr std::array<feature, 6> features = {{
    {"global_atomics", 11, "32-bit atomics on device memory"},
    {"global_atomics_64", 12, "64-bit atomics on device memory"},
    {"shared_atomics", 12, "locks on words of shared memory"},
    {"warp_vote", 12, "vote"},
    {"double_precision", 13, "64-bit floating point"},
    {"texture_sampling", 10, "arrays, addressing modes, filtering: more than integer fetches of linear memory"},
}};

// Empty when a device of this compute capability (x 10) has all of them, else why the launch is refused.
std::string refusal(const std::vector<const feature*>& required, unsigned capability);

}  // namespace gt200::launch
