#include "sc_models/hang_report.h"

#include <fmt/format.h>

#include <iterator>

#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "toolchain/isa/codec.h"

namespace gt200::model {

namespace {

constexpr unsigned barrier_ids = 16;

class report {
 public:
  explicit report(chip& c) : chip_(c) {}

  std::string text() {
    describe_grid();
    for (tpc& t : chip_.tpcs)
      for (sm& s : t.sms) describe_warps(s);
    add("queues that are not empty:\n");
    describe_queues(chip_);
    return std::move(text_);
  }

 private:
  template <class... ARGS>
  void add(const char* format, ARGS&&... arguments) {
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), std::forward<ARGS>(arguments)...);
  }

  void describe_grid() {
    const grid_descriptor* grid = chip_.command_processor.running();
    if (grid == nullptr) {
      add("no grid is running\n");
      return;
    }
    std::uint32_t resident = 0;
    for (unsigned t = 0; t < chip_.config.chip.tpcs; ++t)
      for (unsigned s = 0; s < chip_.config.chip.sms_per_tpc; ++s)
        resident += chip_.work_distributor.blocks_resident(t, s);
    const std::uint32_t waiting = chip_.work_distributor.blocks_waiting();
    add("grid of {} blocks: {} not handed out, {} running, {} retired\n", grid->blocks(), waiting, resident,
        grid->blocks() - waiting - resident);
  }

  void describe_warps(sm& s) {
    const warp_mask unfinished = s.block_control.unfinished();
    const warp_mask resident = s.block_control.resident();
    for (unsigned warp = 0; warp < max_warps; ++warp) {
      if ((resident & warp_bit(warp)) == 0) continue;
      warp_instruction place;
      s.block_control.describe(warp, place);
      add("{} warp {} (block {}, warp {} of it): ", s.name(), warp, place.block_id, place.warp_in_block);
      if ((unfinished & warp_bit(warp)) == 0)
        add("has ended\n");
      else
        add("{}\n", state_of(s, warp, place.block_slot));
    }
  }

  static std::string state_of(sm& s, unsigned warp, unsigned block_slot) {
    for (unsigned id = 0; id < barrier_ids; ++id)
      if ((s.barrier.waiting(block_slot, id) & warp_bit(warp)) != 0)
        return fmt::format("waits at barrier {} with {} of {} warps", id,
                           __builtin_popcountll(s.barrier.waiting(block_slot, id)),
                           s.block_control.unfinished_warps(block_slot));
    if ((s.icache.missing() & warp_bit(warp)) != 0) return "waits for the instruction cache";
    if ((s.instruction_buffer.occupied() & warp_bit(warp)) == 0) return "has no instruction in its buffer";
    const buffered_instruction& oldest = s.instruction_buffer.oldest(warp);
    const std::string what = fmt::format(
        "{:#x}: {}", oldest.pc, oldest.instruction != nullptr ? isa::disassemble(*oldest.instruction) : "?");
    if (oldest.dependencies != 0)
      return fmt::format("{}, waits for results (entries {:#x})", what, oldest.dependencies);
    return what + ", has its operands and does not issue";
  }

  void describe_queues(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object)) {
      if (pipe->occupancy() != 0)
        add("  {}: {} of {} tokens, oldest visible at cycle {} of {}\n", object.name(), pipe->occupancy(),
            pipe->depth(), pipe->oldest_visible_at(), pipe->receiver().domain().name());
    } else {
      describe_port<tlm_bus::gpu_memory_protocol>(object);
      describe_port<tlm_bus::base_protocol>(object);
    }
    for (const sc_core::sc_object* child : object.get_child_objects()) describe_queues(*child);
  }

  template <class TRAITS>
  void describe_port(const sc_core::sc_object& object) {
    if (const auto* target = dynamic_cast<const tlm_bus::memory_target<TRAITS>*>(&object)) {
      if (target->requests_waiting() != 0) add("  {}: {} requests\n", object.name(), target->requests_waiting());
    } else if (const auto* initiator = dynamic_cast<const tlm_bus::memory_initiator<TRAITS>*>(&object)) {
      if (initiator->responses_waiting() != 0)
        add("  {}: {} responses\n", object.name(), initiator->responses_waiting());
    }
  }

  chip& chip_;
  std::string text_;
};

}  // namespace

std::uint64_t progress_of(const chip& c) {
  std::uint64_t sum = 0;
  for (const tpc& t : c.tpcs)
    for (const sm& s : t.sms)
      sum += s.issue.issued.value() + s.write_back.completed.value() + s.block_control.blocks_retired.value();
  return sum;
}

std::string explain_hang(chip& c) { return report(c).text(); }

}  // namespace gt200::model
