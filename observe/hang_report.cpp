#include "observe/hang_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "sc_models/ids.h"
#include "sc_models/memory_path/load_store_queue.h"
#include "sc_models/sm/stall_cause.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/bits.h"

namespace gt200::observe {

namespace {

constexpr std::size_t max_lines = 3;  // per kind, in the summary at the top of the report

// Lists what a module waits for or still has to do, by the name of the signal that shows it.
std::map<std::string, std::string> outstanding_of(tlm_bus::signal_source& source) {
  std::vector<tlm_bus::signal_description> signals;
  tlm_bus::signal_writer list(signals);
  source.publish(list);
  std::vector<std::uint64_t> values(signals.size());
  tlm_bus::signal_writer read(values.data());
  source.publish(read);
  std::map<std::string, std::string> result;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const tlm_bus::signal_description& signal = signals[i];
    if (!signal.outstanding || values[i] == 0) continue;
    result[signal.name] = signal.meaning != nullptr ? fmt::format(": {}", signal.meaning(values[i]))
                                                    : fmt::format(".{}: {}", signal.name, values[i]);
  }
  return result;
}

class hang_report {
 public:
  explicit hang_report(model::chip& chip) : chip_(chip), way_(chip.way_from_memory()) {}

  std::string text() {
    find_operations<model::issued_token, model::collected_token, model::executed_token,
                    model::memory_operation_token, model::memory_completion_token>(chip_);
    describe_grid();
    describe_lost_credits(chip_);
    describe_groups();
    describe_outstanding();
    add("every warp:\n");
    for (model::sm_if* s : chip_.sms()) describe_warps(*s);
    add("queues that are not empty:\n");
    describe_queues(chip_);
    return std::move(text_);
  }

 private:
  // The reason why a warp waits: a text that all warps with the same reason share, and a text for this warp.
  struct wait {
    std::string reason;
    std::string place;
  };

  template <class... ARGS>
  void add(const char* format, ARGS&&... arguments) {
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), std::forward<ARGS>(arguments)...);
  }
  // For kinds of lines of which the summary shows only the first few.
  template <class... ARGS>
  void add_some(std::size_t& added, const char* format, ARGS&&... arguments) {
    if (added++ < max_lines) add(format, std::forward<ARGS>(arguments)...);
  }

  // -- the grid --

  void describe_grid() {
    const model::grid_descriptor* grid = chip_.command_processor.running();
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
        model::sm_if& sm = *chip_.tpcs[t].sms[s];
        const std::uint32_t there = sm.probe().resident_blocks();
        running += resident;
        if (resident != there && lines++ < max_lines)
          unknown += fmt::format("{}: {} counts {} blocks, block_control has {}\n", sm.name(),
                                 chip_.work_distributor.name(), resident, there);
      }
    const std::uint32_t waiting = chip_.work_distributor.blocks_waiting();
    add("grid of {} blocks: {} not handed out, {} running, {} retired\n", grid->blocks(), waiting, running,
        grid->blocks() - waiting - running);
    text_ += unknown;
  }

  // A sender that waits for a lost credit waits forever.
  void describe_lost_credits(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object); pipe && pipe->credits_missing() != 0)
      add_some(credits_, "{}: {} of {} credits are lost\n", object.name(), pipe->credits_missing(), pipe->depth());
    for (const sc_core::sc_object* child : object.get_child_objects()) describe_lost_credits(*child);
  }

  // -- warps --

  // Groups the warps that wait for the same kind of event, the largest group first; shows one warp of each group.
  void describe_groups() {
    struct group {
      unsigned warps = 0;
      std::string first;
    };
    std::map<std::string, group> groups;
    for (model::sm_if* s : chip_.sms())
      for (const model::warp_slot warp : model::warps_in(s->probe().resident_warps())) {
        const model::warp_status status = s->probe().status_of(warp);
        if (!status.unfinished && !status.forming && in_flight(*s, warp).empty()) continue;
        const wait w = wait_of(*s, warp, status);
        group& g = groups[w.reason];
        if (++g.warps == 1) g.first = fmt::format("{} warp {}, {}", s->name(), warp.index(), w.place);
      }
    std::vector<std::pair<std::string, group>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.warps > b.second.warps; });
    std::size_t lines = 0;
    for (const auto& [reason, g] : sorted)
      add_some(lines, "{} {} {}: {}\n", g.warps, g.warps == 1 ? "warp" : "warps", reason, g.first);
    if (lines > max_lines) add("... and {} further reasons\n", lines - max_lines);
  }

  wait wait_of(model::sm_if& s, model::warp_slot warp, const model::warp_status& status) const {
    if (status.forming)
      return {
          fmt::format("({})", name_of(model::stall_cause::warp_formation).text),
          fmt::format("{:#x}: {}; threads of block {} that have not ended: {}, at barriers {}, in the pool {}; in "
                      "flight: {}",
                      status.last_issued, status.unfinished ? "its threads leave it" : "a slot without threads",
                      status.block_id, status.forming->threads, status.forming->at_barrier, status.forming->in_pool,
                      results(s, warp))};
    if (!status.unfinished) return {"ended but for instructions under way", "waits for " + results(s, warp)};
    if (status.barrier)
      return {fmt::format("at barrier {}", status.barrier->id),
              fmt::format("{:#x}: waits at barrier {} with {} of {} warps of block {}", status.last_issued,
                          status.barrier->id, status.barrier->warps_waiting, status.barrier->warps_unfinished,
                          status.block_id)};
    if (!status.oldest) return without_instruction(s, warp, status);
    const model::warp_status::oldest_instruction& oldest = *status.oldest;
    std::string what = fmt::format("{:#x}: {}", oldest.pc, isa::text_of(*oldest.instruction));
    const std::string id = "; it is " + model::text_of_id(oldest.id);
    if (status.cause == model::stall_cause::none) return {"(ready)", what + ", may issue" + id};
    if (status.section)
      return {fmt::format("({})", name_of(status.cause).text), what + ", " + holders(s, *status.section) + id};
    if (status.cause == model::stall_cause::barrier)
      return {"(on the way to a barrier)", fmt::format("{:#x}: has not arrived at its barrier; in flight: {}",
                                                       status.last_issued, results(s, warp))};
    if (oldest.dependent)
      what += ", waits for " + (in_flight(s, warp).empty()
                                    ? std::string("a release by ") + s.probe().dependencies_of(warp).name()
                                    : results(s, warp));
    return {fmt::format("({})", name_of(status.cause).text), what + id};
  }

  // Who holds the sections that a warp waits for, and what these warps wait for.
  std::string holders(model::sm_if& s, const model::warp_status::section_wait& wanted) const {
    const auto held = static_cast<unsigned>(__builtin_popcountll(wanted.holders));
    std::string text = fmt::format("{} of {} {} held", held, wanted.sections,
                                   wanted.sections == 1 ? "section is" : "sections are");
    if (held < wanted.sections) text += fmt::format(", and {} neither held nor free", wanted.sections - held);
    unsigned shown = 0;
    for (const model::warp_slot warp : model::warps_in(wanted.holders)) {
      if (shown++ == max_lines) return text + "; ...";
      const model::warp_status status = s.probe().status_of(warp);
      // A holder that waits for a section is giving its own back.
      text += status.section ? fmt::format("; warp {} holds one and is giving it back, waits for {}", warp.index(),
                                           results(s, warp))
                             : fmt::format("; warp {} holds one, {}", warp.index(), wait_of(s, warp, status).place);
    }
    return text;
  }

  // For a warp with an empty buffer: finds its next instruction.
  wait without_instruction(model::sm_if& s, model::warp_slot warp, const model::warp_status& status) const {
    using state = model::warp_status::fetch_state;
    const std::string in_flight = results(s, warp);
    switch (status.fetch) {
      case state::missing:
        return {"(instruction cache miss)",
                fmt::format("{:#x}: {} waits for the line", status.next_fetch, s.probe().icache_of(warp).name())};
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

  static std::vector<const model::warp_instruction*> in_flight(model::sm_if& s, model::warp_slot warp) {
    std::vector<const model::warp_instruction*> result;
    for (const model::warp_instruction* operation : s.probe().in_flight())
      if (operation->warp == warp) result.push_back(operation);
    std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) { return a->sequence < b->sequence; });
    return result;
  }

  // The oldest instruction, with the queue it is in or the module it went to.
  std::string results(model::sm_if& s, model::warp_slot warp) const {
    const auto operations = in_flight(s, warp);
    if (operations.empty()) return "nothing";
    const model::warp_instruction& oldest = *operations.front();
    std::string text =
        fmt::format("{:#x}: {} (in {}, issued at cycle {}, {})", oldest.pc, isa::text_of(*oldest.instruction),
                    place_of(s, oldest), oldest.issued_at.number(), model::text_of_id(oldest.id));
    if (operations.size() > 1) text += fmt::format(" and {} more", operations.size() - 1);
    return text;
  }

  std::string place_of(model::sm_if& s, const model::warp_instruction& operation) const {
    const auto queue = operation_in_.find(&operation);
    if (queue != operation_in_.end()) return queue->second;
    const std::string unit = s.probe().unit_of(operation);
    return unit.empty() ? memory_of(s) : unit;
  }

  // The part of the memory path where the access is. Nothing moves any more, so the counters of the modules show
  // it.
  std::string memory_of(model::sm_if& s) const {
    const model::tpc& cluster = cluster_of(s);
    std::uint64_t sent = 0;
    for (const auto& sm : cluster.sms) sent += sm->probe().memory_operations_sent();
    const model::sm_controller& controller = cluster.memory.sm_controller;
    const char* const port = module_of(s.memory_operations().tlm_socket()).name();
    const std::uint64_t taken = controller.load_store_operations.value() + controller.texture_operations.value();
    if (sent != taken) return fmt::format("{} or the way to {}", port, controller.name());
    if (taken != controller.completions.value()) return fmt::format("what is behind {}", controller.name());
    return fmt::format("the way to {} or from {} to {}", port, controller.name(),
                       module_of(s.memory_completions().tlm_socket()).name());
  }

  const model::tpc& cluster_of(const model::sm_if& s) const {
    return *std::find_if(chip_.tpcs.begin(), chip_.tpcs.end(),
                         [&](const model::tpc& t) { return s.get_parent_object() == &t; });
  }

  // The module that owns the socket.
  static const sc_core::sc_object& module_of(const sc_core::sc_object& socket) {
    return *socket.get_parent_object();
  }

  // Finds the queue whose oldest token is a given warp instruction.
  template <class... TOKENS>
  void find_operations(const sc_core::sc_object& object) {
    (find_operation<TOKENS>(object), ...);
    for (const sc_core::sc_object* child : object.get_child_objects()) find_operations<TOKENS...>(*child);
  }
  template <class TOKEN>
  void find_operation(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_in_socket<TOKEN>*>(&object); pipe && pipe->oldest())
      operation_in_.emplace(pipe->oldest()->operation, object.name());
  }

  // -- modules --

  // Modules far from the SMs come first, because the others wait for them.
  void describe_outstanding() {
    std::vector<std::pair<std::size_t, std::string>> lines;
    find_outstanding(chip_, lines);
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t added = 0;
    for (const auto& [distance, line] : lines) add_some(added, "{}\n", line);
  }

  void find_outstanding(sc_core::sc_object& object, std::vector<std::pair<std::size_t, std::string>>& lines) const {
    for (sc_core::sc_object* child : object.get_child_objects()) find_outstanding(*child, lines);
    if (auto* source = dynamic_cast<tlm_bus::signal_source*>(&object); source != nullptr)
      for (const auto& [signal, text] : outstanding_of(*source))
        lines.emplace_back(distance_of(object), object.name() + text + transactions_of(object, signal));
  }

  // The transactions behind the number of a load/store queue: " (m0.17 for i3.921)".
  static std::string transactions_of(const sc_core::sc_object& object, const std::string& signal) {
    const auto* queue = dynamic_cast<const model::load_store_queue*>(&object);
    if (queue == nullptr) return "";
    std::string text;
    std::size_t listed = 0;
    for (const auto& one : queue->unanswered_transactions()) {
      if (one.store != (signal == "stores_outstanding")) continue;
      if (listed++ == max_lines) return text + ", ...)";
      text += fmt::format("{}{} for {}", listed == 1 ? " (" : ", ", model::text_of_id(one.id),
                          model::text_of_id(one.instruction));
    }
    return text.empty() ? "" : text + ")";
  }

  // Distance from memory, in steps of the path of an access.
  std::size_t distance_of(const sc_core::sc_object& module) const {
    for (std::size_t distance = 0; distance < way_.size(); ++distance)
      for (const sc_core::sc_object* object = &module; object != nullptr; object = object->get_parent_object())
        if (std::find(way_[distance].begin(), way_[distance].end(), object) != way_[distance].end())
          return distance;
    return way_.size();
  }

  void describe_warps(model::sm_if& s) {
    for (const model::warp_slot warp : model::warps_in(s.probe().resident_warps())) {
      const model::warp_status status = s.probe().status_of(warp);
      const bool gone = !status.unfinished && !status.forming && in_flight(s, warp).empty();
      add("{} warp {} ({}): {}\n", s.name(), warp.index(), content_of(status),
          gone ? "has ended" : wait_of(s, warp, status).place);
    }
  }

  // "block 3, warp 1 of it"; "12 threads of block 3, warp 1; 20 of block 5, warp 0".
  static std::string content_of(const model::warp_status& status) {
    if (!status.formed) return fmt::format("block {}, warp {} of it", status.block_id, status.warp_in_block);
    std::string text;
    for (const auto& home : *status.formed)
      text += fmt::format("{}{}{} of block {}, warp {}", text.empty() ? "" : "; ", home.threads,
                          text.empty() ? " threads" : "", home.block_id, home.warp_in_block);
    return text.empty() ? "no threads" : text;
  }

  void describe_queues(const sc_core::sc_object& object) {
    if (const auto* pipe = dynamic_cast<const tlm_bus::pipe_state*>(&object)) {
      if (pipe->occupancy() != 0)
        add("  {}: {} of {} tokens, oldest visible at cycle {} of {}\n", object.name(), pipe->occupancy(),
            pipe->depth(), pipe->oldest_visible_at(), pipe->receiver().domain().name());
    } else {
      describe_port<model::gpu_memory_protocol>(object);
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

  model::chip& chip_;
  const std::vector<std::vector<const sc_core::sc_object*>> way_;
  std::string text_;
  std::map<const model::warp_instruction*, std::string> operation_in_;  // name of the queue
  std::size_t credits_ = 0;                                             // number of pipes that have lost credits
};

}  // namespace

std::string explain_hang(model::chip& chip) {
  chip.clocks.hand_over();
  return hang_report(chip).text();
}

std::string beginning_of_explanation(const std::string& text) {
  constexpr std::ptrdiff_t shown = 24;
  const std::ptrdiff_t lines = std::count(text.begin(), text.end(), '\n');
  if (lines <= shown) return text;
  std::size_t end = 0;
  for (std::ptrdiff_t i = 0; i < shown; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end) + fmt::format("... {} more lines; --out stores all", lines - shown);
}

}  // namespace gt200::observe
