#include "observe/trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "observe/trace/catalog.h"
#include "observe/trace/glob.h"
#include "observe/trace/log_writer.h"
#include "sc_models/tpc/sm/signal_texts.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/stage.h"
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

// Which stages of a domain concern a group: bits of the domain's call order.
struct group_bits {
  std::uint32_t group = 0;
  std::vector<std::pair<std::size_t, std::uint64_t>> words;  // word of the call order, bits in it
};

}  // namespace

trace_trigger trigger_of(const std::string& text) {
  trace_trigger result;
  const std::size_t threshold = text.find(">=");
  if (text == "fault") {
    result.what = trace_trigger::cause::fault;
  } else if (text == "mismatch") {
    result.what = trace_trigger::cause::mismatch;
  } else if (text.rfind("pc=", 0) == 0 && parse_number(text.substr(3), result.pc)) {
    result.what = trace_trigger::cause::pc;
  } else if (threshold != std::string::npos && parse_number(text.substr(threshold + 2), result.threshold)) {
    result.what = trace_trigger::cause::counter;
    result.counter = text.substr(0, threshold);
  } else {
    throw input_error(fmt::format("'{}' is no trigger: fault, mismatch, pc=ADDRESS or COUNTER>=NUMBER", text));
  }
  return result;
}

class recorder::state final : private probe_listener, private tlm_bus::instant_observer {
 public:
  state(device& target, const trace_settings& settings);
  ~state() override {
    stop();
    device_.chip().clocks.observers().detach(*this);
  }

  void mismatch_found() { fire_if(trace_trigger::cause::mismatch); }
  void close();
  bool has_recorded() const { return !waits_for_trigger_; }

 private:
  static constexpr std::uint32_t not_recorded = ~std::uint32_t{0};
  struct recorded_source {
    tlm_bus::signal_source* what;
    std::uint32_t first;  // among the signals of the catalogue
    std::uint32_t count;
  };

  // probe_listener
  void happened(const event& e) override;
  void touched(std::uint32_t number) override { mark(number); }
  // tlm_bus::instant_observer
  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) override;
  void instant_ends(femtoseconds now) override;

  void select(const trace_settings& settings);
  void define(const trace_settings& settings);
  void find_trigger_signal();
  void start();
  void stop();
  void map_groups();
  void mark(std::uint32_t source_number) {
    dirty_[source_number / 64] |= wanted_[source_number / 64] & std::uint64_t{1} << source_number % 64;
  }
  void mark_group(std::uint32_t group) {
    for (const std::uint32_t number : sources_of_group_[group]) mark(number);
  }
  void begin_record(femtoseconds now);
  void write_events(femtoseconds now);
  void write_changes(femtoseconds now);
  void write_source(const source& s, femtoseconds now);
  std::uint64_t text_number(std::uint32_t signal, std::uint64_t key);
  std::uint64_t watched_value();
  void fire_if(trace_trigger::cause what);

  device& device_;
  femtoseconds core_;  // period
  catalog catalog_;
  log_writer log_;
  std::optional<trace_trigger> trigger_;
  bool waits_for_trigger_;
  bool events_;
  femtoseconds begin_;
  femtoseconds end_;
  enum class phase : std::uint8_t { before, recording, after } phase_ = phase::before;

  std::vector<std::uint32_t> number_in_log_;                  // by signal of the catalogue
  std::vector<std::uint64_t> wanted_;                         // bit per source: records a signal of it
  std::vector<std::uint64_t> dirty_;                          // bit per source
  std::vector<std::vector<std::uint32_t>> sources_of_group_;  // those that are no pipes
  std::map<const tlm_bus::clock_domain*, std::vector<group_bits>> groups_of_domain_;
  std::vector<std::uint64_t> values_;   // by signal of the catalogue, as last recorded
  std::vector<std::uint64_t> present_;  // of the source being looked at
  std::map<std::pair<tlm_bus::signal_description::describe, std::uint64_t>, std::uint64_t> texts_;
  std::vector<bool> issues_;  // by place: instructions issue there

  std::vector<event> pending_;  // of the present instant
  bool recorded_ = false;       // the present instant has its time record
  bool fire_ = false;           // at the end of the present instant
  const source* watched_ = nullptr;
  std::uint32_t watched_signal_ = 0;  // in it
};

recorder::state::state(device& target, const trace_settings& settings)
    : device_(target),
      core_(target.chip().core.period()),
      catalog_(elaborated(target), *this),
      log_(settings.path),
      trigger_(settings.trigger),
      waits_for_trigger_(settings.trigger.has_value()),
      events_(settings.events),
      begin_(settings.begin * core_),
      end_(settings.end >= tlm_bus::no_time / core_ ? tlm_bus::no_time : settings.end * core_) {
  select(settings);
  if (trigger_ && trigger_->what == trace_trigger::cause::counter) find_trigger_signal();
  define(settings);
  map_groups();
  for (const std::string& place : catalog_.places())
    issues_.push_back(matches("*.operand_collector.from_*", place));
  device_.chip().clocks.observers().attach(*this);
}

void recorder::state::select(const trace_settings& settings) {
  const auto& signals = catalog_.signals();
  bool found = settings.signals.empty();
  std::uint32_t recorded = 0;
  number_in_log_.assign(signals.size(), not_recorded);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const bool asked = matches_any(settings.signals, signals[i].path);
    found = found || asked;
    if (asked || matches_any(settings.required, signals[i].path)) number_in_log_[i] = recorded++;
  }
  if (!found) throw input_error("no signal of the chip matches " + listed(settings.signals));
  // Before the first look numbers are 0. Texts are anything, as their key 0 may stand for one.
  values_.reserve(signals.size());
  for (const catalogued_signal& s : signals)
    values_.push_back(s.about.kind == tlm_bus::signal_kind::text ? ~std::uint64_t{0} : 0);
  const auto& sources = catalog_.sources();
  wanted_.assign(sources.size() / 64 + 1, 0);
  dirty_.assign(wanted_.size(), 0);
  std::uint32_t largest = 0;
  sources_of_group_.resize(catalog_.groups().size());
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const source& s = sources[i];
    largest = std::max(largest, s.count);
    const auto* first = &number_in_log_[s.first];
    if (std::all_of(first, first + s.count, [](std::uint32_t n) { return n == not_recorded; })) continue;
    wanted_[i / 64] |= std::uint64_t{1} << i % 64;
    if (!s.is_pipe) sources_of_group_[s.group].push_back(i);
  }
  present_.resize(largest);
}

void recorder::state::define(const trace_settings& settings) {
  log_definitions definitions;
  const model::chip& chip = device_.chip();
  for (const tlm_bus::clock_domain* domain : {&chip.core, &chip.shader, &chip.uncore, &chip.memory})
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
  if (at == signals.end())
    throw input_error(fmt::format("the trigger names '{}', which is no signal of the chip", trigger_->counter));
  const auto number = static_cast<std::uint32_t>(at - signals.begin());
  for (const source& s : catalog_.sources())
    if (number - s.first < s.count) {
      watched_ = &s;
      watched_signal_ = number - s.first;
    }
}

// The stages of a domain have their places in its call order from the end of elaboration on.
void recorder::state::map_groups() {
  const auto& groups = catalog_.groups();
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    if (sources_of_group_[g].empty() || groups[g].domain == nullptr) continue;
    const auto& order = groups[g].domain->call_order();
    group_bits bits;
    bits.group = g;
    for (std::size_t position = 0; position < order.size(); ++position) {
      if (std::find(groups[g].stages.begin(), groups[g].stages.end(), order[position]) == groups[g].stages.end())
        continue;
      if (bits.words.empty() || bits.words.back().first != position / 64) bits.words.emplace_back(position / 64, 0);
      bits.words.back().second |= std::uint64_t{1} << position % 64;
    }
    groups_of_domain_[groups[g].domain].push_back(std::move(bits));
  }
}

// -- the window --

void recorder::state::start() {
  phase_ = phase::recording;
  for (std::size_t place = 0; place < catalog_.probes().size(); ++place) {
    const std::uint32_t s = catalog_.source_of_place()[place];
    if (events_ || trigger_ || (s != catalog::no_source && (wanted_[s / 64] >> s % 64 & 1) != 0))
      catalog_.probes()[place]->attach();
  }
  dirty_ = wanted_;
  write_changes(begin_);
  recorded_ = false;
}

void recorder::state::stop() {
  if (phase_ != phase::recording) return;
  phase_ = phase::after;
  for (const auto& p : catalog_.probes()) p->detach();
}

void recorder::state::edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) {
  const femtoseconds now = domain.now();
  if (phase_ == phase::before && now >= begin_) start();
  if (phase_ != phase::recording) return;
  if (now >= end_) return;
  const auto found = groups_of_domain_.find(&domain);
  if (found == groups_of_domain_.end()) return;
  for (const group_bits& bits : found->second) {
    bool called = due == nullptr;
    for (const auto& [word, mask] : bits.words) called = called || (due[word] & mask) != 0;
    if (called) mark_group(bits.group);
  }
}

void recorder::state::happened(const event& e) {
  if (phase_ == phase::recording) pending_.push_back(e);
}

void recorder::state::instant_ends(femtoseconds now) {
  if (phase_ != phase::recording) return;
  if (now >= end_) return stop();
  write_events(now);
  write_changes(now);
  recorded_ = false;
  if (trigger_ && trigger_->what == trace_trigger::cause::counter && watched_value() >= trigger_->threshold)
    fire_if(trace_trigger::cause::counter);
  if (!fire_) return;
  fire_ = false;
  waits_for_trigger_ = false;
  const femtoseconds before = trigger_->before * core_;
  log_.keep_from(now > begin_ + before ? now - before : begin_);
  if (trigger_->after < (tlm_bus::no_time - now) / core_) end_ = std::min(end_, now + trigger_->after * core_);
  trigger_.reset();
}

void recorder::state::fire_if(trace_trigger::cause what) {
  if (trigger_ && trigger_->what == what) fire_ = true;
}

std::uint64_t recorder::state::watched_value() {
  std::vector<std::uint64_t> values(watched_->count);
  tlm_bus::signal_writer writer(values.data());
  watched_->what->publish(writer);
  return values[watched_signal_];
}

void recorder::state::close() {
  // Reference clocking may stop before the end of the last instant, and a mismatch is found after it.
  if (phase_ == phase::recording) instant_ends(sc_core::sc_time_stamp().value());
  stop();
  log_.close();
}

// -- what happened --

void recorder::state::begin_record(femtoseconds now) {
  if (recorded_) return;
  log_.time(now);
  recorded_ = true;
}

// In an order that does not depend on that in which modules were called.
void recorder::state::write_events(femtoseconds now) {
  if (pending_.empty()) return;
  std::sort(pending_.begin(), pending_.end(), [](const event& a, const event& b) {
    return std::tie(a.what, a.place, a.id) < std::tie(b.what, b.place, b.id);
  });
  for (event& e : pending_) {
    if (trigger_) {
      if (e.what == happening::completed && e.detail[3] != 0) fire_if(trace_trigger::cause::fault);
      if (e.what == happening::sent && issues_[e.place] && e.detail[1] == trigger_->pc)
        fire_if(trace_trigger::cause::pc);
    }
    if (!events_) continue;
    begin_record(now);
    if (e.what == happening::entered) {
      const auto text = texts_.try_emplace({model::text_of_instruction, e.detail[4]}, 0);
      if (text.second) text.first->second = log_.number_of(model::text_of_instruction(e.detail[4]));
      e.detail[4] = text.first->second;
    }
    log_.happened(e);
  }
  pending_.clear();
}

std::uint64_t recorder::state::text_number(std::uint32_t signal, std::uint64_t key) {
  const auto meaning = catalog_.signals()[signal].about.meaning;
  const auto found = texts_.find({meaning, key});
  if (found != texts_.end()) return found->second;
  const std::uint64_t number = log_.number_of(meaning(key));
  texts_.emplace(std::make_pair(meaning, key), number);
  return number;
}

void recorder::state::write_source(const source& s, femtoseconds now) {
  tlm_bus::signal_writer writer(present_.data());
  s.what->publish(writer);
  std::uint64_t* const last = &values_[s.first];
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (present_[i] == last[i]) continue;
    last[i] = present_[i];
    const std::uint32_t signal = s.first + i;
    if (number_in_log_[signal] == not_recorded) continue;
    begin_record(now);
    const bool is_text = catalog_.signals()[signal].about.kind == tlm_bus::signal_kind::text;
    log_.value(number_in_log_[signal], is_text ? text_number(signal, present_[i]) : present_[i]);
  }
}

void recorder::state::write_changes(femtoseconds now) {
  for (std::size_t word = 0; word < dirty_.size(); ++word) {
    for (std::uint64_t left = dirty_[word]; left != 0; left &= left - 1)
      write_source(catalog_.sources()[word * 64 + static_cast<unsigned>(__builtin_ctzll(left))], now);
    dirty_[word] = 0;
  }
}

recorder::recorder(device& target, const trace_settings& settings)
    : state_(std::make_unique<state>(target, settings)) {}
recorder::~recorder() = default;
void recorder::mismatch_found() { state_->mismatch_found(); }
void recorder::close() { state_->close(); }
bool recorder::has_recorded() const { return state_->has_recorded(); }

}  // namespace gt200::observe
