#include "sc_models/sm/blocks/block_control.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/distribution/occupancy.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/launch/abi.h"

namespace gt200::model {
namespace {

constexpr unsigned in_granules(unsigned value, unsigned granule) {
  return (value + granule - 1) / granule * granule;
}

// Header and parameters as launch/abi.h lays them out.
void write_block_header(const grid_descriptor& grid, const launch_token& block, std::uint8_t* shared) {
  launch::launch_parameters parameters;
  parameters.grid = grid.grid;
  parameters.block = grid.block;
  parameters.grid_id = grid.grid_id;
  parameters.parameter_bytes = grid.parameters;
  launch::write_shared_image(parameters, block.block_x, block.block_y, shared);
}

per_warp<stall_cause> nothing_under_way() {
  per_warp<stall_cause> result;
  for (unsigned warp = 0; warp < max_warps; ++warp) result[warp_slot(warp)] = stall_cause::draining;
  return result;
}

}  // namespace

block_control::block_control(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                             const config::sm_config& config, const arch_state::generation_values& generation,
                             unsigned sm_in_tpc)
    : core_stage(name, domain),
      launch("launch", *this, config.limits.blocks),
      retire("retire", *this),
      start("start", *this),
      registers("registers"),
      register_values("register_values"),
      shared_memory("shared_memory"),
      simt_stack("simt_stack"),
      config_(config),
      generation_(generation),
      sm_(static_cast<std::uint8_t>(sm_in_tpc)),
      blocks_(config.limits.blocks),
      free_warps_(first_warps(config.limits.warps)),
      awaited_at_exit_(nothing_under_way()) {}

void block_control::warp_finished(warp_slot warp) {
  if (warps_[warp].finished) {  // twice: its state is damaged
    warp_instruction report;
    const isa::instruction none;
    describe(warp, report);
    report.instruction = &none;
    report.warp = warp;
    report.fault = arch_state::fault_kind::machine_check;
    faulted(report);
    return;
  }
  warps_[warp].finished = true;
  unfinished_.change(domain()) &= ~warp_bit(warp);
  finished_.change(domain().cycle()) |= warp_bit(warp);
  settle_warp(warp);
}

void block_control::occupied(warp_slot slot, bool has_warp) {
  if (has_warp)
    unfinished_.change(domain()) |= warp_bit(slot);
  else
    unfinished_.change(domain()) &= ~warp_bit(slot);
}

// In the cycle of a write-back the answer is no, whoever is asked first.
bool block_control::is_alone(warp_slot warp) {
  return warps_[warp].in_flight == 1 && warps_[warp].last_done < core_cycle(domain().cycle());
}

// Names memory first: everything else under way ends earlier.
stall_cause block_control::awaited_by(const warp_state& warp) {
  using isa::unit_class;
  const auto is_under_way = [&](unit_class c) { return warp.under_way[static_cast<std::size_t>(c)] != 0; };
  if (warp.in_flight == 0) return stall_cause::draining;
  isa::instruction awaited;
  for (std::size_t c = 0; c < isa::unit_classes; ++c)
    if (is_under_way(static_cast<unit_class>(c))) awaited.unit = static_cast<unit_class>(c);
  for (const unit_class c : {unit_class::memory, unit_class::texture, unit_class::constant, unit_class::shared})
    if (is_under_way(c)) {
      awaited.unit = c;
      break;
    }
  return cause_of_result(awaited);
}

// A warp has exited, or an instruction of a finished warp has been written back, which may be its last one.
void block_control::settle_warp(warp_slot warp) {
  warp_state& w = warps_[warp];
  if (const stall_cause awaited = awaited_by(w); awaited_at_exit_.next()[warp] != awaited)
    awaited_at_exit_.change(domain())[warp] = awaited;
  if (!w.finished) return;
  block_state& b = state_of(w.block);
  if (!w.sent && w.in_flight == w.posted) {
    w.sent = true;
    if (--b.unsent == 0) {
      b.sent_at = cycle();
      wake_next();
    }
  }
  if (w.in_flight != 0 || w.drained) return;
  w.drained = true;
  if (--b.undrained == 0) {
    b.drained_at = cycle();
    wake_next();
  }
}

void block_control::store_sent(warp_instruction& operation) {
  operation.posted = true;
  ++warps_[operation.warp].posted;
  if (warps_[operation.warp].finished) settle_warp(operation.warp);
}

void block_control::faulted(const warp_instruction& operation) {
  if (fault_.kind != arch_state::fault_kind::none) return;
  fault_at_ = cycle();
  fault_.kind = operation.fault;
  fault_.instruction_id = operation.id;
  fault_.pc = operation.pc;
  fault_.words[0] = operation.instruction->words[0];
  fault_.words[1] = operation.instruction->words[1];
  fault_.block_id = operation.block_id;
  fault_.warp_in_block = operation.warp_in_block;
  fault_.lanes = operation.fault_lanes;
  // Threads are named by the warp of the program: those of the lowest lane's.
  if (operation.formed && operation.fault_lanes != 0)
    for_each_home(operation.threads, operation.fault_lanes, [&](unsigned first, isa::lane_mask lanes) {
      if (first != static_cast<unsigned>(__builtin_ctz(operation.fault_lanes))) return;
      fault_.block_id = blocks_[operation.threads.block[first]].block_id;
      fault_.warp_in_block = operation.threads.number[first];
      fault_.lanes = lanes;
    });
  fault_.address = operation.fault_address;
  wake_next();
}

unsigned block_control::unfinished_warps(block_slot block) {
  return static_cast<unsigned>(__builtin_popcountll(state_of(block).warps & ~finished_.read(domain().cycle())));
}

// Allocates a slot and resources to the block; its warps start from the next cycle on.
void block_control::begin(const launch_token& token) {
  const grid_descriptor& grid = *token.grid;
  const auto free = std::find_if(blocks_.begin(), blocks_.end(), [](const block_state& b) { return !b.busy; });
  const unsigned warps = grid.warps_per_block();
  if (free == blocks_.end() || static_cast<unsigned>(__builtin_popcountll(free_warps_)) < warps)
    throw std::logic_error(std::string(name()) + ": block launched without room");
  const block_slot slot(free - blocks_.begin());
  *free = block_state{};
  free->busy = true;
  free->grid = &grid;
  free->block_id = token.block_id;
  free->place = {grid.block_at(token.block_id), grid.block, grid.grid, grid.grid_id,
                 in_granules(grid.shared_bytes, 4)};
  free->to_start = free->unsent = free->undrained = warps;
  for (unsigned i = 0; i < warps; ++i) {
    const warp_slot warp = lowest_warp(free_warps_);
    free_warps_ &= free_warps_ - 1;
    free->warps |= warp_bit(warp);
    warps_[warp] = {slot, static_cast<std::uint8_t>(i), 0, 0, {}, false, false, false, {}};
  }
  finished_.change(domain().cycle()) &= ~free->warps;
  // All blocks of a grid have the same size, so each slot has a fixed part of the storage.
  const unsigned bytes = in_granules(grid.shared_bytes, config_.limits.shared_granule_bytes);
  // The block may access the bytes it requested, not the rest of its granule.
  std::uint8_t* shared = shared_memory->bind(slot, slot.index() * bytes, in_granules(grid.shared_bytes, 4));
  const std::uint64_t seed = grid.initial_state_seed;
  for (unsigned word = 0; word < bytes / 4; ++word) {
    const std::uint32_t value = arch_state::initial_shared_word(seed, token.block_id, word);
    std::memcpy(shared + std::size_t{4} * word, &value, 4);
  }
  if (generation_.shared_header_bytes != 0) write_block_header(grid, token, shared);
  starting_ = slot;
  next_warp_ = 0;
  parts_.moved(slot.index());
  ++blocks_started;
}

void block_control::write_register(warp_slot warp, unsigned index, const isa::lane_words& values) {
  isa::register_transfer transfer;
  transfer.first = static_cast<std::uint8_t>(index);
  register_write_request request{0, warp, ~isa::lane_mask{0}, {&transfer, 1, &values}};
  register_values.send(request);
}

void block_control::start_next_warp() {
  block_state& b = state_of(*starting_);
  const grid_descriptor& grid = *b.grid;
  warp_mask rest = b.warps;
  for (unsigned i = 0; i < next_warp_; ++i) rest &= rest - 1;
  const warp_slot warp = lowest_warp(rest);

  const register_layout layout = layout_of(config_.limits, grid);
  const std::uint32_t first_row = starting_->index() * layout.rows_per_block;
  register_allocation allocation{warp, first_row + next_warp_ * layout.rows_per_warp, grid.kept_registers()};
  registers.send(allocation);
  if (sections_ != nullptr) sections_->started(warp, grid, *starting_, b.block_id, next_warp_, first_row);
  isa::lane_words row;
  for (unsigned r = generation_.thread_number_in_r0 ? 1 : 0; r < grid.kept_registers(); ++r) {
    arch_state::initial_register_row(grid.initial_state_seed, b.block_id, next_warp_, r, row.lane);
    write_register(warp, r, row);
  }
  isa::lane_mask lanes = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const unsigned thread = next_warp_ * isa::warp_size + lane;
    row.lane[lane] = launch::initial_r0(thread, grid.block);
    if (thread < grid.threads()) lanes |= isa::lane_mask{1} << lane;
  }
  if (generation_.thread_number_in_r0) write_register(warp, 0, row);
  simt_stack->start(warp, grid.entry, lanes);
  if (former_ != nullptr) former_->started(warp, grid, *starting_, next_warp_, lanes);
  start.send({warp, &grid, grid.entry});
  resident_.change(domain()) |= warp_bit(warp);
  unfinished_.change(domain()) |= warp_bit(warp);
  --b.to_start;
  ++warps_started;
  if (++next_warp_ == grid.warps_per_block()) starting_.reset();
  wake_next();
}

void block_control::retire_ended() {
  using stores = retire_token::stores;
  for (block_state& b : blocks_) {
    const bool drained = b.drained_at < cycle();
    if (b.sent_at >= cycle() || (b.retired && !drained)) continue;  // also true if it has not ended
    if (!retire.can_send()) return;
    const stores its_stores = !drained ? stores::under_way : b.retired ? stores::settled : stores::acknowledged;
    retire.send({b.grid, b.block_id, sm_, false, its_stores});
    if (!b.retired) ++blocks_retired;
    wake_next();
    if (!drained) {
      b.retired = true;
      return;
    }
    resident_.change(domain()) &= ~b.warps;
    free_warps_ |= b.warps;
    b = block_state{};
    parts_.moved(static_cast<unsigned>(&b - blocks_.data()));
    return;
  }
}

bool block_control::has_room(const launch_token& token) const {
  if (std::none_of(blocks_.begin(), blocks_.end(), [](const block_state& b) { return b.retired; })) return true;
  const auto last = blocks_.begin() + blocks_per_sm(config_.limits, *token.grid).blocks_per_sm;
  const auto free = std::find_if(blocks_.begin(), last, [](const block_state& b) { return !b.busy; });
  return free != last && static_cast<unsigned>(__builtin_popcountll(free_warps_)) >= token.grid->warps_per_block();
}

void block_control::tick() {
  // 1. A fault ends the launch. It has priority because its block may be the last one of the grid.
  if (fault_.kind != arch_state::fault_kind::none && fault_at_ < cycle() && !fault_reported_ && retire.can_send()) {
    retire.send({nullptr, fault_.block_id, sm_, true});
    fault_reported_ = true;
  }
  // 2. A block that has ended retires; one whose stores are acknowledged frees its slots.
  retire_ended();
  // 3. The next warp of a block that starts.
  if (starting_) {
    if (start.can_send()) start_next_warp();
    return;
  }
  // 4. A new block.
  if (const launch_token* token = launch.front(); token != nullptr && has_room(*token)) {
    begin(*token);
    launch.pop();
    wake_next();
  }
}

unsigned block_control::resident_blocks() const {
  return static_cast<unsigned>(
      std::count_if(blocks_.begin(), blocks_.end(), [](const block_state& block) { return block.busy; }));
}

block_slot_state block_control::state_at(block_slot block) const {
  using phase = block_slot_state::phase;
  const block_state& b = state_of(block);
  block_slot_state state;
  if (!b.busy) return state;
  state.now = b.to_start != 0 ? phase::starting : b.undrained != 0 ? phase::running : phase::drained;
  state.grid_id = b.grid->grid_id;
  state.block_id = b.block_id;
  state.warps = b.warps;
  state.unfinished = b.undrained;
  return state;
}

void block_control::publish(tlm_bus::signal_writer& to) {
  to.mask("resident", config_.limits.warps, resident_.next());
  to.mask("unfinished", config_.limits.warps, unfinished_.next());
  to.array("slot", static_cast<unsigned>(blocks_.size()), [&](unsigned i) {
    to.flag("busy", blocks_[i].busy);
    to.number("block", 32, blocks_[i].block_id);
  });
}

void block_control::visit_state(tlm_bus::state_image& state) {
  state.fixed(sections_, former_, sm_);
  state(blocks_, warps_, free_warps_, starting_, next_warp_, resident_, unfinished_, awaited_at_exit_, finished_,
        fault_, fault_at_, fault_reported_);
}

}  // namespace gt200::model
