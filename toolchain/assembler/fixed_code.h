// The instructions of one kernel of sm_20 or later: from text to machine words.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/assembler/code_layout.h"
#include "toolchain/cubin/module.h"

namespace gt200::assembler {

// A line as it stands in the source, or `.word N`.
struct code_text {
  unsigned line = 0;
  std::string text;
};

struct fixed_code {
  std::vector<std::uint32_t> words;
  std::vector<cubin::source_line> lines;
  std::uint32_t registers = 1;  // the highest one written + 1
  unsigned highest_line = 0;    // where it is written
  std::uint32_t barriers = 0;   // the highest number used + 1
};

// `resolve` replaces the names in an instruction by numbers; it throws input_error. Labels refer to `source` by
// index. Throws input_error for what cannot be parsed or encoded, for an undefined label, and for code that can run
// past its end.
fixed_code assemble_fermi(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
                          const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
                          const std::string& file);
fixed_code assemble_volta(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
                          const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
                          const std::string& file);

}  // namespace gt200::assembler
