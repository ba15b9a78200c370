#include "observe/trace/search.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/trace/values/operands.h"
#include "sc_models/ids.h"
#include "sc_models/memory_transaction.h"

namespace gt200::observe {
namespace {

constexpr std::uint64_t word_bytes = 4;

// The contents of the log about one id.
struct found_item {
  tlm_bus::femtoseconds first = 0;
  tlm_bus::femtoseconds last = 0;
  bool in_cycles = false;  // an event lies in the wanted cycles
  bool at_address = false;
  // An instruction: valid after it has entered its buffer or completed.
  bool known = false;
  unsigned warp = 0;
  isa::code_address pc = 0;
  std::uint64_t text = 0;  // number of its disassembly; 0 = unknown
  isa::lane_mask executed = 0;
  // A transaction.
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool write = false;
  std::uint64_t instruction = 0;
};

class search final : public log_visitor {
 public:
  search(log_reader& log, const log_search& wanted) : log_(log), wanted_(wanted), core_(log.core_period()) {}

  void time(tlm_bus::femtoseconds t) override {
    now_ = t;
    const tlm_bus::cycle_t cycle = t / core_;
    in_cycles_ = cycle >= wanted_.begin && cycle < wanted_.end;
  }

  void on_event(const event& e) override {
    if (e.id == 0) return;
    const bool is_instruction = model::kind_of_id(e.id) == model::id_kind::instruction;
    if (is_instruction && wanted_.sm && model::unit_of_id(e.id) != *wanted_.sm) return;
    const auto [at, is_new] = items_.try_emplace(e.id);
    found_item& item = at->second;
    if (is_new) item.first = now_;
    item.last = now_;
    item.in_cycles |= in_cycles_;
    if (is_instruction)
      add_to_instruction(item, e);
    else if (e.kind >= event_kind::begin_request && e.kind <= event_kind::end_response)
      add_to_transaction(item, e);
  }

  std::size_t write(std::ostream& to) const {
    std::vector<std::pair<std::uint64_t, const found_item*>> lines;
    for (const auto& [id, item] : items_)
      if (is_wanted(id, item)) lines.emplace_back(id, &item);
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second->first, a.first) < std::pair(b.second->first, b.first);
    });
    for (const auto& [id, item] : lines)
      fmt::print(to, "{:<12} core cycles {:>8} to {:>8}  {}\n", model::text_of_id(id), item->first / core_,
                 item->last / core_, text_of(id, *item));
    fmt::print(to, "{} found\n", lines.size());
    return lines.size();
  }

 private:
  using details = model::transaction_details;

  void add_to_instruction(found_item& item, const event& e) {
    switch (e.kind) {
      case event_kind::entered: item.text = e.detail[4]; [[fallthrough]];
      case event_kind::completed:
        item.known = true;
        item.warp = static_cast<unsigned>(e.detail[0]);
        item.pc = static_cast<isa::code_address>(e.detail[1]);
        if (e.kind == event_kind::completed) item.executed = static_cast<isa::lane_mask>(e.detail[2]);
        break;
      case event_kind::lanes:
        if (wanted_.address) look_at_lanes(item, row_part_of(e));
        break;
      default: break;
    }
  }
  void look_at_lanes(found_item& item, const row_part& part) const {
    if (part.row.what != value_row::role::address) return;
    for (unsigned i = 0; i < row_part::lanes; ++i)
      if ((item.executed >> (part.first_lane + i) & 1) != 0 &&
          part.values[i] / word_bytes == *wanted_.address / word_bytes)
        item.at_address = true;
  }
  void add_to_transaction(found_item& item, const event& e) {
    if (e.details != model::transaction_details::instruction + 1) return;
    item.address = e.detail[details::address];
    item.bytes = e.detail[details::bytes];
    item.write = e.detail[details::write] != 0;
    item.instruction = e.detail[details::instruction];
    if (!wanted_.address || *wanted_.address < item.address || *wanted_.address - item.address >= item.bytes)
      return;
    item.at_address = true;
    if (const auto cause = items_.find(item.instruction); cause != items_.end()) cause->second.at_address = true;
  }

  bool is_wanted(std::uint64_t id, const found_item& item) const {
    if (!item.in_cycles || (wanted_.address && !item.at_address)) return false;
    if (model::kind_of_id(id) == model::id_kind::instruction) return is_of_place(item);
    if (!wanted_.sm && !wanted_.warp && !wanted_.pc) return true;
    const auto cause = items_.find(item.instruction);
    return cause != items_.end() && is_of_place(cause->second);
  }
  // The SM is that of the id; on_event() leaves out the others.
  bool is_of_place(const found_item& instruction) const {
    if (!wanted_.warp && !wanted_.pc) return true;
    return instruction.known && (!wanted_.warp || instruction.warp == *wanted_.warp) &&
           (!wanted_.pc || instruction.pc == *wanted_.pc);
  }

  std::string text_of(std::uint64_t id, const found_item& item) const {
    if (model::kind_of_id(id) == model::id_kind::instruction) {
      if (!item.known) return "";
      return fmt::format("warp {:>2}, pc {:#06x}{}", item.warp, item.pc,
                         item.text == 0 ? std::string() : ": " + log_.text(item.text));
    }
    if (item.bytes == 0) return "";
    return fmt::format("{} of {} bytes at {:#x}{}", item.write ? "write" : "read", item.bytes, item.address,
                       item.instruction == 0 ? std::string() : " for " + model::text_of_id(item.instruction));
  }

  const log_reader& log_;
  const log_search& wanted_;
  const tlm_bus::femtoseconds core_;
  std::unordered_map<std::uint64_t, found_item> items_;
  tlm_bus::femtoseconds now_ = 0;
  bool in_cycles_ = false;
};

}  // namespace

std::size_t write_found(log_reader& log, const log_search& wanted, std::ostream& to) {
  search visitor(log, wanted);
  log.read(visitor);
  return visitor.write(to);
}

}  // namespace gt200::observe
