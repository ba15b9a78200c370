#include "toolchain/emulator/fermi/fault_text.h"

#include <fmt/format.h>

namespace gt200::emulator::fermi {
namespace {

using arch_state::fault_kind;

void add_detail(arch_state::fault& fault, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!fault.detail.empty()) fault.detail += "; ";
  fault.detail += sentence;
}

arch_state::generation::explanation explain(const arch_state::generation& generation, const cubin::kernel& kernel,
                                            isa::code_address pc) {
  const std::uint32_t length = generation.values().lengths.long_bytes;
  const std::size_t first = pc / 4;
  const std::size_t count = length / 4;
  if (first >= kernel.code.size()) return {};
  if (pc % length != 0) return {{}, fmt::format("the address is not a multiple of {}", length)};
  if (first + count > kernel.code.size()) return {};
  isa::instruction_words words = {};
  for (std::size_t w = 0; w < count; ++w) words[w] = kernel.code[first + w];
  return generation.explain(words);
}

}  // namespace

void explain_fault(const arch_state::generation& generation, const cubin::kernel& kernel, std::uint32_t block_z,
                   arch_state::fault& fault) {
  for (const cubin::source_line& l : kernel.lines)
    if (l.offset <= fault.pc) fault.line = l.line;
  if (block_z != 0) add_detail(fault, fmt::format("block.z is {}", block_z));
  const arch_state::generation::explanation found = explain(generation, kernel, fault.pc);
  fault.disassembly = found.text;
  if (fault.kind == fault_kind::unsupported || fault.kind == fault_kind::illegal_instruction)
    add_detail(fault, found.reason);
}

}  // namespace gt200::emulator::fermi
