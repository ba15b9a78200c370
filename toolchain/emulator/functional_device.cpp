#include "toolchain/emulator/functional_device.h"

#include "toolchain/error.h"

namespace gt200::emulator {
namespace {

void add(run_counters& sum, const run_counters& more) {
  sum.warp_instructions += more.warp_instructions;
  sum.thread_instructions += more.thread_instructions;
  for (std::size_t k = 0; k < sum.per_opcode.size(); ++k) sum.per_opcode[k] += more.per_opcode[k];
  for (std::size_t k = 0; k < sum.per_unit.size(); ++k) sum.per_unit[k] += more.per_unit[k];
}

}  // namespace

functional_device::functional_device(const launch::prepared& program, const run_options& options,
                                     run_observer* observer)
    : program_(program), options_(options), observer_(observer) {
  for (const auto* list : {&program.globals, &program.buffers})
    for (const launch::placed_bytes& placed : *list)
      if (!placed.initial.empty() &&
          !global_.map(placed.address, static_cast<std::uint32_t>(placed.initial.size())))
        throw input_error(program.launch->file, 0, "buffer '" + placed.name + "' overlaps another one");
}

launch::device functional_device::interface() {
  launch::device device;
  const auto refuse = [this] { throw input_error(program_.launch->file, 0, "host access outside the buffers"); };
  device.write = [this, refuse](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    if (!global_.write(address, bytes, size)) refuse();
  };
  device.read = [this, refuse](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    if (!global_.read(address, bytes, size)) refuse();
  };
  device.launch = [this](const launch::launch_parameters& grid) { launch(grid); };
  return device;
}

void functional_device::launch(const launch::launch_parameters& grid) {
  const code_image code(*grid.kernel);
  const constant_memory constants(*program_.module, *grid.kernel, program_.relocations);
  const run_result result = run(grid, code, constants, global_, options_, observer_);
  add(counters_, result.counters);
  if (result.fault) throw launch_fault(result.fault);
}

}  // namespace gt200::emulator
