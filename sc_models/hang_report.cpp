#include "sc_models/hang_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "sc_models/sm/stall_cause.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {

namespace {

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
    for (sm_if* s : chip_.sms()) describe_warps(*s);
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
        sm_if& sm = *chip_.tpcs[t].sms[s];
        const std::uint32_t there = sm.probe().resident_blocks();
        running += resident;
        if (resident != there && lines++ < most_lines)
          unknown += fmt::format("{}: {} counts {} blocks, block_control has {}\n", sm.name(),
                                 chip_.work_distributor.name(), resident, there);
      }
    const std::uint32_t waiting = chip_.work_distributor.blocks_waiting();
    add("grid of {} blocks: {} not handed out, {} running, {} retired\n", grid->blocks(), waiting, running,
        grid->blocks() - waiting - running);
    text_ += unknown;
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
    for (sm_if* s : chip_.sms())
      for (warp_mask left = s->probe().resident_warps(); left != 0; left &= left - 1) {
        const auto warp = static_cast<unsigned>(__builtin_ctzll(left));
        const warp_status status = s->probe().status_of(warp);
        if (!status.unfinished && in_flight(*s, warp).empty()) continue;
        const wait w = wait_of(*s, warp, status);
        group& g = groups[w.reason];
        if (++g.warps == 1) g.first = fmt::format("{} warp {}, {}", s->name(), warp, w.place);
      }
    std::vector<std::pair<std::string, group>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.warps > b.second.warps; });
    std::size_t lines = 0;
    for (const auto& [reason, g] : sorted)
      add_some(lines, "{} {} {}: {}\n", g.warps, g.warps == 1 ? "warp" : "warps", reason, g.first);
    if (lines > most_lines) add("... and {} further reasons\n", lines - most_lines);
  }

  wait wait_of(sm_if& s, unsigned warp, const warp_status& status) const {
    if (!status.unfinished) return {"ended but for instructions under way", "waits for " + results(s, warp)};
    if (status.barrier)
      return {fmt::format("at barrier {}", status.barrier->id),
              fmt::format("{:#x}: waits at barrier {} with {} of {} warps of block {}", status.last_issued,
                          status.barrier->id, status.barrier->warps_waiting, status.barrier->warps_unfinished,
                          status.block_id)};
    if (!status.oldest) return without_instruction(s, warp, status);
    const warp_status::oldest_instruction& oldest = *status.oldest;
    std::string what = fmt::format("{:#x}: {}", oldest.pc, isa::disassemble(*oldest.instruction));
    if (status.cause == stall_cause::none) return {"(ready)", what + ", may issue"};
    if (status.cause == stall_cause::barrier)
      return {"(on the way to a barrier)", fmt::format("{:#x}: has not arrived at its barrier; in flight: {}",
                                                       status.last_issued, results(s, warp))};
    if (oldest.dependent)
      what += ", waits for " + (in_flight(s, warp).empty()
                                    ? std::string("a release by ") + s.probe().scoreboard_tap().module.name()
                                    : results(s, warp));
    return {fmt::format("({})", name_of(status.cause).text), what};
  }

  // A warp with an empty buffer: where is its next instruction?
  wait without_instruction(sm_if& s, unsigned warp, const warp_status& status) const {
    using state = warp_status::fetch_state;
    const std::string in_flight = results(s, warp);
    switch (status.fetch) {
      case state::missing:
        return {"(instruction cache miss)", fmt::format("{:#x}: {} waits for the line", status.next_fetch,
                                                        module_of(s.instruction_fills()).name())};
      case state::under_way:
        return {"(instruction buffer empty)",
                fmt::format("{:#x}: fetched and not back from icache and decode; in flight: {}", status.next_fetch,
                            in_flight)};
      case state::stopped:
        return {"(instruction buffer empty)",
                fmt::format("{:#x}: fetch stands still until it is started or redirected; in flight: {}",
                            status.last_issued, in_flight)};
      case state::scoreboard_full:
        return {"(scoreboard full)", fmt::format("{:#x}: not fetched, waits for {}", status.next_fetch, in_flight)};
      case state::free: break;
    }
    return {"(instruction buffer empty)", fmt::format("{:#x}: could be fetched and is not", status.next_fetch)};
  }

  // -- instructions that have issued and not completed --

  static std::vector<const warp_instruction*> in_flight(sm_if& s, unsigned warp) {
    std::vector<const warp_instruction*> result;
    for (const warp_instruction* operation : s.probe().in_flight())
      if (operation->warp == warp) result.push_back(operation);
    std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) { return a->sequence < b->sequence; });
    return result;
  }

  // The oldest of them, with the queue it is in or the module it went to.
  std::string results(sm_if& s, unsigned warp) const {
    const auto operations = in_flight(s, warp);
    if (operations.empty()) return "nothing";
    const warp_instruction& oldest = *operations.front();
    std::string text = fmt::format("{:#x}: {} (in {}, issued at cycle {})", oldest.pc,
                                   isa::disassemble(*oldest.instruction), place_of(s, oldest), oldest.issued_at);
    if (operations.size() > 1) text += fmt::format(" and {} more", operations.size() - 1);
    return text;
  }

  std::string place_of(sm_if& s, const warp_instruction& operation) const {
    const auto queue = operation_in_.find(&operation);
    if (queue != operation_in_.end()) return queue->second;
    const std::string unit = s.probe().unit_of(operation);
    return unit.empty() ? memory_of(s) : unit;
  }

  // Which part of the way to memory and back: nothing moves any more, so what modules have counted tells.
  static std::string memory_of(sm_if& s) {
    const sc_core::sc_object& cluster = *s.get_parent_object();
    std::uint64_t sent = 0;
    for (sc_core::sc_object* child : cluster.get_child_objects())
      if (auto* other = dynamic_cast<sm_if*>(child)) sent += other->probe().memory_operations_sent();
    const auto* controller = dynamic_cast<const sm_controller*>(
        sc_core::sc_find_object((std::string(cluster.name()) + ".memory.sm_controller").c_str()));
    if (controller == nullptr) return std::string(cluster.name()) + ".memory";
    const char* const port = module_of(s.memory_operations()).name();
    const std::uint64_t taken = controller->load_store_operations.value() + controller->texture_operations.value();
    if (sent != taken) return std::string(port) + " or the way to " + controller->name();
    if (taken != controller->completions.value()) return std::string("what is behind ") + controller->name();
    return fmt::format("the way to {} or from {} to {}", port, controller->name(),
                       module_of(s.memory_completions()).name());
  }

  // Whose socket it is.
  static const sc_core::sc_object& module_of(const sc_core::sc_object& socket) {
    return *socket.get_parent_object();
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

  void describe_warps(sm_if& s) {
    for (warp_mask left = s.probe().resident_warps(); left != 0; left &= left - 1) {
      const auto warp = static_cast<unsigned>(__builtin_ctzll(left));
      const warp_status status = s.probe().status_of(warp);
      const bool gone = !status.unfinished && in_flight(s, warp).empty();
      add("{} warp {} (block {}, warp {} of it): {}\n", s.name(), warp, status.block_id, status.warp_in_block,
          gone ? "has ended" : wait_of(s, warp, status).place);
    }
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
  std::map<const warp_instruction*, std::string> operation_in_;  // name of the queue
  std::size_t credits_ = 0;                                      // pipes that have lost some
};

}  // namespace

std::uint64_t progress_of(const chip& c) {
  std::uint64_t sum = 0;
  for (sm_if* s : c.sms()) {
    const sm_probe& sm = s->probe();
    sum += sm.instructions_issued() + sm.instructions_completed() + sm.blocks_retired();
  }
  for (const partition& p : c.partitions)
    sum += p.arbiter.loads.value() + p.arbiter.texture_loads.value() + p.rop.stores.value() +
           p.rop.atomics.value() + p.dram.bytes_moved();
  return sum;
}

std::string explain_hang(chip& c) { return report(c).text(); }

}  // namespace gt200::model
