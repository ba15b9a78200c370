#include "observe/checker/emulated_launch.h"

namespace gt200::observe {
namespace {

void fault(arch_state::step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes) {
  r.state = arch_state::step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
}

}  // namespace

void emulated_launch::begin(model::chip& chip, const launch::launch_parameters& launched,
                            const model::grid_descriptor& of) {
  parameters = launched;
  grid = of;
  code.emplace(*parameters.kernel, chip.generation());
  constants = {};
  for (unsigned space = 0; space < grid.constants.size(); ++space) {
    std::vector<std::uint8_t> bytes(grid.constants[space].bytes);
    if (!bytes.empty()) chip.command_processor.peek(grid.constants[space].address, bytes.data(), bytes.size());
    const std::size_t size = bytes.size();
    constants.write(space, 0, bytes, size);
  }
}

std::uint32_t emulated_launch::line(isa::code_address pc) const {
  std::uint32_t line = 0;
  for (const cubin::source_line& l : parameters.kernel->lines)
    if (l.offset <= pc) line = l.line;
  return line;
}

void resolve_access(arch_state::step_record& r, const arch_state::generation_values& values,
                    bool atomics_on_shared) {
  if (r.access.wide_address)
    if (const isa::lane_mask beyond = arch_state::lanes_beyond_32_bits(r.values.address_high, r.executed))
      return fault(r, arch_state::fault_kind::unmapped_address, beyond);
  if (!r.access.generic) return;
  const bool is_atomic = r.access.kind == isa::access_kind::atomic || r.access.kind == isa::access_kind::reduction;
  if (is_atomic) {
    isa::lane_mask refused =
        arch_state::lanes_in_window(r.values.address, values.local_window, values.window_bytes, r.executed);
    if (!atomics_on_shared)
      refused |=
          arch_state::lanes_in_window(r.values.address, values.shared_window, values.window_bytes, r.executed);
    if (refused != 0) return fault(r, arch_state::fault_kind::unsupported, refused);
  }
  r.access.space = arch_state::resolve_generic(values, r.executed, r.values.address);
  r.access.generic = r.access.space == isa::memory_space::none;
}

}  // namespace gt200::observe
