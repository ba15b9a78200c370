#include "sc_models/sm/completion/write_back.h"

#include <algorithm>

#include "sc_models/sm/units/execution_units.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

// Latency of the pipe from shared memory to write-back. The path from issue through the collector
// to shared memory takes two core cycles, and write-back to the next issue takes one.
core_cycles shared_result_latency(const config::sm_config& config, const unit_list& units) {
  return result_pipe_latency(config.clocks, config.shared_memory.latency_cycles,
                             config.issue.latency_cycles + core_cycles(1) + units.options().way_to_shared_memory);
}

// Enough entries for all results in flight at full rate. `interval_of_warps`: between results of whole warps.
unsigned depth_for(const config::sm_config& config, core_cycles latency, shader_cycles interval_of_warps,
                   lane_share share) {
  const shader_cycles per_result = std::max(share.own_lanes_only() ? shader_cycles(1) : interval_of_warps,
                                            config.clocks.to_shader(core_cycles(1)));
  return static_cast<unsigned>(config.clocks.to_shader(latency) / per_result) + config.write_back.queue_entries;
}

}  // namespace

write_back::write_back(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                       const config::sm_config& config, const unit_list& units, lane_share share,
                       const std::vector<std::string>& units_by_lane)
    : core_stage(name, domain),
      from_units("from_units", units.results().size(),
                 [&](const char*, std::size_t i) {
                   const unit_result_port& port = units.results()[i].port;
                   const core_cycles latency =
                       result_pipe_latency(config.clocks, port.latency, config.issue.latency_cycles);
                   return new tlm_bus::pipe_in<executed_token>(("from_" + port.source).c_str(), *this,
                                                               depth_for(config, latency, port.interval, share),
                                                               latency.count());
                 }),
      from_shared_memory(
          "from_shared_memory", *this,
          depth_for(config, shared_result_latency(config, units), units.options().shared_memory_interval, share),
          shared_result_latency(config, units).count()),
      from_memory_port("from_memory_port", *this, config.write_back.queue_entries),
      from_branch("from_branch", *this, config.write_back.queue_entries),
      from_barrier("from_barrier", *this, config.write_back.queue_entries),
      from_memory("from_memory", *this, config.write_back.queue_entries),
      lanes("lanes"),
      stack_memory("stack_memory"),
      register_file("register_file"),
      scoreboard("scoreboard"),
      block_control("block_control"),
      pool("pool"),
      write_ports_(config.register_file.write_ports),
      memory_input_(units.completion_sources() - 1),
      share_(share),
      latch_(this->name()) {
  lanes.init(units_by_lane.size(), [&](const char*, std::size_t i) {
    return new tlm_bus::transaction_in<lane_result>(("lanes_" + units_by_lane[i]).c_str(), latch_);
  });
  unsigned inputs = 0;
  for (auto& pipe : from_units) inputs_[inputs++] = &pipe;
  for (auto* pipe : {&from_shared_memory, &from_memory_port, &from_branch, &from_barrier}) inputs_[inputs++] = pipe;
  for (unsigned i = 0; i < inputs; ++i) inputs_[i]->show_occupied(i);
  from_memory.show_occupied(memory_input_);
  for (unsigned r = 0; r < from_units.size(); ++r)
    add_latches("results of " + units.results()[r].port.source, from_units[r].depth(), 1);
  add_latches("results of shared memory", from_shared_memory.depth(), 1);
  add_latches("results of memory", from_memory.depth(), isa::words_of(isa::data_type::b128));
}

warp_instruction* write_back::held(unsigned group, unsigned place) const {
  warp_instruction* operation = nullptr;
  if (group <= from_units.size()) {
    const tlm_bus::pipe_in<executed_token>& in = group < from_units.size() ? from_units[group] : from_shared_memory;
    if (const executed_token* token = in.token_at(place)) operation = token->operation;
  } else if (const memory_completion_token* token = from_memory.token_at(place)) {
    operation = token->operation;
  }
  return operation == nullptr || operation->by_lane || operation->stack_access ? nullptr : operation;
}

isa::lane_words* write_back::row_of(warp_instruction& operation, unsigned row) const {
  return row < operation.instruction->general_writes ? &operation.values.destination[row] : nullptr;
}

// A transfer of the divergence stack is not an instruction of the program: it writes no register, and only the
// stack memory is notified.
void write_back::complete_stack_access(warp_instruction& access) {
  if (access.fault != arch_state::fault_kind::none)
    block_control->faulted(access);
  else
    stack_memory->completed(access);
  block_control->instruction_done(access);
  access.stack_access = false;
  pool->put(&access);
  note_activity();
}

// Writes the lanes that executed; they occupy the ports.
inline void write_back::write(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  const std::uint64_t words = std::uint64_t{share_.lanes(operation.executed)} * instruction.general_writes;
  ports_busy_until_ = std::max(ports_busy_until_, cycle().number() * write_ports_) + words;
  register_writes += words;
  if (instruction.result_count == 0) return;
  register_write_request request{operation.id, operation.warp, operation.executed,
                                 arch_state::results_of(instruction, operation.values)};
  if (operation.formed) request.threads = &operation.threads;
  if (operation.by_lane) {
    register_write_request copy = request;  // so that the usual one can live in registers
    return write_by_beats(copy);
  }
  register_file.send(request);
}

void write_back::write_by_beats(register_write_request& request) {
  for (unsigned beat = 0; beat < beats_.count; ++beat) {
    request.lanes = beats_.lanes[beat];
    if (request.lanes != 0) register_file.send(request);
  }
}

void write_back::tell(const warp_instruction& operation) {
  observers_.notify([&](write_back_observer& o) { o.completed(*this, operation); });
}

void write_back::complete(warp_instruction& operation) {
  if (operation.stack_access) return complete_stack_access(operation);
  if (operation.by_lane) beats_ = latch_.take(operation);
  if (operation.fault != arch_state::fault_kind::none)
    block_control->faulted(operation);
  else if (operation.executed != 0)
    write(operation);
  if (!observers_.empty()) tell(operation);
  scoreboard_release release{operation.id, operation.warp, operation.instruction, operation.dependency_entries};
  scoreboard.send(release);
  block_control.pass([&](auto& blocks) { blocks.instruction_done(operation); });
  if (operation.formed) {
    former_->completed(operation);
    operation.formed = false;
  }
  pool.pass([&](auto& instructions) { instructions.put(&operation); });
  ++completed;
  note_activity();
}

inline bool write_back::may_write() {
  if (ports_free()) return true;
  wake_next();
  return false;
}

// The instruction that ends with this one or, where instructions come in parts, with this part; null: none does
// yet.
inline warp_instruction* write_back::ended(warp_instruction& operation) {
  if (parts_ == nullptr || !parts_->any()) return &operation;
  note_activity();
  return parts_->ended(operation);
}

inline bool write_back::take(tlm_bus::pipe_in<executed_token>& in) {
  const executed_token* token = in.front();
  if (token == nullptr || !may_write()) return false;
  if (warp_instruction* const operation = ended(*token->operation)) complete(*operation);
  in.pop();
  return true;
}

bool write_back::take_from_memory() {
  const memory_completion_token* token = from_memory.front();
  if (token == nullptr || !may_write()) return false;
  if (warp_instruction* const operation = ended(*token->operation)) {
    if (!operation->stack_access) latencies.add(*operation, cycle());
    complete(*operation);
  }
  from_memory.pop();
  return true;
}

// Every source may deliver one result per cycle while the write ports have bandwidth left.
void write_back::tick() {
  const unsigned inputs = memory_input_ + 1;
  // Bit n: the input n places behind the one that is served first.
  std::uint64_t turned =
      (occupied_ >> first_ | occupied_ << (inputs - first_)) & ((std::uint64_t{1} << inputs) - 1);
  bool any = false;
  for (; turned != 0; turned &= turned - 1) {
    unsigned input = first_ + static_cast<unsigned>(__builtin_ctzll(turned));
    if (input >= inputs) input -= inputs;
    any |= input == memory_input_ ? take_from_memory() : take(*inputs_[input]);
  }
  if (any) first_ = first_ == memory_input_ ? 0 : first_ + 1;
}

void write_back::visit_state(tlm_bus::state_image& state) {
  visit_latches(state);
  state.fixed(memory_input_, share_, write_ports_, former_, parts_, inputs_);
  state(occupied_, ports_busy_until_, first_, latch_, beats_);
}

}  // namespace gt200::model
