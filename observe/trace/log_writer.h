// Writes the log of a traced run: records into a chunk, whole chunks to a file by append, or into a ring that keeps
// the last stretch of time until somebody wants it.
#pragma once

#include <cstdio>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "observe/trace/log_format.h"

namespace gt200::observe {

class log_writer {
 public:
  // A new file, in place of any older one; it goes again when nothing is begun in it or a write fails. Throws
  // input_error, here and later, when it cannot be written. `named`: for that message, another file's name.
  explicit log_writer(const std::string& path, const std::string& named = "");
  ~log_writer();
  log_writer(const log_writer&) = delete;
  log_writer& operator=(const log_writer&) = delete;

  // Once, before anything else. `kept`: 0 writes as it goes; otherwise nothing is written until keep_from(), and
  // only what happened within `kept` femtoseconds is held in memory.
  void begin(log_definitions definitions, tlm_bus::femtoseconds kept);
  // What follows happened at `t`, which never goes back.
  void time(tlm_bus::femtoseconds t);
  void happened(const event& e);
  void value(std::uint32_t signal, std::uint64_t v);
  // The number that stands for this text in values of text signals; 0 is the empty text.
  std::uint64_t number_of(const std::string& text);

  // Writes what the ring holds of the time from `begin` on, with the values all signals had then, and goes on
  // writing as it goes. Without a ring it does nothing.
  void keep_from(tlm_bus::femtoseconds begin);
  // Nothing follows. Throws input_error when something could not be written.
  void close();

  bool holds_back() const { return kept_ != 0; }

 private:
  struct chunk {
    std::vector<std::uint8_t> bytes;
    tlm_bus::femtoseconds last = 0;  // time in it
  };
  std::uint8_t* room_for(std::size_t bytes);
  void put_to(const std::uint8_t* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
  void put(std::uint64_t number);
  void put(const std::string& text);
  void put(record r) { put(static_cast<std::uint64_t>(r)); }
  void put_text(std::uint64_t number);
  void define();
  void end_chunk();
  void forget_before(tlm_bus::femtoseconds begin);
  [[noreturn]] void fail();

  std::string path_;
  std::string named_;
  bool whole_ = false;  // begun, and no write has failed
  log_definitions definitions_;
  std::FILE* file_ = nullptr;
  tlm_bus::femtoseconds kept_ = 0;
  std::vector<std::uint8_t> buffer_;  // of the chunk under way; what is used of it grows
  std::size_t used_ = 0;
  bool timed_ = false;  // the chunk has a time
  tlm_bus::femtoseconds now_ = 0;
  std::uint32_t signal_ = 0;  // the last one of the chunk
  std::uint64_t id_ = 0;      // also
  std::unordered_map<std::string, std::uint64_t> texts_;
  std::vector<std::string> text_list_;
  // Of the ring:
  std::deque<chunk> ring_;
  std::vector<std::uint64_t> before_;  // values of the signals before its first chunk
};

}  // namespace gt200::observe
