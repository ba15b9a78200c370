// Writes the log of a traced run. Records go into a chunk. Complete chunks are appended to a file, or kept in a
// ring that holds the most recent span of time until it is requested.
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
  // Creates a new file in place of an older one. Removes it again if begin() is not called or a write fails. Throws
  // input_error, here and later, if it cannot be written. `named` is the name of another file for that message.
  explicit log_writer(const std::string& path, const std::string& named = "");
  ~log_writer();
  log_writer(const log_writer&) = delete;
  log_writer& operator=(const log_writer&) = delete;

  // Call it once, before anything else. `kept` = 0 writes immediately. Otherwise nothing is written until
  // keep_from(), and only the last `kept` femtoseconds are held in memory.
  void begin(log_definitions definitions, tlm_bus::femtoseconds kept);
  // The following records belong to time `t`, which never decreases.
  void time(tlm_bus::femtoseconds t);
  void on_event(const event& e);
  void value(std::uint32_t signal, std::uint64_t v);
  // The number for this text in values of text signals; 0 is the empty text.
  std::uint64_t number_of(const std::string& text);

  // Writes the content of the ring from `begin` on, with the values of all signals at that time, and then writes
  // immediately. Does nothing if there is no ring.
  void keep_from(tlm_bus::femtoseconds begin);
  // Ends the log, with a mark that nothing of it is missing. Throws input_error if something could not be written.
  void close();

  bool holds_back() const { return kept_ != 0; }

 private:
  struct chunk {
    std::vector<std::uint8_t> bytes;
    tlm_bus::femtoseconds last = 0;  // time of its last record
  };
  std::uint8_t* room_for(std::size_t bytes);
  void put_to(const std::uint8_t* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
  void put(std::uint64_t number);
  void put(const std::string& text);
  void put(record r) { put(static_cast<std::uint64_t>(r)); }
  void put_text(std::uint64_t number);
  void define();
  void end_chunk();
  void write_chunk();
  void forget_before(tlm_bus::femtoseconds begin);
  [[noreturn]] void fail();

  std::string path_;
  std::string named_;
  bool begun_ = false;
  log_definitions definitions_;
  std::FILE* file_ = nullptr;
  tlm_bus::femtoseconds kept_ = 0;
  std::vector<std::uint8_t> buffer_;  // the current chunk; only its first part is in use
  std::size_t used_ = 0;
  bool timed_ = false;  // the chunk has a time record
  tlm_bus::femtoseconds now_ = 0;
  std::uint32_t signal_ = 0;  // previous signal of the chunk
  std::uint64_t id_ = 0;      // previous id of the chunk
  std::unordered_map<std::string, std::uint64_t> texts_;
  std::vector<std::string> text_list_;
  // For the ring:
  std::deque<chunk> ring_;
  std::vector<std::uint64_t> before_;  // values of the signals before its first chunk
};

}  // namespace gt200::observe
