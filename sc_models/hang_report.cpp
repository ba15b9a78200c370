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
#include "toolchain/bits.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {

namespace {

constexpr unsigned barrier_ids = 16;
constexpr std::size_t most_lines = 3;  // of one sort in the beginning of the report

// What a module shows, by name: values, and the words for them where they mean one of several states.
struct shown {
  std::uint64_t value = 0;
  std::string text;
};
std::map<std::string, shown> signals_of(tlm_bus::signal_source& source) {
  std::vector<tlm_bus::signal_description> names;
  tlm_bus::signal_writer list(names);
  source.publish(list);
  std::vector<std::uint64_t> values(names.size());
  tlm_bus::signal_writer read(values.data());
  source.publish(read);
  std::map<std::string, shown> result;
  for (std::size_t i = 0; i < names.size(); ++i)
    result[names[i].name] = {values[i], names[i].meaning != nullptr ? names[i].meaning(values[i]) : ""};
  return result;
}

class report {
 public:
  explicit report(chip& c) : chip_(c) {}

  std::string text() {
    find_operations<issued_token, collected_token, executed_token, memory_operation_token, memory_completion_token>(
        chip_);
    describe_grid();
    describe_lost_credits(chip_);
    describe_groups();
    describe_outstanding();
    add("every warp:\n");
    for (tpc& t : chip_.tpcs)
      for (sm& s : t.sms) describe_warps(s);
    add("queues that are not empty:\n");
    describe_queues(chip_);
    return std::move(text_);
  }

 private:
  // What a warp waits for: the same words for all warps that wait alike, and what only this one can say.
  struct wait {
    std::string reason;
    std::string place;
  };

  template <class... ARGS>
  void add(const char* format, ARGS&&... arguments) {
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), std::forward<ARGS>(arguments)...);
  }
  // For lines of which the beginning of the report has few.
  template <class... ARGS>
  void add_some(std::size_t& added, const char* format, ARGS&&... arguments) {
    if (added++ < most_lines) add(format, std::forward<ARGS>(arguments)...);
  }

  // -- the grid --

  void describe_grid() {
    const grid_descriptor* grid = chip_.command_processor.running();
    if (grid == nullptr) {
      add("no grid is running\n");
      return;
    }
    std::uint32_t running = 0;
    std::size_t lines = 0;
    std::string unknown;
    for (unsigned t = 0; t < chip_.tpcs.size(); ++t)
      for (unsigned s = 0; s < chip_.tpcs[t].sms.size(); ++s) {
        const std::uint32_t resident = chip_.work_distributor.blocks_resident(t, s);
        const std::uint32_t there = blocks_in(chip_.tpcs[t].sms[s]);
        running += resident;
        if (resident != there && lines++ < most_lines)
          unknown += fmt::format("{}: {} counts {} blocks, block_control has {}\n", chip_.tpcs[t].sms[s].name(),
                                 chip_.work_distributor.name(), resident, there);
      }
    const std::uint32_t waiting = chip_.work_distributor.blocks_waiting();
    add("grid of {} blocks: {} not handed out, {} running, {} retired\n", grid->blocks(), waiting, running,
        grid->blocks() - waiting - running);
    text_ += unknown;
  }

  static std::uint32_t blocks_in(sm& s) {
    std::uint32_t blocks = 0;
    for (const auto& [name, signal] : signals_of(s.block_control))
      if (name.find(".busy") != std::string::npos) blocks += signal.value != 0 ? 1 : 0;
    return blocks;
  }

  // A sender that waits for a credit which is nowhere waits for ever.
  void describe_lost_credits(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object); pipe && pipe->credits_missing() != 0)
      add_some(credits_, "{}: {} of {} credits are lost\n", object.name(), pipe->credits_missing(), pipe->depth());
    for (const sc_core::sc_object* child : object.get_child_objects()) describe_lost_credits(*child);
  }

  // -- warps --

  // Warps that wait for the same kind of thing, the most common first; each with one of them.
  void describe_groups() {
    struct group {
      unsigned warps = 0;
      std::string first;
    };
    std::map<std::string, group> groups;
    for (tpc& t : chip_.tpcs)
      for (sm& s : t.sms)
        for (const unsigned warp : set_bits(s.block_control.resident().read(s.block_control.cycle()))) {
          if (has_ended(s, warp) && in_flight(s, warp).empty()) continue;
          const wait w = wait_of(s, warp);
          group& g = groups[w.reason];
          if (++g.warps == 1) g.first = fmt::format("{} warp {}, {}", s.name(), warp, w.place);
        }
    std::vector<std::pair<std::string, group>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.warps > b.second.warps; });
    std::size_t lines = 0;
    for (const auto& [reason, g] : sorted)
      add_some(lines, "{} {} {}: {}\n", g.warps, g.warps == 1 ? "warp" : "warps", reason, g.first);
    if (lines > most_lines) add("... and {} further reasons\n", lines - most_lines);
  }

  static bool has_ended(sm& s, unsigned warp) {
    return (s.block_control.unfinished().read(s.block_control.cycle()) & warp_bit(warp)) == 0;
  }

  wait wait_of(sm& s, unsigned warp) const {
    warp_instruction place;
    s.block_control.describe(warp, place);
    if (has_ended(s, warp)) return {"ended but for instructions under way", "waits for " + results(s, warp)};
    if (const unsigned id = barrier_of(s, warp, place.block_slot); id < barrier_ids)
      return {fmt::format("at barrier {}", id),
              fmt::format("{:#x}: waits at barrier {} with {} of {} warps of block {}", s.issue.last_issued(warp),
                          id, __builtin_popcountll(s.barrier.waiting(place.block_slot, id)),
                          s.block_control.unfinished_warps(place.block_slot), place.block_id)};
    if ((s.instruction_buffer.occupied() & warp_bit(warp)) == 0) return without_instruction(s, warp);
    const buffered_instruction& oldest = s.instruction_buffer.oldest(warp);
    std::string what = fmt::format("{:#x}: {}", oldest.pc, isa::disassemble(*oldest.instruction));
    const stall_cause cause = s.issue.waits_for(warp);
    if (cause == stall_cause::none) return {"(ready)", what + ", may issue"};
    if (cause == stall_cause::barrier)
      return {"(on the way to a barrier)", fmt::format("{:#x}: has not arrived at its barrier; in flight: {}",
                                                       s.issue.last_issued(warp), results(s, warp))};
    if (oldest.dependencies != 0)
      what += ", waits for " +
              (in_flight(s, warp).empty() ? std::string("a release by ") + s.scoreboard.name() : results(s, warp));
    return {fmt::format("({})", name_of(cause).text), what};
  }

  // A warp with an empty buffer: where is its next instruction?
  wait without_instruction(sm& s, unsigned warp) const {
    const std::string of_warp = fmt::format("warp_{}.", warp);
    auto fetch = signals_of(s.fetch);
    const std::uint64_t pc = fetch[of_warp + "pc"].value;
    if ((s.icache.missing().read(s.icache.cycle()) & warp_bit(warp)) != 0)
      return {"(instruction cache miss)", fmt::format("{:#x}: {} waits for the line", pc, s.icache.name())};
    const std::string in_flight = results(s, warp);
    if (signals_of(s.instruction_buffer)[of_warp + "reserved"].value != 0)
      return {"(instruction buffer empty)",
              fmt::format("{:#x}: fetched and not back from icache and decode; in flight: {}", pc, in_flight)};
    if ((fetch["runnable"].value & warp_bit(warp)) == 0)
      return {"(instruction buffer empty)",
              fmt::format("{:#x}: fetch stands still until it is started or redirected; in flight: {}",
                          s.issue.last_issued(warp), in_flight)};
    if ((s.scoreboard.has_room().read(s.issue.cycle()) & warp_bit(warp)) == 0)
      return {"(scoreboard full)", fmt::format("{:#x}: not fetched, waits for {}", pc, in_flight)};
    return {"(instruction buffer empty)", fmt::format("{:#x}: could be fetched and is not", pc)};
  }

  static unsigned barrier_of(sm& s, unsigned warp, unsigned block_slot) {
    unsigned id = 0;
    while (id < barrier_ids && (s.barrier.waiting(block_slot, id) & warp_bit(warp)) == 0) ++id;
    return id;
  }

  // -- instructions that have issued and not completed --

  static std::vector<const warp_instruction*> in_flight(sm& s, unsigned warp) {
    std::vector<const warp_instruction*> result;
    for (const warp_instruction* operation : s.instruction_pool.instructions_in_flight())
      if (operation->warp == warp) result.push_back(operation);
    std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) { return a->sequence < b->sequence; });
    return result;
  }

  // The oldest of them, with the queue it is in or the module it went to.
  std::string results(sm& s, unsigned warp) const {
    const auto operations = in_flight(s, warp);
    if (operations.empty()) return "nothing";
    const warp_instruction& oldest = *operations.front();
    const auto queue = operation_in_.find(&oldest);
    std::string text = fmt::format(
        "{:#x}: {} ({}, issued at cycle {})", oldest.pc, isa::disassemble(*oldest.instruction),
        queue != operation_in_.end() ? "in " + queue->second : "in " + module_of(s, oldest), oldest.issued_at);
    if (operations.size() > 1) text += fmt::format(" and {} more", operations.size() - 1);
    return text;
  }

  // As far as the class of an instruction tells.
  static std::string module_of(sm& s, const warp_instruction& operation) {
    const std::string collector = std::string(s.operand_collector.name()) + " or behind it, ";
    switch (class_of(*operation.instruction)) {
      case collector_class::sp: return collector + "sp";
      case collector_class::sfu: return collector + "sfu";
      case collector_class::dp: return collector + "dp";
      case collector_class::shared: return collector + "shared_memory";
      case collector_class::memory: return memory_of(s);
      case collector_class::control:
        return collector + (operation.instruction->unit == isa::unit_class::barrier ? "barrier" : "branch");
      case collector_class::count_: break;
    }
    return "";
  }

  // Which part of the way to memory and back: nothing moves any more, so what modules have counted tells.
  static std::string memory_of(const sm& s) {
    const sc_core::sc_object& tpc = *s.get_parent_object();
    std::uint64_t sent = 0;
    for (const sc_core::sc_object* child : tpc.get_child_objects())
      if (const auto* other = dynamic_cast<const sm*>(child)) sent += other->memory_port.operations.value();
    const auto* controller = dynamic_cast<const sm_controller*>(
        sc_core::sc_find_object((std::string(tpc.name()) + ".memory.sm_controller").c_str()));
    if (controller == nullptr) return std::string(tpc.name()) + ".memory";
    const std::uint64_t taken = controller->load_store_operations.value() + controller->texture_operations.value();
    if (sent != taken) return std::string(s.memory_port.name()) + " or the way to " + controller->name();
    if (taken != controller->completions.value()) return std::string("what is behind ") + controller->name();
    return fmt::format("the way to {} or from {} to {}", s.memory_port.name(), controller->name(),
                       s.write_back.name());
  }

  // Which queue holds a warp instruction as its oldest token.
  template <class... TOKENS>
  void find_operations(const sc_core::sc_object& object) {
    (find_operation<TOKENS>(object), ...);
    for (const sc_core::sc_object* child : object.get_child_objects()) find_operations<TOKENS...>(*child);
  }
  template <class TOKEN>
  void find_operation(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_in<TOKEN>*>(&object); pipe && pipe->oldest())
      operation_in_.emplace(pipe->oldest()->operation, object.name());
  }

  // -- modules --

  // Signals that count what a module has asked for or has still to do. What is far from the SMs comes first, as it
  // is what the others wait for.
  void describe_outstanding() {
    std::vector<std::pair<unsigned, std::string>> lines;
    find_outstanding(chip_, lines);
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t added = 0;
    for (const auto& [distance, line] : lines) add_some(added, "{}\n", line);
  }

  static void find_outstanding(sc_core::sc_object& object, std::vector<std::pair<unsigned, std::string>>& lines) {
    for (sc_core::sc_object* child : object.get_child_objects()) find_outstanding(*child, lines);
    auto* source = dynamic_cast<tlm_bus::signal_source*>(&object);
    if (source == nullptr) return;
    const std::string name = object.name();
    for (const auto& [signal, now] : signals_of(*source)) {
      if (signal == "state" && now.text != "idle") lines.emplace_back(distance_of(name), name + ": " + now.text);
      if (now.value == 0) continue;
      for (const char* word :
           {"outstanding", "queued", "_waiting", "_held", "mshrs", "in_service", "atomics_active"})
        if (signal.find(word) != std::string::npos) {
          lines.emplace_back(distance_of(name), fmt::format("{}.{}: {}", name, signal, now.value));
          break;
        }
    }
  }

  // From the memory, in steps on the way of an access.
  static unsigned distance_of(const std::string& module) {
    unsigned distance = 0;
    for (const char* part :
         {".partition_", ".l3", ".crossbar", ".l2", ".page_walker", ".tlb", ".memory.", ".texture."}) {
      if (module.find(part) != std::string::npos) return distance;
      ++distance;
    }
    return distance;
  }

  void describe_warps(sm& s) {
    for (const unsigned warp : set_bits(s.block_control.resident().read(s.block_control.cycle()))) {
      warp_instruction place;
      s.block_control.describe(warp, place);
      const bool gone = has_ended(s, warp) && in_flight(s, warp).empty();
      add("{} warp {} (block {}, warp {} of it): {}\n", s.name(), warp, place.block_id, place.warp_in_block,
          gone ? "has ended" : wait_of(s, warp).place);
    }
  }

  void describe_queues(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object)) {
      if (pipe->occupancy() != 0)
        add("  {}: {} of {} tokens, oldest visible at cycle {} of {}\n", object.name(), pipe->occupancy(),
            pipe->depth(), pipe->oldest_visible_at(), pipe->receiver().domain().name());
    } else {
      describe_port<gpu_memory_protocol>(object);
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
  std::map<const warp_instruction*, std::string> operation_in_;  // name of the queue
  std::size_t credits_ = 0;                                      // pipes that have lost some
};

}  // namespace

std::uint64_t progress_of(const chip& c) {
  std::uint64_t sum = 0;
  for (const tpc& t : c.tpcs)
    for (const sm& s : t.sms)
      sum += s.issue.issued.value() + s.write_back.completed.value() + s.block_control.blocks_retired.value();
  for (const partition& p : c.partitions)
    sum += p.arbiter.loads.value() + p.arbiter.texture_loads.value() + p.rop.stores.value() +
           p.rop.atomics.value() + p.dram.bytes_moved();
  return sum;
}

std::string explain_hang(chip& c) { return report(c).text(); }

}  // namespace gt200::model
