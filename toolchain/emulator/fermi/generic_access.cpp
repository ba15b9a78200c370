#include "toolchain/emulator/fermi/generic_access.h"

#include "toolchain/arch_state/generic_address.h"
#include "toolchain/arch_state/lane_rows.h"

namespace gt200::emulator::fermi {

using arch_state::access_fault;
using arch_state::fault_kind;
using arch_state::flat_storage;
using arch_state::step_record;
namespace {

access_fault access_storage(step_record& r, const flat_storage& storage, const isa::lane_words& address,
                            isa::lane_mask lanes, bool has_atomics) {
  if (r.access.kind == isa::access_kind::load || r.access.kind == isa::access_kind::locked_load)
    return load_lanes(storage, address, lanes, r.access.type, r.values.destination);
  if (r.access.stores()) return store_lanes(storage, address, lanes, r.access.type, r.values.source[1]);
  if (has_atomics)
    return atomic_lanes(storage, r.access, address, lanes, r.values.source[1], r.values.source[2],
                        r.values.destination);
  return {fault_kind::unsupported, lanes, address.lane[arch_state::lowest_lane(lanes)]};
}

access_fault access_global(step_record& r, arch_state::memory& global, isa::lane_mask lanes) {
  isa::lane_bundle& b = r.values;
  switch (r.access.kind) {
    case isa::access_kind::load: return load_lanes(global, b.address, lanes, r.access.type, b.destination);
    case isa::access_kind::store: return store_lanes(global, b.address, lanes, r.access.type, b.source[1]);
    default: return atomic_lanes(global, r.access, b.address, lanes, b.source[1], b.source[2], b.destination);
  }
}

access_fault access_window(step_record& r, const flat_storage& storage, std::uint32_t base, isa::lane_mask lanes,
                           bool has_atomics) {
  isa::lane_words offsets;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) offsets.lane[lane] = r.values.address.lane[lane] - base;
  access_fault f = access_storage(r, storage, offsets, lanes, has_atomics);
  if (f) f.address += base;
  return f;
}

}  // namespace

access_fault perform_access(step_record& r, const memories& m, const arch_state::generation_values& values,
                            isa::lane_mask lanes) {
  if (lanes == 0) return {};
  if (r.access.space == isa::memory_space::shared)
    return access_storage(r, m.shared, r.values.address, lanes, m.atomics_on_chip);
  if (r.access.space == isa::memory_space::local) return access_storage(r, m.local, r.values.address, lanes, false);
  const isa::lane_mask beyond =
      r.access.wide_address ? arch_state::lanes_beyond_32_bits(r.values.address_high, lanes) : 0;
  if (beyond != 0) return {fault_kind::unmapped_address, beyond, arch_state::wide_address(r.values, beyond)};
  isa::lane_mask global = lanes;
  if (r.access.generic) {
    const isa::lane_mask shared =
        arch_state::lanes_in_window(r.values.address, values.shared_window, values.window_bytes, lanes);
    const isa::lane_mask local =
        arch_state::lanes_in_window(r.values.address, values.local_window, values.window_bytes, lanes);
    global &= ~(shared | local);
    if (shared != 0)
      if (const access_fault f = access_window(r, m.shared, values.shared_window, shared, m.atomics_on_chip))
        return f;
    if (local != 0)
      if (const access_fault f = access_window(r, m.local, values.local_window, local, false)) return f;
  }
  return global == 0 ? access_fault{} : access_global(r, *m.global, global);
}

}  // namespace gt200::emulator::fermi
