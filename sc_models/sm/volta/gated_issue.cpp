#include "sc_models/sm/volta/gated_issue.h"

#include <algorithm>

#include "sc_models/sm/front_end/exited_warps.h"
#include "sc_models/sm/schedulers/awaited_warps.h"
#include "sc_models/sm/schedulers/observed_instruction.h"
#include "sc_models/sm/signal_texts.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/memory_access.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

using isa::unit_class;

constexpr std::size_t class_index(unit_class c) { return static_cast<std::size_t>(c); }

warp_mask warps_of_block(unsigned block, unsigned blocks) {
  warp_mask mask = 0;
  for (unsigned warp = block; warp < max_warps; warp += blocks) mask |= warp_bit(warp_slot(warp));
  return mask;
}

constexpr const char* output_names[issue_paths] = {"to_fixed", "to_special", "to_memory", "to_control"};

bool is_fence(const isa::instruction& i) { return i.barrier.waits && !i.barrier.arrives; }

}  // namespace

gated_issue::gated_issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                         const config::sm_config& config, unsigned block, unsigned sm_in_tpc,
                         bool no_bank_conflicts)
    : core_stage(name, domain),
      to_operands("to_operands", issue_paths,
                  [this](const char*, std::size_t p) {
                    return new tlm_bus::pipe_out<issued_token>(output_names[p], *this);
                  }),
      removals("removals"),
      instruction_buffer("instruction_buffer"),
      gate("gate"),
      constants("constants"),
      constant_lines("constant_lines"),
      simt_stack("simt_stack"),
      icache("icache"),
      block_control("block_control"),
      blocks("blocks"),
      pool("pool"),
      barriers_of_sm("barriers_of_sm"),
      own_(warps_of_block(block, config.processing_block.blocks)),
      block_(block),
      blocks_per_sm_(config.processing_block.blocks),
      sm_(static_cast<std::uint8_t>(sm_in_tpc)),
      ports_(config.processing_block.bank_reads, no_bank_conflicts,
             config.dependencies == config::dependency_rule::control_codes),
      policy_(make_scheduler_at(this->name(), config.scheduler.policy.name(), config)),
      obeys_yields_(config.dependencies != config::dependency_rule::scoreboard),
      warp_slots_(config.limits.warps),
      accounting_(1, config.limits.warps),
      config_(config) {
  const config::processing_block_config& units = config.processing_block;
  for (std::size_t c = 0; c < isa::unit_classes; ++c) {
    interval_[c] = core_cycles(32 / units.int_lanes);
    data_path_[c] = static_cast<std::uint8_t>(class_index(unit_class::sp));
  }
  interval_[class_index(unit_class::sp_mul)] = core_cycles(32 / units.fp32_lanes);
  data_path_[class_index(unit_class::sp_mul)] = static_cast<std::uint8_t>(class_index(unit_class::sp_mul));
  interval_[class_index(unit_class::dp)] = core_cycles(32 / units.fp64_lanes);
  data_path_[class_index(unit_class::dp)] = static_cast<std::uint8_t>(class_index(unit_class::dp));
  interval_[class_index(unit_class::none)] = core_cycles(1);
  data_path_[class_index(unit_class::none)] = static_cast<std::uint8_t>(class_index(unit_class::none));
}

void gated_issue::end_of_elaboration() {
  warps_ = &instruction_buffer->warps();
  warps_->oldest.subscribe(*this);
  resident_ = &blocks->resident().subscribe(*this);
  unfinished_ = &blocks->unfinished().subscribe(*this);
  awaited_at_exit_ = &blocks->awaited_at_exit().subscribe(*this);
  missing_ = &icache->missing().subscribe(*this);
  gate->released().subscribe(*this);
  constants->arrival().subscribe(*this);
  at_barrier_ = &barriers_of_sm->waiting_warps();
}

// All readers have subscribed by now, and all policies are those that stay.
void gated_issue::start_of_simulation() {
  observes_ = policy_->observes() || policy_->observes_instructions() || observed_.has_subscribers();
  observes_instructions_ = observes_instructions_ || policy_->observes_instructions();
}

void gated_issue::release(warp_mask warps) {
  fenced_.change(domain().cycle()) &= ~warps;
  wake_next();
}

// Warps that have begun since.
void gated_issue::settle() {
  const warp_mask resident = resident_->read(domain().cycle()) & own_;
  for (const warp_slot warp : warps_in(resident & ~known_resident_)) {
    policy_->started(warp);
    gate->started(warp);
    last_issued_[warp] = 0;
    observers_.notify([&](arbitration_observer& o) { o.started(cycle() - core_cycles(1), warp); });
  }
  known_resident_ = resident;
}

// The first word of its constants whose line is absent.
std::optional<std::uint64_t> gated_issue::absent_constant_of(const buffered_instruction& b) const {
  const isa::instruction& i = *b.instruction;
  for (unsigned k = 0; k < i.constant_count; ++k) {
    const isa::constant_operand& c = i.constants[k];
    if (c.indexed || c.bank >= constant_spaces) continue;
    const constant_binding& space = b.grid->constants[c.bank];
    const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(c.type));
    if (!arch_state::lies_within(c.offset, bytes, space.bytes)) continue;  // a fault, found when it is read
    for (std::uint32_t at = 0; at < bytes; at += 4)
      if (const std::uint64_t address = space.address + c.offset + at; !constants->is_present(address))
        return address;
  }
  return {};
}

gated_issue::readiness gated_issue::look_at_unit(const isa::instruction& i) {
  const issue_path path = path_of(i);
  if (path == issue_path::fixed) {
    const core_cycle free_at = unit_free_at_[data_path_[class_index(i.unit)]];
    if (free_at > cycle()) return {stall_cause::unit_busy, free_at};
  }
  if (to_operands[static_cast<unsigned>(path)].can_send()) return {};
  return {path == issue_path::memory ? stall_cause::memory_back_pressure : stall_cause::unit_busy,
          core_cycle::never()};
}

gated_issue::readiness gated_issue::look_at(warp_slot warp) {
  const warp_mask bit = warp_bit(warp);
  if ((fenced_.read(domain().cycle()) & bit) != 0) return {stall_cause::barrier, core_cycle::never()};
  if ((warps_->oldest.read(domain().cycle()).occupied & bit) == 0) {
    if ((unfinished_->read(domain().cycle()) & bit) == 0)
      return {awaited_at_exit_->read(domain().cycle())[warp], core_cycle::never()};
    if ((missing_->read(domain().cycle()) & bit) != 0) return {stall_cause::icache_miss, core_cycle::never()};
    return {stall_cause::buffer_empty, core_cycle::never()};
  }
  const buffered_instruction& oldest = instruction_buffer->oldest(warp);
  const core_cycle open_at = gate->open_at(warp, *oldest.instruction);
  if (open_at == core_cycle::never()) return {gate->waits_for(warp, *oldest.instruction), open_at};
  if (open_at > cycle()) return {stall_cause::dependency_sp, open_at};
  if (free_at_ > cycle()) return {stall_cause::dispatch_port, free_at_};
  if (!oldest.instruction->variable_latency && oldest.instruction->reads_constant)
    if (const auto absent = absent_constant_of(oldest))
      return {stall_cause::dependency_constant, core_cycle::never(), absent};
  return look_at_unit(*oldest.instruction);
}

slot_use gated_issue::issue_from(warp_slot warp) {
  const buffered_instruction& b = instruction_buffer->oldest(warp);
  const isa::instruction& instruction = *b.instruction;
  const isa::lane_mask active = simt_stack->active_mask(warp);
  const operand_ports::reads reads = ports_.issue(warp, active, instruction);
  warp_instruction* operation = pool->get();
  operation->id = b.id;
  // In the order of issue of all blocks.
  operation->sequence = cycle().number() * blocks_per_sm_ + block_;
  operation->issued_at = cycle();
  operation->read_slot = cycle() + reads.held;
  operation->reuse_hits = reads.reuse_hits;
  operation->instruction = &instruction;
  operation->grid = b.grid;
  operation->pc = last_issued_[warp] = b.pc;
  operation->sm = sm_;
  operation->warp = warp;
  operation->active = active;
  operation->executed = operation->active;
  operation->dependency_entries = 0;
  operation->fault = b.fault;
  operation->fault_lanes = b.fault == arch_state::fault_kind::none ? 0 : operation->active;
  operation->fault_address = 0;
  operation->resolved_space = isa::memory_space::none;
  operation->window_base = 0;
  operation->by_lane = false;
  const issue_path path = path_of(instruction);
  operation->memory_sent = memory_sent_[warp];
  if (path == issue_path::memory) ++memory_sent_[warp];
  block_control->describe(warp, *operation);
  if (is_fence(instruction)) fenced_.change(domain().cycle()) |= warp_bit(warp);

  gate->issued(warp, instruction, reads.held);
  const std::size_t unit = class_index(instruction.unit);
  if (path == issue_path::fixed) unit_free_at_[data_path_[unit]] = cycle() + interval_[unit] + reads.held;
  free_at_ = cycle() + core_cycles(1) + reads.held;
  held += reads.held.count();
  reuse_hits += static_cast<unsigned>(__builtin_popcount(reads.reuse_hits));
  yielded_ = obeys_yields_ && instruction.codes.yield ? warp_bit(warp) : 0;

  buffer_removal removal{b.id, warp};
  removals.send(removal);
  block_control->instruction_issued(warp, instruction.unit);
  to_operands[static_cast<unsigned>(path)].send({operation});
  ++issued;
  const auto lanes = static_cast<unsigned>(__builtin_popcount(operation->active));
  thread_instructions += lanes;
  return {stall_cause::none, warp, static_cast<std::uint8_t>(lanes), operation->pc};
}

slot_use gated_issue::lost_by(warp_slot warp, stall_cause cause) const {
  const bool holds = (warps_->oldest.read(domain().cycle()).occupied & warp_bit(warp)) != 0;
  return {cause, warp, 0, holds ? instruction_buffer->oldest(warp).pc : last_issued_[warp]};
}

// True if the warp waits for results of memory.
bool gated_issue::waits_long(warp_slot warp) {
  const isa::instruction& oldest = *instruction_buffer->oldest(warp).instruction;
  return gate->open_at(warp, oldest) == core_cycle::never() && gate->waits_for_memory(warp, oldest);
}

// What policies of issue and fetch know of the warps of this block. A warp is parked at a barrier if no path of it
// has an instruction meanwhile. Warps of the other processing blocks count for what a block of threads waits for.
void gated_issue::observe() {
  const std::uint64_t now = domain().cycle();
  const warp_mask all_unfinished = unfinished_->read(now);
  const warp_mask occupied = warps_->oldest.read(now).occupied & own_;
  const warp_mask waiting = at_barrier_->read(now) & all_unfinished & ~warps_->oldest.read(now).occupied;
  seen_.unfinished = all_unfinished & own_;
  seen_.parked = waiting & own_;
  for (const warp_slot warp : warps_in(occupied & seen_.unfinished))
    if (waits_long(warp)) seen_.parked |= warp_bit(warp);
  seen_.awaited = awaited_warps(*blocks, all_unfinished, waiting) & own_;
  seen_.of_class = warps_->of_class;
  for (warp_mask& warps : seen_.of_class) warps &= occupied;
  if (observes_instructions_) {
    seen_.oldest.assign(warp_slots_, {});
    for (const warp_slot warp : warps_in(occupied))
      seen_.oldest[warp.index()] = observed_of(instruction_buffer->oldest(warp));
  }
  policy_->observe(seen_);
  if (observed_.has_subscribers() && seen_ != observed_.next()) observed_.change(domain()) = seen_;
  // Waits begin and end without a signal.
  if (known_resident_ != 0) wake_next();
}

void gated_issue::tick() {
  accounting_.begin(cycle());
  settle();
  // 1. Which warps can issue, and when the next one may.
  warp_mask candidates = 0;
  core_cycle next = core_cycle::never();
  for (const warp_slot warp : warps_in(warps_->oldest.read(domain().cycle()).occupied & own_)) {
    const readiness r = look_at(warp);
    if (r.cause == stall_cause::none)
      candidates |= warp_bit(warp);
    else
      next = std::min(next, r.at);
    if (r.absent_constant && !asleep())
      constant_lines->fetch_line(warp, instruction_buffer->oldest(warp).id, *r.absent_constant);
  }
  if (observes_) observe();
  // 2. One of them issues; one that has not yielded goes first.
  slot_use use;
  if (candidates != 0) {
    const warp_mask preferred = candidates & ~yielded_;
    const warp_slot warp = policy_->pick(preferred != 0 ? preferred : candidates);
    observers_.notify([&](arbitration_observer& o) { o.went(cycle(), candidates, warp); });
    use = issue_from(warp);
    policy_->picked(warp);
    wake_next();
  } else if (known_resident_ != 0) {
    const warp_mask unfinished = unfinished_->read(domain().cycle()) & known_resident_;
    const warp_slot warp = policy_->pick(
        unfinished != 0 ? unfinished : charged_among(known_resident_, awaited_at_exit_->read(domain().cycle())));
    use = lost_by(warp, look_at(warp).cause);
    if (next != core_cycle::never()) wake_at(next);
  }
  // 3. The slot is charged; its use stays valid until something wakes this stage.
  accounting_.note(0, use);
  const warp_mask starved = missing_->read(domain().cycle()) & unfinished_->read(domain().cycle()) & own_ &
                            ~warps_->oldest.read(domain().cycle()).occupied;
  accounting_.close(static_cast<unsigned>(__builtin_popcountll(known_resident_)),
                    static_cast<unsigned>(__builtin_popcountll(starved)));
}

void gated_issue::publish(tlm_bus::signal_writer& to) {
  const slot_use& last = accounting_.use(0);
  to.text("slot", warp_state_key(last.cause), text_of_warp_state);
  to.number("warp", 6, last.warp.index());
  to.number("pc", 32, last.pc);
}

void gated_issue::visit_state(tlm_bus::state_image& state) {
  state.fixed(resident_, unfinished_, awaited_at_exit_, missing_, at_barrier_, warps_, own_, block_, blocks_per_sm_,
              sm_, interval_, data_path_, observes_, observes_instructions_, obeys_yields_, warp_slots_);
  state.remake(policy_, [this] { return make_scheduler_at(name(), config_.scheduler.policy.name(), config_); });
  state(fenced_, known_resident_, free_at_, unit_free_at_, ports_, seen_, yielded_, last_issued_, memory_sent_,
        observed_, accounting_);
}

}  // namespace gt200::model
