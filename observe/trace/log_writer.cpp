#include "observe/trace/log_writer.h"

#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "observe/trace/log_reader.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

constexpr std::size_t chunk_bytes = 1 << 18;
constexpr std::size_t longest_number = 10;

// Of a ring: lets pass what happens from a time on, and remembers the values before it.
class from_time final : public log_visitor {
 public:
  from_time(log_writer& to, std::vector<std::uint64_t>& values, tlm_bus::femtoseconds begin)
      : to_(to), values_(values), begin_(begin) {}

  void time(tlm_bus::femtoseconds t) override {
    if (t < begin_) return;
    start();
    to_.time(t);
  }
  void happened(const event& e) override {
    if (started_) to_.happened(e);
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

log_writer::log_writer(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")), buffer_(chunk_bytes + chunk_bytes / 4) {
  if (file_ == nullptr) fail();
}

void log_writer::begin(log_definitions definitions, tlm_bus::femtoseconds kept) {
  definitions_ = std::move(definitions);
  kept_ = kept;
  if (!holds_back()) define();
}

log_writer::~log_writer() {
  if (file_ != nullptr) std::fclose(file_);
}

void log_writer::fail() const {
  throw input_error(path_, 0, std::string("cannot be written: ") + std::strerror(errno));
}

void log_writer::put(std::uint64_t number) {
  if (used_ + longest_number > buffer_.size()) buffer_.resize(2 * buffer_.size());
  std::uint8_t* to = &buffer_[used_];
  const std::uint8_t* const begin = to;
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<std::uint8_t>(number | 0x80);
  *to++ = static_cast<std::uint8_t>(number);
  used_ += static_cast<std::size_t>(to - begin);
}

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

void log_writer::happened(const event& e) {
  put(record::event);
  put(e.place);
  put(static_cast<std::uint64_t>(e.what));
  put(e.id);
  put(e.details);
  for (unsigned i = 0; i < e.details; ++i) put(e.detail[i]);
}

void log_writer::value(std::uint32_t signal, std::uint64_t v) {
  put(static_cast<std::uint64_t>(record::value) + signal);
  put(v);
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
    chunk_header header;
    header.bytes = static_cast<std::uint32_t>(used_);
    header.checksum = static_cast<std::uint32_t>(crc32(0, buffer_.data(), static_cast<uInt>(used_)));
    if (std::fwrite(&header, sizeof header, 1, file_) != 1 ||
        std::fwrite(buffer_.data(), 1, used_, file_) != used_ || std::fflush(file_) != 0)
      fail();
  }
  used_ = 0;
  timed_ = false;
}

// Drops the chunks of the ring that lie before `begin`, all but the values they leave.
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
  if (!holds_back()) end_chunk();
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed) fail();
}

}  // namespace gt200::observe
