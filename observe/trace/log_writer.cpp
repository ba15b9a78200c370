#include "observe/trace/log_writer.h"

#include <sys/file.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "observe/trace/log_reader.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::observe {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;
constexpr std::size_t longest_number = 10;

std::uint8_t* put_number(std::uint8_t* to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<std::uint8_t>(number | 0x80);
  *to++ = static_cast<std::uint8_t>(number);
  return to;
}

// For the ring: passes on the events from a given time on, and stores the values before it.
class from_time final : public log_visitor {
 public:
  from_time(log_writer& to, std::vector<std::uint64_t>& values, tlm_bus::femtoseconds begin)
      : to_(to), values_(values), begin_(begin) {}

  void time(tlm_bus::femtoseconds t) override {
    if (t < begin_) return;
    start();
    to_.time(t);
  }
  void on_event(const event& e) override {
    if (started_) to_.on_event(e);
  }
  void value(std::uint32_t signal, std::uint64_t v) override {
    if (started_) return to_.value(signal, v);
    if (signal >= values_.size()) values_.resize(signal + 1);
    values_[signal] = v;
  }
  void start() {
    if (started_) return;
    started_ = true;
    to_.time(begin_);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i] != 0) to_.value(static_cast<std::uint32_t>(i), values_[i]);
  }

 private:
  log_writer& to_;
  std::vector<std::uint64_t>& values_;
  tlm_bus::femtoseconds begin_;
  bool started_ = false;
};

}  // namespace

log_writer::log_writer(const std::string& path, const std::string& named)
    : path_(path),
      named_(named.empty() ? path : named),
      file_(std::fopen(path.c_str(), "wb")),
      buffer_(chunk_bytes + chunk_bytes / 4) {
  if (file_ == nullptr) fail();
  flock(fileno(file_), LOCK_SH | LOCK_NB);  // nobody takes it for one of a dead process (toolchain/output_file.cpp)
}

void log_writer::begin(log_definitions definitions, tlm_bus::femtoseconds kept) {
  definitions_ = std::move(definitions);
  kept_ = kept;
  begun_ = true;
  if (!holds_back()) define();
}

log_writer::~log_writer() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!begun_) discard_file(path_);
}

// If the disk is full, what has been written must not stand in the way of other files.
void log_writer::fail() {
  const std::string reason = std::strerror(errno);
  if (file_ != nullptr) {
    std::fclose(file_);
    file_ = nullptr;
    discard_file(path_);
  }
  throw input_error(named_, 0, "cannot be written: " + reason);
}

std::uint8_t* log_writer::room_for(std::size_t bytes) {
  if (used_ + bytes > buffer_.size()) buffer_.resize(2 * buffer_.size());
  return &buffer_[used_];
}

void log_writer::put(std::uint64_t number) { put_to(put_number(room_for(longest_number), number)); }

void log_writer::put(const std::string& text) {
  put(text.size());
  for (const char c : text) put(static_cast<std::uint8_t>(c));
}

void log_writer::define() {
  for (const logged_domain& d : definitions_.domains) {
    put(record::domain);
    put(d.name);
    put(d.period);
  }
  for (const std::string& place : definitions_.places) {
    put(record::place);
    put(place);
  }
  for (const logged_signal& s : definitions_.signals) {
    put(record::signal);
    put(s.path);
    put(static_cast<std::uint64_t>(s.kind));
    put(s.bits);
  }
  put(record::window);
  put(definitions_.begin);
  put(definitions_.end);
  end_chunk();
}

void log_writer::time(tlm_bus::femtoseconds t) {
  if (used_ >= chunk_bytes) end_chunk();
  put(record::time);
  put(timed_ ? t - now_ : t);
  timed_ = true;
  now_ = t;
}

void log_writer::on_event(const event& e) {
  std::uint8_t* to = room_for((3 + tlm_bus::max_event_details) * longest_number + 1);
  to = put_number(to, static_cast<std::uint64_t>(record::event));
  to = put_number(to, e.place);
  *to++ =
      static_cast<std::uint8_t>(static_cast<unsigned>(e.kind) | unsigned{e.details} << event_head::details_shift |
                                (e.id != 0 ? event_head::has_id : 0));
  if (e.id != 0) {
    to = put_number(to, e.id ^ id_);
    id_ = e.id;
  }
  for (unsigned i = 0; i < e.details; ++i) to = put_number(to, e.detail[i]);
  put_to(to);
}

void log_writer::value(std::uint32_t signal, std::uint64_t v) {
  const std::uint64_t step =
      signal >= signal_ ? 2 * std::uint64_t{signal - signal_} : 2 * std::uint64_t{signal_ - signal} - 1;
  signal_ = signal;
  std::uint8_t* const to = room_for(2 * longest_number);
  put_to(put_number(put_number(to, static_cast<std::uint64_t>(record::value) + step), v));
}

std::uint64_t log_writer::number_of(const std::string& text) {
  if (text.empty()) return 0;
  const auto [at, fresh] = texts_.try_emplace(text, texts_.size() + 1);
  if (fresh) {
    text_list_.push_back(text);
    if (!holds_back()) put_text(at->second);
  }
  return at->second;
}

void log_writer::put_text(std::uint64_t number) {
  put(record::text);
  put(number);
  put(text_list_[number - 1]);
}

void log_writer::end_chunk() {
  if (used_ == 0) return;
  if (holds_back()) {
    ring_.push_back({{buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_)}, now_});
    forget_before(now_ > kept_ ? now_ - kept_ : 0);
  } else {
    write_chunk();
  }
  used_ = 0;
  timed_ = false;
  signal_ = 0;
  id_ = 0;
}

void log_writer::write_chunk() {
  chunk_header header;
  header.bytes = static_cast<std::uint32_t>(used_);
  header.checksum = static_cast<std::uint32_t>(crc32(0, buffer_.data(), static_cast<uInt>(used_)));
  if (std::fwrite(&header, sizeof header, 1, file_) != 1 || std::fwrite(buffer_.data(), 1, used_, file_) != used_ ||
      std::fflush(file_) != 0)
    fail();
}

// Drops the chunks of the ring before `begin`, but keeps their final signal values.
void log_writer::forget_before(tlm_bus::femtoseconds begin) {
  while (!ring_.empty() && ring_.front().last < begin) {
    from_time values_only(*this, before_, tlm_bus::no_time);
    read_records(ring_.front().bytes, values_only);
    ring_.pop_front();
  }
}

void log_writer::keep_from(tlm_bus::femtoseconds begin) {
  if (!holds_back()) return;
  end_chunk();
  forget_before(begin);
  kept_ = 0;
  definitions_.begin = begin;
  define();
  for (std::uint64_t number = 1; number <= text_list_.size(); ++number) put_text(number);
  from_time rest(*this, before_, begin);
  for (const chunk& c : ring_) read_records(c.bytes, rest);
  rest.start();
  ring_.clear();
}

void log_writer::close() {
  if (!holds_back()) {
    end_chunk();
    write_chunk();  // an empty one is the mark of the end
  }
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (closed) return;
  discard_file(path_);
  fail();
}

}  // namespace gt200::observe
