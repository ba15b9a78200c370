#include "sc_models/distribution/work_distributor.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sc_models/distribution/occupancy.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

// That it has ended, and later that its stores are acknowledged.
unsigned tokens_of_a_block(const config::gpu_config& config) {
  return config.tpc.memory.load_store_queue.posted_stores ? 2 : 1;
}

}  // namespace

work_distributor::work_distributor(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                   const config::gpu_config& config)
    : stage(name, uncore),
      grids("grids", *this, 1),
      ended("ended", *this),
      launch("launch", config.chip.tpcs,
             [this](const char* n, std::size_t) { return new tlm_bus::pipe_out<launch_token>(n, *this); }),
      // Room for every block a TPC can hold: retirement never waits.
      retire("retire", config.chip.tpcs,
             [this, &config](const char* n, std::size_t) {
               return new tlm_bus::pipe_in<retire_token>(
                   n, *this, tokens_of_a_block(config) * config.chip.sms_per_tpc * config.tpc.sm.limits.blocks,
                   config.distribution.retire_latency_cycles);
             }),
      limits_(config.tpc.sm.limits),
      sms_per_tpc_(config.chip.sms_per_tpc),
      interval_(config.distribution.interval_cycles),
      resident_(config.chip.sms(), 0) {
  const bool tpc_first = config.distribution.order == config::block_order::tpc_first;
  const unsigned outer = tpc_first ? config.chip.sms_per_tpc : config.chip.tpcs;
  const unsigned inner = tpc_first ? config.chip.tpcs : config.chip.sms_per_tpc;
  for (unsigned i = 0; i < outer; ++i)
    for (unsigned j = 0; j < inner; ++j)
      order_.push_back(
          {static_cast<std::uint8_t>(tpc_first ? j : i), static_cast<std::uint8_t>(tpc_first ? i : j)});
}

void work_distributor::tick() {
  take_retirements();
  take_grid();
  launch_block();
  report_end();
}

// 1. Retired blocks that have become known, one per TPC and cycle.
void work_distributor::take_retirements() {
  for (std::size_t tpc = 0; tpc < retire.size(); ++tpc) {
    const retire_token* token = retire[tpc].front();
    if (token == nullptr) continue;
    if (token->faulted)
      note_fault(static_cast<unsigned>(tpc), *token);
    else
      note_retired(static_cast<unsigned>(tpc), *token);
    retire[tpc].pop();
  }
}

void work_distributor::note_retired(unsigned tpc, const retire_token& token) {
  using stores = retire_token::stores;
  if (token.its_stores == stores::settled) {
    --unsettled_;
    return;
  }
  if (token.its_stores == stores::under_way) ++unsettled_;
  std::uint32_t& resident = resident_[tpc * sms_per_tpc_ + token.sm];
  if (resident == 0 || (token.grid != grid_ && !dead_))
    throw std::logic_error(std::string(name()) + ": a block retires that was not launched");
  --resident;
  ++free_places_;
  ++retired_;
  ++blocks_retired;
}

// The first fault counts. Among faults of one cycle it is that of the lowest-numbered TPC.
void work_distributor::note_fault(unsigned tpc, const retire_token& token) {
  if (end_.faulted) return;
  end_.faulted = true;
  end_.block_id = token.block_id;
  end_.tpc = static_cast<std::uint8_t>(tpc);
  end_.sm = token.sm;
}

// 2. A new grid: all SMs are empty.
void work_distributor::take_grid() {
  if (grid_ != nullptr || dead_) return;
  const grid_token* token = grids.front();
  if (token == nullptr) return;
  grid_ = token->grid;
  per_sm_ = blocks_per_sm(limits_, *grid_).blocks_per_sm;
  if (per_sm_ == 0) throw std::logic_error(std::string(name()) + ": a grid whose blocks fit into no SM");
  free_places_ = per_sm_ * static_cast<std::uint32_t>(order_.size());
  next_block_ = 0;
  next_x_ = 0;
  next_y_ = 0;
  retired_ = 0;
  unsettled_ = 0;
  next_visit_ = 0;
  next_launch_at_ = cycle();
  end_ = {grid_, false, 0, 0, 0};
  grids.pop();
}

// 3. The next block, if it is due and an SM has room.
void work_distributor::launch_block() {
  if (grid_ == nullptr || end_.faulted || next_block_ == grid_->blocks() || free_places_ == 0) return;
  if (cycle() < next_launch_at_) {
    wake_at(next_launch_at_);
    return;
  }
  const int visit = choose();
  if (visit < 0) return;
  const place& at = order_[static_cast<unsigned>(visit)];
  launch[at.tpc].send({grid_, next_block_, next_x_, next_y_, at.sm});
  ++resident_[at.tpc * sms_per_tpc_ + at.sm];
  --free_places_;
  ++blocks_launched;
  ++next_block_;
  if (++next_x_ == grid_->grid[0]) {
    next_x_ = 0;
    if (++next_y_ == grid_->grid[1]) next_y_ = 0;
  }
  next_visit_ = static_cast<unsigned>(visit) + 1 == order_.size() ? 0 : static_cast<unsigned>(visit) + 1;
  next_launch_at_ = cycle() + interval_;
  if (next_block_ != grid_->blocks() && free_places_ != 0) wake_at(next_launch_at_);
}

// The first SM from next_visit_ on that has room and whose TPC can take a token now; -1 if there is none.
int work_distributor::choose() {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::size_t visit = (next_visit_ + i) % order_.size();
    const place& at = order_[visit];
    if (resident_[at.tpc * sms_per_tpc_ + at.sm] < per_sm_ && launch[at.tpc].can_send())
      return static_cast<int>(visit);
  }
  return -1;
}

// 4. The end of the grid.
void work_distributor::report_end() {
  if (grid_ == nullptr || (!end_.faulted && (retired_ != grid_->blocks() || unsettled_ != 0))) return;
  if (!ended.can_send()) return;
  ended.send(end_);
  dead_ = end_.faulted;
  grid_ = nullptr;
  if (grids.occupancy() != 0) wake_next();
}

void work_distributor::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("blocks_waiting", 32, blocks_waiting());
  to.number("blocks_retired_of_grid", 32, retired_);
}

void work_distributor::visit_state(tlm_bus::state_image& state) {
  state.fixed(limits_, sms_per_tpc_, interval_, order_);
  state(grid_, per_sm_, next_block_, next_x_, next_y_, retired_, unsettled_, free_places_, resident_, next_visit_,
        next_launch_at_, end_, dead_);
}

}  // namespace gt200::model
