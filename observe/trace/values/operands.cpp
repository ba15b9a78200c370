#include "observe/trace/values/operands.h"

#include <fmt/format.h>

namespace gt200::observe {
namespace {

using role = value_row::role;

constexpr unsigned words_per_operand = 4;

class operand_probe final : public probe, private model::write_back_observer {
 public:
  operand_probe(const write_back_tap& unit, const arch_state::generation& generation, std::uint32_t place,
                probe_listener& listener)
      : unit_(unit), generation_(generation), place_(place), listener_(listener) {}
  ~operand_probe() override { detach(); }
  void attach() override { unit_.tap.attach(*this); }
  void detach() override { unit_.tap.detach(*this); }

 private:
  void completed(const sc_core::sc_object& unit, const model::warp_instruction& operation) override {
    if (&unit != &unit_.module) return;
    const isa::instruction& i = *operation.instruction;
    const isa::lane_bundle& values = operation.values;
    for (unsigned slot = 0; slot < 3; ++slot)
      for (unsigned word = 0; word < generation_.operand_words(i, slot); ++word)
        report(operation, role::operand, slot * words_per_operand + word, values.source[slot][word].lane);
    if (i.access.has_address()) report(operation, role::address, 0, values.address.lane);
    if (reads_predicate(i)) report(operation, role::predicate_read, 0, values.flags_in);
    if (operation.fault != arch_state::fault_kind::none) return;
    const arch_state::register_writes results = arch_state::results_of(i, values);
    for (const isa::register_transfer& result : results) report(operation, results, result);
  }
  void report(const model::warp_instruction& operation, const arch_state::register_writes& results,
              const isa::register_transfer& r) {
    switch (r.file) {
      case isa::register_file_kind::gpr:
        for (unsigned k = 0; k < r.count; ++k)
          report(operation, role_of(r.part), r.first + k, results.row<const isa::lane_words>(r)[k].lane);
        return;
      case isa::register_file_kind::condition:
        return report(operation, role::predicate, r.first, results.row<const std::uint8_t>(r));
      case isa::register_file_kind::address:
        return report(operation, role::address_register, r.first, results.row<const std::uint16_t>(r));
    }
  }
  static role role_of(isa::register_part part) {
    switch (part) {
      case isa::register_part::low: return role::low_half;
      case isa::register_part::high: return role::high_half;
      case isa::register_part::whole: break;
    }
    return role::general;
  }
  static bool reads_predicate(const isa::instruction& i) {
    for (unsigned r = 0; r < i.read_count; ++r)
      if (i.reads[r].file == isa::register_file_kind::condition) return true;
    return false;
  }
  // A predicate decides which of the active lanes execute, so it is shown for all of them.
  template <class Value>
  void report(const model::warp_instruction& operation, role what, unsigned number, const Value* lanes) {
    const isa::lane_mask shown = what == role::predicate_read ? operation.active : operation.executed;
    for (unsigned first = 0; first < isa::warp_size; first += row_part::lanes) {
      row_part part{{what, static_cast<std::uint8_t>(number)}, first, {}};
      for (unsigned lane = 0; lane < row_part::lanes; ++lane)
        if ((shown >> (first + lane) & 1) != 0) part.values[lane] = lanes[first + lane];
      event e;
      e.place = place_;
      e.kind = event_kind::lanes;
      e.id = operation.id;
      put(e, part);
      listener_.on_event(e);
    }
  }

  write_back_tap unit_;
  const arch_state::generation& generation_;
  std::uint32_t place_;
  probe_listener& listener_;
};

}  // namespace

std::string text_of(const value_row& row) {
  switch (row.what) {
    case role::operand: {
      const unsigned word = row.number % words_per_operand;
      return fmt::format("operand {}{}", row.number / words_per_operand + 1,
                         word == 0 ? "" : fmt::format(".{}", word));
    }
    case role::address: return "address";
    case role::predicate_read: return "predicate";
    case role::general: return fmt::format("$r{}", row.number);
    case role::low_half: return fmt::format("$r{}l", row.number);
    case role::high_half: return fmt::format("$r{}h", row.number);
    case role::predicate: return fmt::format("$c{}", row.number);
    case role::address_register: return fmt::format("$a{}", row.number);
  }
  return "";
}

void put(tlm_bus::event_details& event, const row_part& part) {
  event.add(static_cast<std::uint64_t>(part.row.what) | std::uint64_t{part.row.number} << 8 |
            std::uint64_t{part.first_lane} << 16);
  for (unsigned lane = 0; lane < row_part::lanes; lane += 2)
    event.add(part.values[lane] | std::uint64_t{part.values[lane + 1]} << 32);
}

row_part row_part_of(const tlm_bus::event_details& event) {
  row_part part;
  part.row = {static_cast<role>(event.detail[0] & 0xff), static_cast<std::uint8_t>(event.detail[0] >> 8)};
  part.first_lane = event.detail[0] >> 16 & (isa::warp_size - 1) & ~(row_part::lanes - 1);
  for (unsigned lane = 0; lane < row_part::lanes; lane += 2) {
    part.values[lane] = static_cast<std::uint32_t>(event.detail[1 + lane / 2]);
    part.values[lane + 1] = static_cast<std::uint32_t>(event.detail[1 + lane / 2] >> 32);
  }
  return part;
}

std::unique_ptr<probe> make_operand_probe(const write_back_tap& unit, const arch_state::generation& generation,
                                          std::uint32_t place, probe_listener& listener) {
  return std::make_unique<operand_probe>(unit, generation, place, listener);
}

}  // namespace gt200::observe
