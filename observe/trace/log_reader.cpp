#include "observe/trace/log_reader.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "observe/trace/glob.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

constexpr tlm_bus::femtoseconds last_time = tlm_bus::femtoseconds{1} << 62;       // an hour
constexpr tlm_bus::femtoseconds longest_period = tlm_bus::femtoseconds{1} << 40;  // a millisecond

class cursor {
 public:
  explicit cursor(const std::vector<std::uint8_t>& bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}
  bool at_end() const { return at_ == end_; }
  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      result |= std::uint64_t{next & 0x7fu} << shift;
      if ((next & 0x80) == 0) return result;
    }
    throw std::out_of_range("a number is too long");
  }
  std::uint8_t byte() {
    if (at_ == end_) throw std::out_of_range("a record ends early");
    return *at_++;
  }
  std::string text() {
    const std::uint64_t length = number();
    if (length > static_cast<std::uint64_t>(end_ - at_)) throw std::out_of_range("a text ends early");
    std::string result(static_cast<std::size_t>(length), ' ');
    for (char& c : result) c = static_cast<char>(number());
    return result;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// `id` is the previous id of the chunk.
event read_event(cursor& at, std::uint64_t& id) {
  event e;
  e.place = static_cast<std::uint32_t>(at.number());
  const unsigned head = at.byte();
  e.kind = static_cast<event_kind>(head & event_head::kind);
  e.details = static_cast<std::uint8_t>(head >> event_head::details_shift & event_head::details);
  if ((head & event_head::has_id) != 0) e.id = id ^= at.number();
  if (e.details > tlm_bus::max_event_details) throw std::out_of_range("too many details");
  for (unsigned i = 0; i < e.details; ++i) e.detail[i] = at.number();
  return e;
}

void read_definitions(const std::vector<std::uint8_t>& records, log_definitions& to) {
  cursor at(records);
  while (!at.at_end()) {
    const auto type = static_cast<record>(at.number());
    if (type == record::domain) {
      std::string name = at.text();
      to.domains.push_back({std::move(name), at.number()});
      if (const auto period = to.domains.back().period; period < 2 || period > longest_period)
        throw std::out_of_range("a clock of a period that no chip has");
    } else if (type == record::place) {
      to.places.push_back(at.text());
    } else if (type == record::signal) {
      std::string path = at.text();
      const std::uint64_t kind = at.number(), bits = at.number();
      if (kind > static_cast<std::uint64_t>(tlm_bus::signal_kind::real) || bits > 64)
        throw std::out_of_range("a signal of no kind that there is");
      to.signals.push_back({std::move(path), static_cast<tlm_bus::signal_kind>(kind), static_cast<unsigned>(bits)});
    } else if (type == record::window) {
      to.begin = at.number();
      to.end = at.number();
    } else {
      throw std::out_of_range("no definition");
    }
  }
}

// Passes on what lies in a window of time.
class part_of_log final : public log_visitor {
 public:
  part_of_log(log_visitor& to, tlm_bus::femtoseconds from, tlm_bus::femtoseconds until, std::size_t signals)
      : to_(to), from_(from), until_(until), values_(signals) {}

  void time(tlm_bus::femtoseconds t) override {
    first_ = std::min(first_, t);
    last_ = t;
    inside_ = t >= from_ && t < until_;
    if (!inside_) return;
    if (!begun_) begin();
    to_.time(t);
  }
  void on_event(const event& e) override {
    if (inside_) to_.on_event(e);
  }
  void value(std::uint32_t signal, std::uint64_t v) override {
    if (inside_) return to_.value(signal, v);
    if (!begun_ && signal < values_.size()) values_[signal] = v;
  }

  bool begun() const { return begun_; }
  tlm_bus::femtoseconds first() const { return first_; }  // no_time in an empty log
  tlm_bus::femtoseconds last() const { return last_; }

 private:
  void begin() {
    begun_ = true;
    if (first_ >= from_) return;
    to_.time(from_);
    for (std::size_t signal = 0; signal < values_.size(); ++signal)
      if (values_[signal]) to_.value(static_cast<std::uint32_t>(signal), *values_[signal]);
  }

  log_visitor& to_;
  tlm_bus::femtoseconds from_;
  tlm_bus::femtoseconds until_;
  std::vector<std::optional<std::uint64_t>> values_;  // before the window
  tlm_bus::femtoseconds first_ = tlm_bus::no_time;
  tlm_bus::femtoseconds last_ = 0;
  bool inside_ = false;
  bool begun_ = false;
};

}  // namespace

const char* name_of(event_kind kind) {
  static constexpr std::array<const char*, 10> names = {
      "taken",       "sent",           "entered",      "completed",   "begin_request",
      "end_request", "begin_response", "end_response", "transported", "lanes"};
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "?";
}

void read_records(const std::vector<std::uint8_t>& records, log_visitor& visitor, std::vector<std::string>* texts) {
  cursor at(records);
  tlm_bus::femtoseconds now = 0;
  std::uint32_t signal = 0;
  std::uint64_t id = 0;
  while (!at.at_end()) {
    const std::uint64_t kind = at.number();
    if (kind >= static_cast<std::uint64_t>(record::value)) {
      const std::uint64_t step = kind - static_cast<std::uint64_t>(record::value);
      const auto distance = static_cast<std::uint32_t>((step + 1) / 2);
      signal = step % 2 == 0 ? signal + distance : signal - distance;
      visitor.value(signal, at.number());
      continue;
    }
    switch (static_cast<record>(kind)) {
      case record::time: {
        const std::uint64_t step = at.number();
        if (step > last_time - now) throw std::out_of_range("a time that no run reaches");
        visitor.time(now += step);
        break;
      }
      case record::event: visitor.on_event(read_event(at, id)); break;
      case record::text: {
        const std::uint64_t number = at.number();
        std::string text = at.text();
        if (texts == nullptr || number != texts->size()) throw std::out_of_range("a text out of turn");
        texts->push_back(std::move(text));
        break;
      }
      default: throw std::out_of_range("an unknown record");
    }
  }
}

log_reader::log_reader(const std::string& path) : path_(path), file_(path, std::ios::binary), texts_(1) {
  if (!file_) throw input_error(path_, 0, "cannot be read");
  std::vector<std::uint8_t> records;
  if (!next_chunk(records))
    throw input_error(path_, 0,
                      damaged_  ? "is damaged: its definitions are not those that were written"
                      : is_log_ ? "is cut short before the end of its definitions"
                                : "is not the log of a traced run");
  try {
    read_definitions(records, definitions_);
  } catch (const std::out_of_range& damage) {
    throw input_error(path_, 0, std::string("is damaged: ") + damage.what());
  }
}

bool log_reader::next_chunk(std::vector<std::uint8_t>& records) {
  chunk_header header;
  file_.read(reinterpret_cast<char*>(&header), sizeof header);
  if (static_cast<std::size_t>(file_.gcount()) != sizeof header) return false;
  damaged_ = is_log_ && (header.magic != log_magic || header.version != log_version);
  if (header.magic != log_magic || damaged_) return false;
  if (header.version != log_version)
    throw input_error(
        path_, 0,
        "is a log of version " + std::to_string(header.version) + "; this is " + std::to_string(log_version));
  is_log_ = true;
  // The length may be damaged and must not allocate much memory: the buffer grows while bytes are read.
  records.clear();
  while (records.size() < header.bytes) {
    const std::size_t part = std::min<std::size_t>(header.bytes - records.size(), std::size_t{1} << 20);
    const std::size_t before = records.size();
    records.resize(before + part);
    file_.read(reinterpret_cast<char*>(&records[before]), static_cast<std::streamsize>(part));
    if (static_cast<std::size_t>(file_.gcount()) != part) return false;
  }
  damaged_ = crc32(0, records.data(), static_cast<uInt>(records.size())) != header.checksum;
  if (damaged_) return false;
  cut_off_ = header.bytes != 0;
  return cut_off_;
}

std::string log_reader::loss() const {
  if (!cut_off_) return "";
  return damaged_ ? "the log is damaged: what follows the damage is missing" : "the end of the log is missing";
}

tlm_bus::femtoseconds log_reader::core_period() const {
  for (const logged_domain& d : definitions_.domains)
    if (matches("*.core", d.name)) return d.period;
  return 1;
}

void log_reader::only(tlm_bus::cycle_t begin, tlm_bus::cycle_t end) {
  const tlm_bus::femtoseconds period = core_period();
  const auto time_of = [period](tlm_bus::cycle_t cycle) {
    return cycle >= tlm_bus::no_time / period ? tlm_bus::no_time : cycle * period;
  };
  only_from_ = time_of(begin);
  only_until_ = time_of(end);
  definitions_.begin = std::max(definitions_.begin, only_from_);
  if (only_until_ != tlm_bus::no_time && (definitions_.end == 0 || only_until_ < definitions_.end))
    definitions_.end = only_until_;
}

const std::string& log_reader::text(std::uint64_t number) const {
  static const std::string unknown = "?";
  return number < texts_.size() ? texts_[number] : unknown;
}

void log_reader::read(log_visitor& visitor) {
  part_of_log part(visitor, only_from_, only_until_, definitions_.signals.size());
  const bool whole = only_from_ == 0 && only_until_ == tlm_bus::no_time;
  log_visitor& receiver = whole ? visitor : part;
  std::vector<std::uint8_t> records;
  try {
    while (next_chunk(records)) read_records(records, receiver, &texts_);
  } catch (const std::out_of_range& damage) {
    throw input_error(path_, 0, std::string("is damaged: ") + damage.what());
  }
  if (!whole && !part.begun())
    throw input_error(path_, 0,
                      part.first() == tlm_bus::no_time ? std::string("holds no cycle")
                                                       : "holds nothing in these cycles: it goes from core cycle " +
                                                             std::to_string(part.first() / core_period()) + " to " +
                                                             std::to_string(part.last() / core_period()));
}

}  // namespace gt200::observe
