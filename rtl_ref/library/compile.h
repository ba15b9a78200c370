// One library of RTL, before it is made.
#pragma once

#include <string>
#include <vector>

#include "rtl_ref/library/description.h"
#include "rtl_ref/library/request.h"
#include "rtl_ref/library/tools.h"

namespace gt200::rtl {

inline constexpr const char* library_file = "rtl.so";
inline constexpr const char* factory_name = "gt200_make_rtl";

class compilation {
 public:
  // Reads the description and finds the tools. Throws input_error.
  explicit compilation(const request& what);

  const std::string& description_file() const { return rtl_.file; }
  // Text of everything the library depends on. The files' contents stand in it as hashes.
  const std::string& key() const { return key_; }
  // Verilates and compiles in `folder`. Throws build_failure when a tool fails, input_error when a file has changed
  // since the key was taken.
  void run(const std::string& folder) const;

 private:
  std::string arguments() const;  // ", 32, 6"
  std::string key_of() const;
  void verilate(const std::string& folder) const;
  std::string runtime_object(std::vector<std::string> command, const std::string& makefile,
                             const std::string& include) const;
  std::string source(const std::string& verilated) const;
  std::string class_on_signals(const std::string& header) const;

  request what_;
  std::string root_;
  description rtl_;
  tool verilator_;
  tool compiler_;
  std::string key_;
};

// Writes a file of the cache. Throws input_error.
void write_text(const std::string& file, const std::string& text);

}  // namespace gt200::rtl
