#include "observe/trace/life.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "observe/trace/glob.h"
#include "sc_models/ids.h"

namespace gt200::observe {
namespace {

constexpr double femtoseconds_per_nanosecond = 1e6;

class life final : public log_visitor {
 public:
  life(log_reader& log, std::uint64_t id, std::ostream& to) : log_(log), id_(id), to_(to) {
    for (const logged_domain& d : log.definitions().domains)
      if (matches("*.core", d.name)) core_ = d.period;
  }
  void time(tlm_bus::femtoseconds t) override { now_ = t; }
  void on_event(const event& e) override {
    const bool for_it = is_transaction(e) && e.detail[5] == id_;
    if (e.id != id_ && !for_it) return;
    found_ = true;
    fmt::print(to_, "core cycle {:>8}  {:>12.3f} ns  {:<16} {:<52} {}\n", now_ / core_,
               static_cast<double>(now_) / femtoseconds_per_nanosecond, name_of(e.kind),
               log_.definitions().places.at(e.place), details_of(e));
  }
  bool found() const { return found_; }

 private:
  // An access to memory; the details of a transaction over a socket are numbers of its payload.
  static bool is_transaction(const event& e) { return e.kind != event_kind::transported && e.details == 6; }
  std::string details_of(const event& e) const {
    if (is_transaction(e))
      return fmt::format("{}: {} of {} bytes at {:#x}", model::text_of_id(e.id),
                         e.detail[2] != 0 ? "write" : "read", e.detail[1], e.detail[0]);
    if (e.kind == event_kind::transported) {
      std::string numbers;
      for (unsigned i = 0; i < e.details; ++i) numbers += fmt::format("{}{:#x}", i == 0 ? "" : " ", e.detail[i]);
      return numbers;
    }
    if (e.kind == event_kind::entered)
      return fmt::format("warp {}, pc {:#x}, {}, waits for entries {:#x}, takes {:#x}", e.detail[0], e.detail[1],
                         log_.text(e.detail[4]), e.detail[2], e.detail[3]);
    if (e.kind == event_kind::completed)
      return fmt::format("warp {}, pc {:#x}, lanes {:#010x}{}", e.detail[0], e.detail[1], e.detail[2],
                         e.detail[3] != 0 ? ", fault" : "");
    if (e.details == 3) return fmt::format("warp {}, {} bytes at {:#x}", e.detail[0], e.detail[2], e.detail[1]);
    return fmt::format("warp {}, pc {:#x}", e.detail[0], e.detail[1]);
  }

  log_reader& log_;
  std::uint64_t id_;
  std::ostream& to_;
  tlm_bus::femtoseconds core_ = 1;
  tlm_bus::femtoseconds now_ = 0;
  bool found_ = false;
};

}  // namespace

bool write_life(log_reader& log, std::uint64_t id, std::ostream& to) {
  life visitor(log, id, to);
  log.read(visitor);
  return visitor.found();
}

}  // namespace gt200::observe
