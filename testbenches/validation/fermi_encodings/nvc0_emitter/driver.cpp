// Random instructions for a GF100 from nouveau's code emitter (Mesa, CodeEmitterNVC0).
//
//   driver [COUNT [SEED]]     one line of JSON per instruction: what was asked for, its byte address, and its words
//
// The program is linked with nouveau's code generator (nv50_ir), which is not part of this project; nothing of this
// folder is built with the project. scripts/validate fermi_encodings reads what it prints.
//
// Instructions are those that the emitter can encode for compute programs. Not asked for: attributes,
// interpolation, vertices, queries of textures, operations on quads of pixels, what GK104 has and GF100 has not.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "describe.h"
#include "kinds.h"

namespace gt200::nvc0_emitter {
namespace {

std::vector<kind> all_kinds() {
  std::vector<kind> all;
  for (auto* group : {arithmetic_kinds, bit_kinds, compare_kinds, convert_kinds, move_kinds, memory_kinds,
                      control_kinds, texture_kinds}) {
    const std::vector<kind> kinds = group();
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  return all;
}

void print_instructions(unsigned count, std::uint64_t seed) {
  const std::vector<kind> kinds = all_kinds();
  maker m(seed);
  std::vector<std::uint32_t> code(std::size_t{count} * instruction_bytes / sizeof(std::uint32_t));
  nv50_ir::CodeEmitter* const emitter = m.target().getCodeEmitter(nv50_ir::Program::TYPE_COMPUTE);
  emitter->setCodeLocation(code.data(), count * instruction_bytes);
  for (unsigned k = 0; k < count; ++k) {
    m.position = k * instruction_bytes;
    nv50_ir::Instruction* i = kinds[k % kinds.size()](m);
    const std::string description = described(*i);  // emission may change the instruction
    i->encSize = emitter->getMinEncodingSize(i);
    if (!emitter->emitInstruction(i)) throw std::runtime_error("the emitter refuses " + description + "}");
    const std::uint64_t words = code[2 * std::size_t{k}] | std::uint64_t{code[2 * std::size_t{k} + 1]} << 32;
    std::printf("%s, \"at\": %u, \"words\": \"%016" PRIx64 "\"}\n", description.c_str(), m.position, words);
  }
}

}  // namespace
}  // namespace gt200::nvc0_emitter

int main(int argc, char** argv) {
  try {
    const auto count = static_cast<unsigned>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000);
    gt200::nvc0_emitter::print_instructions(count, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "driver: %s\n", error.what());
    return 2;
  }
  return 0;
}
