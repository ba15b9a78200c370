// The start and the end of launches; checker_state.cpp and checker_memory.cpp handle everything in between.
#include "observe/checker/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "observe/checker/checker_state.h"
#include "observe/checker/emulator_reference.h"
#include "observe/checker/fermi_reference.h"
#include "observe/checker/volta_reference.h"

namespace gt200::observe {

namespace {

std::unique_ptr<reference> reference_of(model::chip& chip, launch_source launched) {
  if (chip.config.chip.is_volta()) return std::make_unique<volta_reference>(chip, std::move(launched));
  if (chip.config.chip.is_fermi()) return std::make_unique<fermi_reference>(chip, std::move(launched));
  return std::make_unique<emulator_reference>(chip, std::move(launched));
}

// Device memory, functionally. Nothing may be beyond it.
void peek(model::chip& chip, std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  if (!chip.command_processor.peek(address, to, bytes))
    throw std::out_of_range(fmt::format("{}: no memory of {} bytes at {:#x}", chip.name(), bytes, address));
}

}  // namespace

checker::checker(device& target)
    : checker(
          target.chip(), [&target]() -> const launch::launch_parameters& { return target.parameters(); },
          [&target] { target.stop(); }) {}
checker::checker(model::chip& chip, launch_source launched, std::function<void()> stop)
    : checker(chip, reference_of(chip, std::move(launched)), std::move(stop)) {}
checker::checker(model::chip& chip, std::unique_ptr<reference> executes, std::function<void()> stop)
    : state_(std::make_unique<state>(chip, std::move(executes), std::move(stop))) {}
checker::~checker() = default;

void checker::launch_ended(const launch_result& result) { state_->launch_ended(result); }
void checker::remember(std::uint64_t address) { state_->remember(address); }
const std::optional<mismatch>& checker::difference() const { return state_->difference(); }
check_counts checker::counts() const { return state_->counts(); }
std::map<std::string, std::uint64_t> checker::hazards() const { return state_->hazards(); }

checker::state::state(model::chip& chip, std::unique_ptr<reference> executes, std::function<void()> stop)
    : chip_(chip),
      reference_(std::move(executes)),
      stop_(std::move(stop)),
      shadow_(chip_.config.memory_bytes(), [this](std::uint64_t address, std::uint8_t* to,
                                                  std::size_t bytes) { peek(chip_, address, to, bytes); }),
      platform_pages_(chip_.config.memory_map.page_bytes, chip_.config.memory_map.page_table_base),
      memory_(shadow_, pages()),
      l1_(chip_.config.tpc.memory.l1.line_bytes),
      l1_has_stores_(chip_.config.chip.tpcs, false) {
  for (const model::cluster_clocks& clocks : chip_.clocks_of_tpcs) clusters_.emplace_back(clocks.driver);
  // The content of an L1 depends on when the partitions have performed its fills and on the stores of its SMs.
  const bool have_l1 = std::any_of(chip_.tpcs.begin(), chip_.tpcs.end(),
                                   [](const model::tpc& tpc) { return tpc.memory.l1 != nullptr; });
  const auto order = have_l1 ? tlm_bus::event_order::of_time : tlm_bus::event_order::of_cluster;
  for (model::sm_if* sm : chip_.sms()) {
    cluster_of_sm_.push_back(static_cast<unsigned>(sms_.size()) / chip_.config.chip.sms_per_tpc);
    sms_.emplace_back(*sm, static_cast<unsigned>(sms_.size()), *this, order);
    if (reference_->compiler_schedules() &&
        chip_.config.tpc.sm.dependencies == config::dependency_rule::control_codes)
      judges_.emplace_back(chip_.generation().values().forwarding);
  }
  chip_.work_distributor.grids.observers().attach(*this, order);
  for (model::partition& partition : chip_.partitions) partition.arbiter.observers().attach(*this, order);
  if (chip_.ideal_memory) chip_.ideal_memory->observers().attach(*this, order);
  chip_.clocks.attach(static_cast<tlm_bus::window_observer&>(*this));
  for (model::tpc& tpc : chip_.tpcs)
    if (tpc.memory.l1) tpc.memory.l1->observers().attach(*this);
  chip_.object_to_reset(this, "a checker runs its reference beside the chip");
}

checker::state::~state() {
  chip_.clocks.detach(static_cast<tlm_bus::window_observer&>(*this));
  chip_.work_distributor.grids.observers().detach(*this);
  for (model::partition& partition : chip_.partitions) partition.arbiter.observers().detach(*this);
  if (chip_.ideal_memory) chip_.ideal_memory->observers().detach(*this);
  for (model::tpc& tpc : chip_.tpcs)
    if (tpc.memory.l1) tpc.memory.l1->observers().detach(*this);
  chip_.object_to_reset(this, "");
}

check_counts checker::state::counts() const {
  check_counts result;
  for (const checked_cluster& c : clusters_) {
    result.instructions += c.counts.instructions;
    result.reconvergences += c.counts.reconvergences;
    result.shared_accesses += c.counts.shared_accesses;
    result.memory_accesses += c.counts.memory_accesses;
    result.texture_fetches += c.counts.texture_fetches;
    result.special_reads += c.counts.special_reads;
    result.blocks += c.counts.blocks;
  }
  result.stale_texels = memory_.stale_texels();
  result.memory_bytes = shadow_.compared_bytes();
  for (const hazard_judge& judge : judges_) result.hazards += judge.broken();
  return result;
}

std::map<std::string, std::uint64_t> checker::state::hazards() const {
  std::map<std::string, std::uint64_t> all;
  for (const hazard_judge& judge : judges_)
    for (const auto& [place, count] : judge.places()) all[place] += count;
  return all;
}

// Called when the work distributor takes the grid: no block of it has begun, and nothing is under way in the SMs.
void checker::state::begin_launch(const model::grid_descriptor& grid) {
  launch_ = grid.launch;
  if (chip_.on_platform()) platform_pages_ = chip_.pages_in_memory();
  reference_->begin_launch(grid);

  std::vector<shadow_memory::range> textures;
  for (const model::texture_binding& t : grid.textures) {
    // A buffer is contiguous in physical memory too.
    const model::page_table::range* range = t.bound ? pages().find(t.address) : nullptr;
    if (range == nullptr) continue;
    const std::uint64_t first = range->translate(t.address);
    textures.push_back({first, first + t.shape.bytes() - 1});
  }
  shadow_.begin(std::move(textures));
  for (checked_sm& sm : sms_) {
    sm.blocks.clear();
    sm.blocks.resize(chip_.config.tpc.sm.limits.blocks);
    for (checked_warp& warp : sm.warps) warp.running = false;
  }
  l1_.begin_launch();
  l1_has_stores_.assign(l1_has_stores_.size(), false);
  last_used_rows_.clear();
  block_seen_.assign(grid.blocks(), 0);
  faulted_ = false;
  for (checked_cluster& c : clusters_) {
    c.begun.clear();
    c.blocks_ended = 0;
    c.fault_expected = false;
    c.faulted_at = tlm_bus::no_time;
  }
}

void checker::state::launch_ended(const launch_result& result) {
  if (difference_) return;
  try {
    check_end(result);
  } catch (const difference_found& found) {
    end_with(described_at(sc_core::sc_time_stamp().value(), nullptr, nullptr, found));
  }
}

void checker::state::check_end(const launch_result& result) {
  bool fault_expected = false;
  std::uint64_t blocks_ended = 0;
  for (const checked_cluster& c : clusters_) {
    fault_expected = fault_expected || c.fault_expected;
    blocks_ended += c.blocks_ended;
  }
  if (result.reason == end_reason::fault && !fault_expected)
    throw difference_found{-1, "end of the launch", "no fault", arch_state::describe(result.fault)};
  if (result.reason != end_reason::done) return;
  if (fault_expected) throw difference_found{-1, "end of the launch", "a fault", "no fault"};
  if (launch_ != chip_.command_processor.launches.value())
    throw difference_found{-1, "blocks executed to their end", "all of the grid", "none"};
  if (blocks_ended != block_seen_.size())
    throw difference_found{-1, "blocks executed to their end", std::to_string(block_seen_.size()),
                           std::to_string(blocks_ended)};
  const auto read = [this](std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
    read_device(address, to, bytes);
    for (const std::uint64_t row : last_used_rows_)
      if (row >= address && row - address + model::local_pass_stride <= bytes)
        std::copy_n(shadow_.look(row), model::local_pass_stride, to + (row - address));
  };
  if (const auto d = shadow_.compare(read))
    throw difference_found{-1, fmt::format("byte of device memory at physical address {:#x}", d->address),
                           fmt::format("{:#04x}", d->expected), fmt::format("{:#04x}", d->got)};
}

void checker::state::read_device(std::uint64_t address, std::uint8_t* to, std::size_t bytes) const {
  peek(chip_, address, to, bytes);
  for (std::size_t i = 0; i < l1_has_stores_.size(); ++i)
    if (l1_has_stores_[i]) chip_.tpcs[i].memory.l1->show_unwritten(address, static_cast<unsigned>(bytes), to);
}

void checker::state::report(const checked_sm& sm, const in_flight* f, const difference_found& found) {
  checked_cluster& cluster = cluster_of(sm);
  const tlm_bus::femtoseconds at = cluster.driver->now();
  cluster.difference = timed_difference{at, described_at(at, &sm, f, found)};
  note_for_all();
}

void checker::state::report_performed(tlm_bus::femtoseconds at, const checked_sm& sm, const in_flight* f,
                                      const difference_found& found) {
  performed_difference_ = timed_difference{at, described_at(at, &sm, f, found)};
  note_for_all();
}

void checker::state::end_with(mismatch found) {
  difference_ = std::move(found);
  stop_();
}

mismatch checker::state::described_at(tlm_bus::femtoseconds at, const checked_sm* sm, const in_flight* f,
                                      const difference_found& found) const {
  mismatch m;
  m.cycle = at / chip_.core.period();
  m.kernel = reference_->kernel();
  if (sm != nullptr) m.place = sm->module.name();
  if (f != nullptr) {
    const model::warp_instruction& operation = *f->operation;
    m.has_instruction = true;
    const std::array<std::uint32_t, 3> block = operation.grid->block_at(operation.block_id);
    m.block_x = block[0];
    m.block_y = block[1];
    m.block_z = block[2];
    m.warp = operation.warp_in_block;
    m.slot = operation.warp;
    m.id = operation.id;
    m.pc = operation.pc;
    m.line = reference_->line(operation.pc);
    m.disassembly = isa::text_of(*operation.instruction);
  }
  m.lane = found.lane;
  m.what = found.what;
  if (!judges_.empty() && sm != nullptr) {
    const auto blamed = judges_[sm->index()].to_blame(f);
    m.what =
        (blamed ? "program hazard, " + observe::describe(*blamed) + ": " : std::string("model fault: ")) + m.what;
  }
  m.expected = found.expected;
  m.got = found.got;
  return m;
}

}  // namespace gt200::observe
