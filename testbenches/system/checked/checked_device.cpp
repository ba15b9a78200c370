#include "testbenches/system/checked/checked_device.h"

#include <cstring>

#include "testbenches/support/assembly_run.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {

std::string checked_program(const std::string& body, const std::string& directives) {
  return ".target sm_13\n.entry test\n.param u32 out\n.param u32 in\n" + directives + R"(
  mov b16 $r0h u16 s[%ntid.x]
  cvt u32 $r1 u16 $r0l
  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
  shl b32 $r2 $r0 0x2
  add b32 $r3 b32 s[in] $r2
  add b32 $r4 b32 s[out] $r2
)" + body +
         "\n.end\n";
}

void checked_device::build(const std::string& program, const std::vector<std::string>& overrides,
                           const device_options& options, const std::string& preset) {
  module = assembler::assemble(program, "test.s");
  board = std::make_unique<device>(configuration(preset, overrides), explaining(options));
  board->load(module, {});
  out = board->allocate(buffer_words * 4);
  in = board->allocate(buffer_words * 4);
  checker = std::make_unique<observe::checker>(*board);
  std::vector<std::uint32_t> words(buffer_words);
  board->poke(out, reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4);
  for (unsigned i = 0; i < buffer_words; ++i) words[i] = arch_state::mix_bits(i + 1);
  board->poke(in, reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4);
}

launch_result checked_device::run(unsigned blocks, unsigned threads, const std::function<void()>& afterwards) {
  launch::launch_parameters parameters;
  parameters.kernel = kernel != nullptr ? kernel : &module.kernels.at(0);
  parameters.grid = {blocks, 1};
  parameters.block = {threads, 1, 1};
  parameters.parameter_bytes.resize(8);
  std::memcpy(parameters.parameter_bytes.data(), &out, 4);
  std::memcpy(parameters.parameter_bytes.data() + 4, &in, 4);
  const launch_result result = board->launch(parameters);
  afterwards();
  checker->launch_ended(result);
  return result;
}

}  // namespace gt200::support
