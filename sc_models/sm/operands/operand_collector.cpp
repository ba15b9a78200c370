#include "sc_models/sm/operands/operand_collector.h"

#include <algorithm>

#include "sc_models/sm/operands/banks.h"
#include "toolchain/arch_state/operand_access.h"
#include "toolchain/bits.h"
#include "toolchain/isa/tesla/memory_word.h"

namespace gt200::model {
namespace {

constexpr unsigned shader_cycles = 2;  // per core cycle
constexpr unsigned words_per_bank = 4;
constexpr unsigned words_per_group = 64;  // a register of two warps

constexpr unsigned as_index(collector_class c) { return static_cast<unsigned>(c); }

unsigned registers_read(const isa::instruction& instruction) {
  unsigned registers = 0;
  for (unsigned i = 0; i < instruction.read_count; ++i)
    if (instruction.reads[i].file == isa::register_file_kind::gpr) registers += instruction.reads[i].count;
  return registers;
}

// Calls act(bank) for every access to a bank that the instruction's $r registers need. Where the banks make whole
// groups of as many as a register takes, those of a group are always equally busy: the first stands for all.
template <class action>
void for_each_bank(const warp_instruction& operation, unsigned banks, action act) {
  constexpr unsigned accesses = isa::warp_size / words_per_bank;
  static_assert((accesses & (accesses - 1)) == 0);
  const unsigned distinct = banks % accesses == 0 ? 1 : accesses;
  const isa::instruction& instruction = *operation.instruction;
  const unsigned first = operation.warp_in_block / 2 * operation.grid->registers;
  for (unsigned i = 0; i < instruction.read_count; ++i) {
    if (instruction.reads[i].file != isa::register_file_kind::gpr) continue;
    for (unsigned r = 0; r < instruction.reads[i].count; ++r) {
      const unsigned word =
          (first + instruction.reads[i].first + r) * words_per_group + operation.warp_in_block % 2 * isa::warp_size;
      unsigned bank = bank_of(word / words_per_bank, banks);
      for (unsigned n = 0; n < distinct; ++n) {
        act(bank);
        if (++bank == banks) bank = 0;
      }
    }
  }
}

}  // namespace

operand_collector::operand_collector(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                     const config::sm_config& config, std::uint32_t physid, bool no_bank_conflicts)
    : stage(name, domain),
      from_sp("from_sp", *this, config.operand_collector.sp_units, config.issue.latency_cycles),
      from_sfu("from_sfu", *this, config.operand_collector.sfu_units, config.issue.latency_cycles),
      from_dp("from_dp", *this, config.operand_collector.dp_units, config.issue.latency_cycles),
      from_shared("from_shared", *this, config.operand_collector.memory_units, config.issue.latency_cycles),
      from_memory("from_memory", *this, config.operand_collector.memory_units, config.issue.latency_cycles),
      from_control("from_control", *this, config.operand_collector.memory_units, config.issue.latency_cycles),
      to_sp("to_sp", *this),
      to_sfu("to_sfu", *this),
      to_dp("to_dp", *this),
      to_shared_memory("to_shared_memory", *this),
      to_memory_port("to_memory_port", *this),
      to_barrier("to_barrier", *this),
      to_branch("to_branch", *this),
      register_file("register_file"),
      constant_cache("constant_cache"),
      config_(config),
      physid_(physid),
      banks_(no_bank_conflicts ? 0 : config.register_file.banks) {
  read_ports_.ports = config.register_file.read_ports;
  memory_read_ports_.ports = config.register_file.memory_read_ports;
  const std::array<tlm_bus::pipe_in<issued_token>*, collector_classes> inputs = {
      &from_sp, &from_sfu, &from_dp, &from_shared, &from_memory, &from_control};
  for (unsigned c = 0; c < collector_classes; ++c) {
    classes_[c].in = inputs[c];
    inputs[c]->wake_for_every_token();
    inputs[c]->show_occupied(occupied_, c);
  }
}

void operand_collector::end_of_elaboration() { constant_cache->arrival().subscribe(*this); }

void operand_collector::read_special(const warp_instruction& operation, isa::lane_bundle& values) const {
  std::uint32_t* lanes = values.source[0][0].lane;
  switch (operation.instruction->source[0].index) {
    case 0:
      for (unsigned lane = 0; lane < isa::warp_size; ++lane)
        lanes[lane] = physid_ | std::uint32_t{operation.warp} << 8 | lane;
      return;
    // The counter runs at half the shader clock, which is the core clock (Wong: clock() shifts it left by one).
    case 1: emulator::fill_row(lanes, static_cast<std::uint32_t>(cycle())); return;
    default: emulator::fill_row(lanes, 0); return;  // performance counters are not set up by anyone
  }
}

// Reads registers, flags and address register; decides which lanes execute. An instruction whose operands are
// complete with that is calculated at once, in a bundle that never leaves the host's cache: only its results travel
// with it. When they become visible is the units' business all the same.
void operand_collector::collect(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  if (instruction.execute == nullptr || instruction.reads_shared || instruction.reads_constant ||
      operation.fault != emulator::fault_kind::none)
    return gather(operation, operation.values);
  isa::lane_bundle at_hand;
  isa::lane_bundle& values = keeps_operands_ ? operation.values : at_hand;
  gather(operation, values);
  if (operation.executed != 0) {
    instruction.execute(instruction, values, operation.executed);
    if (!keeps_operands_) emulator::copy_results(instruction, values, operation.values);
  }
  operation.calculated = true;
}

void operand_collector::gather(warp_instruction& operation, isa::lane_bundle& values) {
  const isa::instruction& instruction = *operation.instruction;
  const emulator::register_rows& rows = register_file->rows(operation.warp);
  emulator::gather_registers(rows, instruction, values);
  emulator::gather_flags(rows, instruction, values);
  // Local addresses need zeros when there is no address register.
  if (emulator::takes_address_register(instruction) || instruction.source[0].kind == isa::operand_kind::local)
    emulator::gather_address_register(rows, instruction, values);
  if (instruction.op == isa::opcode::mov_from_sr) read_special(operation, values);
  for (unsigned s = 0; s < 3; ++s) {
    const isa::operand& o = instruction.source[s];
    if (o.kind == isa::operand_kind::global) emulator::copy_row(values.source[s][0].lane, rows.gpr(o.base));
    if (o.kind == isa::operand_kind::shared) emulator::memory_addresses(rows, o, values, values.address.lane);
  }
  operation.executed = emulator::executed_lanes(instruction, values.flags_in, operation.active);
  ++collected;
}

// True when every bank the instruction reads is done with older instructions within this core cycle.
bool operand_collector::banks_free(const warp_instruction& operation) const {
  const tlm_bus::cycle_t end = shader_cycles * (cycle() + 1);
  if (all_banks_free_at_ < end) return true;
  bool free = true;
  for_each_bank(operation, banks_, [&](unsigned bank) { free = free && bank_free_at_[bank] < end; });
  return free;
}

void operand_collector::take_banks(const warp_instruction& operation) {
  if (banks_ == 0) return;
  const tlm_bus::cycle_t begin = shader_cycles * cycle();
  for_each_bank(operation, banks_, [&](unsigned bank) {
    bank_free_at_[bank] = std::max(bank_free_at_[bank], begin) + 1;
    all_banks_free_at_ = std::max(all_banks_free_at_, bank_free_at_[bank]);
  });
}

// Collects the next instruction in issue order if it has arrived and the ports have bandwidth left in this cycle.
bool operand_collector::collect_next() {
  for (const unsigned which : set_bits(occupied_)) {
    class_state& state = classes_[which];
    const issued_token* token = state.in->peek(state.collected);
    if (token == nullptr || token->operation->sequence != next_sequence_) continue;
    warp_instruction& operation = *token->operation;
    const bool for_memory = which == as_index(collector_class::memory);
    port_budget& ports = for_memory ? memory_read_ports_ : read_ports_;
    if (!ports.free_in(cycle())) {
      ++port_waits;
      wake_next();
      return false;
    }
    if (!banks_free(operation)) {
      ++bank_waits;
      wake_next();
      return false;
    }
    const std::uint64_t words = std::uint64_t{isa::warp_size} * registers_read(*operation.instruction);
    ports.take(cycle(), words);
    take_banks(operation);
    register_reads += words;
    collect(operation);
    note_activity();
    ++state.collected;
    ++next_sequence_;
    return true;
  }
  return false;
}

// True when the line of this word is there; otherwise it is being fetched and this stage wakes when one has come.
bool operand_collector::present(std::uint64_t address) {
  if (constant_cache->look_up(address) != nullptr) return true;
  constant_cache->fetch(address);
  return false;
}

// Reads one c[] operand as far as its lines are present; true when all lanes that execute have their value.
bool operand_collector::read_constant(class_state& state, warp_instruction& operation, unsigned source) {
  const isa::operand& o = operation.instruction->source[source];
  const constant_binding& binding = operation.grid->constants[o.index];
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(o.type));
  const bool is_load = operation.instruction->op == isa::opcode::ld_const;
  auto* words = is_load ? operation.values.destination : operation.values.source[source];
  const unsigned parts = bytes > 4 ? bytes / 4 : 1;
  const auto fault = [&](isa::lane_mask lanes, std::uint32_t address, emulator::fault_kind kind) {
    operation.fault = kind;
    operation.fault_lanes = lanes;
    operation.fault_address = address;
  };
  // Direct operand: one address for all lanes.
  if (o.address_register == 0 || operation.instruction->reads_shared) {
    const std::uint32_t offset = static_cast<std::uint32_t>(o.value) & 0xffffu;
    if (offset + bytes > binding.bytes || offset % std::min(bytes, 4u) != 0) {
      fault(operation.executed, offset,
            offset + bytes > binding.bytes ? emulator::fault_kind::unmapped_address
                                           : emulator::fault_kind::misaligned_address);
      return true;
    }
    for (unsigned part = 0; part < parts; ++part)
      if (!present(binding.address + offset + 4 * part)) return false;
    for (unsigned part = 0; part < parts; ++part) {
      const std::uint64_t address = binding.address + offset + 4 * part;
      const std::uint32_t value = isa::memory_word(constant_cache->look_up(address), o.type);
      constant_cache->used(address);
      emulator::fill_row(words[part].lane, value);
    }
    return true;
  }
  // Indexed operand: the distinct addresses of each half-warp are served one after the other.
  alignas(64) std::uint32_t addresses[isa::warp_size];
  emulator::memory_addresses(register_file->rows(operation.warp), o, operation.values, addresses);
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const isa::lane_mask bit = isa::lane_mask{1} << lane;
    if ((operation.executed & bit) == 0 || (state.constant_lanes & bit) != 0) continue;
    if (addresses[lane] + bytes > binding.bytes || addresses[lane] % std::min(bytes, 4u) != 0) {
      fault(bit, addresses[lane],
            addresses[lane] + bytes > binding.bytes ? emulator::fault_kind::unmapped_address
                                                    : emulator::fault_kind::misaligned_address);
      return true;
    }
    for (unsigned part = 0; part < parts; ++part)
      if (!present(binding.address + addresses[lane] + 4 * part)) return false;
    for (unsigned part = 0; part < parts; ++part) {
      const std::uint64_t address = binding.address + addresses[lane] + 4 * part;
      words[part].lane[lane] = isa::memory_word(constant_cache->look_up(address), o.type);
      constant_cache->used(address);
    }
    state.constant_lanes |= bit;
    note_activity();
  }
  unsigned distinct = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    if ((operation.executed >> lane & 1) == 0) continue;
    bool seen = false;
    for (unsigned other = lane & 16; other < lane && !seen; ++other)
      seen = (operation.executed >> other & 1) != 0 && addresses[other] == addresses[lane];
    if (!seen) ++distinct;
  }
  const auto& cache = config_.constant_cache;
  // The core cycle in which, or after the middle of which, the last word arrives.
  state.ready_at = cycle() + (cache.hit_latency_cycles + (distinct - 1) * cache.interval_cycles + 1) / 2;
  return true;
}

bool operand_collector::constants_ready(class_state& state, warp_instruction& operation) {
  if (!operation.instruction->reads_constant) return true;
  if (!state.constants_done) {
    for (unsigned s = 0; s < 3; ++s) {
      if (operation.instruction->source[s].kind != isa::operand_kind::constant) continue;
      if (operation.fault == emulator::fault_kind::none && operation.executed != 0 &&
          !read_constant(state, operation, s))
        return false;
    }
    state.constants_done = true;
    note_activity();
  }
  if (state.ready_at > cycle()) {
    wake_at(state.ready_at);
    return false;
  }
  return true;
}

// True while a control instruction of the same warp that issued earlier has not gone to the branch unit.
bool operand_collector::older_control_pending(const warp_instruction& operation) {
  class_state& control = classes_[as_index(collector_class::control)];
  for (unsigned i = 0; i < control.collected; ++i) {
    const issued_token* token = control.in->peek(i);
    if (token == nullptr) return true;  // an injected stall hides it
    if (token->operation->warp == operation.warp && token->operation->sequence < operation.sequence) return true;
  }
  return false;
}

// Sends the oldest instruction of a class, which has been collected, to its unit.
void operand_collector::dispatch(collector_class c) {
  class_state& state = classes_[as_index(c)];
  const issued_token* token = state.in->front();
  if (token == nullptr) return;
  warp_instruction& operation = *token->operation;
  const isa::instruction& instruction = *operation.instruction;
  if (!constants_ready(state, operation)) return;

  const bool pure_control = instruction.unit == isa::unit_class::control;
  const bool concerns_stack = pure_control || instruction.exit || instruction.join;
  if (concerns_stack && !pure_control && older_control_pending(operation)) {
    wake_next();
    return;
  }
  tlm_bus::pipe_out<collected_token>* unit = nullptr;
  switch (c) {
    case collector_class::sp: unit = &to_sp; break;
    case collector_class::sfu: unit = &to_sfu; break;
    case collector_class::dp: unit = &to_dp; break;
    case collector_class::shared: unit = &to_shared_memory; break;
    case collector_class::memory: unit = &to_memory_port; break;
    case collector_class::control: unit = pure_control ? nullptr : &to_barrier; break;
    case collector_class::count_: break;
  }
  const bool unit_free = unit == nullptr || unit->can_send();
  const bool branch_free = !concerns_stack || to_branch.can_send();
  if (!unit_free || !branch_free) return;
  if (unit != nullptr) unit->send({&operation});
  if (concerns_stack)
    to_branch.send(
        {pure_control ? &operation : nullptr, &instruction, operation.pc, operation.executed, operation.warp});
  state.in->pop();
  --state.collected;
  state.constants_done = false;
  state.constant_lanes = 0;
  state.ready_at = 0;
}

void operand_collector::tick() {
  // 1. Registers are read in issue order.
  while (collect_next()) {
  }
  // 2. Each class sends its oldest instruction on.
  for (const unsigned which : set_bits(occupied_)) {
    if (classes_[which].collected != 0) dispatch(static_cast<collector_class>(which));
  }
}

void operand_collector::publish(tlm_bus::signal_writer& to) {
  static constexpr std::array<const char*, collector_classes> names = {
      "collected_sp", "collected_sfu", "collected_dp", "collected_shared", "collected_memory", "collected_control"};
  for (unsigned c = 0; c < collector_classes; ++c) to.number(names[c], 8, classes_[c].collected);
}

}  // namespace gt200::model
