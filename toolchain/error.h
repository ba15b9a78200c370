// The one exception for anything wrong with what came from outside: file, place, reason in one line.
#pragma once

#include <stdexcept>
#include <string>

namespace gt200 {

class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // "file:line: reason"; line 0 is left out.
  input_error(const std::string& file, unsigned line, const std::string& reason)
      : std::runtime_error(file + (line != 0 ? ":" + std::to_string(line) : "") + ": " + reason) {}
};

}  // namespace gt200
