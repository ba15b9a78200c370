#include "sc_models/sm/operands/shared_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sc_models/sm/bank_steps.h"
#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/half_row.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/memory_access.h"

namespace gt200::model {
namespace {

constexpr unsigned max_banks = 64;

bool is_arithmetic(const isa::instruction& instruction) {
  return instruction.access.kind == isa::access_kind::operand;
}

// The usual accesses of some lanes of a half-warp: all name one word, or lane i the i-th word of a row. `lanes` is
// not 0; bit i is lane i of the half-warp.
bool is_one_word_or_row(const std::uint32_t* addresses, isa::lane_mask lanes) {
  using namespace arch_state;
  constexpr half_row bits = (half_row{} + 1) << half_row_numbers;
  const auto lowest = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  const auto take_part = reinterpret_cast<half_row>((bits & lanes) != 0);
  half_row differences;
  load_half_row(differences, addresses);
  differences = differences / 4 - addresses[lowest] / 4;
  return is_zero(differences & take_part) || is_zero((differences ^ (half_row_numbers - lowest)) & take_part);
}

// Apart, so that what nearly every access needs stays small.
[[gnu::noinline]] unsigned steps_of_half_warp(const std::uint32_t* addresses, isa::lane_mask lanes,
                                              unsigned half_warp, unsigned bytes, unsigned banks) {
  return serve_half_warp(addresses, lanes, half_warp, bytes, banks, [](unsigned, std::uint32_t) {});
}

}  // namespace

unsigned bank_cycles(const std::uint32_t* addresses, isa::lane_mask lanes, unsigned half_warp, unsigned bytes,
                     unsigned banks) {
  const isa::lane_mask own = lanes >> half_warp * half_warp_lanes & 0xffff;
  if (own == 0) return 0;
  if (bytes <= 4 && banks >= half_warp_lanes && is_one_word_or_row(addresses + half_warp * half_warp_lanes, own))
    return 1;
  return steps_of_half_warp(addresses, lanes, half_warp, bytes, banks);
}

warp_requests bank_steps_of_warp(const std::uint32_t* addresses, isa::lane_mask lanes, unsigned bytes,
                                 unsigned banks) {
  const unsigned words = bytes > 4 ? bytes / 4 : 1;
  const unsigned lanes_per_request = isa::warp_size / words;
  warp_requests result;
  for (unsigned first = 0; first < isa::warp_size; first += lanes_per_request) {
    std::array<std::uint32_t, isa::warp_size> served{};  // different words so far
    std::array<std::uint8_t, max_banks> in_bank{};
    unsigned count = 0;
    unsigned steps = 0;
    for (unsigned lane = first; lane < first + lanes_per_request; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint32_t word = addresses[lane] / 4 + w;
        if (std::find(served.begin(), served.begin() + count, word) != served.begin() + count) continue;
        served[count++] = word;
        steps = std::max<unsigned>(steps, ++in_bank[bank_of(word, banks)]);
      }
    }
    if (count == 0) continue;
    ++result.requests;
    result.steps += steps;
  }
  return result;
}

shared_memory::shared_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                             const config::sm_config& config, const unit_list& units,
                             const arch_state::generation& generation, bool no_bank_conflicts, lane_share share,
                             bank_rule rule)
    : core_stage(name, domain),
      in("in", *this, config.shared_memory.queue_entries),
      out("out", *this),
      to_units("to_units", units.shared_operand_units().size(),
               [&](const char*, std::size_t i) {
                 const unit_descriptor& unit = units.units()[units.shared_operand_units()[i]];
                 return new tlm_bus::pipe_out<collected_token>(("to_" + unit.name).c_str(), *this);
               }),
      config_(config.shared_memory),
      predicate_true_(generation.values().predicate_true),
      predicate_false_(generation.values().predicate_false),
      replay_(config.clocks.to_core(config.shared_memory.replay_cycles)),
      replay_latency_(config.clocks.to_core(config.shared_memory.replay_latency_cycles)),
      no_bank_conflicts_(no_bank_conflicts),
      share_(share),
      rule_(rule),
      storage_(config.limits.shared_bytes),
      regions_(config.limits.blocks),
      locks_(config.limits.blocks, arch_state::shared_locks(config.limits.warps)) {
  static_assert(max_banks <= 64, "one bit per bank");
  for (unsigned c = 0; c < isa::unit_classes; ++c) {
    const unsigned pipe = units.shared_operand_pipe(static_cast<isa::unit_class>(c));
    if (pipe != no_unit) unit_of_class_[c] = &to_units[pipe];
  }
}

std::uint8_t* shared_memory::bind(block_slot block, std::uint32_t base, std::uint32_t bytes) {
  if (std::size_t{base} + bytes > storage_.size())
    throw std::logic_error(std::string(name()) + ": block beyond the storage");
  regions_[block.index()] = {base, bytes};
  locks_[block.index()].clear();
  return &storage_[base];
}

// A lock belongs to the warp in which the thread has started.
unsigned shared_memory::owner_of(const warp_instruction& operation, unsigned lane) {
  return operation.formed ? operation.threads.number[lane] : operation.warp_in_block;
}

// A fault of one kind may concern lanes of several blocks; of several kinds that of the first block is kept.
template <class Access>
void shared_memory::by_block(warp_instruction& operation, Access access) {
  const auto act = [&](block_slot block, isa::lane_mask lanes) {
    const region& r = regions_[block.index()];
    const arch_state::access_fault fault =
        access(arch_state::flat_storage{&storage_[r.base], r.bytes, 0}, locks_[block.index()], lanes);
    if (!fault) return;
    if (operation.fault == fault.kind) {
      operation.fault_lanes |= fault.lanes;
    } else if (operation.fault == arch_state::fault_kind::none) {
      operation.fault = fault.kind;
      operation.fault_lanes = fault.lanes;
      operation.fault_address = operation.window_base + fault.address;
    }
  };
  if (operation.formed)
    for_each_block(operation.threads, operation.executed, act);
  else
    act(operation.block_slot, operation.executed);
}

void shared_memory::load(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  auto* target =
      is_arithmetic(instruction) ? operation.values.source[instruction.access.slot] : operation.values.destination;
  by_block(operation,
           [&](const arch_state::flat_storage& from, arch_state::shared_locks& locks, isa::lane_mask lanes) {
             const auto fault =
                 arch_state::load_lanes(from, operation.values.address, lanes, instruction.access.type, target);
             if (fault || instruction.access.kind != isa::access_kind::locked_load) return fault;
             // At most one lane of the warp takes its lock. The predicate tells each lane whether it did.
             for (const unsigned lane : set_bits(lanes)) {
               const bool taken = locks.try_lock(owner_of(operation, lane), operation.values.address.lane[lane]);
               const std::uint8_t result = taken ? predicate_true_ : predicate_false_;
               operation.values.flags_out[lane] = result;
               operation.values.predicate_out[0][lane] = result;  // of generations whose predicates are single bits
             }
             return fault;
           });
}

void shared_memory::store(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  by_block(operation,
           [&](const arch_state::flat_storage& to, arch_state::shared_locks& locks, isa::lane_mask lanes) {
             const auto fault = arch_state::store_lanes(to, operation.values.address, lanes,
                                                        instruction.access.type, operation.values.source[1]);
             if (!fault && instruction.access.kind == isa::access_kind::unlocking_store)
               for (const unsigned lane : set_bits(lanes))
                 locks.unlock(owner_of(operation, lane), operation.values.address.lane[lane]);
             return fault;
           });
}

// An atomic operation.
void shared_memory::combine(warp_instruction& operation) {
  by_block(operation,
           [&](const arch_state::flat_storage& storage, arch_state::shared_locks&, isa::lane_mask lanes) {
             return arch_state::atomic_lanes(storage, operation.instruction->access, operation.values.address,
                                             lanes, operation.values.source[1], operation.values.source[2],
                                             operation.values.destination);
           });
}

core_cycles shared_memory::free_time(const warp_instruction& operation) const {
  if (rule_ == bank_rule::half_warp) return share_.cycles(core_cycles(2), half_warp_lanes, operation.executed);
  const auto words = static_cast<unsigned>(isa::words_of(operation.instruction->access.type));
  return share_.cycles(core_cycles(words), isa::warp_size / words, operation.executed);
}

shared_memory::conflict_count shared_memory::conflicts_of(const warp_instruction& operation) const {
  isa::lane_words of_blocks;
  const std::uint32_t* address = operation.values.address.lane;
  if (operation.formed) {
    of_blocks = bank_addresses(operation, [&](block_slot block) { return regions_[block.index()].base; });
    address = of_blocks.lane;
  }
  const auto bytes = static_cast<unsigned>(isa::bytes_of(operation.instruction->access.type));
  if (rule_ != bank_rule::half_warp) {
    const warp_requests r = bank_steps_of_warp(address, operation.executed, bytes, config_.banks);
    const bool twice = rule_ == bank_rule::warp_wide_loads_twice && bytes == 16 &&
                       operation.instruction->access.kind == isa::access_kind::load;
    const unsigned further = r.steps - r.requests;
    return {further + (twice ? r.requests : 0), further};
  }
  unsigned conflicts = 0, worst = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned further = std::max(1u, bank_cycles(address, operation.executed, half, bytes, config_.banks)) - 1;
    conflicts += further;
    worst = std::max(worst, further);
  }
  return {replay_ == core_cycles(0) ? conflicts : static_cast<unsigned>(replay_.count()) * worst, worst};
}

// Performs the access.
shared_memory::bank_time shared_memory::perform(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  const core_cycles steps = free_time(operation);
  if (operation.executed == 0 || operation.fault != arch_state::fault_kind::none) return {steps, core_cycles(0)};
  const bool stores = instruction.access.stores();
  const auto performed = [&](shared_memory_observer& o) { o.performed(*this, operation); };
  if (stores) {
    observers_.notify(performed);
    store(operation);
  } else {
    if (instruction.access.kind == isa::access_kind::atomic)
      combine(operation);
    else
      load(operation);
    observers_.notify(performed);
  }
  ++accesses;
  if (no_bank_conflicts_) return {steps, core_cycles(0)};
  const conflict_count conflicts = conflicts_of(operation);
  conflict_cycles += conflicts.cycles;
  return {steps + core_cycles(conflicts.cycles), core_cycles(conflicts.cycles), conflicts.replays};
}

// To its unit or to write-back; false if there is no room.
bool shared_memory::send(warp_instruction& operation) {
  const isa::instruction& instruction = *operation.instruction;
  if (is_arithmetic(instruction)) {
    tlm_bus::pipe_out<collected_token>* unit = unit_of_class_[static_cast<unsigned>(instruction.unit)];
    if (!unit->can_send()) return false;
    unit->send({&operation});
  } else {
    if (!out.can_send()) return false;
    out.send({&operation});
  }
  return true;
}

// A warp may have issued further accesses before it learnt of the first one's replays: theirs follow.
void shared_memory::begin_replays(warp_instruction& operation, unsigned replays) {
  core_cycle from = cycle();
  for (const replay& r : replays_)
    if (r.operation->warp == operation.warp) from = std::max(from, r.leaves_at);
  const core_cycle leaves_at = from + replay_latency_ * replays;
  replays_.push_back({&operation, leaves_at});
  if (issue_ != nullptr) issue_->replays_began(operation.warp);
  wake_at(leaves_at);
}

// The first access whose last replay has ended and whose pipe has room leaves. False if none does in this cycle.
bool shared_memory::end_replays() {
  const auto sent = std::find_if(replays_.begin(), replays_.end(),
                                 [&](const replay& r) { return r.leaves_at <= cycle() && send(*r.operation); });
  const bool left = sent != replays_.end();
  if (left) {
    const warp_slot warp = sent->operation->warp;
    replays_.erase(sent);
    const bool more =
        std::any_of(replays_.begin(), replays_.end(), [&](const replay& r) { return r.operation->warp == warp; });
    if (!more && issue_ != nullptr) issue_->replays_ended(warp);
  }
  for (const replay& r : replays_) wake_at(std::max(r.leaves_at, cycle() + core_cycles(1)));
  return left;
}

void shared_memory::tick() {
  // 0. An access that has gone through the pipeline for each of its conflicts leaves.
  const bool left = !replays_.empty() && end_replays();
  // 1. The next access is performed as soon as the banks are free; conflicts delay its result.
  if (current_ == nullptr) {
    const collected_token* token = in.front();
    if (token == nullptr) return;
    if (cycle() < free_at_) {
      wake_at(free_at_);
      return;
    }
    current_ = token->operation;
    const bank_time banks = perform(*current_);
    send_at_ = cycle() + banks.conflicts;
    free_at_ = cycle() + banks.cycles;
    if (holds_ports_ && banks.conflicts != core_cycles(0))
      issue_->hold_ports_until(core_cycle(cycle()) + core_cycles(1) + banks.conflicts);
    in.pop();
    if (replay_latency_ != core_cycles(0) && banks.replays != 0) {
      begin_replays(*std::exchange(current_, nullptr), banks.replays);
      if (in.occupancy() != 0) wake_at(std::max(free_at_, cycle() + core_cycles(1)));
      return;
    }
  }
  // 2. The access leaves for its unit or for write-back.
  if (cycle() < send_at_) {
    wake_at(send_at_);
    return;
  }
  if (left) return wake_next();
  if (!send(*current_)) return;
  current_ = nullptr;
  if (in.occupancy() != 0) wake_at(std::max(free_at_, cycle() + core_cycles(1)));
}

void shared_memory::publish(tlm_bus::signal_writer& to) {
  to.identifier("current", current_ == nullptr ? 0 : current_->id);
}

void shared_memory::visit_state(tlm_bus::state_image& state) {
  state.fixed(unit_of_class_, predicate_true_, predicate_false_, replay_, replay_latency_, no_bank_conflicts_,
              share_, rule_, blocks_, issue_, holds_ports_);
  state(storage_, regions_, locks_, current_, send_at_, free_at_, replays_);
}

}  // namespace gt200::model
