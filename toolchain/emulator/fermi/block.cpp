#include "toolchain/emulator/fermi/block.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/emulator/fermi/block_memory.h"

namespace gt200::emulator::fermi {

using namespace arch_state;
namespace {

constexpr std::uint32_t padded(std::uint32_t bytes, std::uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

block::block(const program_context& context)
    : context_(context),
      rows_(std::size_t{launch::fermi::warps_per_block(*context.launch)} * context.launch->kernel->registers),
      warps_(launch::fermi::warps_per_block(*context.launch)),
      shared_(padded(launch::fermi::shared_bytes_per_block(*context.launch), 4)),
      local_stride_(launch::fermi::local_allocation(context.launch->kernel->local_bytes)),
      locks_(warps()),
      barriers_(warps()),
      reductions_(warps()) {
  const launch::fermi::launch_parameters& l = *context.launch;
  local_.resize(std::size_t{local_stride_} * warps_.size() * isa::warp_size);
  const unsigned registers = l.kernel->registers;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    warps_[w].flow = context.generation->make_divergence();
    warps_[w].registers.bind(rows_.data() + w * registers, registers);
  }
  place_.block_size = l.block;
  place_.grid_size = l.grid;
  place_.grid_id = l.grid_id;
  place_.shared_bytes = static_cast<std::uint32_t>(shared_.size());
}

void block::start(const std::array<std::uint32_t, 3>& coordinates) {
  place_.block = coordinates;
  const std::uint32_t number = block_number(coordinates, place_.grid_size);
  const std::uint32_t threads = launch::fermi::threads_per_block(*context_.launch);
  for (unsigned w = 0; w < warps(); ++w) {
    warp_state& warp = warps_[w];
    fill_registers(context_.initial_state_seed, number, w, warp.registers);
    warp.flow->start(0, lanes_of_warp(threads, w));
  }
  fill_memories(context_.initial_state_seed, number, shared_, local_);
  locks_.clear();
  barriers_.start(warps());
  reductions_.start();
  opened_.fill(0);
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
  const isa::instruction& i = *r.instruction;
  const bool at_barrier = i.unit == isa::unit_class::barrier && !context_.generation->is_fence(i);
  const bool waits =
      r.executed != 0 && (r.access.kind != isa::access_kind::none || (at_barrier && i.result_count != 0));
  if (!waits && !at_barrier) repeat(r);
  if (!move_on(w, r)) return;
  r.state = waits ? step_state::pending : step_state::done;
  if (at_barrier) arrive(warp, r);
  if (w.flow->finished()) {
    barriers_.warp_ended();
    open_barriers();
  }
}

void block::repeat(step_record& r) {
  const isa::instruction& i = *r.instruction;
  if (i.execute != nullptr && r.executed != 0) i.execute(i, r.values, r.executed);
  write_results(warps_[r.warp], i, r.values, r.executed);
}

void block::complete(step_record& r) {
  r.state = step_state::done;
  if (r.instruction->unit == isa::unit_class::barrier)
    complete_barrier(r);
  else
    write_results(warps_[r.warp], *r.instruction, r.values, r.executed);
}

void block::complete_barrier(step_record& r) {
  if (!reductions_.has_result(r.warp)) return;
  const reductions::outcome o = reductions_.take(r.warp);
  context_.generation->finish_barrier(*o.instruction, o.totals, r.values);
  write_results(warps_[r.warp], *o.instruction, r.values, o.lanes);
}

bool block::fetch(warp_state& w, step_record& r) {
  r.pc = w.flow->pc();
  r.active = w.flow->active_mask();
  r.executed = 0;
  r.performed = 0;
  r.fault = fault_kind::none;
  r.flow = {};
  r.access = {};
  const code::entry& entry = context_.code->at(r.pc);
  r.instruction = entry.instruction.get();
  if (r.instruction == nullptr) return fail(r, entry.fault, r.active);
  r.access = r.instruction->access;
  return true;
}

bool block::gather(warp_state& w, std::uint64_t clock, step_record& r) {
  const isa::instruction& i = *r.instruction;
  read_registers(w.registers, operands_of(i, r.values));
  warp_place place;
  place.clock = clock;
  place.warp = static_cast<std::uint8_t>(r.warp);
  place.first_thread = r.warp * isa::warp_size;
  place.block = &place_;
  r.executed = i.needs_collect ? context_.generation->collect(i, place, r.active, r.values) : r.active;
  return i.constant_count == 0 || fermi::gather_constants(*context_.generation, *context_.constants, i, r);
}

void block::perform(step_record& r) {
  if (r.access.space == isa::memory_space::texture) {
    const fault_kind kind =
        context_.textures != nullptr ? context_.textures->fetch(r, r.executed) : fault_kind::texture_not_bound;
    if (kind != fault_kind::none) fail(r, kind, r.executed);
    return;
  }
  if (!perform_in_block(r, *context_.generation, *context_.global, shared_, local_, local_stride_, false)) return;
  r.performed = r.executed;
  lock_or_unlock(r);
}

// At most one lane of the warp takes its lock. The predicate tells each lane whether it did.
void block::lock_or_unlock(step_record& r) {
  const bool locks = r.access.kind == isa::access_kind::locked_load;
  if (!locks && r.access.kind != isa::access_kind::unlocking_store) return;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    if ((r.executed >> lane & 1) == 0) continue;
    const std::uint32_t address = r.values.address.lane[lane];
    if (locks)
      r.values.predicate_out[0][lane] = locks_.try_lock(r.warp, address) ? 1 : 0;
    else
      locks_.unlock(r.warp, address);
  }
}

void block::perform_shared(step_record& r) {
  memories m;
  m.shared = {shared_.data(), static_cast<std::uint32_t>(shared_.size()), 0};
  if (const access_fault f = perform_access(r, m, context_.generation->values(), r.executed))
    return static_cast<void>(fail(r, f.kind, f.lanes, f.address));
  r.performed = r.executed;
  lock_or_unlock(r);
}

void block::write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                          isa::lane_mask lanes) {
  if (lanes == 0) return;
  write_registers(w.registers, results_of(i, values), lanes);
}

bool block::move_on(warp_state& w, step_record& r) {
  const isa::instruction& i = *r.instruction;
  if (i.unit == isa::unit_class::barrier && !context_.generation->is_fence(i)) {
    // A block has one barrier at least.
    if (i.barrier.id >= std::max(1u, context_.launch->kernel->barriers))
      return fail(r, fault_kind::barrier_not_allocated, r.active);
    if (!w.flow->converged()) return fail(r, fault_kind::divergent_barrier, r.active);
  }
  if (!i.concerns_divergence()) {
    w.flow->advance(i.length);
    r.flow.pc = w.flow->pc();
    r.flow.mask = r.active;
    return true;
  }
  r.flow = i.constant_count != 0 && i.flow == isa::flow_kind::branch
               ? w.flow->execute_indirect(i, r.executed, r.values.source[i.constants[0].slot][0])
               : w.flow->execute(i, r.executed);
  return r.flow.fault == fault_kind::none || fail(r, r.flow.fault, r.active);
}

void block::arrive(unsigned warp, step_record& r) {
  const isa::instruction& i = *r.instruction;
  if (r.executed == 0) return;  // the guard is false for the whole warp
  reductions_.arrive(warp, i, r.executed, context_.generation->barrier_vote(i, r.values, r.executed));
  barriers_.execute(warp, i.barrier);
  open_barriers();
}

// Tells the reductions which barriers have opened.
void block::open_barriers() {
  for (unsigned id = 0; id < barriers::count; ++id) {
    if (barriers_.opened(id) == opened_[id]) continue;
    opened_[id] = barriers_.opened(id);
    reductions_.open(id);
  }
}

fault block::describe_fault(const step_record& r) const {
  return describe_block_fault(r, *context_.generation, *context_.launch->kernel, place_);
}

}  // namespace gt200::emulator::fermi
