#include "sc_models/sm/volta/register_interlock.h"

#include <algorithm>

#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

using isa::register_file_kind;

constexpr unsigned first_predicate = 256;
constexpr unsigned predicate_file = 7;  // the eighth is always true
constexpr unsigned all_places = first_predicate + 8;

// Calls act(index of the place, latency class) for every register and predicate that the instruction reads; stops
// where it returns true, and returns whether it did.
template <class Action>
bool any_source(const isa::instruction& i, Action act) {
  for (unsigned k = 0; k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned base = t.file == register_file_kind::condition ? first_predicate : 0;
    for (unsigned word = 0; word < t.count; ++word)
      if (act(base + t.first + word, t.latency_class)) return true;
  }
  if (i.reads_predicate_file)
    for (unsigned p = 0; p < predicate_file; ++p)
      if (act(first_predicate + p, std::uint8_t{0})) return true;
  return false;
}

// The same for what it writes.
template <class Action>
bool any_result(const isa::instruction& i, Action act) {
  for (unsigned k = 0; k < i.result_count; ++k) {
    const isa::register_transfer& t = i.results[k];
    const unsigned base = t.file == register_file_kind::condition ? first_predicate : 0;
    for (unsigned word = 0; word < t.count; ++word)
      if (act(base + t.first + word, t.latency_class)) return true;
  }
  if (i.writes_predicate_file)
    for (unsigned p = 0; p < predicate_file; ++p)
      if (act(first_predicate + p, std::uint8_t{0})) return true;
  return false;
}

}  // namespace

stall_cause register_interlock::waits_for(warp_slot warp, const isa::instruction& oldest) const {
  const warp_state& w = warps_[warp];
  stall_cause cause = stall_cause::none;
  if (w.places.empty()) return cause;
  const auto is_written = [&](unsigned index, std::uint8_t) {
    if (w.places[index].writers == 0) return false;
    cause = w.places[index].writer;
    return true;
  };
  const auto is_read = [&](unsigned index, std::uint8_t) {
    if (w.places[index].readers == 0) return false;
    cause = w.places[index].reader;
    return true;
  };
  if (!any_source(oldest, is_written) && !any_result(oldest, is_written)) any_result(oldest, is_read);
  return cause;
}

// From when on the reader can take all that it reads of the writer's results.
core_cycle register_interlock::bypassed_at(const fixed_result& writer, const isa::instruction& reader) const {
  core_cycle at;
  any_result(*writer.instruction, [&](unsigned written, std::uint8_t writer_class) {
    return any_source(reader, [&](unsigned read, std::uint8_t reader_class) {
      if (read == written) {
        const auto& cycles = written >= first_predicate ? table_.predicates : table_.registers;
        at = std::max(at, writer.read_slot + core_cycles(cycles[writer_class][reader_class]));
      }
      return false;
    });
  });
  return at;
}

core_cycle register_interlock::open_at(warp_slot warp, const isa::instruction& oldest, core_cycle now) const {
  if (waits_for(warp, oldest) != stall_cause::none) return core_cycle::never();
  core_cycle at = now;
  for (const fixed_result& writer : warps_[warp].results)
    if (writer.read_slot + core_cycles(table_.longest) > now) at = std::max(at, bypassed_at(writer, oldest));
  return at;
}

void register_interlock::started(warp_slot warp) {
  warps_[warp].places.assign(all_places, {});
  warps_[warp].results.clear();
}

void register_interlock::issued(warp_slot warp, const isa::instruction& instruction, core_cycle read_slot,
                                bool varies) {
  warp_state& w = warps_[warp];
  if (!varies) {
    // All results are bypassed or written by then.
    w.results.erase(std::remove_if(w.results.begin(), w.results.end(),
                                   [&](const fixed_result& r) {
                                     return r.read_slot + core_cycles(table_.longest) <= read_slot;
                                   }),
                    w.results.end());
    if (instruction.result_count != 0 || instruction.writes_predicate_file)
      w.results.push_back({&instruction, read_slot});
    return;
  }
  stall_cause cause = cause_of_result(instruction);
  if (cause == stall_cause::none) cause = stall_cause::dependency_control;
  any_source(instruction, [&](unsigned index, std::uint8_t) {
    ++w.places[index].readers;
    w.places[index].reader = cause;
    return false;
  });
  any_result(instruction, [&](unsigned index, std::uint8_t) {
    ++w.places[index].writers;
    w.places[index].writer = cause;
    return false;
  });
}

void register_interlock::has_read(warp_slot warp, const isa::instruction& instruction) {
  any_source(instruction, [&](unsigned index, std::uint8_t) {
    --warps_[warp].places[index].readers;
    return false;
  });
}

void register_interlock::has_written(warp_slot warp, const isa::instruction& instruction) {
  any_result(instruction, [&](unsigned index, std::uint8_t) {
    --warps_[warp].places[index].writers;
    return false;
  });
}

}  // namespace gt200::model
