#include "observe/trace/life.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "observe/trace/event_text.h"
#include "observe/trace/formed_threads.h"
#include "observe/trace/glob.h"
#include "observe/trace/values/operands.h"
#include "sc_models/ids.h"

namespace gt200::observe {
namespace {

constexpr double femtoseconds_per_nanosecond = 1e6;

class life final : public log_visitor {
 public:
  life(log_reader& log, std::uint64_t id, std::ostream& to)
      : log_(log), id_(id), to_(to), formed_(log.definitions()) {
    for (const logged_domain& d : log.definitions().domains)
      if (matches("*.core", d.name)) core_ = d.period;
  }
  void time(tlm_bus::femtoseconds t) override { now_ = t; }
  void on_event(const event& e) override {
    if (e.kind == event_kind::lanes) {
      if (e.id == id_) add_values(e);
      return;
    }
    const bool for_it = is_transaction(e) && e.detail[5] == id_;
    if (e.id != id_ && !for_it) return;
    found_ = true;
    if (e.kind == event_kind::entered) is_float_ = log_.text(e.detail[4]).find("f32") != std::string::npos;
    if (e.kind == event_kind::completed) executed_ = static_cast<isa::lane_mask>(e.detail[2]);
    fmt::print(to_, "core cycle {:>8}  {:>12.3f} ns  {:<16} {:<52} {}\n", now_ / core_,
               static_cast<double>(now_) / femtoseconds_per_nanosecond, name_of(e.kind),
               log_.definitions().places.at(e.place), details_of(e));
  }
  void value(std::uint32_t signal, std::uint64_t v) override { formed_.value(signal, v); }
  bool found() const { return found_; }
  // The operands and results, lane by lane.
  void write_values() const {
    if (columns_.empty()) return;
    fmt::print(to_, "\n  lane");
    for (const column& c : columns_) fmt::print(to_, "  {:<{}}", text_of(c.row), column_width);
    fmt::print(to_, "\n");
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
      if ((executed_ >> lane & 1) == 0) continue;
      fmt::print(to_, "  {:>4}", lane);
      for (const column& c : columns_) fmt::print(to_, "  {:<{}}", text_of_value(c, c.lanes[lane]), column_width);
      fmt::print(to_, "\n");
    }
  }

 private:
  static constexpr unsigned column_width = 26;
  struct column {
    value_row row;
    std::array<std::uint32_t, isa::warp_size> lanes{};
  };
  void add_values(const event& e) {
    const row_part part = row_part_of(e);
    if (part.first_lane == 0) columns_.push_back({part.row, {}});
    if (columns_.empty()) return;
    std::copy(part.values.begin(), part.values.end(), columns_.back().lanes.begin() + part.first_lane);
  }
  // Bits, and what they mean as a number: in an instruction on f32 a float, else a signed integer.
  std::string text_of_value(const column& c, std::uint32_t bits) const {
    if (c.row.what != value_row::role::operand && c.row.what != value_row::role::general)
      return fmt::format("{:#x}", bits);
    if (!is_float_) return fmt::format("{:#010x} {}", bits, static_cast<std::int32_t>(bits));
    float number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return fmt::format("{:#010x} {}", bits, number);
  }
  std::string threads_of(const event& e) const {
    const std::string& buffer = log_.definitions().places.at(e.place);
    const std::string threads =
        formed_.text(buffer.substr(0, buffer.rfind('.')), static_cast<unsigned>(e.detail[0]));
    return threads.empty() ? "" : ", threads " + threads;
  }
  std::string details_of(const event& e) const {
    return details_text(e, log_) + (e.kind == event_kind::entered ? threads_of(e) : "");
  }

  log_reader& log_;
  std::uint64_t id_;
  std::ostream& to_;
  formed_threads formed_;
  tlm_bus::femtoseconds core_ = 1;
  tlm_bus::femtoseconds now_ = 0;
  bool found_ = false;
  bool is_float_ = false;
  isa::lane_mask executed_ = 0;
  std::vector<column> columns_;  // in the order in which they were recorded
};

}  // namespace

bool write_life(log_reader& log, std::uint64_t id, std::ostream& to) {
  life visitor(log, id, to);
  log.read(visitor);
  visitor.write_values();
  return visitor.found();
}

}  // namespace gt200::observe
