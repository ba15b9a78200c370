#include "sc_models/sm/operands/operand_collector.h"

#include <algorithm>

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

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
      constant_reads("constant_reads"),
      constant_line_fetches("constant_line_fetches"),
      constant_cache("constant_cache"),
      register_file("register_file"),
      constants_(*this, {constant_cache, constant_reads, constant_line_fetches}, config.constant_cache,
                 config.clocks, generation),
      generation_(generation),
      clocks_(config.clocks),
      share_(share),
      tpc_(static_cast<std::uint8_t>(tpc)),
      memory_class_(as_index(units.memory())),
      control_class_(as_index(units.control())),
      banks_(no_bank_conflicts ? 0 : config.register_file.banks_with(config.sp.lanes)) {
  read_ports_.ports = config.register_file.read_ports;
  memory_read_ports_.ports = config.register_file.memory_read_ports;
  for (unsigned c = 0; c < from_issue.size(); ++c) {
    classes_[c].in = &from_issue[c];
    classes_[c].out = c < to_units.size() ? &to_units[c] : &to_shared_memory;
    classes_[c].constants.resize(units.collectors()[c].collector_units);
    from_issue[c].wake_for_every_token();
    from_issue[c].show_occupied(c);
    from_issue[c].show_arrivals();
    signal_names_.push_back("collected_" + units.collectors()[c].name);
    add_latches("operands of " + units.collectors()[c].name, units.collectors()[c].collector_units, 3);
  }
  classes_[memory_class_].out = &to_memory_port;
  classes_[control_class_].out = &to_barrier;
}

void operand_collector::end_of_elaboration() { constant_cache->arrival().subscribe(*this); }

// Reads the values, and determines the lanes that execute.
inline void operand_collector::collect(warp_instruction& operation) {
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
  if (instruction.needs_collect) collect_others(operation);
  ++collected;
}

// What the generation adds to whole registers.
void operand_collector::collect_others(warp_instruction& operation) {
  const arch_state::warp_place place{cycle().number(),
                                     tpc_,
                                     operation.sm,
                                     static_cast<std::uint8_t>(operation.warp.index()),
                                     operation.warp_in_block * std::uint32_t{isa::warp_size},
                                     operation.place};
  operation.executed = generation_.collect(*operation.instruction, place, operation.active, operation.values);
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

// Occupies ports and banks with the next instruction. Returns false if they cannot take it in this cycle.
inline bool operand_collector::take_room(const warp_instruction& operation, port_budget& ports) {
  const core_cycle now = cycle();
  const bool ports_free = ports.free_in(now);
  const bool uses_banks = !share_.is_part(operation.active);
  if (!ports_free || (uses_banks && !banks_.free_before(clocks_.to_shader(now + core_cycles(1)), operation))) {
    await_room(ports_free);
    return false;
  }
  if (uses_banks) banks_.take(clocks_.to_shader(now), operation);
  const std::uint64_t words = std::uint64_t{share_.lanes(operation.active)} * operation.instruction->general_reads;
  ports.take(now, words);
  register_reads += words;
  return true;
}

void operand_collector::await_room(bool ports_free) {
  ++(ports_free ? bank_waits : port_waits);
  wake_next();
}

// Collects the instructions that have arrived, in issue order, while the ports have bandwidth left in this cycle.
inline void operand_collector::collect_in_order() {
  std::uint64_t left = arrived_;  // classes that may have the next instruction
  std::uint64_t younger = 0;      // classes that have one whose turn has not come
  do {
    const auto which = static_cast<unsigned>(__builtin_ctzll(left));
    const std::uint64_t bit = left & -left;
    left ^= bit;
    class_state& state = classes_[which];
    if (const issued_token* token = state.in->peek(state.collected)) {
      warp_instruction& operation = *token->operation;
      if (operation.sequence != next_sequence_) {
        younger |= bit;
        continue;
      }
      if (!take_room(operation, which == memory_class_ ? memory_read_ports_ : read_ports_)) return;
      collect(operation);
      note_activity();
      ++next_sequence_;
      ++state.collected;
      collected_ |= bit;
      if (operation.instruction->reads_constant) ++state.with_constants;
      left |= younger | bit;
      younger = 0;
    }
    if (state.in->occupancy() == state.collected) {
      arrived_ &= ~bit;
      left &= ~bit;
    }
  } while (left != 0);
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
inline void operand_collector::dispatch(unsigned which) {
  class_state& state = classes_[which];
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
  if (--state.collected == 0) collected_ &= ~(std::uint64_t{1} << which);
  if (state.with_constants != 0) forget_constants(state, instruction);
}

// The instruction has left: those behind it move up.
void operand_collector::forget_constants(class_state& state, const isa::instruction& instruction) {
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
  if (arrived_ != 0) collect_in_order();
  // 2. Each class sends its oldest instruction, and reads the constants of the others.
  for (const unsigned which : set_bits(collected_)) {
    dispatch(which);
    class_state& state = classes_[which];
    if (state.with_constants != 0 && state.collected > 1) read_ahead(state);
  }
}

void operand_collector::publish(tlm_bus::signal_writer& to) {
  for (unsigned c = 0; c < signal_names_.size(); ++c) to.number(signal_names_[c].c_str(), 8, classes_[c].collected);
}

void operand_collector::visit_state(tlm_bus::state_image& state) {
  visit_latches(state);
  state.fixed(tpc_, share_, clocks_, memory_class_, control_class_, signal_names_);
  state(constants_, occupied_, arrived_, collected_, next_sequence_, read_ports_, memory_read_ports_, classes_,
        banks_);
}

}  // namespace gt200::model
