#include "toolchain/emulator/constant_memory.h"

#include <algorithm>

#include "toolchain/cubin/limits.h"

namespace gt200::emulator {

constant_memory::constant_memory(const cubin::module& module, const cubin::kernel& kernel,
                                 const std::vector<std::uint8_t>& relocations) {
  for (const auto* segments : {&module.constants, &kernel.constants})
    for (const cubin::constant_segment& s : *segments) write(s.space, s.offset, s.data, s.size);
  if (!relocations.empty())
    write(cubin::architecture_of_sm(module.capability).address_space, 0, relocations, relocations.size());
}

void constant_memory::write(unsigned space, std::uint32_t offset, const std::vector<std::uint8_t>& data,
                            std::size_t size) {
  std::vector<std::uint8_t>& target = bytes_[space % spaces];
  target.resize(std::max(target.size(), offset + std::max(data.size(), size)));
  std::copy(data.begin(), data.end(), target.begin() + offset);
}

}  // namespace gt200::emulator
