// Every kind of program is recognised by its content, and all kinds mean the same.
#include "toolchain/assembler/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "testbenches/toolchain/isa/random_encodings.h"
#include "testbenches/toolchain/module_difference.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/text_writer.h"
#include "toolchain/error.h"

namespace gt200::program {
namespace {

std::string elf_of(const cubin::module& m) {
  std::ostringstream out;
  cubin::write_elf_cubin(m, out);
  return out.str();
}
std::string text_of(const cubin::module& m) {
  std::ostringstream out;
  cubin::write_text_cubin(m, out);
  return out.str();
}
std::string listing_of(const cubin::module& m) {
  std::ostringstream out;
  assembler::disassemble_module(m, out);
  return out.str();
}
std::string refusal_of(const std::string& content) {
  try {
    read(content, "file");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

constexpr const char* source =
    "// a program\n.target sm_12\n.const c at 4 u8 1 2 3\n.const d 40\n.global g at 8 u32 7\n.global h 6\n"
    ".sampler t 3\n.entry f\n.param u8 a\n.param u64 b\n.param 12 e\n.param u16 i at 0x40\n.shared s 100\n.local "
    "8\n"
    ".literal l u32 1 2\nbar inc wait 0x2 0xfff\nexit nop\n.end\n.entry f2\nexit nop\n.end\n";

TEST(program, is_recognised_by_content) {
  const cubin::module m = assembler::assemble(source, "f.s");
  EXPECT_EQ(recognise(elf_of(m)), format::elf_cubin);
  EXPECT_EQ(recognise(text_of(m)), format::text_cubin);
  EXPECT_EQ(recognise(source), format::assembly);
  EXPECT_EQ(recognise(listing_of(m)), format::assembly);
  EXPECT_EQ(recognise("\tcode for sm_10\n\tFunction : f\n"), format::sass_listing);
  EXPECT_EQ(recognise("Function : f\n /*0000*/ RET ; /* 0x0000078030000003 */\n"), format::sass_listing);
  EXPECT_EQ(recognise("// words\n.registers 4\n10008001 00000003\n"), format::hex_listing);
  EXPECT_EQ(recognise("0x10008001, 0x00000003,"), format::hex_listing);
  EXPECT_EQ(recognise("0000: 10008001 00000003"), format::hex_listing);
  EXPECT_EQ(recognise(".entry add\nadd b32 $r0 $r0 $r0\nexit nop\n.end"), format::assembly);
  EXPECT_EQ(recognise(""), format::unknown);
  EXPECT_EQ(recognise("schema = 1\n[[buffer]]\n"), format::unknown);
  EXPECT_EQ(recognise("deadbeef\n"), format::hex_listing);
  EXPECT_EQ(recognise("dead beef\n"), format::unknown);
}

TEST(program, of_unknown_format_is_refused) {
  EXPECT_EQ(refusal_of(""), "file: the file is empty");
  EXPECT_EQ(refusal_of("hello"),
            "file: no program: neither a cubin (text or ELF), nor a listing (SASS or hex), nor assembly source");
}

TEST(program, of_a_file_does_not_depend_on_its_extension) {
  const cubin::module m = assembler::assemble(source, "f.s");
  for (const std::string& content : {elf_of(m), text_of(m), listing_of(m)}) {
    const std::string path = testing::TempDir() + "program.toml";
    std::ofstream(path, std::ios::binary) << content;
    const cubin::module again = load(path);
    EXPECT_EQ(cubin::difference(m, again), "");
    EXPECT_EQ(again.source_file, path);
  }
}

// Code with random instructions of every row of the opcode table: long ones on 8-byte addresses, short ones in
// pairs, an exit at the end.
std::vector<std::uint32_t> code_of_every_row() {
  std::vector<std::uint32_t> code;
  std::vector<std::uint32_t> shorts;
  for (const isa::tesla::encoded& e : isa::tesla::random_instructions(6)) {
    if (isa::tesla::is_short(e.from->format)) {
      shorts.push_back(static_cast<std::uint32_t>(e.words));
      continue;
    }
    code.push_back(static_cast<std::uint32_t>(e.words));
    code.push_back(static_cast<std::uint32_t>(e.words >> 32));
  }
  if (shorts.size() % 2 != 0) shorts.pop_back();
  code.insert(code.end(), shorts.begin(), shorts.end());
  code.insert(code.end(), {0xf0000001, 0xe0000781});
  return code;
}

TEST(program, of_every_instruction_survives_all_containers_and_its_listing) {
  cubin::module m;
  m.capability = 13;
  cubin::kernel k;
  k.name = "everything";
  k.registers = 128;
  k.barriers = 15;
  k.shared_bytes = 16;
  k.code = code_of_every_row();
  ASSERT_GT(k.code.size(), 3000u);
  m.kernels.push_back(k);
  const cubin::module by_elf = read(elf_of(m), "f");
  EXPECT_EQ(cubin::difference(m, by_elf), "");
  const cubin::module by_listing = read(listing_of(by_elf), "f.s");
  EXPECT_EQ(cubin::difference(m, by_listing), "");
  const cubin::module by_text = read(text_of(by_listing), "f");
  EXPECT_EQ(cubin::difference(m, by_text), "");
  EXPECT_EQ(listing_of(by_text), listing_of(m));
  EXPECT_EQ(elf_of(by_elf), elf_of(m));
}

TEST(program, of_every_instruction_is_mostly_listed_as_instructions) {
  cubin::module m;
  m.capability = 13;
  cubin::kernel k;
  k.name = "everything";
  k.code = code_of_every_row();
  m.kernels.push_back(k);
  const std::string listing = listing_of(m);
  std::size_t raw = 0;
  std::size_t lines = 0;
  for (const assembler::source_text& line : assembler::split_source(listing)) {
    lines += line.is_directive() ? 0 : 1;
    raw += line.text.substr(0, 5) == ".word" ? 1 : 0;
  }
  EXPECT_LT(raw, lines / 3) << "words whose encoding the text does not determine";
}

}  // namespace
}  // namespace gt200::program
