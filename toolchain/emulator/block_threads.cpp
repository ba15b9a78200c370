// Execution of threads that warps are formed of anew (block_state.h): the registers of each lane's thread are
// copied to rows of one warp, where the instruction executes, and its results back.
#include <cstring>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/bits.h"
#include "toolchain/emulator/block_state.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

constexpr isa::lane_mask lane_bit_of(unsigned lane) { return isa::lane_mask{1} << lane; }

// Copies a register of the lanes in `mask`.
void copy_register(register_rows& to, const register_rows& from, isa::register_file_kind file, unsigned index,
                   isa::lane_mask mask) {
  switch (file) {
    case isa::register_file_kind::gpr:
      if (std::uint32_t* row = to.gpr_for_write(index)) write_row(row, from.gpr(index), mask);
      break;
    case isa::register_file_kind::condition:
      write_row(to.condition_for_write(index), from.condition(index), mask);
      break;
    case isa::register_file_kind::address: write_row(to.address_for_write(index), from.address(index), mask); break;
  }
}

}  // namespace

void block_state::step_threads(const std::array<std::uint8_t, isa::warp_size>& warps, isa::lane_mask lanes,
                               isa::code_address pc, step_record& r) {
  r.formed = true;
  r.warps = warps;
  r.warp = lanes == 0 ? 0 : warps[lowest_lane(lanes)];
  r.pc = pc;
  r.active = lanes;
  clear(r);
  const code_entry* entry = fetch(r);
  if (entry == nullptr) return;
  r.access = entry->instruction.access;
  take_registers(r);
  if (!gather(*gathered_, *entry, r)) return;
  move_threads(entry->instruction, r);
  if (r.fault != fault_kind::none) return;
  put_registers(r, true);  // an address register that it increments
  if (r.access.kind == isa::access_kind::none)
    finish_threads(r);
  else
    r.state = step_state::pending;
}

void block_state::move_threads(const isa::tesla::instruction& i, step_record& r) {
  r.flow.pc = r.pc + i.length;
  for (const unsigned lane : set_bits(r.active)) {
    thread_flow& flow = *threads_[r.warps[lane]];
    if (!i.concerns_divergence()) {
      flow.set_pc(lane, r.pc + i.length);
      continue;
    }
    flow.set_pc(lane, r.pc);
    const fault_kind fault = flow.execute(lane, i, (r.executed & lane_bit_of(lane)) != 0);
    if (fault == fault_kind::none) continue;
    if (r.fault == fault_kind::none) fail(r, fault, 0);
    if (r.fault == fault) r.fault_lanes |= lane_bit_of(lane);
  }
}

// Takes the registers that the instruction reads, and those that it may write in part.
void block_state::take_registers(const step_record& r) {
  const isa::instruction& i = *r.instruction;
  const auto take = [&](const isa::register_range& range) {
    for (unsigned k = 0; k < range.count; ++k)
      for (const unsigned lane : set_bits(r.active))
        copy_register(gathered_->registers, warps_[r.warps[lane]].registers, range.file, range.first + k,
                      lane_bit_of(lane));
  };
  for (unsigned k = 0; k < i.read_count; ++k) take(i.reads[k]);
  for (unsigned k = 0; k < i.write_count; ++k) take(i.writes[k]);
}

void block_state::put_registers(const step_record& r, bool addresses_only) {
  const isa::instruction& i = *r.instruction;
  for (unsigned n = 0; n < i.write_count; ++n) {
    const isa::register_range& range = i.writes[n];
    if (addresses_only && range.file != isa::register_file_kind::address) continue;
    for (unsigned k = 0; k < range.count; ++k)
      for (const unsigned lane : set_bits(r.executed))
        copy_register(warps_[r.warps[lane]].registers, gathered_->registers, range.file, range.first + k,
                      lane_bit_of(lane));
  }
}

void block_state::finish_threads(step_record& r) {
  take_registers(r);
  finish(*gathered_, r);
  put_registers(r, false);
}

}  // namespace gt200::emulator
