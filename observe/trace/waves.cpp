#include "observe/trace/waves.h"

#include <algorithm>

#include "observe/trace/glob.h"
#include "observe/trace/real.h"
#include "sc_models/ids.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using tlm_bus::femtoseconds;

constexpr std::size_t not_shown = ~std::size_t{0};

class conversion final : public log_visitor {
 public:
  conversion(log_reader& log, wave_writer& to, const std::vector<std::string>& scope)
      : log_(log), definitions_(log.definitions()), to_(to) {
    std::vector<wave_signal> waves;
    for (const logged_domain& d : definitions_.domains) {
      clocks_.push_back({waves.size(), d.period, definitions_.begin / d.period * d.period});
      waves.push_back({d.name + ".clock", 1});
      waves.push_back({d.name + ".cycle", 64});
    }
    const std::size_t clocks = waves.size();
    shown_.assign(definitions_.signals.size(), not_shown);
    for (std::size_t i = 0; i < definitions_.signals.size(); ++i) {
      const logged_signal& s = definitions_.signals[i];
      if (!matches_any(scope, s.path)) continue;
      shown_[i] = waves.size();
      waves.push_back(declared(s));
    }
    if (waves.size() == clocks && !scope.empty())
      throw input_error("no signal in the log matches " + listed(scope));
    to_.begin(waves);
  }

  void time(femtoseconds t) override {
    show_clocks_before(t);
    begin_instant(t);
  }
  void value(std::uint32_t signal, std::uint64_t v) override {
    if (signal >= shown_.size() || shown_[signal] == not_shown) return;
    switch (definitions_.signals[signal].kind) {
      case tlm_bus::signal_kind::text: to_.text(shown_[signal], log_.text(v)); break;
      case tlm_bus::signal_kind::identifier: to_.text(shown_[signal], model::text_of_id(v)); break;
      case tlm_bus::signal_kind::real:
        to_.real(shown_[signal], real_of(v, definitions_.signals[signal].bits));
        break;
      default: to_.number(shown_[signal], v);
    }
  }

 private:
  struct clock {
    std::size_t signal;  // the signal of the cycle number is the next one
    femtoseconds period;
    femtoseconds edge;  // the next rising or falling edge
    bool high = false;
    femtoseconds half() const { return period / 2; }
  };
  static wave_signal declared(const logged_signal& s) {
    switch (s.kind) {
      case tlm_bus::signal_kind::text:
      case tlm_bus::signal_kind::identifier: return {s.path, 0, wave_type::text};
      case tlm_bus::signal_kind::word: return {s.path, s.bits, wave_type::reg};
      case tlm_bus::signal_kind::real: return {s.path, s.bits, wave_type::real};
      default: return {s.path, s.bits};
    }
  }
  // Writes the clocks of an instant at which a signal changes as well.
  void begin_instant(femtoseconds t) {
    if (begun_ && t == now_) return;
    to_.time(t);
    now_ = t;
    for (clock& c : clocks_) {
      if (!begun_) show(c);
      if (c.edge == t) toggle(c);
    }
    begun_ = true;
  }
  // Shows a clock at the start of the recording.
  void show(const clock& c) {
    to_.number(c.signal + 1, now_ / c.period);
    to_.number(c.signal, now_ % c.period < c.half() ? 1 : 0);
  }
  // In a gap of more cycles than that clocks stand still: nobody looks at them, and the file would have no end.
  static constexpr femtoseconds longest_gap = 1 << 20;

  void show_clocks_before(femtoseconds t) {
    for (clock& c : clocks_)
      if (c.edge < t && (t - c.edge) / c.period > longest_gap) c.edge += (t - c.edge) / c.period * c.period;
    for (;;) {
      femtoseconds next = t;
      for (const clock& c : clocks_) next = std::min(next, c.edge);
      if (next == t) return;
      // Edges before the recording only update the state of the clock.
      if (next < definitions_.begin) {
        for (clock& c : clocks_)
          if (c.edge == next) skip(c);
        continue;
      }
      begin_instant(next);
    }
  }
  void toggle(clock& c) {
    if (!c.high) to_.number(c.signal + 1, c.edge / c.period);
    to_.number(c.signal, c.high ? 0 : 1);
    skip(c);
  }
  static void skip(clock& c) {
    c.edge += c.high ? c.period - c.half() : c.half();
    c.high = !c.high;
  }

  log_reader& log_;
  const log_definitions& definitions_;
  wave_writer& to_;
  std::vector<std::size_t> shown_;  // by signal of the log
  std::vector<clock> clocks_;
  femtoseconds now_ = 0;
  bool begun_ = false;
};

}  // namespace

void write_waves(log_reader& log, wave_writer& to, const std::vector<std::string>& scope) {
  conversion visitor(log, to, scope);
  log.read(visitor);
  to.close();
}

}  // namespace gt200::observe
