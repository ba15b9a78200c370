#include "apps/support/emulator_device.h"

#include <algorithm>

namespace gt200::apps {

emulator_device::emulator_device(const launch::prepared& program, const emulator::run_options& options)
    : program_(program), options_(options) {
  for (const auto* list : {&program.globals, &program.buffers})
    for (const launch::placed_bytes& placed : *list)
      if (!placed.initial.empty() &&
          !memory_.map(placed.address, static_cast<std::uint32_t>(placed.initial.size())))
        throw std::logic_error("buffers overlap in device memory: " + placed.name);
  target_.write = [this](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    if (size != 0 && !memory_.write(address, bytes, size)) throw std::logic_error("write outside the buffers");
  };
  target_.read = [this](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    if (size != 0 && !memory_.read(address, bytes, size)) throw std::logic_error("read outside the buffers");
  };
  target_.launch = [this](const launch::launch_parameters& launch) { run(launch); };
}

const emulator_device::loaded_kernel& emulator_device::loaded(const cubin::kernel& kernel) {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const loaded_kernel& known) { return known.kernel == &kernel; });
  if (found != kernels_.end()) return *found;
  kernels_.push_back({&kernel, std::make_unique<emulator::code_image>(kernel),
                      std::make_unique<emulator::constant_memory>(*program_.module, kernel, program_.relocations)});
  return kernels_.back();
}

void emulator_device::run(const launch::launch_parameters& launch) {
  const loaded_kernel& kernel = loaded(*launch.kernel);
  const emulator::run_result result = emulator::run(launch, *kernel.code, *kernel.constants, memory_, options_);
  ++launches_;
  counters_.warp_instructions += result.counters.warp_instructions;
  counters_.thread_instructions += result.counters.thread_instructions;
  for (std::size_t i = 0; i < counters_.per_opcode.size(); ++i)
    counters_.per_opcode[i] += result.counters.per_opcode[i];
  for (std::size_t i = 0; i < counters_.per_unit.size(); ++i) counters_.per_unit[i] += result.counters.per_unit[i];
  if (result.fault) throw program_fault(result.fault);
}

}  // namespace gt200::apps
