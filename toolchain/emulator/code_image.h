// The code of one kernel, decoded once, addressed by program counter (byte offset in the kernel).
//
// An entry also holds what every execution needs: which memory the instruction accesses, and whether it concerns
// the divergence stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::emulator {

enum class access_kind : std::uint8_t {
  none,
  load,             // ld s[] l[] g[]: the value goes to the destination
  store,            // st s[] l[] g[]
  atomic,           // atom: the old value goes to the destination
  reduction,        // red
  locked_load,      // ld lock s[]: value to the destination, success to $c
  unlocking_store,  // st unlock s[]
  operand,          // s[] operand of an arithmetic instruction: the value goes to a source
  texture           // texture fetch: values go to the destination
};
enum class memory_space : std::uint8_t { none, shared, local, global, texture };

// An instruction's access to memory that other threads can change, so that its time matters. Constant spaces do not
// count: they are read together with the registers.
struct memory_access {
  access_kind kind = access_kind::none;
  memory_space space = memory_space::none;
  std::uint8_t slot = 0;  // index in instruction.source of the memory operand
  isa::data_type type = isa::data_type::b32;

  bool loads() const { return kind != access_kind::store && kind != access_kind::unlocking_store; }
};

struct code_entry {
  isa::instruction instruction;
  memory_access access;
  bool on_stack = false;        // simt_stack::concerns
  bool reads_constant = false;  // any source in c[]
  bool uses_address = false;    // $a as source, in a memory operand or as result
};

class code_image {
 public:
  explicit code_image(const cubin::kernel& kernel);

  // Null when there is no instruction at `pc`; error() then says why.
  const code_entry* at(isa::code_address pc) const {
    const std::uint32_t word = pc / 4;
    return pc % 4 == 0 && word < index_.size() && index_[word] != 0 ? &entries_[index_[word] - 1] : nullptr;
  }
  struct decode_failure {
    bool outside = false;  // outside the code, as opposed to words that do not decode
    std::string reason;
  };
  decode_failure error(isa::code_address pc) const;

  // Line of the source the assembler saw; 0 = unknown.
  std::uint32_t line(isa::code_address pc) const;

  std::uint32_t bytes() const { return static_cast<std::uint32_t>(words_.size() * 4); }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> index_;  // per word: 0 = no instruction starts here, else entry number + 1
  std::vector<code_entry> entries_;
  std::vector<cubin::source_line> lines_;
};

}  // namespace gt200::emulator
