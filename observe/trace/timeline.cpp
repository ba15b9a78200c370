#include "observe/trace/timeline.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <map>

#include "observe/trace/glob.h"
#include "observe/trace/sm_path.h"
#include "sc_models/ids.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/dram/timing_table.h"
#include "toolchain/bits.h"

namespace gt200::observe {
namespace {

using tlm_bus::femtoseconds;

constexpr femtoseconds microsecond = 1'000'000'000;
constexpr unsigned counted_cycles = 256;
constexpr femtoseconds longest_gap = 1 << 16;  // of counts; a longer time without events is counted as one
constexpr unsigned chip_process = 1;
constexpr unsigned sm_process = 100;          // plus number of the SM
constexpr unsigned partition_process = 1000;  // plus number of the partition
constexpr unsigned block_thread = 100;        // plus slot

std::string stamp(femtoseconds t) { return fmt::format("{}.{:09}", t / microsecond, t % microsecond); }

// The number after `name` in a path.
unsigned number_behind(const std::string& path, const char* name) {
  const std::size_t at = path.find(name);
  return at == std::string::npos ? 0 : number_at(path, at + std::string(name).size());
}

class timeline final : public log_visitor {
 public:
  timeline(log_reader& log, std::ostream& to) : definitions_(log.definitions()), to_(to) {
    for (const logged_domain& d : definitions_.domains) {
      if (matches("*.core", d.name)) core_ = d.period;
      if (matches("*.memory", d.name)) memory_ = d.period;
    }
    for (const std::string& path : definitions_.places) places_.push_back(place_of(path));
    for (const logged_signal& s : definitions_.signals) meanings_.push_back(meaning_of(s.path));
    values_.assign(meanings_.size(), 0);
    since_.assign(meanings_.size(), {});
    fmt::print(to_, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    name_process(chip_process, "chip");
    for (const auto& [path, number] : sms_) name_process(sm_process + number, path);
    for (std::size_t p = 0; p < partitions_; ++p)
      name_process(partition_process + static_cast<unsigned>(p), fmt::format("partition_{}", p));
    next_count_ = definitions_.begin + counted_cycles * core_;
    counted_from_ = definitions_.begin;
  }

  void time(femtoseconds t) override {
    const femtoseconds step = counted_cycles * core_;
    if (t >= next_count_ && (t - next_count_) / step > longest_gap) {
      count(next_count_);
      next_count_ += (t - next_count_) / step * step;
    }
    for (; t >= next_count_; next_count_ += step) count(next_count_);
    now_ = t;
    begin_ = std::min(begin_, t);
  }
  void on_event(const event& e) override {
    if (e.place >= places_.size()) return;
    const place& p = places_[e.place];
    switch (p.kind) {
      case place::role::grid:
        if (e.kind != event_kind::taken) break;
        grid_ = e.detail[0];
        grid_since_ = now_;
        break;
      case place::role::grid_end:
        if (e.kind == event_kind::sent) span(chip_process, 1, fmt::format("grid {}", grid_), grid_since_, now_, "");
        break;
      case place::role::arbiter: transaction(p.number, e); break;
      case place::role::dram: command(p.number, e); break;
      case place::role::none: break;
    }
  }
  void value(std::uint32_t signal, std::uint64_t v) override {
    if (signal >= meanings_.size()) return;
    const meaning& m = meanings_[signal];
    const std::uint64_t old = values_[signal];
    values_[signal] = v;
    switch (m.kind) {
      case meaning::role::unfinished: warps(signal, old, v); break;
      case meaning::role::resident:
        resident_ += __builtin_popcountll(v);
        resident_ -= __builtin_popcountll(old);
        break;
      case meaning::role::busy: block(signal, v != 0); break;
      case meaning::role::block: blocks_[{m.process, m.thread}] = v; break;
      // The value of a counter at the beginning of the recording has been counted before.
      case meaning::role::issued: issued_ += now_ == begin_ ? 0 : v - old; break;
      case meaning::role::bytes: bytes_ += now_ == begin_ ? 0 : v - old; break;
      case meaning::role::waiting: waiting_[m.process] = v; break;
      case meaning::role::none: break;
    }
  }
  void end() {
    count(now_ > counted_from_ ? now_ : counted_from_ + core_);
    for (std::size_t signal = 0; signal < meanings_.size(); ++signal) {
      if (meanings_[signal].kind == meaning::role::unfinished)
        warps(static_cast<std::uint32_t>(signal), values_[signal], 0);
      if (meanings_[signal].kind == meaning::role::busy && values_[signal] != 0)
        block(static_cast<std::uint32_t>(signal), false);
    }
    fmt::print(to_, "\n]}}\n");
  }

 private:
  struct place {
    enum class role : std::uint8_t { none, grid, grid_end, arbiter, dram } kind = role::none;
    unsigned number = 0;  // of the partition
  };
  struct meaning {
    enum class role : std::uint8_t {
      none,
      unfinished,
      resident,
      busy,
      block,
      issued,
      bytes,
      waiting
    } kind = role::none;
    unsigned process = 0;
    unsigned thread = 0;
  };

  place place_of(const std::string& path) {
    place p;
    p.number = number_behind(path, ".partition_");
    if (path.find(".partition_") != std::string::npos)
      partitions_ = std::max<std::size_t>(partitions_, p.number + 1);
    if (matches("*.work_distributor.grids", path)) p.kind = place::role::grid;
    if (matches("*.command_processor.end", path)) p.kind = place::role::grid_end;
    if (matches("*.partition_*.arbiter.requests", path)) p.kind = place::role::arbiter;
    if (matches("*.partition_*.dram.devices.commands", path)) p.kind = place::role::dram;
    return p;
  }
  meaning meaning_of(const std::string& path) {
    meaning m;
    if (const std::string name = sm_in(path); !name.empty()) {
      m.process = sm_process + sms_.try_emplace(name, static_cast<unsigned>(sms_.size())).first->second;
    } else {
      m.process = partition_process + number_behind(path, ".partition_");
    }
    if (matches("*.block_control.unfinished", path)) m.kind = meaning::role::unfinished;
    if (matches("*.block_control.resident", path)) m.kind = meaning::role::resident;
    if (matches("*.block_control.slot_*", path)) {
      m.kind = matches("*.busy", path) ? meaning::role::busy : meaning::role::block;
      m.thread = block_thread + number_behind(path, ".slot_");
    }
    if (matches("*.issue.issued", path)) m.kind = meaning::role::issued;
    if (matches("*.dram.*.read_bytes", path) || matches("*.dram.*.written_bytes", path))
      m.kind = meaning::role::bytes;
    if (matches("*.arbiter.requests.waiting", path)) m.kind = meaning::role::waiting;
    return m;
  }

  // Begins a new element of the JSON array.
  std::ostream& element() {
    if (!first_) to_ << ",\n";
    first_ = false;
    return to_;
  }
  void name_process(unsigned process, const std::string& name) {
    fmt::print(element(), R"({{"name":"process_name","ph":"M","pid":{},"tid":0,"args":{{"name":"{}"}}}})", process,
               name);
  }
  void span(unsigned process, unsigned thread, const std::string& name, femtoseconds begin, femtoseconds end,
            const std::string& arguments) {
    fmt::print(element(), R"({{"name":"{}","ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", name,
               process, thread, stamp(begin), stamp(end - begin), arguments);
  }
  void counter(unsigned process, const char* name, const std::string& value, femtoseconds at) {
    fmt::print(element(), R"({{"name":"{}","ph":"C","pid":{},"tid":0,"ts":{},"args":{{"value":{}}}}})", name,
               process, stamp(at), value);
  }

  void transaction(unsigned partition, const event& e) {
    const bool begins = e.kind == event_kind::begin_request;
    if (!begins && e.kind != event_kind::begin_response) return;
    const std::string id = model::text_of_id(e.id);
    fmt::print(element(),
               R"({{"name":"{}","cat":"memory","ph":"{}","id":"{}","pid":{},"tid":1,"ts":{},"args":{{)"
               R"("address":"{:#x}","bytes":{},"instruction":"{}"}}}})",
               model::name_of(static_cast<model::memory_kind>(e.detail[model::transaction_details::kind])),
               begins ? "b" : "e", id, partition_process + partition, stamp(now_), e.detail[0], e.detail[1],
               model::text_of_id(e.detail[5]));
  }
  void command(unsigned partition, const event& e) {
    if (e.detail[5] != 0) return;  // refreshes in idle time
    static constexpr std::array<const char*, model::dram_commands> names = {"activate", "precharge", "read",
                                                                            "write", "refresh"};
    span(partition_process + partition, 2 + static_cast<unsigned>(e.detail[1]), names[e.detail[0] % names.size()],
         now_, now_ + memory_, fmt::format(R"("row":{},"bursts":{})", e.detail[2], e.detail[3]));
  }
  void warps(std::uint32_t signal, std::uint64_t old, std::uint64_t present) {
    auto& since = since_[signal];
    since.resize(64);
    for (const unsigned warp : set_bits(old ^ present)) {
      if ((present >> warp & 1) != 0)
        since[warp] = now_;
      else
        span(meanings_[signal].process, warp, fmt::format("warp {}", warp), since[warp], now_, "");
    }
  }
  void block(std::uint32_t signal, bool begins) {
    const meaning& m = meanings_[signal];
    auto& since = since_[signal];
    since.resize(1);
    if (begins)
      since[0] = now_;
    else
      span(m.process, m.thread, fmt::format("block {}", blocks_[{m.process, m.thread}]), since[0], now_, "");
  }
  void count(femtoseconds until) {
    const double cycles = static_cast<double>(until - counted_from_) / static_cast<double>(core_);
    counter(chip_process, "warp instructions per core cycle",
            fmt::format("{:.4f}", static_cast<double>(issued_) / cycles), counted_from_);
    counter(chip_process, "resident warps", fmt::format("{}", resident_), counted_from_);
    counter(chip_process, "DRAM GB/s",
            fmt::format("{:.3f}", static_cast<double>(bytes_) * 1e6 / static_cast<double>(until - counted_from_)),
            counted_from_);
    for (const auto& [process, requests] : waiting_)
      counter(process, "requests waiting", fmt::format("{}", requests), counted_from_);
    counted_from_ = until;
    issued_ = bytes_ = 0;
  }

  const log_definitions& definitions_;
  std::ostream& to_;
  femtoseconds core_ = 1;
  femtoseconds memory_ = 1;
  std::vector<place> places_;
  std::vector<meaning> meanings_;
  std::vector<std::uint64_t> values_;
  std::vector<std::vector<femtoseconds>> since_;  // by signal: for each warp, or for the block
  std::map<std::string, unsigned> sms_;
  std::size_t partitions_ = 0;
  bool first_ = true;
  femtoseconds begin_ = tlm_bus::no_time;  // the first instant
  femtoseconds now_ = 0;
  std::uint64_t grid_ = 0;
  femtoseconds grid_since_ = 0;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> blocks_;  // by process and thread
  femtoseconds next_count_ = 0;
  femtoseconds counted_from_ = 0;
  std::uint64_t issued_ = 0;
  std::uint64_t bytes_ = 0;
  std::int64_t resident_ = 0;
  std::map<unsigned, std::uint64_t> waiting_;  // by process
};

}  // namespace

std::vector<std::string> signals_of_timeline() {
  return {"*.block_control.unfinished", "*.block_control.resident", "*.block_control.slot_*", "*.issue.issued",
          "*.arbiter.requests.waiting", "*.dram.*.read_bytes",      "*.dram.*.written_bytes"};
}

void write_timeline(log_reader& log, std::ostream& to) {
  timeline visitor(log, to);
  log.read(visitor);
  visitor.end();
}

}  // namespace gt200::observe
