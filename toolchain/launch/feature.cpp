#include "toolchain/launch/feature.h"

#include <fmt/format.h>

namespace gt200::launch {

std::string refusal(const std::vector<const feature*>& required, unsigned capability) {
  for (const feature* f : required)
    if (f->capability > capability)
      return fmt::format("the launch requires {} (compute capability {}.{}), the chip has {}.{}", f->name,
                         f->capability / 10, f->capability % 10, capability / 10, capability % 10);
  return {};
}

}  // namespace gt200::launch
