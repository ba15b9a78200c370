#include "observe/trace/log_reader.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "toolchain/error.h"

namespace gt200::observe {
namespace {

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
    std::string result(number(), ' ');
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
    } else if (type == record::place) {
      to.places.push_back(at.text());
    } else if (type == record::signal) {
      std::string path = at.text();
      const auto kind = static_cast<tlm_bus::signal_kind>(at.number());
      to.signals.push_back({std::move(path), kind, static_cast<unsigned>(at.number())});
    } else if (type == record::window) {
      to.begin = at.number();
      to.end = at.number();
    } else {
      throw std::out_of_range("no definition");
    }
  }
}

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
      case record::time: visitor.time(now += at.number()); break;
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
  if (!next_chunk(records)) throw input_error(path_, 0, "is not the log of a traced run");
  try {
    read_definitions(records, definitions_);
  } catch (const std::out_of_range& damage) {
    throw input_error(path_, 0, std::string("is damaged: ") + damage.what());
  }
}

bool log_reader::next_chunk(std::vector<std::uint8_t>& records) {
  chunk_header header;
  file_.read(reinterpret_cast<char*>(&header), sizeof header);
  if (file_.gcount() == 0) return false;
  cut_off_ = true;
  if (static_cast<std::size_t>(file_.gcount()) != sizeof header || header.magic != log_magic) return false;
  if (header.version != log_version)
    throw input_error(
        path_, 0,
        "is a log of version " + std::to_string(header.version) + "; this is " + std::to_string(log_version));
  // The length may be damaged and must not allocate much memory: the buffer grows while bytes are read.
  records.clear();
  while (records.size() < header.bytes) {
    const std::size_t part = std::min<std::size_t>(header.bytes - records.size(), std::size_t{1} << 20);
    const std::size_t before = records.size();
    records.resize(before + part);
    file_.read(reinterpret_cast<char*>(&records[before]), static_cast<std::streamsize>(part));
    if (static_cast<std::size_t>(file_.gcount()) != part) return false;
  }
  if (crc32(0, records.data(), static_cast<uInt>(records.size())) != header.checksum) return false;
  cut_off_ = false;
  return true;
}

const std::string& log_reader::text(std::uint64_t number) const {
  static const std::string unknown = "?";
  return number < texts_.size() ? texts_[number] : unknown;
}

void log_reader::read(log_visitor& visitor) {
  std::vector<std::uint8_t> records;
  try {
    while (next_chunk(records)) read_records(records, visitor, &texts_);
  } catch (const std::out_of_range& damage) {
    throw input_error(path_, 0, std::string("is damaged: ") + damage.what());
  }
}

}  // namespace gt200::observe
