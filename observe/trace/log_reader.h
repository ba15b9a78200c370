// Reads the log of a traced run, record by record.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "observe/trace/log_format.h"

namespace gt200::observe {

// Told what a log says, in its order.
class log_visitor {
 public:
  virtual ~log_visitor() = default;
  virtual void time(tlm_bus::femtoseconds) {}
  virtual void happened(const event&) {}
  virtual void value(std::uint32_t signal, std::uint64_t v) {
    static_cast<void>(signal);
    static_cast<void>(v);
  }
};

// Walks through the records of one chunk that holds no definitions. Throws std::out_of_range when they are damaged.
// `texts`: gets what text records say, by number.
void read_records(const std::vector<std::uint8_t>& records, log_visitor& visitor,
                  std::vector<std::string>* texts = nullptr);

class log_reader {
 public:
  // Reads the definitions. Throws input_error when this is no log, or one of another version.
  explicit log_reader(const std::string& path);

  const log_definitions& definitions() const { return definitions_; }
  // What values of text signals stand for, as far as the log has been read.
  const std::string& text(std::uint64_t number) const;

  // The whole log, once. Throws input_error when a record is damaged though its chunk is whole.
  void read(log_visitor& visitor);
  // After read(): the end of the log was cut off, as a killed run leaves it.
  bool cut_off() const { return cut_off_; }

 private:
  bool next_chunk(std::vector<std::uint8_t>& records);

  std::string path_;
  std::ifstream file_;
  log_definitions definitions_;
  std::vector<std::string> texts_;
  bool cut_off_ = false;
};

}  // namespace gt200::observe
