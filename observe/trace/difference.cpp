#include "observe/trace/difference.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "observe/trace/event_text.h"
#include "observe/trace/log_reader.h"
#include "sc_models/ids.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using tlm_bus::femtoseconds;
using tlm_bus::mixed;

// A record of a stream, which is a place or a signal.
struct noted_record {
  femtoseconds at = tlm_bus::no_time;
  std::string text = "nothing more";
};

// The first difference of a stream.
struct divergence {
  std::size_t number = 0;  // of the record in its stream, from 0
  noted_record a, b;
  femtoseconds at() const { return std::min(a.at, b.at); }
};

// Reads a log as streams of hashes. Streams are numbered: places as in the definitions, then signals.
class stream_visitor : public log_visitor {
 public:
  stream_visitor(log_reader& log, bool times)
      : log_(log), times_(times), places_(log.definitions().places.size()) {}

  void time(femtoseconds t) final { now_ = t; }
  void on_event(const event& e) final {
    std::uint64_t hash = mixed(start(), static_cast<std::uint64_t>(e.kind));
    hash = mixed(hash, e.id);
    for (unsigned i = 0; i < e.details; ++i) {
      const bool is_text = e.kind == event_kind::entered && i == 4;
      hash = mixed(hash, is_text ? hash_of(log_.text(e.detail[i])) : e.detail[i]);
    }
    record(e.place, hash, [&] {
      const std::string id = e.id == 0 ? "" : " " + model::text_of_id(e.id);
      return fmt::format("{}{}  {}", name_of(e.kind), id, details_text(e, log_));
    });
  }
  void value(std::uint32_t signal, std::uint64_t v) final {
    const bool is_text = kind_of(signal) == tlm_bus::signal_kind::text;
    record(places_ + signal, mixed(start(), is_text ? hash_of(log_.text(v)) : v),
           [&] { return text_of(signal, v); });
  }

 protected:
  virtual void take(std::size_t stream, std::uint64_t hash) = 0;
  // Asked behind take(): the record is to be noted.
  virtual noted_record* wanted() { return nullptr; }

 private:
  template <class Text>
  void record(std::size_t stream, std::uint64_t hash, const Text& text) {
    take(stream, hash);
    if (noted_record* to = wanted()) *to = {now_, text()};
  }
  std::uint64_t start() const { return times_ ? now_ : 0; }
  static std::uint64_t hash_of(const std::string& text) { return std::hash<std::string_view>()(text); }
  tlm_bus::signal_kind kind_of(std::uint32_t signal) const { return log_.definitions().signals.at(signal).kind; }
  std::string text_of(std::uint32_t signal, std::uint64_t v) const {
    if (kind_of(signal) == tlm_bus::signal_kind::text) return "= " + log_.text(v);
    if (kind_of(signal) != tlm_bus::signal_kind::real) return fmt::format("= {} ({:#x})", v, v);
    double number = 0;
    std::memcpy(&number, &v, sizeof number);
    return fmt::format("= {}", number);
  }

  log_reader& log_;
  bool times_;
  std::size_t places_;
  femtoseconds now_ = 0;
};

using streams = std::vector<std::vector<std::uint64_t>>;
constexpr std::size_t none = ~std::size_t{0};

class hashes_of final : public stream_visitor {
 public:
  hashes_of(log_reader& log, bool times, std::size_t count) : stream_visitor(log, times), streams_(count) {}
  streams& result() { return streams_; }

 private:
  void take(std::size_t stream, std::uint64_t hash) override { streams_.at(stream).push_back(hash); }

  streams streams_;
};

// Compares the streams of B with those of A, and notes of B the first records that are others.
class comparer final : public stream_visitor {
 public:
  comparer(log_reader& log, bool times, const streams& a, const std::vector<std::size_t>& same_in_a)
      : stream_visitor(log, times), a_(a), same_in_a_(same_in_a), read_(same_in_a.size()) {}

  // By stream of A. Complete after finish().
  std::map<std::size_t, divergence>& result() { return result_; }
  // Streams that end early in B.
  void finish() {
    for (std::size_t stream = 0; stream < read_.size(); ++stream) {
      const std::size_t of_a = same_in_a_[stream];
      if (of_a != none && read_[stream] < a_[of_a].size())
        result_.try_emplace(of_a, divergence{read_[stream], {}, {}});
    }
  }

 private:
  void take(std::size_t stream, std::uint64_t hash) override {
    wanted_ = nullptr;
    const std::size_t of_a = same_in_a_.at(stream);
    if (of_a == none) return;
    const std::size_t number = read_[stream]++;
    if (number < a_[of_a].size() && a_[of_a][number] == hash) return;
    const auto [at, is_first] = result_.try_emplace(of_a, divergence{number, {}, {}});
    if (is_first) wanted_ = &at->second.b;
  }
  noted_record* wanted() override { return wanted_; }

  const streams& a_;
  const std::vector<std::size_t>& same_in_a_;
  std::vector<std::size_t> read_;  // records of each stream
  std::map<std::size_t, divergence> result_;
  noted_record* wanted_ = nullptr;
};

// Notes of A the records that differ.
class finder final : public stream_visitor {
 public:
  finder(log_reader& log, std::size_t count, std::map<std::size_t, divergence>& found)
      : stream_visitor(log, false), read_(count), found_(found) {}

 private:
  void take(std::size_t stream, std::uint64_t) override {
    const auto at = found_.find(stream);
    const std::size_t number = read_.at(stream)++;
    wanted_ = at != found_.end() && at->second.number == number ? &at->second.a : nullptr;
  }
  noted_record* wanted() override { return wanted_; }

  std::vector<std::size_t> read_;
  std::map<std::size_t, divergence>& found_;
  noted_record* wanted_ = nullptr;
};

std::string_view parent_of(std::string_view path) { return path.substr(0, path.rfind('.')); }

std::vector<std::string> paths_of(const log_definitions& log) {
  std::vector<std::string> result = log.places;
  for (const logged_signal& s : log.signals) result.push_back(s.path);
  return result;
}

// Knows which places a log keeps events of: those in its scope, of which or of whose module it has signals.
class log_scope {
 public:
  explicit log_scope(const log_definitions& log) {
    for (const logged_signal& s : log.signals)
      for (std::string_view at = parent_of(s.path); above_.insert(at).second && at != parent_of(at);)
        at = parent_of(at);
  }
  bool has(std::string_view place) const { return above_.count(place) != 0 || above_.count(parent_of(place)) != 0; }

 private:
  std::set<std::string_view> above_;
};

// For each stream of B the same one of A. A place and a signal may have one path.
std::vector<std::size_t> same_streams(const log_definitions& a, const log_definitions& b) {
  std::unordered_map<std::string, std::size_t> places, signals;
  for (std::size_t i = 0; i < a.places.size(); ++i) places.try_emplace(a.places[i], i);
  for (std::size_t i = 0; i < a.signals.size(); ++i) signals.try_emplace(a.signals[i].path, a.places.size() + i);
  const auto find = [](const auto& in, const std::string& path) {
    const auto at = in.find(path);
    return at == in.end() ? none : at->second;
  };
  const log_scope of_a(a), of_b(b);
  std::vector<std::size_t> result;
  for (const std::string& p : b.places) result.push_back(of_a.has(p) == of_b.has(p) ? find(places, p) : none);
  for (const logged_signal& s : b.signals) result.push_back(find(signals, s.path));
  return result;
}

// Signals count from the beginning of their window.
void require_same_window(const log_comparison& compared, const log_reader& a, const log_reader& b) {
  const auto text = [](const log_reader& log) {
    const log_definitions& d = log.definitions();
    const femtoseconds core = log.core_period();
    return fmt::format("{}:{}", d.begin / core, d.end == 0 ? std::string() : std::to_string(d.end / core));
  };
  const std::string of_a = text(a), of_b = text(b);
  if (of_a != of_b)
    throw input_error(fmt::format("{} has core cycles {}, {} has {}: record both with the same --wave-window",
                                  compared.a, of_a, compared.b, of_b));
}

std::string line_of(char log, const noted_record& r, femtoseconds core_period) {
  if (r.at == tlm_bus::no_time) return fmt::format("  {}  {:>8}  {}\n", log, "", r.text);
  return fmt::format("  {}  {:>8}  {}\n", log, r.at / core_period, r.text);
}

}  // namespace

log_difference write_difference(const log_comparison& compared, std::ostream& to) {
  log_reader a(compared.a), b(compared.b);
  require_same_window(compared, a, b);
  const std::vector<std::string> paths = paths_of(a.definitions());
  const std::vector<std::size_t> same_in_a = same_streams(a.definitions(), b.definitions());
  hashes_of of_a(a, compared.times, paths.size());
  a.read(of_a);
  comparer of_b(b, compared.times, of_a.result(), same_in_a);
  b.read(of_b);
  of_b.finish();
  auto& found = of_b.result();
  if (!found.empty()) {
    log_reader again(compared.a);
    finder of_found(again, paths.size(), found);
    again.read(of_found);
  }

  std::vector<std::pair<std::size_t, const divergence*>> by_time;
  for (const auto& [stream, d] : found) by_time.emplace_back(stream, &d);
  std::sort(by_time.begin(), by_time.end(), [](const auto& x, const auto& y) {
    return std::pair(x.second->at(), x.first) < std::pair(y.second->at(), y.first);
  });
  std::map<std::string, std::size_t> differing_in;  // by module
  const auto& places = a.definitions().places;
  // A place is a pipe or port, and what it publishes belongs to the module above; or a module that has such.
  std::set<std::string_view> pipes(places.begin(), places.end());
  for (const std::string& place : places) pipes.erase(parent_of(place));
  const auto module_of = [&](std::size_t stream) {
    std::string_view at = paths[stream];
    if (stream >= places.size()) at = parent_of(at);
    return std::string(pipes.count(at) != 0 ? parent_of(at) : at);
  };
  for (const auto& [stream, d] : by_time) ++differing_in[module_of(stream)];
  std::size_t shown = 0;
  std::map<std::string, std::size_t> left = differing_in;
  for (const auto& [stream, d] : by_time) {
    const auto at = left.find(module_of(stream));
    if (at == left.end()) continue;
    left.erase(at);
    if (compared.modules != 0 && shown == compared.modules) break;
    ++shown;
    const bool is_place = stream < places.size();
    const std::size_t others = differing_in[module_of(stream)] - 1;
    fmt::print(to, "{}, {} {}{}\n", paths[stream], is_place ? "event" : "value", d->number + 1,
               others == 0 ? "" : fmt::format(", and {} more of this module", others));
    to << line_of('A', d->a, a.core_period()) << line_of('B', d->b, b.core_period());
  }
  const auto in_both = static_cast<std::size_t>(
      std::count_if(same_in_a.begin(), same_in_a.end(), [](std::size_t s) { return s != none; }));
  if (shown < differing_in.size()) fmt::print(to, "and {} more modules\n", differing_in.size() - shown);
  fmt::print(to, "{} of {} places and signals differ, in {} modules; {} are in A alone, {} in B\n", found.size(),
             in_both, differing_in.size(), paths.size() - in_both, same_in_a.size() - in_both);
  return {found.size(), a.loss(), b.loss()};
}

}  // namespace gt200::observe
