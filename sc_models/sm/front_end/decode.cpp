#include "sc_models/sm/front_end/decode.h"

#include <utility>

#include "sc_models/sm/front_end/joined_front_end.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

// Threads that form warps anew leave their warp at a barrier, so fetch stops there too.
bool ends_path(const instruction_descriptor& instruction, const grid_descriptor& grid) {
  return instruction.ends_path || (grid.forms_warps && instruction.waits_at_barrier);
}

}  // namespace

decode::decode(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               decoded_instructions& instructions, std::uint64_t first_id)
    : core_stage(name, domain),
      in("in", *this, config.decode.queue_entries, config.decode.latency_cycles.count()),
      control("control", *this),
      answers("answers"),
      scoreboard("scoreboard"),
      lookups("lookups"),
      buffer_writes("buffer_writes"),
      when_full_(config.scoreboard.when_full),
      instructions_(instructions),
      next_id_(first_id),
      lookup_latency_(config.scoreboard.lookup_latency_cycles),
      order_(max_warps) {}

void decode::take_turns(const path_turns_if& turns, std::shared_ptr<const isa::instruction> turn_end) {
  turns_ = &turns;
  turn_end_ = {std::move(turn_end), 0};
}

void decode::end_of_elaboration() { scoreboard->release().subscribe(*this); }

[[gnu::always_inline]] inline void decode::into_buffer(warp_slot warp, const pending& p,
                                                       const lookup_answer& answer) {
  const auto fill = [&](buffered_instruction& b) {
    b.instruction = p.instruction->instruction.get();
    b.grid = p.grid;
    b.id = next_id_;
    b.pc = p.pc;
    b.dependencies = answer.dependencies;
    b.allocated = answer.allocated;
    b.fault = p.instruction->fault;
  };
  if (instruction_buffer* const buffer = buffer_writes.alone())
    buffer->enter(warp, fill);
  else
    send_write(warp, fill);
  ++next_id_;
  note_activity();
  ++decoded;
}

template <class Fill>
[[gnu::noinline]] void decode::send_write(warp_slot warp, const Fill& fill) {
  buffer_write write;
  write.warp = warp;
  fill(write.instruction);
  buffer_writes.send(write);
}

// Looks up the instruction and enters it into the buffer. Returns false if the scoreboard is full.
bool decode::enter(warp_slot warp, const pending& p) {
  if (joined_ != nullptr) return joined_->enter(warp, *p.instruction, p.grid, p.pc);
  scoreboard_lookup lookup{warp, p.instruction->instruction.get(), p.pc, {}};
  lookups.send(lookup);
  if (lookup.answer.entered) into_buffer(warp, p, lookup.answer);
  return lookup.answer.entered;
}

// Gives reserved slots of the buffer back.
void decode::cancel(warp_slot warp, unsigned entries) {
  if (joined_ != nullptr) return joined_->cancel(warp, entries);
  buffer_write write;
  write.what = buffer_write::command::cancel;
  write.warp = warp;
  write.entries = static_cast<std::uint8_t>(entries);
  buffer_writes.send(write);
}

void decode::command(const fetch_control_token& token) {
  joined_ != nullptr ? joined_->command(token) : control.send(token);
}

void decode::ask(warp_slot warp) {
  const pending& p = queues_[warp][0];
  scoreboard_lookup lookup{warp, p.instruction->instruction.get(), p.pc, {}};
  lookups.send(lookup);
  on_its_way_[(first_on_its_way_ + looked_up_++) % on_its_way_.size()] = {cycle() + lookup_latency_, warp};
  asking_ |= warp_bit(warp);
  wake_at(cycle() + lookup_latency_);
}

void decode::take_answers() {
  for (; looked_up_ != 0 && on_its_way_[first_on_its_way_].due <= cycle(); --looked_up_) {
    const warp_slot index = on_its_way_[first_on_its_way_].warp;
    first_on_its_way_ = (first_on_its_way_ + 1) % on_its_way_.size();
    asking_ &= ~warp_bit(index);
    warp_state& warp = warps_[index];
    pending_queue& queue = queues_[index];
    pending& p = queue[0];
    scoreboard_answer fetched{index, {}};
    answers.send(fetched);
    if (!fetched.answer.entered) {
      if (!p.refused) ++scoreboard_full;
      p.refused = true;
      continue;
    }
    into_buffer(index, p, fetched.answer);
    for (unsigned i = 1; i < warp.waiting; ++i) queue[i - 1] = queue[i];
    if (--warp.waiting == 0) waiting_ &= ~warp_bit(index);
  }
}

void decode::ask_waiting() {
  const warp_mask could = waiting_ & ~asking_;
  if (could == 0) return;
  const int chosen = order_.choose(could);
  order_.granted(chosen);
  ask(warp_slot(chosen));
}

void decode::take(const fetched_token& token) {
  warp_state& warp = warps_[token.warp];
  const unsigned count = token.invalid_pc ? 1 : token.count;
  if (token.epoch != warp.epoch) {
    cancel(token.warp, token.requested);
    discarded += count;
    return;
  }
  if (token.requested > count) cancel(token.warp, token.requested - count);
  isa::code_address pc = token.pc;
  for (unsigned i = 0; i < count; ++i) {
    const instruction_descriptor* entry = token.invalid_pc ? &instructions_.invalid_pc() : token.instructions[i];
    const unsigned length = entry->length;
    const bool met = token.met && i == 0;
    if (entry->arrival && !met) entry = entry->arrival.get();
    if (turns_ != nullptr && !met && turns_->is_over(token.warp, cycle())) entry = &turn_end_;
    const bool stop = ends_path(*entry, *token.grid);
    const pending p{entry, token.grid, pc, token.epoch, false};
    pc += length;
    bool discard = false;
    if (warp.waiting != 0) {
      queues_[token.warp][warp.waiting++] = p;
    } else if (lookup_latency_ != core_cycles(0)) {
      queues_[token.warp][warp.waiting++] = p;
      waiting_ |= warp_bit(token.warp);
      ask(token.warp);
    } else if (!enter(token.warp, p)) {
      ++scoreboard_full;
      discard = when_full_ == config::scoreboard_full::discard;
      if (!discard) {
        queues_[token.warp][warp.waiting++] = p;
        waiting_ |= warp_bit(token.warp);
      }
    }
    if (discard) {
      // This instruction and those after it on the path are fetched again under a new epoch.
      cancel(token.warp, count - i);
      discarded += count - i;
      command({fetch_control_token::command::restart, token.warp, token.epoch, p.pc, met});
      ++warp.epoch;
      return;
    }
    if (stop) {
      // Instructions fetched after a control instruction are on no path yet.
      if (i + 1 < count) {
        cancel(token.warp, count - i - 1);
        discarded += count - i - 1;
      }
      command({fetch_control_token::command::stop, token.warp, token.epoch, 0, false});
      ++warp.epoch;
      return;
    }
  }
  if (!token.sequential_known) command({fetch_control_token::command::advance, token.warp, token.epoch, pc, false});
}

// Enters one instruction whose warp had to wait for a scoreboard entry. Returns false if there is none.
bool decode::enter_waiting() {
  for (warp_mask left = waiting_; left != 0;) {
    const int chosen = order_.choose(left);
    const warp_slot index(chosen);
    left &= ~warp_bit(index);
    warp_state& warp = warps_[index];
    pending_queue& queue = queues_[index];
    if (!enter(index, queue[0])) continue;
    for (unsigned i = 1; i < warp.waiting; ++i) queue[i - 1] = queue[i];
    if (--warp.waiting == 0) waiting_ &= ~warp_bit(index);
    order_.granted(chosen);
    return true;
  }
  return false;
}

void decode::tick() { step_ != nullptr ? step_->called(*this) : run(); }

void decode::run() {
  // 1. Instructions that wait for a scoreboard entry come first: they are older than all other instructions of
  // their warp here.
  if (lookup_latency_ != core_cycles(0)) {
    take_answers();
    ask_waiting();
  } else if (waiting_ != 0 && enter_waiting() && waiting_ != 0) {
    wake_next();
  }
  // 2. Newly fetched instructions.
  if (const auto* token = in.front(); token != nullptr && control.can_send()) {
    in.pop();
    take(*token);
  }
  if (lookup_latency_ != core_cycles(0) && (waiting_ & ~asking_) != 0) wake_next();
}

void decode::publish(tlm_bus::signal_writer& to) { to.mask("waiting", max_warps, waiting_); }

void decode::visit_state(tlm_bus::state_image& state) {
  state.fixed(step_, joined_, when_full_, lookup_latency_, turns_, turn_end_);
  state(next_id_, warps_, queues_, waiting_, asking_, on_its_way_, first_on_its_way_, looked_up_, order_);
}

}  // namespace gt200::model
