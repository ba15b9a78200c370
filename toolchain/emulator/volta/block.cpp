#include "toolchain/emulator/volta/block.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/emulator/fermi/block_memory.h"
#include "toolchain/emulator/fermi/generic_access.h"
#include "toolchain/launch/fermi/abi.h"

namespace gt200::emulator::volta {

using namespace arch_state;
using isa::volta::as_volta;
using isa::volta::opcode;

block::block(const program_context& context)
    : context_(context),
      rows_(std::size_t{launch::warps_per_block(*context.launch)} * context.launch->kernel->registers),
      warps_(launch::warps_per_block(*context.launch)),
      shared_((std::size_t{context.launch->kernel->shared_bytes} + context.launch->dynamic_shared + 3) / 4 * 4),
      local_stride_(launch::fermi::local_allocation(context.launch->kernel->local_bytes)) {
  const launch::launch_parameters& l = *context.launch;
  local_.resize(std::size_t{local_stride_} * warps_.size() * isa::warp_size);
  const unsigned registers = l.kernel->registers;
  for (std::size_t w = 0; w < warps_.size(); ++w) warps_[w].registers.bind(rows_.data() + w * registers, registers);
  place_.block_size = l.block;
  place_.grid_size = l.grid;
  place_.grid_id = l.grid_id;
  place_.shared_bytes = static_cast<std::uint32_t>(shared_.size());
}

void block::start(const std::array<std::uint32_t, 3>& coordinates) {
  place_.block = coordinates;
  const std::uint32_t number = fermi::block_number(coordinates, place_.grid_size);
  const std::uint32_t threads = launch::threads_per_block(*context_.launch);
  for (unsigned w = 0; w < warps(); ++w) {
    warp_state& warp = warps_[w];
    fermi::fill_registers(context_.initial_state_seed, number, w, warp.registers);
    warp.paths.start(0, fermi::lanes_of_warp(threads, w));
    warp.barrier_count = 0;
    warp.barrier_truth = false;
    warp.arrived.fill(0);
  }
  fermi::fill_memories(context_.initial_state_seed, number, shared_, local_);
  barriers_.fill({});
  barriers_opened_ = 0;
}

bool block::fail(step_record& r, fault_kind kind, isa::lane_mask lanes, std::uint64_t address) {
  r.state = step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
  r.fault_address = address;
  return false;
}

void block::step(unsigned warp, std::uint64_t clock, step_record& r) {
  warp_state& w = warps_[warp];
  r.warp = warp;
  if (!fetch(w, r) || !gather(w, clock, r)) return;
  const bool waits = r.executed != 0 && r.access.kind != isa::access_kind::none;
  if (!waits) compute(w, r);
  if (!move_on(w, r)) return;
  r.state = waits ? step_state::pending : step_state::done;
  if (r.instruction->exit && r.executed != 0) open_barriers();
}

bool block::fetch(warp_state& w, step_record& r) {
  r.pc = w.paths.pc();
  r.active = w.paths.active_mask();
  r.executed = 0;
  r.performed = 0;
  r.fault = fault_kind::none;
  r.flow = {};
  r.access = {};
  const fermi::code::entry& entry = context_.code->at(r.pc);
  r.instruction = entry.instruction.get();
  if (r.instruction == nullptr) return fail(r, entry.fault, r.active);
  r.access = r.instruction->access;
  return true;
}

bool block::gather(warp_state& w, std::uint64_t clock, step_record& r) {
  const isa::instruction& i = *r.instruction;
  fermi::read_registers(w.registers, operands_of(i, r.values));
  warp_place place;
  place.clock = clock;
  place.warp = static_cast<std::uint8_t>(r.warp);
  place.first_thread = r.warp * isa::warp_size;
  place.block = &place_;
  r.executed = i.needs_collect ? context_.generation->collect(i, place, r.active, r.values) : r.active;
  gather_state(w, as_volta(i), r);
  return i.constant_count == 0 || fermi::gather_constants(*context_.generation, *context_.constants, i, r);
}

// Gathers what some instructions read beside registers: the predicate file, B registers, the result of a barrier.
void block::gather_state(const warp_state& w, const isa::volta::instruction& i, step_record& r) const {
  switch (i.op) {
    case opcode::p2r:
    case opcode::r2p:
      for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
        std::uint32_t bits = 0;
        for (unsigned p = 0; p < isa::volta::predicate_count; ++p)
          bits |= std::uint32_t{w.registers.condition(p)[lane]} << p;
        r.values.source[2][0].lane[lane] = bits;
      }
      break;
    case opcode::b2r:
      fill_row(r.values.destination[0].lane, w.barrier_count);
      std::memset(r.values.predicate_out[0], w.barrier_truth ? 1 : 0, isa::warp_size);
      break;
    default: break;
  }
}

void block::compute(warp_state& w, step_record& r) {
  if (r.executed == 0) return;
  const isa::volta::instruction& i = as_volta(*r.instruction);
  if (i.moves_divergence_state) w.paths.move_state(i, r.values, r.executed);
  if (i.execute != nullptr) i.execute(i, r.values, r.executed);
  write_results(w, i, r.values, r.executed);
}

void block::write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                          isa::lane_mask lanes) {
  if (lanes == 0) return;
  fermi::write_registers(w.registers, results_of(i, values), lanes);
  if (as_volta(i).op != opcode::r2p) return;
  for (unsigned p = 0; p < isa::volta::predicate_count; ++p) {
    std::uint8_t row[isa::warp_size];
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) row[lane] = values.destination[0].lane[lane] >> p & 1;
    write_row(w.registers.condition_for_write(p), row, lanes);
  }
}

bool block::move_on(warp_state& w, step_record& r) {
  const isa::volta::instruction& i = as_volta(*r.instruction);
  if (i.unit == isa::unit_class::barrier && i.op == opcode::bar) return arrive(w, r);
  if (!i.concerns_divergence()) {
    w.paths.advance(i.length);
    r.flow.pc = w.paths.pc();
    r.flow.mask = r.active;
    return true;
  }
  r.flow =
      i.indirect ? w.paths.execute_indirect(i, r.executed, r.values.source[0][0]) : w.paths.execute(i, r.executed);
  return r.flow.fault == fault_kind::none || fail(r, r.flow.fault, r.active);
}

bool block::all_have_arrived(unsigned barrier) const {
  return std::all_of(warps_.begin(), warps_.end(),
                     [&](const warp_state& w) { return (w.paths.live_mask() & ~w.arrived[barrier]) == 0; });
}

bool block::arrive(warp_state& w, step_record& r) {
  const isa::volta::instruction& i = as_volta(*r.instruction);
  w.paths.advance(i.length);
  if (r.executed == 0) return true;
  if (r.executed != r.active) return fail(r, fault_kind::divergent_barrier, r.active & ~r.executed);
  barrier_state& b = barriers_[i.barrier.id];
  b.armed = true;
  w.arrived[i.barrier.id] |= r.executed;
  if (i.barrier_operation == isa::volta::barrier_mode::reduce) {
    b.totals.threads += count_lanes(r.executed);
    b.totals.holds += count_lanes(context_.generation->barrier_vote(i, r.values, r.executed));
    b.reduction = &i;
  }
  if (i.barrier.waits) w.paths.wait_at_block_barrier(i.barrier.id);
  open_barriers();
  r.flow.pc = w.paths.pc();
  r.flow.mask = w.paths.active_mask();
  return true;
}

void block::open_barriers() {
  for (unsigned id = 0; id < barriers_.size(); ++id) {
    barrier_state& b = barriers_[id];
    if (!b.armed || !all_have_arrived(id)) continue;
    if (b.reduction != nullptr) {
      isa::lane_bundle result;
      context_.generation->finish_barrier(*b.reduction, b.totals, result);
      for (warp_state& w : warps_) {
        w.barrier_count = result.destination[0].lane[0];
        w.barrier_truth = result.predicate_out[0][0] != 0;
      }
    }
    b = {};
    ++barriers_opened_;
    for (warp_state& w : warps_) {
      w.arrived[id] = 0;
      w.paths.release_block_barrier(id, ~isa::lane_mask{0});
    }
  }
}

void block::perform(step_record& r) {
  if (r.access.space == isa::memory_space::texture) {
    const fault_kind kind =
        context_.textures != nullptr ? context_.textures->fetch(r, r.executed) : fault_kind::texture_not_bound;
    if (kind != fault_kind::none) fail(r, kind, r.executed);
    return;
  }
  if (fermi::perform_in_block(r, *context_.generation, *context_.global, shared_, local_, local_stride_, true))
    r.performed = r.executed;
}

void block::perform_shared(step_record& r) {
  fermi::memories m;
  m.shared = {shared_.data(), static_cast<std::uint32_t>(shared_.size()), 0};
  m.atomics_on_chip = true;
  if (const access_fault f = fermi::perform_access(r, m, context_.generation->values(), r.executed))
    fail(r, f.kind, f.lanes, f.address);
  else
    r.performed = r.executed;
}

void block::complete(step_record& r) {
  r.state = step_state::done;
  write_results(warps_[r.warp], *r.instruction, r.values, r.executed);
}

fault block::describe_fault(const step_record& r) const {
  return fermi::describe_block_fault(r, *context_.generation, *context_.launch->kernel, place_);
}

}  // namespace gt200::emulator::volta
