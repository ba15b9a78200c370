// Assembly source of sm_70: where names lie, what a kernel needs, listings that assemble again, ELF files, and
// listings of the chips between Fermi and Volta.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/isa/volta/codec.h"

namespace gt200::assembler {
namespace {

using testing::HasSubstr;

cubin::module module_of(const std::string& body, const std::string& before = "") {
  return assemble(".target sm_70\n" + before + ".entry f\n" + body + "  EXIT\n.end\n", "f.s");
}
std::string text_at(const cubin::kernel& k, std::uint32_t at) {
  isa::volta::decode_error error;
  const auto i = isa::volta::decode(
      isa::volta::words_of({k.code[at / 4], k.code[at / 4 + 1], k.code[at / 4 + 2], k.code[at / 4 + 3]}), error);
  return i ? isa::volta::disassemble(*i, at) : error.reason;
}
std::string refusal_of(const std::string& body) {
  try {
    module_of(body);
  } catch (const input_error& error) {
    return error.what();
  }
  return "not refused";
}
std::string listing_of(const cubin::module& m) {
  std::ostringstream out;
  disassemble_module(m, out);
  return out.str();
}

constexpr char saxpy[] = R"(.target sm_70
.const scale f32 2.5
.global total b32 0
.entry saxpy
.param b64 x
.param b64 y
.param b32 n
.shared buffer 256
.literal magic b32 0x1234
  [B------:R-:W-:-:S02] S2R R0, SR_TID.X
  MOV R3, c[0x0][%ntid.x]
  ISETP.GE.AND P0, PT, R0, c[0x0][n], PT
  @P0 EXIT
  MOV R4, c[0x0][x]
  MOV R5, c[0x0][x+4]
  LDG.E.SYS R6, [R4+0x4]
  LDC R7, c[0x3][scale]
  MOV R8, c[0x2][magic]
  MOV R9, c[0x4][total]
  STS [R0+buffer], R6
again:
  BSSY B0, done
  @!P0 BRA again
done:
  BSYNC B0
  EXIT
.end
)";

TEST(volta_assembler, names_lie_where_the_launch_puts_them) {
  const cubin::kernel k = assemble(saxpy, "saxpy.s").kernels.at(0);
  EXPECT_EQ(k.parameter_base, 0x160u);
  EXPECT_EQ(text_at(k, 0x10), "MOV R3, c[0x0][0x0]");
  EXPECT_EQ(text_at(k, 0x20), "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT");
  EXPECT_EQ(text_at(k, 0x50), "MOV R5, c[0x0][0x164]");
  EXPECT_EQ(text_at(k, 0x70), "LDC R7, c[0x3][0x0]");
  EXPECT_EQ(text_at(k, 0x80), "MOV R8, c[0x2][0x0]");
  EXPECT_EQ(text_at(k, 0x90), "MOV R9, c[0x4][0x0]");
  EXPECT_EQ(text_at(k, 0xa0), "STS [R0], R6");
  EXPECT_EQ(text_at(k, 0xb0), "BSSY B0, 0xd0");
  EXPECT_EQ(text_at(k, 0xc0), "@!P0 BRA 0xb0");
  EXPECT_EQ(k.registers, 10u);
  EXPECT_EQ(k.shared_bytes, 256u);
}

TEST(volta_assembler, a_listing_assembles_to_the_same_module) {
  const cubin::module before = assemble(saxpy, "saxpy.s");
  const std::string listing = listing_of(before);
  EXPECT_THAT(listing, HasSubstr("[B01----:R1:W0:-:S02] LDG.E.SYS R6, [R4+0x4]"));
  EXPECT_THAT(listing, HasSubstr("@!P0 BRA L_00b0"));
  const cubin::module after = assemble(listing, "listing.s");
  EXPECT_EQ(after.kernels.at(0).code, before.kernels.at(0).code);
  EXPECT_EQ(after.kernels.at(0).parameters.size(), 3u);
  EXPECT_EQ(listing_of(after), listing);
}

TEST(volta_assembler, an_elf_file_holds_the_same_module) {
  const cubin::module before = assemble(saxpy, "saxpy.s");
  std::ostringstream image;
  cubin::write_elf_cubin(before, image);
  const cubin::module after = cubin::read_module(image.str(), "saxpy.cubin");
  EXPECT_EQ(after.capability, 70u);
  EXPECT_EQ(after.address_bytes, 8u);
  EXPECT_EQ(after.kernels.at(0).parameter_base, 0x160u);
  EXPECT_EQ(listing_of(after), listing_of(before));
}

TEST(volta_assembler, what_cannot_be_assembled_is_refused_with_its_place) {
  EXPECT_THAT(refusal_of("  HMMA.884.F32.F32.STEP0 R4, R36, R40, R4\n"), HasSubstr("f.s:3: HMMA is not supported"));
  EXPECT_THAT(refusal_of("  [B------:R-:W-:-:S99] NOP\n"), HasSubstr("00 to 15"));
  EXPECT_THAT(refusal_of("  MOV R1, c[0x0][nothing]\n"), HasSubstr("'nothing' is not defined"));
  EXPECT_THAT(refusal_of("  BRA nowhere\n"), HasSubstr("label 'nowhere' is not defined"));
  EXPECT_THAT(refusal_of("  BRA 0x8\n"),
              HasSubstr("f.s:3: the target 0x8 is not a multiple of 16, the size of an instruction"));
  EXPECT_THAT(refusal_of("  BSSY B0, 0x14\n"), HasSubstr("f.s:3: the target 0x14 is not a multiple of 16"));
  EXPECT_THAT(refusal_of("  CALL.ABS.NOINC 0x3\n"), HasSubstr("f.s:3: the target 0x3 is not a multiple of 16"));
  EXPECT_THAT(refusal_of(".registers 4\n  MOV R4, RZ\n"), HasSubstr("writes R4, but .registers is 4"));
  EXPECT_THAT(refusal_of("  @P0 EXIT\n.end\n.entry g\n  NOP\n.end\n.entry h\n"), HasSubstr("can run past"));
}

TEST(volta_assembler, pairs_and_quads_start_where_the_hardware_reads_them) {
  const char* const reason =
      "f.s:3: a register pair must start at an even number, a quad at a multiple of 4, and end before the zero "
      "register";
  for (const char* torn :
       {"DFMA R1, R2, R4, R6", "DFMA R2, R4, R5, R6", "DADD R2, R4, -R7", "IMAD.WIDE R2, R3, R5, R7",
        "LDG.E.64.SYS R1, [R2]", "LDG.E.SYS R1, [R3]", "LDG.E.128.SYS R6, [R2]", "STG.E.128.SYS [R2], R6",
        "CALL.ABS.NOINC R3", "DADD R254, R2, R4", "LDS.U.128 R252, [RZ]"})
    EXPECT_EQ(refusal_of(std::string("  ") + torn + "\n"), reason) << torn;
  for (const char* whole : {"DFMA R2, R4, R6, RZ", "IMAD.WIDE R2, R3, R5, RZ", "LDG.E.128.SYS R8, [R2]",
                            "LDG.SYS R1, [R3]", "LDG.E.SYS R1, [RZ+0x10]", "LDC.64 R2, c[0x3][R3]"})
    EXPECT_EQ(refusal_of(std::string("  ") + whole + "\n"), "not refused") << whole;
}

TEST(volta_assembler, a_listing_shows_torn_registers_as_words) {
  const std::string torn = "  .word 0x03017381 0x00000000 0x001ee900 0x00322400\n";  // LDG.E.SYS R1, [R3]
  const std::string listing = listing_of(module_of(torn));
  EXPECT_THAT(listing, HasSubstr("    .word 0x03017381"));
  EXPECT_THAT(listing, HasSubstr("LDG.E.SYS R1, [R3]"));
  EXPECT_EQ(listing_of(assemble(listing, "listing.s")), listing);
}

TEST(volta_assembler, numbers_that_are_too_large_do_not_become_infinity) {
  EXPECT_EQ(refusal_of("  FADD R1, R1, 1e39\n"),
            "f.s:3: FADD: '1e39' is too large for a number of this type; infinity is +INF or -INF");
  EXPECT_THAT(refusal_of("  FADD R1, R1, -1e39\n"), HasSubstr("'-1e39' is too large"));
  EXPECT_THAT(refusal_of("  DADD R2, R2, 1e400\n"), HasSubstr("'1e400' is too large"));
  EXPECT_THAT(refusal_of("  HADD2 R2, R2, 70000, 1\n"),
              HasSubstr("two numbers of 16 bits are expected, at most 65504"));
  for (const char* fine : {"FADD R1, R1, +INF", "FADD R1, R1, -INF", "FADD R1, R1, 3.4028235e38",
                           "FADD R1, R1, 1e-60", "DADD R2, R2, 1e39", "HADD2 R2, R2, 65504, -INF"})
    EXPECT_EQ(refusal_of(std::string("  ") + fine + "\n"), "not refused") << fine;
}

TEST(volta_assembler, a_barrier_that_does_not_exist_is_named) {
  EXPECT_EQ(refusal_of("  BAR.SYNC 0x10\n"),
            "f.s:3: BAR: a barrier from 0x0 to 0xf, or a register with its number, is expected, not '0x10'");
}

// A file of sm_52 as a compiler would lay it out, written with the writer of sm_70 and another number in the flags.
TEST(volta_assembler, chips_with_control_words_are_listed_with_codes_and_names) {
  cubin::module m;
  m.name = "g";
  m.capability = 70;
  m.address_bytes = 8;
  cubin::kernel k;
  k.name = "g";
  k.registers = 8;
  k.parameter_base = 0x140;
  for (const std::uint64_t word :
       {0x000f8800fe2007f1ull, 0xeed4a00010055642ull, 0x5c9807800ffd0042ull, 0xeed4a00018065643ull}) {
    k.code.push_back(static_cast<std::uint32_t>(word));
    k.code.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  m.kernels.push_back(k);
  std::ostringstream image;
  cubin::write_elf_cubin(m, image);
  std::string bytes = image.str();
  bytes[48] = 52;  // e_flags: the chip
  const cubin::module read = cubin::read_module(bytes, "g.cubin");
  EXPECT_EQ(read.capability, 52u);
  const std::string listing = listing_of(read);
  EXPECT_THAT(listing, HasSubstr("// 0000: control word: 0008 [B------:R-:W-:-:S01] 0010 [B------:R-:W-:-:S01] "
                                 "0018 [B------:R3:W-:Y:S02]"));
  EXPECT_THAT(listing, HasSubstr("// 0018: [B------:R3:W-:Y:S02] LDG"));
  bytes[48] = 35;
  EXPECT_THAT(listing_of(cubin::read_module(bytes, "g.cubin")), HasSubstr("no control word"));
}

}  // namespace
}  // namespace gt200::assembler
