#include "toolchain/emulator/block_state.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/initial_state.h"
#include "toolchain/arch_state/refusal.h"
#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/bits.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

std::uint32_t padded_shared_bytes(const launch::launch_parameters& l) {
  return launch::align_up(launch::shared_bytes_per_block(l), 4);
}

}  // namespace

block_state::block_state(const program_context& context)
    : context_(context),
      rows_(std::size_t{launch::warps_per_block(*context.launch)} * context.launch->kernel->registers),
      warps_(launch::warps_per_block(*context.launch), warp_state(context.divergence)),
      shared_(padded_shared_bytes(*context.launch)),
      local_stride_(local_allocation(context.launch->kernel->local_bytes)),
      locks_(launch::warps_per_block(*context.launch)) {
  local_.resize(std::size_t{local_stride_} * warps_.size() * isa::warp_size);
  const unsigned registers = context.launch->kernel->registers;
  for (std::size_t w = 0; w < warps_.size(); ++w) warps_[w].registers.bind(rows_.data() + w * registers, registers);
  if (!context.forms_warps) return;
  for (std::size_t w = 0; w < warps_.size(); ++w)
    threads_.push_back(std::make_unique<thread_stacks>(context.divergence));
  gathered_rows_.resize(registers);
  gathered_ = std::make_unique<warp_state>(context.divergence);
  gathered_->registers.bind(gathered_rows_.data(), registers);
}

std::uint32_t block_state::local_allocation(std::uint32_t bytes) {
  if (bytes == 0) return 0;
  std::uint32_t allocated = 16;
  while (allocated < bytes) allocated *= 2;
  return allocated;
}

void block_state::start(std::uint32_t x, std::uint32_t y) {
  const launch::launch_parameters& l = *context_.launch;
  x_ = x;
  y_ = y;
  const std::uint32_t block = y * l.grid[0] + x;
  const std::uint64_t seed = context_.initial_state_seed;
  const std::uint32_t threads = launch::threads_per_block(l);
  for (unsigned w = 0; w < warps(); ++w) {
    warp_state& warp = warps_[w];
    const std::uint32_t first = w * isa::warp_size;
    const std::uint32_t present = std::min<std::uint32_t>(threads - first, isa::warp_size);
    for (unsigned k = 0; k < warp.registers.count(); ++k)
      initial_register_row(seed, block, w, k, warp.registers.gpr_for_write(k));
    if (std::uint32_t* r0 = warp.registers.gpr_for_write(0))
      for (unsigned lane = 0; lane < present; ++lane) r0[lane] = launch::initial_r0(first + lane, l.block);
    warp.registers.clear_conditions_and_addresses();
    warp.pending.clear();
    warp.holds_section = false;
    warp.sections_acquired = 0;
    warp.undefined = {};
    const isa::lane_mask lanes = present == isa::warp_size ? all_lanes : (1u << present) - 1;
    warp.flow.start(0, lanes);
    if (context_.forms_warps) threads_[w]->start(0, lanes);
  }
  for (std::uint32_t word = 0; word < shared_.size() / 4; ++word) {
    const std::uint32_t value = initial_shared_word(seed, block, word);
    std::memcpy(shared_.data() + 4 * word, &value, 4);
  }
  launch::write_shared_image(l, x, y, shared_.data());
  for (std::uint32_t word = 0; word < local_.size() / 4; ++word) {
    const std::uint32_t value = initial_local_word(seed, block, word);
    std::memcpy(local_.data() + 4 * std::size_t{word}, &value, 4);
  }
  locks_.clear();
}

void block_state::fail(step_record& r, fault_kind kind, isa::lane_mask lanes, std::uint64_t address) {
  r.state = step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
  r.fault_address = address;
}

void block_state::step(unsigned warp, step_record& r) {
  warp_state& w = warps_[warp];
  r.warp = warp;
  r.formed = false;
  if (!begin(w, r)) return;
  if (r.access.kind == isa::access_kind::none) {
    finish(w, r);
  } else {
    r.state = step_state::pending;
    w.pending.mark(*r.instruction);
  }
}

void block_state::clear(step_record& r) {
  r.executed = 0;
  r.performed = 0;
  r.fault = fault_kind::none;
  r.flow = {};
  r.access = {};
}

// The instruction at r.pc; null if there is none, which is a fault.
const code_entry* block_state::fetch(step_record& r) {
  const code_entry* entry = context_.code->at(r.pc);
  r.instruction = entry == nullptr ? nullptr : &entry->instruction;
  if (entry == nullptr) {
    const bool outside = context_.code->error(r.pc).outside;
    fail(r, outside ? fault_kind::invalid_pc : fault_kind::illegal_instruction, r.active);
  }
  return entry;
}

// Does everything up to the memory access. Returns false if the instruction ends here.
bool block_state::begin(warp_state& w, step_record& r) {
  r.pc = w.flow.pc();
  r.active = w.flow.active_mask();
  clear(r);
  const code_entry* entry = fetch(r);
  if (entry == nullptr) return false;
  const isa::tesla::instruction& i = entry->instruction;
  if (i.join) {
    r.flow = w.flow.enter(i);
    if (r.flow.fault != fault_kind::none) {
      fail(r, r.flow.fault, r.active);
      return false;
    }
    if (!r.flow.executes) {
      r.state = step_state::switched;
      return false;
    }
    r.active = w.flow.active_mask();
  }
  if (entry->uses_section && !w.holds_section) {
    fail(r, fault_kind::section_not_held, r.active);
    return false;
  }
  if (w.pending.any()) {
    r.hazard = w.pending.conflict(i);
    if (r.hazard.count != 0) {
      fail(r, fault_kind::missed_hazard, r.active);
      return false;
    }
  }
  r.access = i.access;
  if (!gather(w, *entry, r)) return false;
  if (const isa::lane_mask lanes = w.undefined.executed(i, r.executed)) {
    fail(r, fault_kind::section_unwritten, lanes);
    return false;
  }
  move_on(w, *entry, r);
  return r.fault == fault_kind::none;
}

bool block_state::gather(warp_state& w, const code_entry& e, step_record& r) {
  const isa::tesla::instruction& i = e.instruction;
  isa::lane_bundle& b = r.values;
  if (i.reads_condition || i.predicated) gather_flags(w.registers, i, b);
  r.executed = executed_lanes(i, b.flags_in, r.active);
  gather_registers(w.registers, i, b);
  if (e.uses_address) gather_address_register(w.registers, i, b);
  if (i.access.space != isa::memory_space::none && i.access.space != isa::memory_space::texture)
    memory_addresses(w.registers, i.source[i.access.slot], b, b.address.lane);
  if (i.reads_constant && !gather_constants(i, w, r)) return false;
  if (i.op == isa::tesla::opcode::mov_from_sr) context_.special->read(i.source[0].index, r.warp, b.source[0][0]);
  if (i.op == isa::tesla::opcode::bar) {
    const fault_kind fault = i.barrier_id > context_.launch->kernel->barriers ? fault_kind::barrier_not_allocated
                             : !r.formed && !w.flow.converged()               ? fault_kind::divergent_barrier
                                                                              : fault_kind::none;
    if (fault != fault_kind::none) {
      fail(r, fault, r.active);
      return false;
    }
  }
  if (e.uses_address)
    if (const isa::tesla::operand* o = isa::tesla::post_incremented(i))
      write_post_increment(w.registers, *o, b, r.executed);
  return true;
}

// Constant operands.
bool block_state::gather_constants(const isa::tesla::instruction& i, const warp_state& w, step_record& r) {
  for (std::size_t slot = 0; slot < i.source.size(); ++slot) {
    const isa::tesla::operand& o = i.source[slot];
    if (o.kind != isa::tesla::operand_kind::constant) continue;
    isa::lane_words addresses;
    memory_addresses(w.registers, o, r.values, addresses.lane);
    const std::vector<std::uint8_t>& bytes = context_.constants->bytes(o.index);
    const flat_view from = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), 0};
    isa::lane_words* out = r.values.source[slot];
    if (const access_fault f = load_lanes(from, addresses, r.executed, o.type, out, o.address_register == 0)) {
      fail(r, f.kind, f.lanes, f.address);
      return false;
    }
  }
  return true;
}

void block_state::move_on(warp_state& w, const code_entry& e, step_record& r) {
  if (!e.instruction.concerns_divergence()) {
    w.flow.advance(e.instruction.length);
    r.flow.pc = w.flow.pc();
    r.flow.mask = r.active;
    return;
  }
  r.flow = w.flow.execute(e.instruction, r.executed);
  if (r.flow.fault != fault_kind::none) return fail(r, r.flow.fault, r.active);
  if (e.instruction.section.action != isa::section_action::none) use_section(w, e.instruction.section, r.warp);
  if (w.holds_section && w.flow.finished()) fail(r, fault_kind::section_kept, r.executed);
}

void block_state::use_section(warp_state& w, const isa::section_request& section, unsigned warp) {
  const bool acquires = section.action == isa::section_action::acquire;
  if (acquires && !w.holds_section) {
    ++w.sections_acquired;
    w.undefined.acquired(section);
    const std::uint32_t block = y_ * context_.launch->grid[0] + x_;
    for (unsigned k = section.first; k < unsigned{section.first} + section.count; ++k)
      if (std::uint32_t* row = w.registers.gpr_for_write(k))
        section_register_row(context_.initial_state_seed, w.sections_acquired, block, warp, k, row);
  }
  w.holds_section = acquires;
}

void block_state::finish(warp_state& w, step_record& r) {
  const isa::tesla::instruction& i = isa::tesla::as_tesla(*r.instruction);
  if (r.executed != 0) {
    if (i.execute != nullptr) i.execute(i, r.values, r.executed);
    write_results(w.registers, i, r.values, r.executed);
  }
  r.state = step_state::done;
}

void block_state::perform(step_record& r, memory& global, isa::lane_mask lanes) {
  lanes &= r.executed & ~r.performed;
  const access_fault f = access(r, global, lanes);
  if (f)
    fail(r, f.kind, f.lanes, f.address);
  else
    r.performed |= lanes;
}

access_fault block_state::access(step_record& r, memory& global, isa::lane_mask lanes) {
  isa::lane_bundle& b = r.values;
  if (r.access.space == isa::memory_space::texture) {
    const fault_kind kind =
        context_.textures != nullptr ? context_.textures->fetch(r, lanes) : fault_kind::texture_not_bound;
    return kind == fault_kind::none ? access_fault{} : access_fault{kind, lanes, 0};
  }
  if (r.access.space == isa::memory_space::global) {
    switch (r.access.kind) {
      case isa::access_kind::load: return load_lanes(global, b.address, lanes, r.access.type, b.destination);
      case isa::access_kind::store: return store_lanes(global, b.address, lanes, r.access.type, b.source[1]);
      default: return atomic_lanes(global, r.access, b.address, lanes, b.source[1], b.source[2], b.destination);
    }
  }
  const bool is_shared = r.access.space == isa::memory_space::shared;
  const std::size_t first_byte = is_shared ? 0 : std::size_t{r.warp} * isa::warp_size * local_stride_;
  const flat_storage storage = is_shared
                                   ? flat_storage{shared_.data(), static_cast<std::uint32_t>(shared_.size()), 0}
                                   : flat_storage{local_.data() + first_byte, local_stride_, local_stride_};
  const bool same_address = r.access.same_address;
  switch (r.access.kind) {
    case isa::access_kind::operand:
      return load_lanes(storage, b.address, lanes, r.access.type, b.source[r.access.slot], same_address);
    case isa::access_kind::load:
      return load_lanes(storage, b.address, lanes, r.access.type, b.destination, same_address);
    case isa::access_kind::locked_load: {
      const access_fault f = load_lanes(storage, b.address, lanes, r.access.type, b.destination, same_address);
      if (f) return f;
      for (const unsigned lane : set_bits(lanes)) {
        b.flags_out[lane] = locks_.try_lock(owner_of(r, lane), b.address.lane[lane]) ? isa::tesla::flags_true
                                                                                     : isa::tesla::flags_false;
      }
      return f;
    }
    default: break;
  }
  const access_fault f = store_lanes(storage, b.address, lanes, r.access.type, b.source[1]);
  if (r.access.kind == isa::access_kind::unlocking_store && !f)
    for (const unsigned lane : set_bits(lanes)) locks_.unlock(owner_of(r, lane), b.address.lane[lane]);
  return f;
}

void block_state::complete(step_record& r) {
  if (r.formed) return finish_threads(r);
  warp_state& w = warps_[r.warp];
  w.pending.release(*r.instruction);
  finish(w, r);
}

fault block_state::describe_fault(const step_record& r) const {
  fault f;
  f.kind = r.fault;
  f.kernel = context_.launch->kernel->name;
  f.pc = r.pc;
  f.line = context_.code->line(r.pc);
  f.block_x = x_;
  f.block_y = y_;
  f.warp = r.warp;
  f.lanes = r.fault_lanes;
  f.address = r.fault_address;
  if (const code_entry* entry = context_.code->at(r.pc))
    f.disassembly = isa::tesla::disassemble(entry->instruction);
  else
    f.detail = context_.code->error(r.pc).reason;
  if (r.fault == fault_kind::unsupported && r.instruction != nullptr)
    f.detail = refusal_of_access(*r.instruction, false);
  if (r.fault == fault_kind::missed_hazard) {
    constexpr const char* names[] = {"$r", "$c", "$a"};
    f.detail = std::string("operand ") + names[static_cast<std::size_t>(r.hazard.file)] +
               std::to_string(r.hazard.first) +
               (r.hazard.count > 1 ? ".." + std::to_string(r.hazard.first + r.hazard.count - 1) : std::string()) +
               " has not been written yet";
  }
  return f;
}

}  // namespace gt200::emulator
