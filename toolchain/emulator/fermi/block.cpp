#include "toolchain/emulator/fermi/block.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/initial_state.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/register_transfer.h"

namespace gt200::emulator::fermi {

using namespace arch_state;
namespace {

constexpr std::uint32_t padded(std::uint32_t bytes, std::uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

void read_registers(const register_rows& from, const register_reads& reads) {
  for (const isa::register_transfer& t : reads) {
    if (t.file == isa::register_file_kind::gpr) {
      auto* rows = reads.row<isa::lane_words>(t);
      for (unsigned k = 0; k < t.count; ++k) copy_row(rows[k].lane, from.gpr(t.first + k));
    } else {
      std::memcpy(reads.row<std::uint8_t>(t), from.condition(t.first), isa::warp_size);
    }
  }
}

std::uint32_t linear_number(const std::array<std::uint32_t, 3>& at, const std::array<std::uint32_t, 3>& size) {
  return (at[2] * size[1] + at[1]) * size[0] + at[0];
}

}  // namespace

block::block(const program_context& context)
    : context_(context),
      rows_(std::size_t{launch::fermi::warps_per_block(*context.launch)} * context.launch->kernel->registers),
      warps_(launch::fermi::warps_per_block(*context.launch)),
      shared_(padded(launch::fermi::shared_bytes_per_block(*context.launch), 4)),
      local_stride_(launch::fermi::local_allocation(context.launch->kernel->local_bytes)),
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
  const std::uint32_t number = linear_number(coordinates, place_.grid_size);
  const std::uint64_t seed = context_.initial_state_seed;
  const std::uint32_t threads = launch::fermi::threads_per_block(*context_.launch);
  for (unsigned w = 0; w < warps(); ++w) {
    warp_state& warp = warps_[w];
    const std::uint32_t present = std::min<std::uint32_t>(threads - w * isa::warp_size, isa::warp_size);
    for (unsigned k = 0; k < warp.registers.count(); ++k)
      initial_register_row(seed, number, w, k, warp.registers.gpr_for_write(k));
    warp.registers.clear_conditions_and_addresses();
    warp.flow->start(0, present == isa::warp_size ? all_lanes : (1u << present) - 1);
  }
  for (std::uint32_t word = 0; word < shared_.size() / 4; ++word) {
    const std::uint32_t value = initial_shared_word(seed, number, word);
    std::memcpy(shared_.data() + 4 * word, &value, 4);
  }
  for (std::uint32_t word = 0; word < local_.size() / 4; ++word) {
    const std::uint32_t value = initial_local_word(seed, number, word);
    std::memcpy(local_.data() + 4 * std::size_t{word}, &value, 4);
  }
  barriers_.start(warps());
  reductions_.start();
  opened_.fill(0);
}

bool block::fail(step_record& r, fault_kind kind, isa::lane_mask lanes, std::uint32_t address) {
  r.state = step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
  r.fault_address = address;
  return false;
}

void block::step(unsigned warp, std::uint32_t clock, step_record& r) {
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

bool block::gather(warp_state& w, std::uint32_t clock, step_record& r) {
  const isa::instruction& i = *r.instruction;
  read_registers(w.registers, operands_of(i, r.values));
  warp_place place;
  place.clock = clock;
  place.warp = static_cast<std::uint8_t>(r.warp);
  place.first_thread = r.warp * isa::warp_size;
  place.block = &place_;
  r.executed = i.needs_collect ? context_.generation->collect(i, place, r.active, r.values) : r.active;
  return i.constant_count == 0 || gather_constants(i, r);
}

bool block::gather_constants(const isa::instruction& i, step_record& r) {
  for (unsigned k = 0; k < i.constant_count; ++k) {
    const isa::constant_operand& c = i.constants[k];
    isa::lane_words addresses;
    if (c.indexed)
      context_.generation->constant_addresses(i, c, r.values, addresses.lane);
    else
      fill_row(addresses.lane, c.offset);
    if (c.bank >= constant_memory::spaces) return fail(r, fault_kind::unmapped_address, r.executed, c.offset);
    const std::vector<std::uint8_t>& bytes = context_.constants->bytes(c.bank);
    const flat_view from = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), 0};
    // Word by word, as the chip reads them: words of 32 bits need no further alignment.
    const unsigned words = static_cast<unsigned>(isa::words_of(c.type));
    const isa::data_type type = words == 1 ? c.type : isa::data_type::b32;
    for (unsigned word = 0; word < words; ++word) {
      isa::lane_words* to = r.values.source[c.slot] + word;
      if (const access_fault f = load_lanes(from, addresses, r.executed, type, to, !c.indexed))
        return fail(r, f.kind, f.lanes, f.address);
      for (std::uint32_t& a : addresses.lane) a += 4;
    }
  }
  return true;
}

void block::perform(step_record& r) {
  if (r.access.space == isa::memory_space::texture) {
    const fault_kind kind =
        context_.textures != nullptr ? context_.textures->fetch(r, r.executed) : fault_kind::texture_not_bound;
    if (kind != fault_kind::none) fail(r, kind, r.executed);
    return;
  }
  memories m;
  m.global = context_.global;
  m.shared = {shared_.data(), static_cast<std::uint32_t>(shared_.size()), 0};
  m.local = {local_.data() + std::size_t{r.warp} * isa::warp_size * local_stride_, local_stride_, local_stride_};
  if (const access_fault f = perform_access(r, m, context_.generation->values(), r.executed))
    fail(r, f.kind, f.lanes, f.address);
  else
    r.performed = r.executed;
}

void block::perform_shared(step_record& r) {
  memories m;
  m.shared = {shared_.data(), static_cast<std::uint32_t>(shared_.size()), 0};
  if (const access_fault f = perform_access(r, m, context_.generation->values(), r.executed))
    fail(r, f.kind, f.lanes, f.address);
  else
    r.performed = r.executed;
}

void block::write_results(warp_state& w, const isa::instruction& i, const isa::lane_bundle& values,
                          isa::lane_mask lanes) {
  if (lanes == 0) return;
  const register_writes writes = results_of(i, values);
  for (const isa::register_transfer& t : writes) {
    if (t.file == isa::register_file_kind::gpr) {
      const auto* rows = writes.row<const isa::lane_words>(t);
      for (unsigned k = 0; k < t.count; ++k)
        if (std::uint32_t* to = w.registers.gpr_for_write(t.first + k)) write_row(to, rows[k].lane, lanes);
    } else {
      write_row(w.registers.condition_for_write(t.first), writes.row<const std::uint8_t>(t), lanes);
    }
  }
}

bool block::move_on(warp_state& w, step_record& r) {
  const isa::instruction& i = *r.instruction;
  if (i.unit == isa::unit_class::barrier && !context_.generation->is_fence(i) && !w.flow->converged())
    return fail(r, fault_kind::divergent_barrier, r.active);
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
  fault f;
  f.kind = r.fault;
  f.kernel = context_.launch->kernel->name;
  f.pc = r.pc;
  f.block_x = place_.block[0];
  f.block_y = place_.block[1];
  f.warp = r.warp;
  f.lanes = r.fault_lanes;
  f.address = r.fault_address;
  if (r.instruction != nullptr) f.disassembly = isa::text_of(*r.instruction);
  if (place_.block[2] != 0) f.detail = "block.z is " + std::to_string(place_.block[2]);
  return f;
}

}  // namespace gt200::emulator::fermi
