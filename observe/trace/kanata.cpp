#include "observe/trace/kanata.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <unordered_map>

#include "observe/trace/formed_threads.h"
#include "observe/trace/glob.h"
#include "observe/trace/sm_path.h"
#include "sc_models/ids.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

constexpr std::uint64_t longest_fetch = 16;  // bytes: two long instructions
constexpr unsigned entries = 64;             // bits of a dependency vector

struct stage_pattern {
  const char* place;
  const char* stage;
};
// The stage that an instruction begins when it enters a pipe.
constexpr std::array<stage_pattern, 20> stages = {{
    {"*.operand_collector.from_*", "Rd"},
    {"*.operand_path.from_*", "Rd"},
    {"*.shared_memory.in", "Sh"},
    {"*.branch.in", "Br"},
    {"*.barrier.in", "Ba"},
    {"*.stack_memory.in", "St"},
    {"*.memory_port.in", "MP"},
    {"*.memory_port.from_stack", "MP"},
    {"*.memory.sm_controller.from_sm*", "SC"},
    {"*.memory.sm_controller.from_load_store_queue", "Rp"},
    {"*.memory.sm_controller.from_texture", "Rp"},
    {"*.memory.address_generation.from_sm_controller", "AG"},
    {"*.memory.tlb.from_address_generation", "TL"},
    {"*.memory.coalescer.from_tlb", "CO"},
    {"*.memory.load_store_queue.from_coalescer", "LQ"},
    {"*.texture.address.*", "TA"},
    {"*.texture.l1.*", "TC"},
    {"*.texture.filter.*", "TF"},
    {"*.write_back.from_memory", "Rp"},
    {"*.decode.in", "D"},
}};

// How the view shows a unit: its name in capitals.
std::string label_of(std::string_view unit) {
  std::string label(unit);
  for (char& c : label)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return label;
}

// The stage for the pipe with this path; empty if entering it begins no stage.
std::string stage_of(const std::string& path) {
  constexpr std::string_view units = ".execution_units.";
  if (matches("*.execution_units.*.from_*", path)) {
    const std::size_t name = path.find(units) + units.size();
    return label_of(std::string_view(path).substr(name, path.find('.', name) - name));
  }
  for (const stage_pattern& s : stages)
    if (matches(s.place, path)) return s.stage;
  return "";
}

class view final : public log_visitor {
 public:
  view(log_reader& log, std::ostream& to, const std::vector<std::string>& scope)
      : log_(log), to_(to), formed_(log.definitions()) {
    const log_definitions& definitions = log.definitions();
    for (const logged_domain& d : definitions.domains)
      if (matches("*.core", d.name)) period_ = d.period;
    for (const std::string& path : definitions.places) places_.push_back(place_of(path, scope));
    if (std::none_of(places_.begin(), places_.end(), [](const place& p) { return p.kind != place::role::none; }))
      throw input_error("no SM in the log matches " + listed(scope));
    for (const logged_signal& s : definitions.signals) states_.push_back(state_signal_of(s.path));
    fmt::print(to_, "Kanata\t0004\n");
  }

  void time(tlm_bus::femtoseconds t) override {
    now_ = t / period_;
    if (begun_) return;
    fmt::print(to_, "C=\t{}\n", now_);
    begun_ = true;
    cycle_ = now_;
  }

  void on_event(const event& e) override {
    if (e.place >= places_.size()) return;
    const place& p = places_[e.place];
    if (p.kind == place::role::fetch && e.kind == event_kind::sent) return fetched(p.sm, e);
    if (p.kind == place::role::decode) {
      for (const std::uint64_t number : lines_of_token(p.sm, e))
        if (e.kind == event_kind::sent) stage(lines_[number], "D");
      return;
    }
    if (e.id == 0 || model::kind_of_id(e.id) != model::id_kind::instruction) return;
    if (p.kind == place::role::buffer) return entered(p.sm, e);
    const auto found = line_of_id_.find(e.id);
    if (found == line_of_id_.end()) return;
    line& l = lines_[found->second];
    if (e.kind == event_kind::sent && !p.stage.empty()) {
      if (p.issue) issued(l);
      stage(l, p.stage);
    } else if (e.kind == event_kind::taken && p.kind == place::role::write_back) {
      stage(l, "Wb");
    } else if (e.kind == event_kind::completed) {
      leave(l, false);
      lines_.erase(found->second);
      line_of_id_.erase(found);
    }
  }

  void value(std::uint32_t signal, std::uint64_t v) override {
    formed_.value(signal, v);
    if (signal >= states_.size() || states_[signal].warp < 0) return;
    warp_state& warp = warps_[{states_[signal].sm, static_cast<unsigned>(states_[signal].warp)}];
    const std::string& text = log_.text(v);
    warp.state = text == "issued" ? "" : text;
    show_cause(warp);
  }

 private:
  struct place {
    enum class role : std::uint8_t { none, fetch, decode, buffer, write_back } kind = role::none;
    bool issue = false;
    std::string stage;
    std::string sm;
  };
  struct state_signal {
    std::string sm;
    int warp = -1;
  };
  struct line {
    std::uint64_t number = 0;
    std::string sm;
    unsigned warp = 0;
    std::string stage;  // open in lane 0
    std::string cause;  // open in lane 1
  };
  // A fetch in progress, and the lines of its instructions that have not entered a buffer yet.
  struct fetch {
    std::uint64_t pc = 0;
    std::deque<std::uint64_t> lines;
  };
  struct warp_state {
    std::deque<fetch> fetches;
    std::deque<std::uint64_t> buffered;  // lines, oldest first
    std::string state;
    std::uint64_t shown = 0;                        // line that currently shows a cause; 0 = none
    std::array<std::uint64_t, entries> producer{};  // line by scoreboard entry
  };
  using warp_key = std::pair<std::string, unsigned>;

  static place place_of(const std::string& path, const std::vector<std::string>& scope) {
    place p;
    p.sm = sm_in(path);
    const bool in_scope = p.sm.empty() || matches_any(scope, p.sm + ".");
    p.stage = stage_of(path);
    p.issue = is_issue_pipe(path);
    if (!in_scope) return p;
    if (matches("*.icache.requests", path)) p.kind = place::role::fetch;
    if (matches("*.decode.in", path)) p.kind = place::role::decode;
    if (matches("*.instruction_buffer", path)) p.kind = place::role::buffer;
    if (matches("*.write_back.from_*", path)) p.kind = place::role::write_back;
    return p;
  }
  static state_signal state_signal_of(const std::string& path) {
    state_signal s;
    if (!matches("*.issue.warp_*.state", path)) return s;
    s.sm = sm_in(path);
    s.warp = static_cast<int>(number_at(path, path.rfind("warp_") + 5));
    return s;
  }

  // Prints a line of the view, in front of it the time that has passed since the last one.
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (now_ != cycle_) fmt::print(to_, "C\t{}\n", now_ - cycle_);
    cycle_ = now_;
    fmt::print(to_, format, std::forward<Arguments>(arguments)...);
  }
  std::uint64_t open(const std::string& sm, unsigned warp, const char* first_stage) {
    const std::uint64_t number = ++opened_;
    const auto thread = static_cast<unsigned>(sm_numbers_.try_emplace(sm, sm_numbers_.size()).first->second) * 64;
    print("I\t{}\t{}\t{}\n", number, number, thread + warp);
    line& l = lines_[number];
    l = {number, sm, warp, "", ""};
    stage(l, first_stage);
    return number;
  }
  void stage(line& l, const std::string& name) {
    if (l.stage == name) return;
    if (!l.stage.empty()) print("E\t{}\t0\t{}\n", l.number, l.stage);
    l.stage = name;
    if (!name.empty()) print("S\t{}\t0\t{}\n", l.number, name);
  }
  void cause(line& l, const std::string& name) {
    if (l.cause == name) return;
    if (!l.cause.empty()) print("E\t{}\t1\t{}\n", l.number, l.cause);
    l.cause = name;
    if (!name.empty()) print("S\t{}\t1\t{}\n", l.number, name);
  }
  void leave(line& l, bool flushed) {
    stage(l, "");
    cause(l, "");
    print("R\t{}\t{}\t{}\n", l.number, flushed ? 0 : ++retired_, flushed ? 1 : 0);
  }
  void flush(std::uint64_t number) {
    leave(lines_[number], true);
    lines_.erase(number);
  }
  void show_cause(warp_state& warp) {
    const std::uint64_t oldest = warp.buffered.empty() ? 0 : warp.buffered.front();
    if (warp.shown != oldest && lines_.count(warp.shown) != 0) cause(lines_[warp.shown], "");
    warp.shown = oldest;
    if (oldest != 0) cause(lines_[oldest], warp.state);
  }

  void fetched(const std::string& sm, const event& e) {
    fetch f;
    f.pc = e.detail[1];
    const auto warp = static_cast<unsigned>(e.detail[0]);
    for (std::uint64_t i = 0; i < e.detail[2]; ++i) f.lines.push_back(open(sm, warp, "F"));
    warps_[{sm, warp}].fetches.push_back(std::move(f));
  }
  // The lines of the youngest fetch of this address.
  std::deque<std::uint64_t> lines_of_token(const std::string& sm, const event& e) {
    auto& fetches = warps_[{sm, static_cast<unsigned>(e.detail[0])}].fetches;
    for (auto f = fetches.rbegin(); f != fetches.rend(); ++f)
      if (f->pc == e.detail[1]) return f->lines;
    return {};
  }
  // The line of the instruction that enters the buffer. Older lines that have not entered are flushed.
  std::uint64_t take_fetched(const std::string& sm, unsigned warp_number, std::uint64_t pc) {
    auto& fetches = warps_[{sm, warp_number}].fetches;
    const auto found = std::find_if(fetches.rbegin(), fetches.rend(),
                                    [&](const fetch& f) { return !f.lines.empty() && pc - f.pc < longest_fetch; });
    if (found == fetches.rend()) return open(sm, warp_number, "D");
    while (&fetches.front() != &*found) {
      for (const std::uint64_t number : fetches.front().lines) flush(number);
      fetches.pop_front();
    }
    const std::uint64_t number = fetches.front().lines.front();
    fetches.front().lines.pop_front();
    if (fetches.front().lines.empty()) fetches.pop_front();
    return number;
  }
  void entered(const std::string& sm, const event& e) {
    const auto warp_number = static_cast<unsigned>(e.detail[0]);
    const std::uint64_t number = take_fetched(sm, warp_number, e.detail[1]);
    line_of_id_[e.id] = number;
    line& l = lines_[number];
    stage(l, "B");
    print("L\t{}\t0\t{} w{} {:#06x} {}\n", number, sm, warp_number, e.detail[1], log_.text(e.detail[4]));
    const std::string threads = formed_.text(sm, warp_number);
    print("L\t{}\t1\t{}{}{}\n", number, model::text_of_id(e.id), threads.empty() ? "" : " threads ", threads);
    warp_state& warp = warps_[{sm, warp_number}];
    for (unsigned i = 0; i < entries; ++i) {
      if ((e.detail[2] >> i & 1) != 0 && warp.producer[i] != 0) print("W\t{}\t{}\t0\n", number, warp.producer[i]);
      if ((e.detail[3] >> i & 1) != 0) warp.producer[i] = number;
    }
    warp.buffered.push_back(number);
  }
  void issued(line& l) {
    warp_state& warp = warps_[{l.sm, l.warp}];
    warp.buffered.erase(std::remove(warp.buffered.begin(), warp.buffered.end(), l.number), warp.buffered.end());
    cause(l, "");
    if (warp.shown == l.number) warp.shown = 0;
  }

  log_reader& log_;
  std::ostream& to_;
  formed_threads formed_;
  tlm_bus::femtoseconds period_ = 1;
  std::vector<place> places_;
  std::vector<state_signal> states_;
  tlm_bus::cycle_t now_ = 0;
  tlm_bus::cycle_t cycle_ = 0;  // of the line printed last
  bool begun_ = false;
  std::uint64_t opened_ = 0;
  std::uint64_t retired_ = 0;
  std::unordered_map<std::uint64_t, line> lines_;  // the open lines by number
  std::unordered_map<std::uint64_t, std::uint64_t> line_of_id_;
  std::map<warp_key, warp_state> warps_;
  std::map<std::string, std::size_t> sm_numbers_;
};

}  // namespace

std::vector<std::string> signals_of_pipeline_view() {
  std::vector<std::string> signals = signals_of_formed_threads();
  signals.emplace_back("*.issue.warp_*.state");
  return signals;
}

void write_pipeline_view(log_reader& log, std::ostream& to, const std::vector<std::string>& scope) {
  view visitor(log, to, scope);
  log.read(visitor);
}

}  // namespace gt200::observe
