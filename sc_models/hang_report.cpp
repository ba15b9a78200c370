#include "sc_models/hang_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/isa/codec.h"

namespace gt200::model {

namespace {

constexpr unsigned barrier_ids = 16;
constexpr std::size_t most_lines = 4;  // of one sort in the beginning of the report

class report {
 public:
  explicit report(chip& c) : chip_(c) {}

  std::string text() {
    describe_grid();
    describe_lost_credits(chip_);
    describe_groups();
    describe_outstanding(chip_);
    add("every warp:\n");
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

  // A sender that waits for a credit which is nowhere waits for ever.
  void describe_lost_credits(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object); pipe && pipe->credits_missing() != 0)
      add("{}: {} of {} credits are lost\n", object.name(), pipe->credits_missing(), pipe->depth());
    for (const sc_core::sc_object* child : object.get_child_objects()) describe_lost_credits(*child);
  }

  // Warps that wait for the same kind of thing, the most common first; each with one of them.
  void describe_groups() {
    struct group {
      unsigned warps = 0;
      std::string first;
    };
    std::map<std::string, group> groups;
    for (tpc& t : chip_.tpcs)
      for (sm& s : t.sms)
        for (warp_mask left = s.block_control.unfinished().read(s.block_control.cycle()); left != 0;
             left &= left - 1) {
          const auto warp = static_cast<unsigned>(__builtin_ctzll(left));
          warp_instruction place;
          s.block_control.describe(warp, place);
          group& g = groups[reason_of(s, warp, place.block_slot)];
          if (++g.warps == 1) g.first = fmt::format("{} warp {}{}", s.name(), warp, instruction_of(s, warp));
        }
    std::vector<std::pair<std::string, group>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.warps > b.second.warps; });
    std::size_t shown = 0;
    for (const auto& [reason, g] : sorted) {
      if (shown++ == most_lines) {
        add("... and {} further reasons\n", sorted.size() - most_lines);
        break;
      }
      add("{} {} {}: {}\n", g.warps, g.warps == 1 ? "warp" : "warps", reason, g.first);
    }
  }

  static std::string reason_of(sm& s, unsigned warp, unsigned block_slot) {
    if (const unsigned id = barrier_of(s, warp, block_slot); id < barrier_ids)
      return fmt::format("at barrier {}", id);
    for (const stall_cause_name& name : stall_cause_names)
      if (name.cause == s.issue.waits_for(warp)) return fmt::format("({})", name.text);
    return "";
  }

  static std::string instruction_of(sm& s, unsigned warp) {
    if ((s.instruction_buffer.occupied() & warp_bit(warp)) == 0) return "";
    const buffered_instruction& oldest = s.instruction_buffer.oldest(warp);
    return fmt::format(", {:#x}: {}", oldest.pc, isa::disassemble(*oldest.instruction));
  }

  static unsigned barrier_of(sm& s, unsigned warp, unsigned block_slot) {
    unsigned id = 0;
    while (id < barrier_ids && (s.barrier.waiting(block_slot, id) & warp_bit(warp)) == 0) ++id;
    return id;
  }

  // Signals that count what a module has asked for or has still to do.
  void describe_outstanding(sc_core::sc_object& object) {
    if (auto* source = dynamic_cast<tlm_bus::signal_source*>(&object)) {
      std::vector<tlm_bus::signal_description> names;
      tlm_bus::signal_writer list(names);
      source->publish(list);
      std::vector<std::uint64_t> values(names.size());
      tlm_bus::signal_writer read(values.data());
      source->publish(read);
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (values[i] == 0 || names[i].kind == tlm_bus::signal_kind::text) continue;
        for (const char* word : {"outstanding", "queued", "_waiting", "_held", "mshrs"})
          if (names[i].name.find(word) != std::string::npos) {
            if (outstanding_++ < most_lines) add("{}.{}: {}\n", object.name(), names[i].name, values[i]);
            break;
          }
      }
    }
    for (sc_core::sc_object* child : object.get_child_objects()) describe_outstanding(*child);
  }

  void describe_warps(sm& s) {
    const warp_mask unfinished = s.block_control.unfinished().read(s.block_control.cycle());
    const warp_mask resident = s.block_control.resident().read(s.block_control.cycle());
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
    if (const unsigned id = barrier_of(s, warp, block_slot); id < barrier_ids)
      return fmt::format("waits at barrier {} with {} of {} warps", id,
                         __builtin_popcountll(s.barrier.waiting(block_slot, id)),
                         s.block_control.unfinished_warps(block_slot));
    if ((s.icache.missing().read(s.icache.cycle()) & warp_bit(warp)) != 0) return "waits for the instruction cache";
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
  std::size_t outstanding_ = 0;  // signals found so far
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
