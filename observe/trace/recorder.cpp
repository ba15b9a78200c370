#include "observe/trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "observe/trace/catalog.h"
#include "observe/trace/glob.h"
#include "observe/trace/log_writer.h"
#include "observe/trace/sm_path.h"
#include "observe/trace/values/operands.h"
#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/stage.h"
#include "toolchain/bits.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using tlm_bus::femtoseconds;

template <class T>
bool parse_number(const std::string& text, T& number) {
  const bool hexadecimal = text.rfind("0x", 0) == 0;
  const char* const first = text.data() + (hexadecimal ? 2 : 0);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, number, hexadecimal ? 16 : 10);
  return error == std::errc() && end == last;
}

model::chip& elaborated(device& target) {
  target.start();
  return target.chip();
}

// Modules are looked at once: those that the end of the elaboration makes must be there.
model::chip& elaborated(model::chip& chip) {
  if (sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION)
    throw std::logic_error(fmt::format(
        "recorder of {}: the elaboration has not ended: call sc_start(SC_ZERO_TIME) before", chip.name()));
  return chip;
}

std::array<const tlm_bus::clock_domain*, 4> domains_of(const model::chip& chip) {
  return {&chip.core, &chip.shader, &chip.uncore, &chip.memory};
}

// The values that must be in the catalogue.
std::vector<std::string> values_of(const trace_settings& settings) {
  std::vector<std::string> patterns = settings.values;
  if (settings.trigger && settings.trigger->kind == trace_trigger::cause::counter)
    patterns.push_back(settings.trigger->counter);
  return patterns;
}

// The sources that may have changed when a stage was called: word indices of a bit set with one bit per source, and
// the bits in each word.
using source_bits = std::vector<std::pair<std::size_t, std::uint64_t>>;

void add_bit(source_bits& to, std::size_t number) {
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  for (auto& [word, bits] : to)
    if (word == number / 64) {
      bits |= bit;
      return;
    }
  to.emplace_back(number / 64, bit);
}

struct text_key {
  tlm_bus::signal_description::describe meaning;
  std::uint64_t key;
  bool operator==(const text_key& other) const { return meaning == other.meaning && key == other.key; }
};
struct text_key_hash {
  std::size_t operator()(const text_key& k) const {
    return (reinterpret_cast<std::uintptr_t>(k.meaning) ^ k.key) * 0x9e3779b97f4a7c15u >> 16;
  }
};

// The events of an instant. They are added in any order and read sorted by kind, place and id. Events with the same
// id at one place stay in the order in which their module reported them; transactions, which several modules may
// send to one socket, are sorted by their details.
class events_of_instant {
 public:
  explicit events_of_instant(std::size_t places)
      : places_(places), words_(places / 64 + 1), marked_(kinds * words_), youngest_(kinds * places) {}

  void add(const event& e) {
    const auto kind = static_cast<std::size_t>(e.kind);
    std::uint64_t& word = marked_[kind * words_ + e.place / 64];
    const std::uint64_t bit = std::uint64_t{1} << e.place % 64;
    std::uint32_t& youngest = youngest_[kind * places_ + e.place];
    events_.push_back({e, (word & bit) != 0 ? youngest : none});
    youngest = static_cast<std::uint32_t>(events_.size() - 1);
    word |= bit;
  }
  // Removes all events.
  template <class Action>
  void take_all(Action action) {
    if (events_.empty()) return;
    for (std::size_t word = 0; word < marked_.size(); ++word) {
      for (const unsigned bit : set_bits(marked_[word])) {
        const std::size_t place = word % words_ * 64 + bit;
        take(youngest_[word / words_ * places_ + place], action);
      }
      marked_[word] = 0;
    }
    events_.clear();
  }

 private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(event_kind::lanes) + 1;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct entry {
    event e;
    std::uint32_t older;  // previous event of the same kind at this place
  };

  template <class Action>
  void take(std::uint32_t youngest, Action& action) {
    if (events_[youngest].older == none) return action(events_[youngest].e);
    same_.clear();
    for (std::uint32_t i = youngest; i != none; i = events_[i].older) same_.push_back(i);
    std::sort(same_.begin(), same_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const event& x = events_[a].e;
      const event& y = events_[b].e;
      if (x.id != y.id) return x.id < y.id;
      if (x.kind != event_kind::transported) return a < b;
      if (tlm_bus::is_before(x, y)) return true;
      return !tlm_bus::is_before(y, x) && a < b;
    });
    for (const std::uint32_t i : same_) action(events_[i].e);
  }

  std::size_t places_;
  std::size_t words_;
  std::vector<std::uint64_t> marked_;    // one bit per place for each kind
  std::vector<std::uint32_t> youngest_;  // valid if that bit is set
  std::vector<entry> events_;
  std::vector<std::uint32_t> same_;
};

// A source and its last known values.
struct looked_at {
  tlm_bus::signal_source* publisher;
  std::uint32_t first;  // index of its first signal
  tlm_bus::signal_look look;
};

}  // namespace

trace_trigger trigger_of(const std::string& text) {
  trace_trigger result;
  const std::size_t threshold = text.find(">=");
  if (text == "fault") {
    result.kind = trace_trigger::cause::fault;
  } else if (text == "mismatch") {
    result.kind = trace_trigger::cause::mismatch;
  } else if (text.rfind("pc=", 0) == 0 && parse_number(text.substr(3), result.pc)) {
    result.kind = trace_trigger::cause::pc;
  } else if (text == "launch") {
    result.kind = trace_trigger::cause::launch;
  } else if (text.rfind("launch=", 0) == 0 && parse_number(text.substr(7), result.launch) && result.launch != 0) {
    result.kind = trace_trigger::cause::launch;
  } else if (threshold != std::string::npos && parse_number(text.substr(threshold + 2), result.threshold)) {
    result.kind = trace_trigger::cause::counter;
    result.counter = text.substr(0, threshold);
  } else {
    throw input_error(fmt::format(
        "'{}' is not a trigger: fault, mismatch, pc=ADDRESS, launch, launch=NUMBER or SIGNAL>=NUMBER", text));
  }
  return result;
}

class recorder::state final : private probe_listener,
                              private tlm_bus::instant_observer,
                              private tlm_bus::interval_observer {
 public:
  state(model::chip& chip, const trace_settings& settings, std::function<void()> stop);
  ~state() override {
    stop();
    chip_.clocks.detach(*this);
    if (follows_) chip_.clocks.observers().detach(*this);
    chip_.object_to_reset(this, "");
  }

  void mismatch_found() { fire_if(trace_trigger::cause::mismatch); }
  void require_written() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  void close();
  bool has_begun() const { return phase_ != phase::before; }
  bool has_recorded() const { return has_begun() && !waits_for_trigger_; }

 private:
  static constexpr std::uint32_t not_recorded = ~std::uint32_t{0};
  // The sources that the stages of a clock domain may change.
  struct domain_sources {
    std::vector<source_bits> of_stage;  // by position in the call order
    source_bits of_all;
  };

  // probe_listener
  void on_event(const event& e) override;
  void touched(std::uint32_t number) override { mark(number); }
  // tlm_bus::instant_observer
  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) override;
  void instant_ends(femtoseconds now) override;
  // tlm_bus::interval_observer
  femtoseconds interval_end() const override;
  void interval_ends() override;

  void select(const trace_settings& settings);
  void select_places(const trace_settings& settings);
  void select_operands();
  void define(const trace_settings& settings);
  void find_trigger_signal();
  void start();
  void stop();
  void follow();
  void map_callers();
  void mark(std::uint32_t source_number) {
    dirty_[source_number / 64] |= wanted_[source_number / 64] & std::uint64_t{1} << source_number % 64;
  }
  void mark(const source_bits& sources) {
    for (const auto& [word, bits] : sources) dirty_[word] |= bits;
  }
  template <class Action>
  void or_stop(Action action);  // stops the launch if the log cannot be written
  void write_instant(femtoseconds now);
  void write_timed(femtoseconds now);
  void begin_record();
  void check_trigger(const event& e);
  void write_events();
  void write_changes();
  void look_at(looked_at& source);
  std::uint64_t text_number(tlm_bus::signal_description::describe meaning, std::uint64_t key);
  std::uint64_t new_text_number(const text_key& text);
  std::uint64_t watched_value();
  void fire_if(trace_trigger::cause kind);

  model::chip& chip_;
  std::function<void()> stop_run_;
  femtoseconds core_;  // period of the core clock
  catalog catalog_;
  std::vector<std::unique_ptr<probe>> operands_;  // by SM, if asked for
  log_writer log_;
  std::optional<trace_trigger> trigger_;
  bool waits_for_trigger_;
  femtoseconds begin_;
  femtoseconds end_;
  enum class phase : std::uint8_t { before, recording, after } phase_ = phase::before;
  bool follows_ = false;  // every instant

  std::vector<std::uint32_t> number_in_log_;  // by signal of the catalogue
  std::vector<std::uint64_t> wanted_;         // bit per source: at least one of its signals is recorded
  std::vector<std::uint64_t> dirty_;          // bit per source
  std::map<const tlm_bus::clock_domain*, domain_sources> sources_of_domain_;
  std::vector<looked_at> sources_;  // as in the catalogue
  struct timed_source {
    std::uint32_t number;
    self_timed* timed;
  };
  std::vector<timed_source> timed_;    // of the recorded ones
  std::vector<std::uint64_t> values_;  // last read value by signal of the catalogue
  std::vector<std::uint64_t> masks_;   // masks of the last read
  std::vector<tlm_bus::signal_change> changes_;
  std::unordered_map<text_key, std::uint64_t, text_key_hash> texts_;
  struct known_text {
    text_key text{nullptr, 0};
    std::uint64_t number = 0;
  };
  static constexpr unsigned recent_bits = 10;
  std::array<known_text, std::size_t{1} << recent_bits> recent_texts_;  // by hash
  std::vector<bool> records_;                                           // by place: its events are recorded
  std::vector<bool> issues_;                                            // by place: instructions issue there
  std::vector<bool> takes_launches_;                                    // by place: launches are taken there
  std::uint64_t launches_ = 0;                                          // number of launches taken

  events_of_instant events_;  // events of the current instant
  femtoseconds present_instant_ = 0;
  std::exception_ptr failure_;  // error while writing the log
  bool recorded_ = false;       // the current instant has a time record
  bool fire_ = false;           // the trigger fires at the end of the instant
  const source* watched_ = nullptr;
  std::uint32_t watched_signal_ = 0;  // index of the watched signal in its source
};

recorder::state::state(model::chip& chip, const trace_settings& settings, std::function<void()> stop)
    : chip_(chip),
      stop_run_(std::move(stop)),
      core_(chip.core.period()),
      catalog_(chip, *this, values_of(settings)),
      log_(settings.path, settings.named),
      trigger_(settings.trigger),
      waits_for_trigger_(settings.trigger.has_value()),
      begin_(settings.begin * core_),
      end_(settings.end >= tlm_bus::no_time / core_ ? tlm_bus::no_time : settings.end * core_),
      events_(catalog_.places().size()) {
  chip_.look_inside();
  select(settings);
  select_places(settings);
  if (settings.operands) select_operands();
  if (trigger_ && trigger_->kind == trace_trigger::cause::counter) find_trigger_signal();
  define(settings);
  map_callers();
  chip_.clocks.attach(*this);
  if (begin_ <= sc_core::sc_time_stamp().value()) follow();
  chip_.object_to_reset(this, "a recorder follows the chip");
}

void recorder::state::select(const trace_settings& settings) {
  const auto& signals = catalog_.signals();
  bool found = settings.signals.empty();
  std::uint32_t recorded = 0;
  number_in_log_.assign(signals.size(), not_recorded);
  bool found_value = settings.values.empty();
  for (const source& s : catalog_.sources()) {
    const std::vector<std::string>& patterns = s.on_request ? settings.values : settings.signals;
    bool& found_here = s.on_request ? found_value : found;
    for (std::size_t i = s.first; i < s.first + s.count; ++i) {
      const bool asked = matches_any(patterns, signals[i].path);
      found_here = found_here || asked;
      if (asked || (!s.on_request && matches_any(settings.required, signals[i].path)))
        number_in_log_[i] = recorded++;
    }
  }
  if (!found) throw input_error("no signal of the chip matches " + listed(settings.signals));
  if (!found_value) throw input_error("no value of the chip matches " + listed(settings.values));
  // Before the first read, numbers are 0. Texts have an impossible value, because key 0 may be a text.
  values_.reserve(signals.size());
  for (const catalogued_signal& s : signals)
    values_.push_back(s.about.kind == tlm_bus::signal_kind::text ? ~std::uint64_t{0} : 0);
  const auto& sources = catalog_.sources();
  std::size_t masks = 0;
  std::uint32_t max_signals = 0;
  for (const source& s : sources) {
    masks += s.layout.masks;
    max_signals = std::max(max_signals, s.count);
  }
  masks_.resize(masks);
  changes_.resize(max_signals);
  std::uint64_t* next_masks = masks_.data();
  for (const source& s : sources) {
    const bool reports_parts = s.publisher->parts() != nullptr;
    sources_.push_back(
        {s.publisher, s.first, {values_.data() + s.first, next_masks, s.layout.part, reports_parts, {}}});
    next_masks += s.layout.masks;
  }
  wanted_.assign(sources.size() / 64 + 1, 0);
  dirty_.assign(wanted_.size(), 0);
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const auto* first = &number_in_log_[sources[i].first];
    if (std::any_of(first, first + sources[i].count, [](std::uint32_t n) { return n != not_recorded; }))
      wanted_[i / 64] |= std::uint64_t{1} << i % 64;
    if (sources[i].timed != nullptr) timed_.push_back({i, sources[i].timed});
  }
}

void recorder::state::select_places(const trace_settings& settings) {
  for (const std::string& place : catalog_.places()) {
    records_.push_back(matches_any(settings.events, place) || matches_any(settings.events, place + "."));
    issues_.push_back(is_issue_pipe(place));
    takes_launches_.push_back(matches("*.work_distributor.grids", place));
  }
}

// Selects the recorded ones among the modules in which instructions complete.
void recorder::state::select_operands() {
  const auto& places = catalog_.places();
  for (model::sm_if* sm : chip_.sms())
    for (const auto& unit : sm->probe().write_back_taps()) {
      const auto place = std::find(places.begin(), places.end(), unit.module.name());
      if (place == places.end() || !records_[static_cast<std::size_t>(place - places.begin())]) continue;
      operands_.push_back(
          make_operand_probe(unit, chip_.generation(), static_cast<std::uint32_t>(place - places.begin()), *this));
    }
}

void recorder::state::define(const trace_settings& settings) {
  log_definitions definitions;
  for (const tlm_bus::clock_domain* domain : domains_of(chip_))
    definitions.domains.push_back({domain->name(), domain->period()});
  definitions.places = catalog_.places();
  for (std::size_t i = 0; i < number_in_log_.size(); ++i)
    if (number_in_log_[i] != not_recorded) {
      const catalogued_signal& s = catalog_.signals()[i];
      definitions.signals.push_back({s.path, s.about.kind, s.about.bits});
    }
  definitions.begin = begin_;
  definitions.end = end_ == tlm_bus::no_time ? 0 : end_;
  const femtoseconds kept = settings.trigger ? std::max<femtoseconds>(settings.trigger->before * core_, 1) : 0;
  log_.begin(std::move(definitions), kept);
}

void recorder::state::find_trigger_signal() {
  const auto& signals = catalog_.signals();
  const auto at = std::find_if(signals.begin(), signals.end(),
                               [&](const catalogued_signal& s) { return s.path == trigger_->counter; });
  if (at == signals.end()) {
    for (const tlm_bus::clock_domain* domain : domains_of(chip_))
      if (trigger_->counter == domain->name() + std::string(".clock") ||
          trigger_->counter == domain->name() + std::string(".cycle"))
        throw input_error(
            fmt::format("the trigger names the clock '{}', which is no signal of the chip; a window A:B of core "
                        "cycles begins with a cycle",
                        trigger_->counter));
    throw input_error(fmt::format("the trigger names '{}', which is not a signal of the chip", trigger_->counter));
  }
  const auto number = static_cast<std::uint32_t>(at - signals.begin());
  for (const source& s : catalog_.sources())
    if (number - s.first < s.count) {
      watched_ = &s;
      watched_signal_ = number - s.first;
    }
}

// The position of a stage in the call order is fixed from the end of elaboration on.
void recorder::state::map_callers() {
  std::map<const tlm_bus::stage*, source_bits> of_stage;
  for (std::uint32_t i = 0; i < catalog_.sources().size(); ++i)
    if ((wanted_[i / 64] >> i % 64 & 1) != 0)
      for (const tlm_bus::stage* caller : catalog_.sources()[i].callers) add_bit(of_stage[caller], i);
  for (const auto& [stage, sources] : of_stage) {
    domain_sources& domain = sources_of_domain_[&stage->domain()];
    const auto& order = stage->domain().call_order();
    domain.of_stage.resize(order.size());
    const auto place = std::find(order.begin(), order.end(), stage);
    domain.of_stage[static_cast<std::size_t>(place - order.begin())] = sources;
    for (const auto& [word, bits] : sources)
      for (const unsigned bit : set_bits(bits)) add_bit(domain.of_all, word * 64 + bit);
  }
}

// -- the window --

void recorder::state::start() {
  phase_ = phase::recording;
  for (std::size_t place = 0; place < catalog_.probes().size(); ++place) {
    const std::uint32_t s = catalog_.source_of_place()[place];
    if (records_[place] || trigger_ || (s != catalog::no_source && (wanted_[s / 64] >> s % 64 & 1) != 0))
      catalog_.probes()[place]->attach();
  }
  for (const auto& watch : catalog_.watches()) watch->attach();
  for (const auto& p : operands_) p->attach();
  for (looked_at& s : sources_)
    if (auto* parts = s.publisher->parts()) parts->attach(s.look.moved);
  dirty_ = wanted_;
  present_instant_ = begin_;
  write_changes();
  recorded_ = false;
}

// From here on the drivers of the chip run together, so that the instants come in order.
void recorder::state::follow() {
  if (std::exchange(follows_, true)) return;
  chip_.clocks.observers().attach(*this);
}

femtoseconds recorder::state::interval_end() const {
  switch (phase_) {
    case phase::before: return begin_;
    case phase::recording: return end_;
    case phase::after: break;
  }
  return follows_ ? 0 : tlm_bus::no_time;
}

void recorder::state::interval_ends() {
  if (phase_ == phase::before) {
    follow();
    or_stop([this] { start(); });
    return;
  }
  if (phase_ == phase::recording) {
    if (!timed_.empty()) or_stop([this] { write_timed(end_); });
    stop();
  }
  follows_ = false;
  chip_.clocks.observers().detach(*this);
}

void recorder::state::stop() {
  if (phase_ != phase::recording) return;
  phase_ = phase::after;
  for (const auto& p : catalog_.probes()) p->detach();
  for (const auto& watch : catalog_.watches()) watch->detach();
  for (const auto& p : operands_) p->detach();
  for (looked_at& s : sources_)
    if (auto* parts = s.publisher->parts()) parts->detach(s.look.moved);
}

template <class Action>
void recorder::state::or_stop(Action action) {
  try {
    action();
  } catch (const input_error&) {
    failure_ = std::current_exception();
    stop();
    stop_run_();
  }
}

void recorder::state::edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) {
  if (phase_ != phase::recording) return;
  if (!timed_.empty()) or_stop([&] { write_timed(domain.now()); });
  if (phase_ != phase::recording) return;
  const auto found = sources_of_domain_.find(&domain);
  if (found == sources_of_domain_.end()) return;
  const domain_sources& sources = found->second;
  if (due == nullptr) return mark(sources.of_all);
  for (std::size_t first = 0; first < sources.of_stage.size(); first += 64)
    for (const unsigned bit : set_bits(due[first / 64])) mark(sources.of_stage[first + bit]);
}

void recorder::state::on_event(const event& e) {
  if (phase_ == phase::recording && (records_[e.place] || trigger_)) events_.add(e);
}

void recorder::state::instant_ends(femtoseconds now) {
  if (phase_ != phase::recording) return;
  if (now >= end_) return stop();
  or_stop([&] { write_instant(now); });
}

// Before an instant begins: writes the changes of self-timed sources since the last one. Those at `now` belong to
// the instant that begins.
void recorder::state::write_timed(femtoseconds now) {
  for (;;) {
    femtoseconds next = now;
    for (const timed_source& s : timed_) next = std::min(next, s.timed->changes_at());
    present_instant_ = next;
    for (const timed_source& s : timed_) {
      if (s.timed->changes_at() != next) continue;
      s.timed->show_at(next);
      if (next == now)
        mark(s.number);
      else
        look_at(sources_[s.number]);
    }
    recorded_ = false;
    if (next == now) return;
  }
}

void recorder::state::write_instant(femtoseconds now) {
  present_instant_ = now;
  write_events();
  write_changes();
  recorded_ = false;
  if (trigger_ && trigger_->kind == trace_trigger::cause::counter && watched_value() >= trigger_->threshold)
    fire_if(trace_trigger::cause::counter);
  if (!fire_) return;
  fire_ = false;
  waits_for_trigger_ = false;
  const femtoseconds before = trigger_->before * core_;
  log_.keep_from(now > begin_ + before ? now - before : begin_);
  if (trigger_->after < (tlm_bus::no_time - now) / core_) end_ = std::min(end_, now + trigger_->after * core_);
  trigger_.reset();
}

void recorder::state::fire_if(trace_trigger::cause kind) {
  if (trigger_ && trigger_->kind == kind) fire_ = true;
}

std::uint64_t recorder::state::watched_value() {
  std::vector<std::uint64_t> values(watched_->count);
  tlm_bus::signal_writer writer(values.data());
  watched_->publisher->publish(writer);
  return values[watched_signal_];
}

void recorder::state::close() {
  // A chip that stands still has no instant at which the window could begin.
  if (phase_ == phase::before && begin_ <= sc_core::sc_time_stamp().value()) or_stop([this] { start(); });
  // Reference clocking may stop before the end of the last instant, and a mismatch may be found after it.
  if (phase_ == phase::recording) instant_ends(sc_core::sc_time_stamp().value());
  stop();
  require_written();
  log_.close();
}

// -- events --

void recorder::state::begin_record() {
  if (recorded_) return;
  log_.time(present_instant_);
  recorded_ = true;
}

void recorder::state::check_trigger(const event& e) {
  if (e.kind == event_kind::completed && e.detail[3] != 0) fire_if(trace_trigger::cause::fault);
  if (e.kind == event_kind::sent && issues_[e.place] && e.detail[1] == trigger_->pc)
    fire_if(trace_trigger::cause::pc);
  if (e.kind == event_kind::taken && takes_launches_[e.place] && ++launches_ == trigger_->launch)
    fire_if(trace_trigger::cause::launch);
}

// Writes in an order that does not depend on the order in which modules were called.
void recorder::state::write_events() {
  events_.take_all([this](event& e) {
    if (trigger_) check_trigger(e);
    if (!records_[e.place]) return;
    begin_record();
    if (e.kind == event_kind::entered) e.detail[4] = text_number(model::text_of_instruction, e.detail[4]);
    log_.on_event(e);
  });
}

std::uint64_t recorder::state::text_number(tlm_bus::signal_description::describe meaning, std::uint64_t key) {
  const text_key text{meaning, key};
  known_text& recent = recent_texts_[text_key_hash()(text) & (recent_texts_.size() - 1)];
  if (!(recent.text == text)) recent = {text, new_text_number(text)};
  return recent.number;
}

std::uint64_t recorder::state::new_text_number(const text_key& text) {
  const auto found = texts_.find(text);
  if (found != texts_.end()) return found->second;
  const std::uint64_t number = log_.number_of(text.meaning(text.key));
  texts_.insert({text, number});
  return number;
}

void recorder::state::look_at(looked_at& source) {
  tlm_bus::signal_writer writer(source.look, changes_.data());
  source.publisher->publish(writer);
  source.look.moved.bits = 0;
  for (const tlm_bus::signal_change* c = changes_.data(); c != writer.end_of_changes(); ++c) {
    const std::uint32_t number = number_in_log_[source.first + c->signal];
    if (number == not_recorded) continue;
    begin_record();
    log_.value(number, c->meaning == nullptr ? c->value : text_number(c->meaning, c->value));
  }
}

void recorder::state::write_changes() {
  for (std::size_t word = 0; word < dirty_.size(); ++word) {
    for (const unsigned bit : set_bits(dirty_[word])) look_at(sources_[word * 64 + bit]);
    dirty_[word] = 0;
  }
}

recorder::recorder(device& target, const trace_settings& settings)
    : state_(std::make_unique<state>(elaborated(target), settings, [&target] { target.stop(); })) {}
recorder::recorder(model::chip& chip, const trace_settings& settings, std::function<void()> stop)
    : state_(std::make_unique<state>(elaborated(chip), settings, std::move(stop))) {}
recorder::~recorder() = default;
void recorder::mismatch_found() { state_->mismatch_found(); }
void recorder::require_written() const { state_->require_written(); }
void recorder::close() { state_->close(); }
bool recorder::has_recorded() const { return state_->has_recorded(); }
bool recorder::has_begun() const { return state_->has_begun(); }

}  // namespace gt200::observe
