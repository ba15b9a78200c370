#include "sc_models/sm/volta/operand_path.h"

#include <algorithm>
#include <cstring>

#include "sc_models/sm/volta/pipeline_latency.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

using isa::unit_class;

constexpr const char* input_names[issue_paths] = {"from_fixed", "from_special", "from_memory", "from_control"};
constexpr unsigned control_queue = 2;

bool is_special(const isa::instruction& i) { return i.unit == unit_class::sfu || i.unit == unit_class::constant; }

}  // namespace

operand_path::operand_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                           const config::sm_config& config, const arch_state::generation& generation, unsigned tpc,
                           const tlm_bus::tap<write_back_observer>& completions)
    : core_stage(name, domain),
      from_issue("from_issue", issue_paths,
                 [&](const char*, std::size_t p) {
                   const config::processing_block_config& block = config.processing_block;
                   const std::array<core_cycles, issue_paths> latency = {
                       block.operand_read_cycles, block.special_read_cycles, block.memory_read_cycles,
                       block.special_read_cycles};
                   const std::array<std::uint64_t, issue_paths> queue = {
                       latency[0].count() + 2, config.operand_collector.unit_queue_entries,
                       block.memory_queue_entries, config.operand_collector.control_queue_entries};
                   return new tlm_bus::pipe_in<issued_token>(input_names[p], *this, static_cast<unsigned>(queue[p]),
                                                             static_cast<unsigned>(latency[p].count()));
                 }),
      memory_results("memory_results", *this, config.write_back.queue_entries),
      control_results("control_results", *this, config.write_back.queue_entries),
      to_memory("to_memory", *this),
      to_branch("to_branch", *this),
      special_out("special_out", *this),
      exchange_out("exchange_out", *this),
      special_in("special_in", *this,
                 config.write_back.queue_entries +
                     static_cast<unsigned>(config.processing_block.special_latency_cycles.count()),
                 static_cast<unsigned>(config.processing_block.special_latency_cycles.count())),
      exchange_in("exchange_in", *this,
                  config.write_back.queue_entries +
                      static_cast<unsigned>(config.processing_block.exchange_latency_cycles.count()),
                  static_cast<unsigned>(config.processing_block.exchange_latency_cycles.count())),
      register_reads("register_reads"),
      register_writes("register_writes"),
      barrier_releases("barrier_releases"),
      steps("steps"),
      constant_reads("constant_reads"),
      constant_line_fetches("constant_line_fetches"),
      constant_cache("constant_cache"),
      block_control("block_control"),
      pool("pool"),
      generation_(generation),
      reports_(config.dependencies != config::dependency_rule::control_codes),
      forwarding_(pipeline_latency(config, generation)),
      completions_(completions),
      tpc_(static_cast<std::uint8_t>(tpc)),
      constants_(*this, {constant_cache, constant_reads, constant_line_fetches}, config.constant_cache,
                 config.clocks, generation),
      read_cycles_{config.processing_block.operand_read_cycles, config.processing_block.special_read_cycles,
                   config.processing_block.memory_read_cycles, config.processing_block.special_read_cycles},
      write_after_(*std::max_element(read_cycles_.begin(), read_cycles_.end()) + core_cycles(forwarding_.longest)),
      memory_interval_(config.processing_block.memory_interval_cycles),
      special_interval_(32 / config.processing_block.special_lanes),
      exchange_interval_(32 / config.processing_block.exchange_lanes),
      to_fp32_("to_fp32"),
      to_integer_("to_integer"),
      to_fp64_("to_fp64"),
      to_special_("to_special"),
      to_exchange_("to_exchange"),
      fp32_("fp32"),
      integer_("integer"),
      fp64_("fp64"),
      special_("special"),
      exchange_("exchange") {
  to_fp32_.bind(fp32_.operations);
  to_integer_.bind(integer_.operations);
  to_fp64_.bind(fp64_.operations);
  to_special_.bind(special_.operations);
  to_exchange_.bind(exchange_.operations);
  special_out.bind(special_in);
  exchange_out.bind(exchange_in);
  from_issue[0].wake_for_every_token();
}

void operand_path::end_of_elaboration() { constant_cache->arrival().subscribe(*this); }

// -- constants of instructions that have not issued --

void operand_path::fetch_line(warp_slot warp, std::uint64_t id, std::uint64_t address) {
  wanted_lines_.ask(warp, id, address, cycle());
  wake_next();
}

// A line for which the cache has no MSHR now is tried again.
void operand_path::fetch_wanted_lines() {
  const bool some_stay = wanted_lines_.send(cycle(), [this](std::uint64_t id, std::uint64_t address) {
    if (constant_cache->is_present(address)) return true;
    constant_line_fetch fetch{id, address};
    constant_line_fetches.send(fetch);
    return !fetch.refused;
  });
  if (some_stay) wake_next();
}

// -- operands --

void operand_path::read_predicate_file(warp_instruction& operation, core_cycle effective_issue) {
  isa::lane_words& bits = operation.values.source[2][0];
  std::uint8_t rows[8][isa::warp_size];
  isa::register_transfer t;
  t.file = isa::register_file_kind::condition;
  std::memset(bits.lane, 0, sizeof bits.lane);
  for (unsigned p = 0; p < generation_.values().predicates; ++p) {
    t.first = static_cast<std::uint8_t>(p);
    register_read_request request{operation.id, operation.warp, ~isa::lane_mask{0}, {&t, 1, rows[p]}};
    register_reads.send(request);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) bits.lane[lane] |= std::uint32_t{rows[p][lane]} << p;
  }
  under_way_[operation.warp].forward_predicates(forwarding_, effective_issue, 0, bits);
}

// Sources that hit the reuse cache take what lies there; those with a reuse bit leave their value there.
void operand_path::reuse(warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  if (operation.reuse_hits == 0 && i.codes.reuse == 0) return;
  for (unsigned k = 0; k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned slot = isa::operand_slot(t);
    if (slot == isa::no_slot || t.count != 1) continue;
    isa::lane_words& entry = reuse_[bank_of_register(t.first)][slot];
    auto* row = arch_state::operands_of(i, operation.values).row<isa::lane_words>(t);
    if ((operation.reuse_hits >> slot & 1) != 0)
      *row = entry;
    else if ((i.codes.reuse >> slot & 1) != 0)
      entry = *row;
  }
}

// Reads registers and predicates as an instruction that issued then sees them.
void operand_path::read(warp_instruction& operation, core_cycle effective_issue) {
  const isa::instruction& i = *operation.instruction;
  const arch_state::register_reads operands = arch_state::operands_of(i, operation.values);
  if (i.operand_count != 0) {
    register_read_request request{operation.id, operation.warp, ~isa::lane_mask{0}, operands};
    register_reads.send(request);
    if (!under_way_[operation.warp].empty())
      under_way_[operation.warp].forward(forwarding_, effective_issue, operands);
  }
  if (i.reads_predicate_file) read_predicate_file(operation, effective_issue);
  operation.executed = operation.active;
  if (!i.needs_collect) return;
  // The clock is read in the stage behind issue.
  const arch_state::warp_place place{operation.issued_at.number() + 1,
                                     tpc_,
                                     operation.sm,
                                     static_cast<std::uint8_t>(operation.warp.index()),
                                     operation.warp_in_block * std::uint32_t{isa::warp_size},
                                     operation.place};
  operation.executed = generation_.collect(i, place, operation.active, operation.values);
}

bool operand_path::operands_complete(constant_reader::progress& progress, warp_instruction& operation) {
  return constants_.finish(progress, operation);
}

warp_instruction* operand_path::next(issue_path path) {
  const auto p = static_cast<unsigned>(path);
  const issued_token* token = from_issue[p].front();
  if (token == nullptr) return nullptr;
  warp_instruction& operation = *token->operation;
  path_state& state = paths_[p];
  if (!state.has_read) {
    if (path == issue_path::fixed) {
      const core_cycle slot = operation.read_slot + read_cycles_[p];
      if (cycle() < slot) {
        wake_at(slot);
        return nullptr;
      }
      read(operation, operation.read_slot);
      reuse(operation);
    } else {
      if (fixed_path_is_held()) {
        wake_next();
        return nullptr;
      }
      read(operation, cycle() - read_cycles_[p]);
    }
    state.has_read = true;
    state.constants = {};
    note_activity();
  }
  if (!operands_complete(state.constants, operation)) return nullptr;
  return &operation;
}

// True if an instruction of fixed time has passed its slot without reading.
bool operand_path::fixed_path_is_held() {
  const issued_token* oldest = from_issue[0].oldest();
  return oldest != nullptr && oldest->operation->read_slot + read_cycles_[0] <= cycle();
}

// -- units --

tlm_bus::transaction_out<warp_operation>& operand_path::unit_of(const warp_instruction& operation) {
  switch (operation.instruction->unit) {
    case unit_class::sp_mul: return to_fp32_;
    case unit_class::dp: return to_fp64_;
    case unit_class::sfu:
    case unit_class::constant: return to_special_;
    case unit_class::shared:
    case unit_class::memory: return to_exchange_;
    default: return to_integer_;
  }
}

void operand_path::calculate(warp_instruction& operation, tlm_bus::transaction_out<warp_operation>& unit) {
  if (operation.executed == 0 || operation.fault != arch_state::fault_kind::none) return;
  warp_operation work{operation.id, operation.instruction, operation.warp, operation.executed, &operation.values};
  unit.send(work);
}

void operand_path::run_fixed() {
  while (warp_instruction* operation = next(issue_path::fixed)) {
    calculate(*operation, unit_of(*operation));
    has_read(*operation);
    under_way_[operation->warp].add(*operation);
    to_write_.push_back(operation);
    paths_[0].has_read = false;
    from_issue[0].pop();
    wake_at(std::max(operation->read_slot + write_after_, cycle() + core_cycles(1)));
  }
}

void operand_path::run_special() {
  const auto p = static_cast<unsigned>(issue_path::special);
  warp_instruction* operation = next(issue_path::special);
  if (operation == nullptr) return;
  const bool special = is_special(*operation->instruction);
  core_cycle& free_at = special ? special_free_at_ : exchange_free_at_;
  auto& out = special ? special_out : exchange_out;
  if (cycle() < free_at) return wake_at(free_at);
  if (!out.can_send()) return;
  calculate(*operation, unit_of(*operation));
  has_read(*operation);
  out.send({operation});
  free_at = cycle() + (special ? special_interval_ : exchange_interval_);
  paths_[p].has_read = false;
  from_issue[p].pop();
}

void operand_path::run_memory() {
  const auto p = static_cast<unsigned>(issue_path::memory);
  if (from_issue[p].front() == nullptr) return;
  if (!paths_[p].has_read && cycle() < memory_free_at_) return wake_at(memory_free_at_);
  warp_instruction* operation = next(issue_path::memory);
  if (operation == nullptr || !to_memory.can_send()) return;
  has_read(*operation);
  to_memory.send({operation});
  memory_free_at_ = cycle() + memory_interval_;
  paths_[p].has_read = false;
  from_issue[p].pop();
}

void operand_path::run_control() {
  const auto p = static_cast<unsigned>(issue_path::control);
  warp_instruction* operation = next(issue_path::control);
  if (operation == nullptr || !to_branch.can_send()) return;
  has_read(*operation);
  to_branch.send({operation});
  paths_[p].has_read = false;
  from_issue[p].pop();
}

// -- results --

void operand_path::release(const warp_instruction& operation, std::uint8_t barrier) {
  if (barrier == isa::control_codes::no_barrier) return;
  barrier_release released{operation.id, operation.warp, barrier};
  barrier_releases.send(released);
}

// Of instructions of fixed time the reader's distance says all.
void operand_path::report(const warp_instruction& operation, bool written) {
  if (!reports_ || path_of(*operation.instruction) == issue_path::fixed) return;
  operand_progress made{operation.id, operation.warp, operation.instruction, written};
  steps.send(made);
}

void operand_path::has_read(const warp_instruction& operation) {
  release(operation, operation.instruction->codes.read_barrier);
  report(operation, false);
}

void operand_path::has_written(const warp_instruction& operation) {
  release(operation, operation.instruction->codes.write_barrier);
  report(operation, true);
}

void operand_path::write(warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  if (operation.executed == 0) return;
  if (i.result_count != 0) {
    register_write_request request{operation.id, operation.warp, operation.executed,
                                   arch_state::results_of(i, operation.values)};
    register_writes.send(request);
    register_writes_counter +=
        static_cast<std::uint64_t>(__builtin_popcount(operation.executed)) * i.general_writes;
  }
  if (!i.writes_predicate_file) return;
  isa::register_transfer t;
  t.file = isa::register_file_kind::condition;
  for (unsigned p = 0; p < generation_.values().predicates; ++p) {
    std::uint8_t row[isa::warp_size];
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      row[lane] = operation.values.destination[0].lane[lane] >> p & 1;
    t.first = static_cast<std::uint8_t>(p);
    register_write_request request{operation.id, operation.warp, operation.executed, {&t, 1, row}};
    register_writes.send(request);
  }
}

void operand_path::complete(warp_instruction& operation) {
  if (operation.fault != arch_state::fault_kind::none)
    block_control->faulted(operation);
  else
    write(operation);
  completions_.notify([&](write_back_observer& o) { o.completed(*this, operation); });
  has_written(operation);
  block_control->instruction_done(operation);
  pool->put(&operation);
  ++completed;
  note_activity();
}

// In the order of issue: each so long after its slot that no instruction reads it in the register file before the
// table lets it. True if one was written.
bool operand_path::write_fixed() {
  bool any = false;
  while (!to_write_.empty() && to_write_.front()->read_slot + write_after_ <= cycle()) {
    warp_instruction& operation = *to_write_.front();
    to_write_.pop_front();
    under_way_[operation.warp].remove_oldest();
    any = any || operation.instruction->result_count != 0;
    complete(operation);
  }
  if (!to_write_.empty()) wake_at(to_write_.front()->read_slot + write_after_);
  return any;
}

void operand_path::write_other() {
  tlm_bus::pipe_in<executed_token>* const sources[] = {&memory_results, &control_results, &special_in,
                                                       &exchange_in};
  constexpr unsigned count = std::size(sources);
  unsigned written = 0;
  for (unsigned k = 0; k < count; ++k) {
    auto& source = *sources[(first_result_ + k) % count];
    const executed_token* token = source.front();
    if (token == nullptr) continue;
    // An older result of fixed time is written before it, as the order of issue says.
    if (under_way_[token->operation->warp].concern_results_of(*token->operation->instruction)) {
      wake_next();
      continue;
    }
    // Without a result it needs no port.
    const bool needs_port = token->operation->instruction->result_count != 0;
    if (needs_port && written == results_per_cycle) {
      ++write_port_waits;
      wake_next();
      continue;
    }
    written += needs_port ? 1 : 0;
    complete(*token->operation);
    source.pop();
  }
  if (written != 0) first_result_ = (first_result_ + 1) % count;
}

void operand_path::tick() {
  // 1. Results of earlier cycles are written: those of fixed time, then one of the others.
  const bool port_taken = write_fixed();
  if (!port_taken)
    write_other();
  else if (memory_results.front() != nullptr || control_results.front() != nullptr ||
           special_in.front() != nullptr || exchange_in.front() != nullptr)
    wake_next();
  // 2. Operands are read. Those of fixed time first, so that a held path is seen.
  run_fixed();
  run_special();
  run_memory();
  run_control();
  // 3. Lines of constants for issue.
  fetch_wanted_lines();
}

void operand_path::publish(tlm_bus::signal_writer& to) { to.number("results_under_way", 16, to_write_.size()); }

void operand_path::visit_state(tlm_bus::state_image& state) {
  state.fixed(reports_, forwarding_, tpc_, read_cycles_, write_after_, memory_interval_, special_interval_,
              exchange_interval_);
  state.fixed(fp32_, integer_, fp64_, special_, exchange_);
  state(constants_, memory_free_at_, special_free_at_, exchange_free_at_, paths_, under_way_, to_write_, reuse_,
        first_result_, wanted_lines_);
}

}  // namespace gt200::model
