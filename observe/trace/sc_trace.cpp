#include "observe/trace/sc_trace.h"

#include <algorithm>

#include "observe/trace/catalog.h"
#include "observe/trace/real.h"
#include "sc_models/ids.h"
#include "tlm_bus/clocking.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using tlm_bus::signal_kind;

bool is_text(signal_kind kind) { return kind == signal_kind::text || kind == signal_kind::identifier; }

void put_text(traced_signal& to, const std::string& text) {
  constexpr unsigned characters = traced_signal::text_characters;
  constexpr unsigned bits = traced_signal::character_bits;
  for (unsigned i = 0; i < characters; ++i) {
    const auto c = static_cast<unsigned char>(i < text.size() ? text[i] : 0);
    for (unsigned bit = 0; bit < bits; ++bit)
      to.text.set_bit(static_cast<int>((characters - 1 - i) * bits + bit),
                      (c >> bit & 1) != 0 ? sc_dt::Log_1 : sc_dt::Log_0);
  }
}

}  // namespace

class traced_signals::state final : private tlm_bus::instant_observer, private probe_listener {
 public:
  state(model::chip& chip, const std::vector<std::string>& signals, const std::vector<std::string>& values)
      : clocks_(chip.clocks), catalog_(chip, *this, values) {
    choose(signals, values);
    for (std::size_t place = 0; place < catalog_.probes().size(); ++place) {
      const std::uint32_t source = catalog_.source_of_place()[place];
      if (source != catalog::no_source && is_read_[source]) catalog_.probes()[place]->attach();
    }
    for (const auto& watch : catalog_.watches()) watch->attach();
    read();
    clocks_.observers().attach(*this);
  }
  ~state() override {
    clocks_.observers().detach(*this);
    for (const auto& p : catalog_.probes()) p->detach();
    for (const auto& watch : catalog_.watches()) watch->detach();
  }

  std::deque<traced_signal> chosen;

 private:
  // A source with a chosen signal: its last values, and for each signal where it goes (null: not chosen).
  struct read_source {
    const source* of;
    std::vector<std::uint64_t> values;
    std::vector<traced_signal*> to;
  };

  void choose(const std::vector<std::string>& signals, const std::vector<std::string>& values) {
    bool found[] = {signals.empty(), values.empty()};
    for (const source& s : catalog_.sources()) {
      read_source reading{&s, std::vector<std::uint64_t>(s.count), std::vector<traced_signal*>(s.count)};
      bool any = false;
      for (std::uint32_t i = 0; i < s.count; ++i) {
        const catalogued_signal& signal = catalog_.signals()[s.first + i];
        if (!matches_any(s.on_request ? values : signals, signal.path)) continue;
        any = found[s.on_request ? 1 : 0] = true;
        reading.to[i] = &add(signal);
      }
      is_read_.push_back(any);
      if (any) sources_.push_back(std::move(reading));
    }
    if (!found[0]) throw input_error("no signal of the chip matches " + listed(signals));
    if (!found[1]) throw input_error("no value of the chip matches " + listed(values));
  }
  traced_signal& add(const catalogued_signal& signal) {
    traced_signal& added = chosen.emplace_back();
    added.path = signal.path;
    added.is_real = signal.about.kind == signal_kind::real;
    if (!is_text(signal.about.kind) && !added.is_real) added.bits = signal.about.bits;
    return added;
  }

  // probe_listener and instant_observer
  void on_event(const event&) override {}
  void touched(std::uint32_t) override {}
  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t*) override {
    for (const read_source& s : sources_)
      if (s.of->timed != nullptr) s.of->timed->show_at(domain.now());
  }
  void instant_ends(tlm_bus::femtoseconds) override { read(); }

  void read() {
    for (read_source& s : sources_) {
      std::vector<std::uint64_t> before = s.values;
      tlm_bus::signal_writer writer(s.values.data());
      s.of->publisher->publish(writer);
      for (std::uint32_t i = 0; i < s.of->count; ++i)
        if (s.to[i] != nullptr && (s.values[i] != before[i] || !has_read_))
          set(*s.to[i], s.of->first + i, s.values[i]);
    }
    has_read_ = true;
  }
  void set(traced_signal& to, std::uint32_t number, std::uint64_t value) const {
    const tlm_bus::signal_description& about = catalog_.signals()[number].about;
    switch (about.kind) {
      case signal_kind::text: return put_text(to, about.meaning(value));
      case signal_kind::identifier: return put_text(to, model::text_of_id(value));
      case signal_kind::real: to.real = real_of(value, about.bits); return;
      default: to.number = value;
    }
  }

  tlm_bus::clocking& clocks_;
  catalog catalog_;
  std::vector<bool> is_read_;  // by source of the catalogue
  std::vector<read_source> sources_;
  bool has_read_ = false;
};

traced_signals::traced_signals(model::chip& chip, const std::vector<std::string>& signals,
                               const std::vector<std::string>& values)
    : state_(std::make_unique<state>(chip, signals, values)) {}
traced_signals::~traced_signals() = default;

const std::deque<traced_signal>& traced_signals::all() const { return state_->chosen; }

const traced_signal& traced_signals::at(const std::string& path) const {
  const auto found =
      std::find_if(all().begin(), all().end(), [&](const traced_signal& signal) { return signal.path == path; });
  if (found == all().end()) throw input_error("'" + path + "' is not among the traced signals");
  return *found;
}

void sc_trace(sc_core::sc_trace_file* file, const traced_signal& signal, const std::string& name) {
  if (signal.is_real)
    sc_core::sc_trace(file, signal.real, name);
  else if (signal.bits == 0)
    sc_core::sc_trace(file, signal.text, name);
  else
    sc_core::sc_trace(file, signal.number, name, static_cast<int>(signal.bits));
}

void sc_trace(sc_core::sc_trace_file* file, const traced_signals& signals, const std::string& prefix) {
  for (const traced_signal& signal : signals.all()) sc_trace(file, signal, prefix + signal.path);
}

}  // namespace gt200::observe
