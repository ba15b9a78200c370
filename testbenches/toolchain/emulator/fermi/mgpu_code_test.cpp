// Compiled sm_20 kernels: every instruction decodes, re-encodes and reassembles bit for bit; the containers
// survive.
#include <algorithm>
#include <sstream>

#include "testbenches/toolchain/emulator/fermi/mgpu.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::emulator::fermi {
namespace {

class mgpu_code : public compiled::checkout {};

constexpr isa::code_address somewhere = 0x100000;

void expect_same_words(std::uint64_t words) {
  isa::fermi::decode_error error;
  const auto decoded = isa::fermi::decode(words, error);
  ASSERT_TRUE(decoded) << std::hex << words << ": " << error.reason;
  isa::fermi::instruction encoded = *decoded;
  encoded.words = {};
  ASSERT_TRUE(isa::fermi::encode(encoded, error)) << isa::fermi::disassemble(*decoded) << ": " << error.reason;
  EXPECT_EQ(isa::fermi::words_of(encoded.words), words) << isa::fermi::disassemble(*decoded);
  const std::string text = isa::fermi::disassemble(*decoded, somewhere);
  std::string label;
  const auto parsed = isa::fermi::parse(text, somewhere, label, error);
  ASSERT_TRUE(parsed) << text << ": " << error.reason;
  EXPECT_EQ(isa::fermi::words_of(parsed->words), words) << text;
}

TEST_F(mgpu_code, instructions_decode_and_encode_bit_for_bit) {
  std::size_t kernels = 0;
  std::vector<std::uint64_t> all;
  for (const std::string& file : cubins()) {
    const cubin::module module = cubin::read_elf_cubin(cubin::read_file(file), file, cubin::fermi);
    kernels += module.kernels.size();
    for (const cubin::kernel& k : module.kernels)
      for (std::size_t word = 0; word + 1 < k.code.size(); word += 2)
        all.push_back(k.code[word] | std::uint64_t{k.code[word + 1]} << 32);
  }
  EXPECT_EQ(kernels, 455u);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const std::uint64_t words : all) expect_same_words(words);
}

TEST_F(mgpu_code, everything_that_is_used_can_be_executed) {
  const arch_state::fermi::generation generation;
  for (const std::string& file : cubins()) {
    const cubin::module module = cubin::read_elf_cubin(cubin::read_file(file), file, cubin::fermi);
    for (const cubin::kernel& k : module.kernels)
      for (std::size_t word = 0; word + 1 < k.code.size(); word += 2)
        EXPECT_NE(generation.decode({k.code[word], k.code[word + 1]}).instruction, nullptr)
            << k.name << " at " << 4 * word;
  }
}

TEST_F(mgpu_code, modules_survive_our_container) {
  for (const std::string& file : cubins()) {
    const cubin::module before = cubin::read_elf_cubin(cubin::read_file(file), file, cubin::fermi);
    std::ostringstream image;
    cubin::write_elf_cubin(before, image);
    const cubin::module after = cubin::read_elf_cubin(image.str(), "written", cubin::fermi);
    EXPECT_EQ(after.address_bytes, before.address_bytes) << file;
    ASSERT_EQ(after.kernels.size(), before.kernels.size()) << file;
    EXPECT_EQ(after.relocations.size(), before.relocations.size()) << file;
    EXPECT_EQ(after.globals.size(), before.globals.size()) << file;
    for (std::size_t k = 0; k < after.kernels.size(); ++k) {
      const cubin::kernel& a = after.kernels[k];
      const cubin::kernel& b = before.kernels[k];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.code, b.code) << b.name;
      EXPECT_EQ(a.registers, b.registers) << b.name;
      EXPECT_EQ(a.shared_bytes, b.shared_bytes) << b.name;
      EXPECT_EQ(a.local_bytes, b.local_bytes) << b.name;
      EXPECT_EQ(a.parameter_base, b.parameter_base) << b.name;
      ASSERT_EQ(a.parameters.size(), b.parameters.size()) << b.name;
      EXPECT_EQ(a.constants.size(), b.constants.size()) << b.name;
    }
  }
}

}  // namespace
}  // namespace gt200::emulator::fermi
