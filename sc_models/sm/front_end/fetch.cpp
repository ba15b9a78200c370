#include "sc_models/sm/front_end/fetch.h"

#include "sc_models/sm/front_end/coordinated_order.h"
#include "sc_models/sm/front_end/joined_front_end.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

fetch::fetch(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config)
    : stage(name, domain),
      start("start", *this, config.fetch.command_entries),
      redirect("redirect", *this, config.fetch.command_entries),
      control("control", *this, config.fetch.command_entries),
      out("out", *this),
      reservations("reservations"),
      instruction_buffer("instruction_buffer"),
      icache("icache"),
      scoreboard("scoreboard"),
      issue_order("issue_order"),
      warp_slots_(config.limits.warps),
      per_fetch_(config.fetch.instructions_per_fetch),
      granule_(config.fetch.granule_bytes),
      config_(config) {
  start.show_occupied(0);
  redirect.show_occupied(1);
  control.show_occupied(2);
  policy_ = make_policy();
}

std::unique_ptr<scheduler> fetch::make_policy() {
  const std::string_view policy = config::chosen_at(config::fetch_policies, name(), config_.fetch.policy.name());
  if (policy == "coordinated")
    return std::make_unique<coordinated_order>(issue_order, config_.scheduler.schedulers, config_.fetch.merge);
  return make_scheduler(policy, config_);
}

void fetch::end_of_elaboration() {
  icache.resolve();
  room_ = &instruction_buffer->room(1).subscribe(*this);
  if (per_fetch_ == 2) room_for_two_ = &instruction_buffer->room(2);
  scoreboard_room_ = &scoreboard->has_room().subscribe(*this);
  if (policy_->observes()) observed_ = &issue_order->observed().subscribe(*this);
  if (policy_->observes_instructions()) issue_order->observe_instructions();
}

void fetch::take_commands() {
  if (occupied_ == 0) return;
  if (const auto* token = start.front()) {
    auto& warp = warps_[token->warp];
    warp.grid = token->grid;
    lines_[token->warp] = {};
    warp.pc = token->pc;
    warp.met = false;
    ++warp.epoch;
    runnable_ |= warp_bit(token->warp);
    policy_->started(token->warp);
    parts_.moved(token->warp.index());
    start.pop();
  }
  if (const auto* token = redirect.front()) {
    auto& warp = warps_[token->warp];
    warp.pc = token->pc;
    warp.met = token->met;
    ++warp.epoch;
    runnable_ |= warp_bit(token->warp);
    ++redirects;
    parts_.moved(token->warp.index());
    redirect.pop();
  }
  if (const auto* token = control.front()) {
    obey(*token);
    control.pop();
  }
}

void fetch::obey(const fetch_control_token& token) {
  auto& warp = warps_[token.warp];
  parts_.moved(token.warp.index());
  if (token.epoch != warp.epoch) return;
  switch (token.what) {
    case fetch_control_token::command::stop: runnable_ &= ~warp_bit(token.warp); break;
    case fetch_control_token::command::advance:
      warp.pc = token.pc;
      runnable_ |= warp_bit(token.warp);
      break;
    case fetch_control_token::command::restart:
      warp.pc = token.pc;
      warp.met = token.met;
      ++warp.epoch;
      runnable_ |= warp_bit(token.warp);
      break;
  }
}

template <unsigned MOST>
void fetch::fetch_up_to(warp_slot index) {
  auto& warp = warps_[index];
  const isa::code_address first_pc = warp.pc;
  std::array<const instruction_descriptor*, max_instructions_per_fetch> instructions{};
  unsigned count = 0;
  bool sequential_known = true, predecoded_all = true;
  std::uint32_t line = 0, version = 0;
  const bool room_for_two =
      MOST == 2 &&
      (joined_ != nullptr ? joined_->room_for_two(index) : (room_for_two_->read(cycle()) & warp_bit(index)) != 0);
  for (unsigned want = MOST == 2 && room_for_two ? 2 : 1; want != 0; --want) {
    const predecoded found =
        icache.pass([&](auto& cache) { return cache.predecode(*warp.grid, warp.pc, lines_[index]); });
    if (count == 0) {
      line = found.line;
      version = found.version;
    }
    if (found.instruction == nullptr || found.version != version) predecoded_all = false;
    instructions[count++] = found.instruction;
    if (found.length == 0) {
      runnable_ &= ~warp_bit(index);  // until decode has seen the instruction
      sequential_known = false;
      break;
    }
    warp.pc += found.length;
    if (MOST == 2 && ((warp.pc ^ first_pc) & ~(granule_ - 1)) != 0) break;
  }
  const auto fill = [&](fetch_token& token) {
    token.warp = index;
    token.epoch = warp.epoch;
    token.count = static_cast<std::uint8_t>(count);
    token.sequential_known = sequential_known;
    token.met = warp.met;
    token.predecoded = predecoded_all;
    token.grid = warp.grid;
    token.pc = first_pc;
    token.line = line;
    token.version = version;
    token.instructions = instructions;
  };
  note_activity();
  if (joined_ != nullptr) {
    joined_->reserve(index, count);
    fill(joined_->next_fetch());
  } else {
    buffer_reservation reservation{index, static_cast<std::uint8_t>(count)};
    reservations.send(reservation);
    out.send_filled(fill);
  }
  warp.met = false;
  policy_->picked(index);
  parts_.moved(index.index());
  ++fetches;
}

template void fetch::fetch_up_to<1>(warp_slot);
template void fetch::fetch_up_to<2>(warp_slot);

void fetch::tick() { step_ != nullptr ? step_->called(*this) : run(); }

void fetch::run() {
  // 1. Commands that other stages sent until the last cycle.
  take_commands();
  if (observed_ != nullptr) policy_->observe(observed_->read(cycle()));
  // 2. Warps that can use an instruction.
  if (runnable_ == 0) return;
  const warp_mask candidates = runnable_ & room_->read(cycle()) & scoreboard_room_->read(cycle());
  if (candidates == 0 || !out.can_send()) return;
  // 3. One of them fetches.
  fetch_for(policy_->pick(candidates));
  if (runnable_ != 0) wake_next();
}

void fetch::publish(tlm_bus::signal_writer& to) {
  to.mask("runnable", warp_slots_, runnable_);
  to.array("warp", warp_slots_, [&](unsigned warp) { to.number("pc", 32, warps_[warp_slot(warp)].pc); });
}

void fetch::visit_state(tlm_bus::state_image& state) {
  state.fixed(step_, joined_, room_, room_for_two_, scoreboard_room_, observed_, warp_slots_, per_fetch_, granule_);
  state.remake(policy_, [this] { return make_policy(); });
  state(occupied_, runnable_, warps_, lines_);
}

}  // namespace gt200::model
