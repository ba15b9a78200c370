#include "toolchain/launch/feature.h"

#include <fmt/format.h>

#include <string_view>

namespace gt200::launch {

std::string refusal(const std::vector<const feature*>& required, const device_features& present) {
  for (const feature* f : required) {
    if (f->capability > present.capability)
      return fmt::format("the launch requires {} (compute capability {}.{}), the chip has {}.{}", f->name,
                         f->capability / 10, f->capability % 10, present.capability / 10, present.capability % 10);
    if (f->name == std::string_view("texture_sampling") && !present.texture_sampling)
      return "the launch requires texture_sampling, which the cycle model does not have; the emulator does";
  }
  return {};
}

}  // namespace gt200::launch
