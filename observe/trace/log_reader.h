// Reads the log of a traced run, record by record.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "observe/trace/log_format.h"

namespace gt200::observe {

// Receives the records of a log in order.
class log_visitor {
 public:
  virtual ~log_visitor() = default;
  virtual void time(tlm_bus::femtoseconds) {}
  virtual void on_event(const event&) {}
  virtual void value(std::uint32_t signal, std::uint64_t v) {
    static_cast<void>(signal);
    static_cast<void>(v);
  }
};

// Reads the records of one chunk without definitions. Throws std::out_of_range if they are damaged. `texts`
// receives the texts by number.
void read_records(const std::vector<std::uint8_t>& records, log_visitor& visitor,
                  std::vector<std::string>* texts = nullptr);

class log_reader {
 public:
  // Reads the definitions. Throws input_error if the file is not a log, or has another version.
  explicit log_reader(const std::string& path);

  const log_definitions& definitions() const { return definitions_; }
  // The meaning of a value of a text signal, as far as the log has been read.
  const std::string& text(std::uint64_t number) const;

  // Period of the core clock in femtoseconds; 1 in a log without one.
  tlm_bus::femtoseconds core_period() const;

  // From now on the log holds only the core cycles from `begin` up to, not including, `end`: read() leaves out the
  // rest, and the values that signals have at `begin` come at that time. The definitions name the smaller window.
  void only(tlm_bus::cycle_t begin, tlm_bus::cycle_t end);
  // Reads the whole log; call it once. Throws input_error if a record in a chunk with a valid checksum is damaged,
  // or if nothing lies in the cycles given to only().
  void read(log_visitor& visitor);
  // After read(): true if the log is truncated, as after a killed run, or damaged. Whoever shows what it holds says
  // so.
  bool cut_off() const { return cut_off_; }
  // The same as a clause, "the end of the log is missing" or that it is damaged; empty if the log is whole.
  std::string loss() const;

 private:
  bool next_chunk(std::vector<std::uint8_t>& records);

  std::string path_;
  std::ifstream file_;
  log_definitions definitions_;
  std::vector<std::string> texts_;
  tlm_bus::femtoseconds only_from_ = 0;
  tlm_bus::femtoseconds only_until_ = tlm_bus::no_time;
  bool cut_off_ = true;   // until the mark of the end
  bool damaged_ = false;  // a chunk is there, but not as it was written
  bool is_log_ = false;   // a chunk has begun
};

}  // namespace gt200::observe
