#include "sc_models/sm/divergence/warp_former.h"

#include <utility>

#include "sc_models/sm/divergence/compaction_pool.h"
#include "sc_models/sm/divergence/formation_pool.h"
#include "tlm_bus/numbered_names.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

constexpr isa::lane_mask bit_of_lane(unsigned lane) { return isa::lane_mask{1} << lane; }
unsigned number_of(isa::lane_mask lanes) { return static_cast<unsigned>(__builtin_popcount(lanes)); }

std::unique_ptr<warp_pool> make_pool(const config::sm_config& config) {
  if (config.warp_formation == config::warp_formation::compaction) return std::make_unique<compaction_pool>();
  return std::make_unique<formation_pool>(config.warp_former.heuristic);
}

}  // namespace

warp_former::warp_former(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                         const config::sm_config& config, const arch_state::generation& generation,
                         formed_slots_if& slots)
    : core_stage(name, domain),
      in("in", *this, config.fetch.command_entries),
      out("out", *this),
      block_control("block_control"),
      block_slots_(slots),
      blocks_(config.limits.blocks),
      pool_(make_pool(config)),
      compacts_(config.warp_formation == config::warp_formation::compaction),
      across_blocks_(config.warp_former.across_blocks),
      warp_slots_(config.limits.warps),
      config_(config),
      generation_(generation) {
  for (unsigned w = 0; w < warp_slots_; ++w) homes_[warp_slot(w)].flow = generation.make_thread_flow();
}

// -- block control --

void warp_former::started(warp_slot slot, const grid_descriptor& grid, block_slot block, unsigned number,
                          isa::lane_mask threads) {
  forms_ &= ~warp_bit(slot);
  if (!grid.forms_warps) return;
  forms_ |= warp_bit(slot);
  slot_state& s = slots_[slot];
  s = {};
  s.block = block;
  s.number = static_cast<std::uint8_t>(number);
  s.members = threads;
  s.threads.set(slot, number, block);
  parts_.moved(slot.index());
  home_state& home = homes_[slot];
  home.flow->start(grid.entry, threads);
  home.parked = home.away = home.released = 0;
  block_state& b = blocks_[block.index()];
  if (number == 0) {
    b.live.change(domain().cycle()) = grid.threads();
    b.slots = 0;
    b.busy = grid.warps_per_block();
    b.under_way = 0;
    b.closed = false;
  }
  b.slots |= warp_bit(slot);
}

// -- issue and write-back --

void warp_former::compose(warp_slot slot, warp_instruction& operation) const {
  operation.formed = forms(slot);
  if (!operation.formed) return;
  operation.active = slots_[slot].members;
  operation.threads = slots_[slot].threads;
}

void warp_former::issued(const warp_instruction& operation) {
  if (!operation.formed) return;
  if (operation.instruction->write_count != 0) ++slots_[operation.warp].results;
  if (across_blocks_)
    for_each_block(operation.threads, operation.active,
                   [&](block_slot block, isa::lane_mask) { ++blocks_[block.index()].under_way; });
}

void warp_former::completed(const warp_instruction& operation) {
  if (!operation.formed) return;
  if (across_blocks_) {
    for_each_block(operation.threads, operation.active, [&](block_slot block, isa::lane_mask) {
      block_state& b = blocks_[block.index()];
      if (--b.under_way != 0) return;
      b.settled_at = cycle();
      wake_next();  // the block may be able to end
    });
  }
  if (operation.instruction->write_count == 0) return;
  slot_state& s = slots_[operation.warp];
  if (--s.results != 0) return;
  s.settled_at = cycle();
  if ((leaving_ & warp_bit(operation.warp)) != 0) result_waits += (cycle() - s.leaving_at).count();
  wake_next();
}

// -- branch unit --

threads_result warp_former::execute(warp_slot slot, const isa::instruction& instruction, isa::code_address pc,
                                    isa::lane_mask selected) {
  threads_result result;
  slot_state& s = slots_[slot];
  isa::lane_mask ended = 0;
  for (const unsigned lane : set_bits(s.members)) {
    arch_state::thread_flow& flow = flow_of(s, lane);
    flow.set_pc(lane, pc);
    const arch_state::fault_kind fault = flow.execute(lane, instruction, (selected & bit_of_lane(lane)) != 0);
    if (fault != arch_state::fault_kind::none) {
      if (result.fault == arch_state::fault_kind::none) result.fault = fault;
      if (result.fault == fault) result.fault_lanes |= bit_of_lane(lane);
    } else if ((flow.live() & bit_of_lane(lane)) == 0) {
      ended |= bit_of_lane(lane);
    }
  }
  if (ended == 0) return result;
  s.members &= ~ended;
  parts_.moved(slot.index());
  for_each_block(s.threads, ended, [&](block_slot block, isa::lane_mask lanes) {
    blocks_[block.index()].live.change(domain().cycle()) -= number_of(lanes);
  });
  thread_ends_.notify(domain());
  return result;
}

// -- barrier --

void warp_former::arrived(const warp_instruction& operation, isa::lane_mask waiting) {
  commands_.push_back({cycle(), false, operation.warp, operation.block_slot, waiting,
                       operation.instruction->barrier.id, operation.pc + operation.instruction->length});
  wake_next();
}

void warp_former::release(block_slot block, unsigned barrier) {
  commands_.push_back({cycle(), true, {}, block, 0, static_cast<std::uint8_t>(barrier), 0});
  wake_next();
}

// In the order in which the barrier has sent them.
void warp_former::take_commands() {
  std::size_t taken = 0;
  for (; taken < commands_.size() && commands_[taken].at < cycle(); ++taken) {
    if (commands_[taken].releases)
      open(commands_[taken]);
    else
      park(commands_[taken]);
    note_activity();
  }
  commands_.erase(commands_.begin(), commands_.begin() + static_cast<std::ptrdiff_t>(taken));
}

void warp_former::park(const barrier_command& command) {
  const slot_state& s = slots_[command.slot];
  for (const unsigned lane : set_bits(s.members)) {
    flow_of(s, lane).set_pc(lane, command.pc);
    if ((command.waiting & bit_of_lane(lane)) == 0) continue;
    home_state& home = home_of(s, lane);
    home.parked |= bit_of_lane(lane);
    home.barrier[lane] = command.barrier;
  }
  leave(command.slot);
}

void warp_former::open(const barrier_command& command) {
  for (const warp_slot slot : warps_in(blocks_[command.block.index()].slots)) {
    home_state& home = homes_[slot];
    for (const unsigned lane : set_bits(home.parked)) {
      if (home.barrier[lane] != command.barrier) continue;
      home.parked &= ~bit_of_lane(lane);
      if ((home.away & bit_of_lane(lane)) == 0) continue;  // it leaves its slot for the pool
      home.away &= ~bit_of_lane(lane);
      home.released |= bit_of_lane(lane);
      released_ |= warp_bit(slot);
    }
  }
}

unsigned warp_former::parked_threads(block_slot block) const {
  unsigned threads = 0;
  for (const warp_slot slot : warps_in(blocks_[block.index()].slots)) threads += number_of(homes_[slot].parked);
  return threads;
}

// -- forming --

void warp_former::leave(warp_slot slot) {
  slots_[slot].leaving_at = cycle();
  leaving_ |= warp_bit(slot);
  forming_.change(domain()) |= warp_bit(slot);
  note_activity();
}

// Slots of a block that ends are not taken again.
warp_mask warp_former::usable() const {
  if (!across_blocks_) return free_;
  warp_mask slots = free_;
  for (const block_state& b : blocks_)
    if (b.live.read(domain().cycle()) == 0) slots &= ~b.slots;
  return slots;
}

std::uint64_t warp_former::blocks_with_room(warp_mask slots) const {
  if (across_blocks_) return 1;  // all entries are of slot 0
  std::uint64_t blocks = 0;
  for (const warp_slot slot : warps_in(slots)) blocks |= std::uint64_t{1} << slots_[slot].block.index();
  return blocks;
}

void warp_former::form() {
  if (free_ == 0 || pool_->empty() || !out.can_send()) return;
  const warp_mask slots = usable();
  if (slots == 0) return;
  count_pool();
  auto chosen = pool_->take(blocks_with_room(slots));
  if (!chosen) return;
  const warp_slot slot = lowest_warp(across_blocks_ ? slots : slots & blocks_[chosen->block.index()].slots);
  block_state& b = block_of(slot);
  observers_.notify([&](formation_observer& o) { o.formed(slot, *chosen); });
  slot_state& s = slots_[slot];
  s.members = chosen->lanes;
  s.threads = chosen->threads;
  parts_.moved(slot.index());
  free_ &= ~warp_bit(slot);
  ++b.busy;
  forming_.change(domain()) &= ~warp_bit(slot);
  block_slots_.occupied(slot, true);
  out.send({slot, chosen->pc, false});
  ++formed;
  formed_threads += number_of(s.members);
  unsigned homes = 0;
  for_each_home(s.threads, s.members, [&](unsigned, isa::lane_mask) { ++homes; });
  if (homes > 1) ++regrouped;
  note_activity();
}

// One group of threads per cycle.
void warp_former::insert() {
  if (released_ != 0) return insert_released(lowest_warp(released_));
  const warp_mask from_next = leaving_ & (~warp_mask{0} << next_slot_);
  for (const warp_mask part : {from_next, leaving_ & ~from_next})
    for (const warp_slot slot : warps_in(part))
      if (is_settled(slot)) return insert_from(slot);
}

// Before each change of the pool.
void warp_former::count_pool() {
  pool_threads += (cycle() - counted_until_).count() * pool_->threads();
  counted_until_ = cycle();
}

void warp_former::add(const waiting_warp& group) {
  count_pool();
  joined += pool_->add(group);
  note_activity();
}

// What threads have in common with that of the lane to go on together. The stacks count under compaction alone.
waiting_warp warp_former::group_at(const home_state& home, unsigned lane) const {
  waiting_warp group;
  group.pc = home.flow->pc(lane);
  if (compacts_) {
    group.depth = home.flow->depth(lane);
    group.meets = home.flow->meets(lane);
  }
  return group;
}

bool warp_former::goes_with(const home_state& home, unsigned lane, const waiting_warp& group) const {
  if (home.flow->pc(lane) != group.pc) return false;
  return !compacts_ || (home.flow->depth(lane) == group.depth && home.flow->meets(lane) == group.meets);
}

void warp_former::insert_released(warp_slot slot) {
  home_state& home = homes_[slot];
  waiting_warp group = group_at(home, static_cast<unsigned>(__builtin_ctz(home.released)));
  if (!across_blocks_) group.block = slots_[slot].block;
  group.threads.set(slot, slots_[slot].number, slots_[slot].block);
  for (const unsigned lane : set_bits(home.released))
    if (goes_with(home, lane, group)) group.lanes |= bit_of_lane(lane);
  home.released &= ~group.lanes;
  if (home.released == 0) released_ &= ~warp_bit(slot);
  add(group);
}

void warp_former::insert_from(warp_slot slot) {
  slot_state& s = slots_[slot];
  isa::lane_mask going = 0;
  for (const unsigned lane : set_bits(s.members)) {
    home_state& home = home_of(s, lane);
    if ((home.parked & bit_of_lane(lane)) != 0) {
      home.away |= bit_of_lane(lane);
      s.members &= ~bit_of_lane(lane);
    } else {
      going |= bit_of_lane(lane);
    }
  }
  if (going != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctz(going));
    waiting_warp group = group_at(home_of(s, first), first);
    if (!across_blocks_) group.block = s.block;
    group.threads = s.threads;
    for (const unsigned lane : set_bits(going))
      if (goes_with(home_of(s, lane), lane, group)) group.lanes |= bit_of_lane(lane);
    s.members &= ~group.lanes;
    add(group);
  }
  parts_.moved(slot.index());
  if (s.members == 0) emptied(slot);
}

void warp_former::emptied(warp_slot slot) {
  block_state& b = block_of(slot);
  leaving_ &= ~warp_bit(slot);
  free_ |= warp_bit(slot);
  next_slot_ = (slot.index() + 1) % max_warps;
  --b.busy;
  block_slots_.occupied(slot, false);
  note_activity();
  if (!across_blocks_ && b.busy == 0 && b.live.next() == 0) finish(b);
}

// The last threads of the block have ended.
void warp_former::finish(block_state& block) {
  forming_.change(domain()) &= ~block.slots;
  free_ &= ~block.slots;
  for (const warp_slot slot : warps_in(block.slots)) block_control->warp_finished(slot);
  block.slots = 0;
}

void warp_former::finish_blocks() {
  for (block_state& b : blocks_) {
    if (b.slots == 0 || b.busy != 0 || b.live.read(cycle().number()) != 0) continue;
    if (!b.closed) {
      b.closed = true;
      forming_.change(domain()) &= ~b.slots;
      note_activity();
    }
    if (b.under_way != 0 || b.settled_at >= cycle()) continue;
    finish(b);
    note_activity();
  }
}

void warp_former::compact() {
  std::uint64_t awaits_released = 0;
  for (const warp_slot home : warps_in(released_))
    awaits_released |= std::uint64_t{1} << slots_[home].block.index();
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    const bool is_still = blocks_[n].busy == 0 && (awaits_released >> n & 1) == 0;
    if (!is_still || !pool_->all_arrived(block_slot(n))) continue;
    ++compactions;
    note_activity();
  }
}

void warp_former::tick() {
  // 1. What the barrier told in earlier cycles.
  if (!commands_.empty()) take_commands();
  // 2. One warp goes to fetch.
  bool sent = false;
  if (const redirect_token* token = in.front()) {
    if (forms(token->warp)) {
      leave(token->warp);
      in.pop();
    } else if (out.can_send()) {
      out.send(*token);
      in.pop();
      sent = true;
    }
  }
  if (!sent) form();
  // 3. One group of threads enters the pool.
  insert();
  // 4. Where all threads of a block have arrived, those of one path go on.
  if (compacts_) compact();
  // 5. Blocks whose slots were used by others end.
  if (across_blocks_) finish_blocks();
  bool again = !commands_.empty() || released_ != 0 || (free_ != 0 && !pool_->empty());
  for (const warp_slot slot : warps_in(leaving_)) again = again || slots_[slot].results == 0;
  if (again) wake_next();
}

void warp_former::publish(tlm_bus::signal_writer& to) {
  static const tlm_bus::numbered_names from("lane_", isa::warp_size);
  static const tlm_bus::numbered_names of("block_", isa::warp_size);
  to.mask("forming", warp_slots_, forming_.next());
  to.mask("free", warp_slots_, free_);
  to.number("pool_entries", 16, pool_->entries());
  to.number("pool_threads", 16, pool_->threads());
  to.array("warp", warp_slots_, [&](unsigned w) {
    const slot_state& s = slots_[warp_slot(w)];
    const isa::lane_mask members = forms(warp_slot(w)) ? s.members : 0;
    to.mask("threads", isa::warp_size, members);
    // The warp of the block in which the thread of the lane started; where blocks mix, also the slot of the block.
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      to.number(from[lane], 6, (members & bit_of_lane(lane)) != 0 ? s.threads.number[lane] : 0);
    for (unsigned lane = 0; across_blocks_ && lane < isa::warp_size; ++lane)
      to.number(of[lane], 6, (members & bit_of_lane(lane)) != 0 ? s.threads.block[lane] : 0);
  });
}

void warp_former::visit_state(tlm_bus::state_image& state) {
  state.fixed(compacts_, across_blocks_, warp_slots_);
  for (unsigned w = 0; w < warp_slots_; ++w) {
    home_state& home = homes_[warp_slot(w)];
    state.remake(home.flow, [this] { return generation_.make_thread_flow(); });
    state(home.parked, home.away, home.released, home.barrier);
  }
  state.remake(pool_, [this] { return make_pool(config_); });
  state(slots_, blocks_, commands_, forms_, leaving_, free_, released_, next_slot_, forming_, counted_until_);
}

}  // namespace gt200::model
