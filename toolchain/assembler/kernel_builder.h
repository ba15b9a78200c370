// One `.entry NAME` ... `.end`: collects its lines, then lays out shared memory and code.
//
// sm_1x: shared memory of a block: 16-byte header, parameters in order (each aligned to its own size unless `at`
// says otherwise), static symbols in order (alignment 4 unless given); literals in c1. Later: parameters in c0 from
// 0x20 on (sm_70: 0x160), static symbols from the start of shared memory on, literals in c16 (sm_70: c2).
// Directives may appear anywhere in the kernel; nothing is resolved before `.end`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/assembler/code_layout.h"
#include "toolchain/assembler/directive.h"
#include "toolchain/assembler/fixed_code.h"
#include "toolchain/assembler/source_line.h"
#include "toolchain/assembler/symbols.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"

namespace gt200::assembler {

class kernel_builder {
 public:
  // `symbols`: what the file has defined so far. The kernel adds its own definitions to its copy.
  kernel_builder(std::string name, unsigned line, symbol_table symbols, std::string file,
                 const cubin::architecture& generation = cubin::tesla);

  void add(const source_text& line);

  // Called at `.end`. `capability` is that of the target; instructions beyond it are refused.
  cubin::kernel finish(unsigned capability);

  const std::string& name() const { return kernel_.name; }
  unsigned line() const { return line_; }

 private:
  struct shared_symbol {
    unsigned line = 0;
    std::string name;
    std::uint32_t size = 0;
    std::uint32_t alignment = 4;
  };

  void add_directive(directive d);
  void add_parameter(directive& d);
  void add_shared(directive& d);
  void add_literal(directive& d);
  void add_words(directive& d);
  void define(const std::string& name, const std::string& space, std::int64_t value, unsigned line);
  void set_once(std::optional<std::uint32_t>& value, directive& d, std::uint32_t min, std::uint32_t max);

  void lay_out_shared();
  bool is_volta() const { return generation_.first_sm >= cubin::volta.first_sm; }
  std::string resolve(const code_text& line) const;
  code_item parse_line(const code_text& line) const;
  void build_tesla_code(unsigned capability);
  void build_fixed_code();
  void check_instructions(const std::vector<code_item>& items, unsigned capability);

  cubin::kernel kernel_;
  unsigned line_;
  symbol_table symbols_;
  std::string file_;
  const cubin::architecture& generation_;
  std::vector<code_text> pending_;            // instructions and .word
  std::map<std::string, code_label> labels_;  // code_label::item is an index into pending_
  std::vector<shared_symbol> shared_;
  std::uint32_t parameter_end_ = 0;  // relative to the first parameter
  std::uint32_t literal_end_ = 0;
  std::optional<std::uint32_t> registers_;
  std::optional<std::uint32_t> local_bytes_;
  std::optional<std::uint32_t> barriers_;
  std::optional<std::uint32_t> total_shared_;  // .smem
};

}  // namespace gt200::assembler
