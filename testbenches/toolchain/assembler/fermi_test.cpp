// Assembly source of sm_20: where names lie, what a kernel needs, what is refused, and listings that assemble
// again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::assembler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

cubin::kernel kernel_of(const std::string& body, const std::string& before = "") {
  return assemble(".target sm_20\n" + before + ".entry f\n" + body + "  exit\n.end\n", "f.s").kernels.at(0);
}
std::string text_at(const cubin::kernel& k, std::uint32_t at) {
  isa::fermi::decode_error error;
  const auto i = isa::fermi::decode(isa::fermi::words_of({k.code[at / 4], k.code[at / 4 + 1], 0, 0}), error);
  return i ? isa::fermi::disassemble(*i, at) : error.reason;
}
std::string refusal_of(const std::string& text) {
  try {
    assemble(text, "f.s");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(fermi_assembler, names_lie_where_the_launch_puts_them) {
  const cubin::kernel k = kernel_of(
      ".param u32 n\n.param u64 p\n.shared a 8\n.shared b 16 16\n.literal l u32 1 2\n"
      "  mov b32 $r0 c0[n]\n  mov b32 $r1 c0[p+4]\n  ld b32 $r2 s[b]\n  mov b32 $r3 c16[l+4]\n"
      "  mov b32 $r4 c0[%ntid.y]\n  mov b32 $r5 c2[user]\n  mov b32 $r6 c14[data]\n",
      ".const user u32 7\n.global data 64\n");
  EXPECT_EQ(text_at(k, 0x00), "mov b32 $r0 c0[0x20]");
  EXPECT_EQ(text_at(k, 0x08), "mov b32 $r1 c0[0x2c]");
  EXPECT_EQ(text_at(k, 0x10), "ld b32 $r2 s[0x10]");
  EXPECT_EQ(text_at(k, 0x18), "mov b32 $r3 c16[0x4]");
  EXPECT_EQ(text_at(k, 0x20), "mov b32 $r4 c0[0xc]");
  EXPECT_EQ(text_at(k, 0x28), "mov b32 $r5 c2[0x0]");
  EXPECT_EQ(text_at(k, 0x30), "mov b32 $r6 c14[0x0]");
  EXPECT_EQ(k.parameter_base, 0x20u);
  EXPECT_EQ(k.parameters[1].offset, 8u);
  EXPECT_EQ(k.shared_bytes, 32u);
}

TEST(fermi_assembler, registers_and_barriers_follow_from_the_code) {
  const cubin::kernel k = kernel_of("  fma rn f64 $r10d $r2d $r2d $r2d\n  bar popc $p7 $r63 0x2 $r63 $p7\n");
  EXPECT_EQ(k.registers, 12u);
  EXPECT_EQ(k.barriers, 3u);
  EXPECT_EQ(kernel_of(".registers 40\n.barriers 5\n").registers, 40u);
  EXPECT_EQ(kernel_of(".registers 40\n.barriers 5\n").barriers, 5u);
}

TEST(fermi_assembler, labels_are_places_in_the_code) {
  const cubin::kernel k = kernel_of("again:\n  joinat out\n  $p0 bra again\n  nop\nout:\n");
  EXPECT_EQ(text_at(k, 0x00), "joinat 0x18");
  EXPECT_EQ(text_at(k, 0x08), "$p0 bra 0x0");
  ASSERT_EQ(k.lines.size(), 4u);
  EXPECT_EQ(k.lines[1].offset, 8u);
  EXPECT_EQ(k.lines[1].line, 5u);
}

TEST(fermi_assembler, pointers_have_8_bytes_where_the_source_says_so) {
  const cubin::module m = assemble(
      ".target sm_20\n.address_size 64\n.global a 4\n.global b 4\n.entry f\n  mov b32 $r0 c14[b]\n  exit\n.end\n",
      "f.s");
  EXPECT_EQ(m.address_bytes, 8u);
  EXPECT_EQ(text_at(m.kernels[0], 0), "mov b32 $r0 c14[0x8]");
}

TEST(fermi_assembler, every_mistake_gives_one_error_with_its_place) {
  const std::string start = ".target sm_20\n.entry f\n";
  EXPECT_EQ(refusal_of(start + "  bra nowhere\n  exit\n.end\n"),
            "f.s:3: label 'nowhere' is not defined in this kernel");
  EXPECT_THAT(refusal_of(start + "  mov b32 $r64 $r0\n  exit\n.end\n"), HasSubstr("f.s:3: "));
  EXPECT_EQ(refusal_of(start + "  nop\n.end\n"),
            "f.s:3: kernel 'f' can run past its last instruction here; end it with exit");
  EXPECT_EQ(refusal_of(start + "  $p0 exit\n.end\n"),
            "f.s:3: kernel 'f' can run past its last instruction here; end it with exit");
  EXPECT_EQ(refusal_of(start + ".registers 2\n  mov b32 $r2 $r0\n  exit\n.end\n"),
            "f.s:4: writes $r2, but .registers is 2");
  EXPECT_EQ(refusal_of(start + ".barriers 1\n  bar popc $p7 $r63 0x1 $r63 $p7\n  exit\n.end\n"),
            "f.s:2: 'f' uses barrier 1, but .barriers is 1");
  EXPECT_EQ(refusal_of(start + "  bra 0x3\n  exit\n.end\n"),
            "f.s:3: the target 0x3 is not a multiple of 8, the size of an instruction");
  EXPECT_EQ(refusal_of(start + "  joinat +0x4\n  exit\n.end\n"),
            "f.s:3: the target 0xc is not a multiple of 8, the size of an instruction");
  EXPECT_EQ(refusal_of(start + "  bra odd\n  .word 1\nodd:\n  .word 2\n  exit\n.end\n"),
            "f.s:3: the target 0xc is not a multiple of 8, the size of an instruction");
  EXPECT_EQ(refusal_of(start + "  .word 1\n  exit\n.end\n"),
            "f.s:4: an instruction cannot follow an odd number of .word");
  EXPECT_EQ(refusal_of(start + ".shared a 49153\n  exit\n.end\n").substr(0, 5), "f.s:3");
  EXPECT_EQ(refusal_of(".const c u32 1\n.target sm_20\n"),
            "f.s:2: .target: sm_20 must stand before .const and .global");
  EXPECT_EQ(refusal_of(".address_size 64\n"), "f.s:1: .address_size: must be 32, or 64 on sm_20");
}

// The programs that the chip runs in its tests.
TEST(fermi_assembler, a_listing_of_a_cubin_assembles_to_the_same_words) {
  for (const char* name : {"saxpy", "block_sums", "collatz", "places", "memories", "arithmetic"}) {
    const cubin::module source =
        assemble_file(std::string(GT200_SOURCE_DIR) + "/testbenches/system/fermi/programs/" + name + ".s");
    std::ostringstream image;
    cubin::write_elf_cubin(source, image);
    const cubin::module read = cubin::read_module(image.str(), "image");
    EXPECT_EQ(read.capability, 20u);
    EXPECT_EQ(read.kernels.at(0).code, source.kernels.at(0).code) << name;
    EXPECT_EQ(read.kernels.at(0).barriers, source.kernels.at(0).barriers) << name;
    std::ostringstream listing;
    disassemble_module(read, listing);
    const cubin::module again = assemble(listing.str(), "again.s");
    EXPECT_EQ(again.kernels.at(0).code, source.kernels.at(0).code) << listing.str();
    EXPECT_EQ(again.kernels.at(0).registers, source.kernels.at(0).registers) << name;
    EXPECT_EQ(again.kernels.at(0).shared_bytes, source.kernels.at(0).shared_bytes) << name;
    EXPECT_EQ(again.kernels.at(0).local_bytes, source.kernels.at(0).local_bytes) << name;
    EXPECT_EQ(again.kernels.at(0).parameters.size(), source.kernels.at(0).parameters.size()) << name;
  }
}

TEST(fermi_assembler, pairs_and_quads_start_where_the_hardware_reads_them) {
  const std::string start = ".target sm_20\n.entry f\n";
  for (const char* torn : {"fma rn f64 $r1d $r2d $r4d $r6d", "ld b64 $r1d ca g[$r2]", "ld b32 $r1 ca g[$r3d]",
                           "ld b128 $r2q ca g[$r4]", "ld b64 $r62d ca g[$r2]", "ld b128 $r60q ca g[$r2]",
                           "fma rn f64 $r62d $r2d $r4d $r6d"})
    EXPECT_EQ(refusal_of(start + "  " + torn + "\n  exit\n.end\n"),
              "f.s:3: a register pair must start at an even number, a quad at a multiple of 4, and end before the "
              "zero register")
        << torn;
}

TEST(fermi_assembler, addresses_have_32_bits) {
  const std::string start = ".target sm_20\n.entry f\n.shared a 16\n";
  EXPECT_EQ(refusal_of(start + "  ld b32 $r1 s[a+0xffffffffffffffff]\n  exit\n.end\n"),
            "f.s:4: '0xffffffffffffffff' has more than 32 bits");
  EXPECT_EQ(refusal_of(start + "  ld b32 $r1 s[a+0x100000000]\n  exit\n.end\n"),
            "f.s:4: '0x100000000' has more than 32 bits");
  EXPECT_EQ(refusal_of(start + ".shared b 16\n  ld b32 $r1 s[b+0xfffffff8]\n  exit\n.end\n"),
            "f.s:5: 'b+0xfffffff8' has more than 32 bits");
}

TEST(fermi_assembler, a_listing_shows_a_branch_into_an_instruction_as_words) {
  const std::string branch = "  .word 0xec001de7 0x4003ffff\n";  // bra 0x3
  const cubin::module source = assemble(".target sm_20\n.entry f\n" + branch + "  exit\n.end\n", "f.s");
  std::ostringstream listing;
  disassemble_module(source, listing);
  EXPECT_THAT(listing.str(), HasSubstr(".word 0xec001de7 0x4003ffff"));
  EXPECT_THAT(listing.str(), HasSubstr("bra 0x3"));
  EXPECT_EQ(assemble(listing.str(), "again.s").kernels.at(0).code, source.kernels.at(0).code);
}

}  // namespace
}  // namespace gt200::assembler
