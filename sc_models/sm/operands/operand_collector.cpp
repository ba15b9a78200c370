#include "sc_models/sm/operands/operand_collector.h"

#include <algorithm>

#include "sc_models/sm/operands/banks.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

constexpr unsigned words_per_bank = 4;
constexpr unsigned words_per_group = 64;  // a register of two warps

// Calls act(register) for every general register that the instruction reads. Returns their number.
template <class action>
unsigned for_each_register(const isa::instruction& instruction, action act) {
  unsigned registers = 0;
  for (unsigned i = 0; i < instruction.read_count; ++i) {
    const isa::register_range range = instruction.reads[i];
    if (range.file != isa::register_file_kind::gpr) continue;
    for (unsigned r = 0; r < range.count; ++r) act(range.first + r);
    registers += range.count;
  }
  return registers;
}

// The word at which a register of the warp begins.
unsigned word_of(const warp_instruction& operation, unsigned warp_in_block, unsigned index) {
  return (warp_in_block / 2 * operation.grid->registers + index) * words_per_group +
         warp_in_block % 2 * isa::warp_size;
}

// Calls act(bank) for every access of a warp whose threads come from several warps of the program: four
// neighbouring threads share an access only if they started in one warp.
template <class action>
unsigned for_each_bank_of_threads(const warp_instruction& operation, unsigned banks, action act) {
  constexpr isa::lane_mask neighbours = (isa::lane_mask{1} << words_per_bank) - 1;
  return for_each_register(*operation.instruction, [&](unsigned index) {
    for (unsigned lane = 0; lane < isa::warp_size; lane += words_per_bank)
      for_each_home(operation.threads, operation.active & neighbours << lane, [&](unsigned first, isa::lane_mask) {
        const unsigned word = word_of(operation, operation.threads.number[first], index) + lane;
        act(bank_of(word / words_per_bank, banks));
      });
  });
}

// Calls act(bank) for every bank access that the instruction's $r registers need. If the number of banks is a
// multiple of the banks that a register takes, the banks of such a group are always equally busy, and the first
// represents all. Returns the number of these registers.
template <class action>
unsigned for_each_bank(const warp_instruction& operation, unsigned banks, action act) {
  constexpr unsigned accesses = isa::warp_size / words_per_bank;
  static_assert((accesses & (accesses - 1)) == 0);
  const unsigned distinct = banks % accesses == 0 ? 1 : accesses;
  if (operation.instruction->operand_count == 0) return 0;  // it may wait for registers without reading them
  if (operation.formed) return for_each_bank_of_threads(operation, banks, act);
  const unsigned first = word_of(operation, operation.warp_in_block, 0) / words_per_bank;
  return for_each_register(*operation.instruction, [&](unsigned index) {
    unsigned bank = bank_of(first + index * (words_per_group / words_per_bank), banks);
    for (unsigned n = 0; n < distinct; ++n) {
      act(bank);
      if (++bank == banks) bank = 0;
    }
  });
}

}  // namespace

operand_collector::operand_collector(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                     const config::sm_config& config, const unit_list& units,
                                     const arch_state::generation& generation, unsigned tpc, bool no_bank_conflicts,
                                     lane_share share)
    : core_stage(name, domain),
      from_issue("from_issue", units.collectors().size(),
                 [&](const char*, std::size_t c) {
                   const collector_descriptor& collector = units.collectors()[c];
                   return new tlm_bus::pipe_in<issued_token>(("from_" + collector.name).c_str(), *this,
                                                             collector.collector_units,
                                                             config.issue.latency_cycles.count());
                 }),
      to_units("to_units", units.units().size(),
               [&](const char*, std::size_t u) {
                 return new tlm_bus::pipe_out<collected_token>(("to_" + units.units()[u].name).c_str(), *this);
               }),
      to_shared_memory("to_shared_memory", *this),
      to_memory_port("to_memory_port", *this),
      to_barrier("to_barrier", *this),
      to_branch("to_branch", *this),
      register_file("register_file"),
      constant_reads("constant_reads"),
      constant_line_fetches("constant_line_fetches"),
      constant_cache("constant_cache"),
      constants_(*this, {constant_cache, constant_reads, constant_line_fetches}, config.constant_cache,
                 config.clocks, generation),
      generation_(generation),
      tpc_(static_cast<std::uint8_t>(tpc)),
      share_(share),
      clocks_(config.clocks),
      banks_(no_bank_conflicts ? 0 : config.register_file.banks_with(config.sp.lanes)),
      memory_class_(as_index(units.memory())),
      control_class_(as_index(units.control())) {
  read_ports_.ports = config.register_file.read_ports;
  memory_read_ports_.ports = config.register_file.memory_read_ports;
  for (unsigned c = 0; c < from_issue.size(); ++c) {
    classes_[c].in = &from_issue[c];
    classes_[c].out = c < to_units.size() ? &to_units[c] : &to_shared_memory;
    classes_[c].constants.resize(units.collectors()[c].collector_units);
    from_issue[c].wake_for_every_token();
    from_issue[c].show_occupied(occupied_, c);
    signal_names_.push_back("collected_" + units.collectors()[c].name);
    add_latches("operands of " + units.collectors()[c].name, units.collectors()[c].collector_units, 3);
  }
  classes_[memory_class_].out = &to_memory_port;
  classes_[control_class_].out = &to_barrier;
}

void operand_collector::end_of_elaboration() { constant_cache->arrival().subscribe(*this); }

// Reads the values, and determines the lanes that execute.
void operand_collector::collect(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  if (instruction.operand_count != 0) {
    // Inactive lanes are read as well: an instruction may look at its neighbours' registers.
    register_read_request request{operation.id, operation.warp, ~isa::lane_mask{0},
                                  arch_state::operands_of(instruction, operation.values)};
    if (operation.formed) {
      // There is no neighbour in a lane without a thread.
      request.lanes = operation.active;
      request.threads = &operation.threads;
    }
    register_file.send(request);
  }
  operation.executed = operation.active;
  if (instruction.needs_collect) {
    const arch_state::warp_place place{cycle().number(),
                                       tpc_,
                                       operation.sm,
                                       static_cast<std::uint8_t>(operation.warp.index()),
                                       operation.warp_in_block * std::uint32_t{isa::warp_size},
                                       operation.place};
    operation.executed = generation_.collect(instruction, place, operation.active, operation.values);
  }
  ++collected;
}

// True if every bank the instruction reads will have finished older instructions before `end`.
bool operand_collector::banks_free(const warp_instruction& operation, shader_cycle end) const {
  if (share_.is_part(operation.active)) return true;
  bool free = true;
  for_each_bank(operation, banks_, [&](unsigned bank) { free = free && bank_free_at_[bank] < end; });
  return free;
}

// Returns the number of general registers that the instruction reads.
unsigned operand_collector::take_banks(const warp_instruction& operation) {
  if (banks_ == 0 || share_.is_part(operation.active)) return operation.instruction->general_reads;
  const shader_cycle begin = clocks_.to_shader(cycle());
  shader_cycle all_free_at = all_banks_free_at_;
  const unsigned registers = for_each_bank(operation, banks_, [&](unsigned bank) {
    bank_free_at_[bank] = std::max(bank_free_at_[bank], begin) + shader_cycles(1);
    all_free_at = std::max(all_free_at, bank_free_at_[bank]);
  });
  all_banks_free_at_ = all_free_at;
  return registers;
}

warp_instruction* operand_collector::held(unsigned group, unsigned place) const {
  const issued_token* token = place < classes_[group].collected ? classes_[group].in->token_at(place) : nullptr;
  return token == nullptr ? nullptr : token->operation;
}

isa::lane_words* operand_collector::row_of(warp_instruction& operation, unsigned row) const {
  const isa::instruction& i = *operation.instruction;
  if (i.access.has_address() && i.access.slot == row) return &operation.values.address;
  return generation_.operand_words(i, row) != 0 ? &operation.values.source[row][0] : nullptr;
}

// Whether ports and banks can take the next instruction in this cycle.
bool operand_collector::has_room(const warp_instruction& operation, const port_budget& ports) {
  const bool ports_free = ports.free_in(cycle());
  const shader_cycle end = clocks_.to_shader(cycle() + core_cycles(1));
  if (ports_free && (all_banks_free_at_ < end || banks_free(operation, end))) return true;
  ++(ports_free ? bank_waits : port_waits);
  wake_next();
  return false;
}

// Collects the instructions that have arrived, in issue order, while the ports have bandwidth left in this cycle.
void operand_collector::collect_in_order() {
  std::array<const issued_token*, max_collector_classes> next;  // by class: arrived, and not collected
  std::uint64_t arrived = 0;
  for (const unsigned which : set_bits(occupied_)) {
    next[which] = classes_[which].in->peek(classes_[which].collected);
    if (next[which] != nullptr) arrived |= std::uint64_t{1} << which;
  }
  for (std::uint64_t left = arrived; left != 0;) {
    const auto which = static_cast<unsigned>(__builtin_ctzll(left));
    left &= left - 1;
    warp_instruction& operation = *next[which]->operation;
    if (operation.sequence != next_sequence_) continue;
    port_budget& ports = which == memory_class_ ? memory_read_ports_ : read_ports_;
    if (!has_room(operation, ports)) return;
    class_state& state = classes_[which];
    read_registers(operation, ports);
    ++state.collected;
    if (operation.instruction->reads_constant) ++state.with_constants;
    ++next_sequence_;
    next[which] = state.in->peek(state.collected);
    if (next[which] == nullptr) arrived &= ~(std::uint64_t{1} << which);
    left = arrived;
  }
}

// Registers, flags and address register; they occupy ports and banks.
void operand_collector::read_registers(warp_instruction& operation, port_budget& ports) {
  // It may wait for registers without reading them.
  if (operation.instruction->operand_count != 0) {
    const std::uint64_t words = std::uint64_t{share_.lanes(operation.active)} * take_banks(operation);
    ports.take(cycle(), words);
    register_reads += words;
  }
  collect(operation);
  note_activity();
}

// True while an older control instruction of the same warp has not gone to the branch unit.
bool operand_collector::older_control_pending(const warp_instruction& operation) {
  class_state& control = classes_[control_class_];
  for (unsigned i = 0; i < control.collected; ++i) {
    const issued_token* token = control.in->peek(i);
    if (token == nullptr) return true;  // an injected stall hides the instruction
    if (token->operation->warp == operation.warp && token->operation->sequence < operation.sequence) return true;
  }
  return false;
}

// Sends the oldest instruction of a class to its unit; its registers have been collected.
void operand_collector::dispatch(class_state& state) {
  const issued_token* token = state.in->front();
  if (token == nullptr) return;
  warp_instruction& operation = *token->operation;
  const isa::instruction& instruction = *operation.instruction;
  if (state.with_constants != 0 && !constants_.finish(state.constants.front(), operation)) return;

  const bool pure_control = instruction.unit == isa::unit_class::control;
  if (!pure_control && !instruction.concerns_divergence()) {
    if (!state.out->can_send()) return;
    state.out->send({&operation});
  } else if (!send_to_branch(operation, pure_control ? nullptr : state.out)) {
    return;
  }
  state.in->pop();
  --state.collected;
  if (state.with_constants == 0) return;
  std::move(state.constants.begin() + 1, state.constants.begin() + state.collected + 1, state.constants.begin());
  state.constants[state.collected] = {};
  if (instruction.reads_constant) --state.with_constants;
}

// The branch unit gets what changes the divergence state. `unit`: where else the instruction goes; null: nowhere.
bool operand_collector::send_to_branch(warp_instruction& operation, tlm_bus::pipe_out<collected_token>* unit) {
  if (unit != nullptr && older_control_pending(operation)) {
    wake_next();
    return false;
  }
  const bool unit_free = unit == nullptr || unit->can_send();
  const bool branch_free = to_branch.can_send();
  if (!unit_free || !branch_free) return false;
  if (unit != nullptr) unit->send({&operation});
  to_branch.send({unit == nullptr ? &operation : nullptr, operation.instruction, operation.pc, operation.executed,
                  operation.warp});
  return true;
}

// Instructions behind the oldest one of a class read their constants, in order, before their turn comes.
void operand_collector::read_ahead(class_state& state) {
  for (unsigned i = 0; i < state.collected; ++i) {
    const issued_token* token = state.in->peek(i);
    if (token == nullptr || !constants_.read(state.constants[i], *token->operation)) return;
  }
}

void operand_collector::tick() {
  // 1. Registers are read in issue order.
  collect_in_order();
  // 2. Each class sends its oldest instruction, and reads the constants of the others.
  for (const unsigned which : set_bits(occupied_)) {
    class_state& state = classes_[which];
    if (state.collected != 0) dispatch(state);
    if (state.with_constants != 0 && state.collected > 1) read_ahead(state);
  }
}

void operand_collector::publish(tlm_bus::signal_writer& to) {
  for (unsigned c = 0; c < signal_names_.size(); ++c) to.number(signal_names_[c].c_str(), 8, classes_[c].collected);
}

void operand_collector::visit_state(tlm_bus::state_image& state) {
  visit_latches(state);
  state.fixed(tpc_, share_, clocks_, banks_, memory_class_, control_class_, signal_names_);
  state(constants_, occupied_, next_sequence_, read_ports_, all_banks_free_at_, memory_read_ports_, classes_,
        bank_free_at_);
}

}  // namespace gt200::model
