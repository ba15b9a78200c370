// Machine code without a container: SASS and hex listings, and what is deduced where they state nothing.
#include "toolchain/assembler/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::assembler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// mov.b32 $r1 s[0x10]; two short movs; store and exit.
constexpr const char* recent = R"listing(
	code for sm_11
		Function : _Z1fPi
	.headerflags    @"EF_CUDA_SM11 EF_CUDA_PTX_SM(EF_CUDA_SM11)"
        /*0000*/        MOV R1, g [0x4];              /* 0x0423c7801000c805 */
        /*0008*/        MOV32 R1, g [0x4];            /* 0x1100e804         */
        /*000c*/        MOV32 R0, g [0x6];            /* 0x1100ec00         */
        /*0010*/        GST.U32 global14[R1], R0;     /* 0xa0c00781d00e0201 */
		.........................
)listing";
constexpr const char* older = R"listing(
	code for sm_11
		Function : _Z1fPi
	/*0000*/     /*0x1000c8050423c780*/ 	MOV R1, g [0x4];
	/*0008*/     /*0x1100e804*/         	MOV32 R1, g [0x4];
	/*000c*/     /*0x1100ec00*/         	MOV32 R0, g [0x6];
	/*0010*/     /*0xd00e0201*/ /*0xa0c00781*/ 	GST.U32 global14[R1], R0;
)listing";
const std::vector<std::uint32_t> words = {0x1000c805, 0x0423c780, 0x1100e804, 0x1100ec00, 0xd00e0201, 0xa0c00781};

std::string sass(const std::string& lines) { return "Function : f\n" + lines; }

template <class reader_type>
std::string refusal(reader_type reader, const std::string& text) {
  try {
    reader(text, "f.txt");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}
std::string sass_refusal(const std::string& text) { return refusal(read_sass_listing, text); }
std::string hex_refusal(const std::string& text) { return refusal(read_hex_listing, text); }

TEST(sass_listing, of_recent_toolkits_has_the_encoding_as_a_number_behind_the_instruction) {
  const cubin::module m = read_sass_listing(recent, "f.txt");
  ASSERT_EQ(m.kernels.size(), 1u);
  EXPECT_EQ(m.capability, 11u);
  EXPECT_EQ(m.kernels[0].name, "_Z1fPi");
  EXPECT_EQ(m.kernels[0].code, words);
}

TEST(sass_listing, of_older_toolkits_has_the_words_in_order_before_the_instruction) {
  EXPECT_EQ(read_sass_listing(older, "f.txt").kernels.at(0).code, words);
}

TEST(sass_listing, holds_several_kernels) {
  const cubin::module m =
      read_sass_listing(std::string(recent) + "Function : g\n/*0000*/ NOP; /* 0xe0000001f0000001 */\n", "f");
  ASSERT_EQ(m.kernels.size(), 2u);
  EXPECT_EQ(m.kernels[1].name, "g");
  EXPECT_THAT(m.kernels[1].code, ElementsAre(0xf0000001, 0xe0000001));
}

TEST(sass_listing, records_the_lines_of_the_listing) {
  const cubin::module m = read_sass_listing(recent, "f.txt");
  EXPECT_EQ(m.kernels[0].lines.at(0).line, 5u);
  EXPECT_EQ(m.kernels[0].lines.at(0).offset, 0u);
}

TEST(sass_listing, takes_directives_before_a_kernel_for_that_kernel) {
  const cubin::module m = read_sass_listing(".smem 64\n.barriers 3\n" + std::string(recent), "f.txt");
  ASSERT_EQ(m.kernels.size(), 1u);
  EXPECT_EQ(m.kernels[0].name, "_Z1fPi");
  EXPECT_EQ(m.kernels[0].shared_bytes, 64u);
  EXPECT_EQ(m.kernels[0].barriers, 3u);
  EXPECT_THAT(sass_refusal(sass("/*0000*/ NOP; /* 0xe0000001f0000001 */\n.end\n.smem 64\n")),
              HasSubstr("f.txt:4: no kernel follows the directive"));
}

TEST(sass_listing, encodings_may_hold_invisible_characters) {
  const auto m = read_sass_listing(sass("/*0000*/ NOP; /* 0x\u202d"
                                        "e0000001f0000001\u202c */\n"),
                                   "f.txt");
  EXPECT_THAT(m.kernels.at(0).code, ElementsAre(0xf0000001, 0xe0000001));
}

TEST(sass_listing, can_be_completed_with_directives) {
  const cubin::module m =
      read_sass_listing(".const table u32 5\n" + sass(".literal mask u32 0x3ff\n.smem 64\n.registers 9\n/*0000*/ "
                                                      "NOP; /* 0xe0000001f0000001 */"),
                        "f.txt");
  EXPECT_EQ(m.constants.at(0).name, "table");
  EXPECT_THAT(m.kernels[0].constants.at(0).data, ElementsAre(0xff, 3, 0, 0));
  EXPECT_EQ(m.kernels[0].shared_bytes, 64u);
  EXPECT_EQ(m.kernels[0].registers, 9u);
}

TEST(sass_listing, is_refused_with_file_line_and_reason) {
  EXPECT_EQ(sass_refusal(sass("/*0000*/ NOP; /* 0x1100e804 */\n/*0008*/ NOP; /* 0x1100e804 */")),
            "f.txt:3: address 0x8, but the words before it end at 0x4");
  EXPECT_EQ(sass_refusal(sass("/*0000*/ NOP;")), "f.txt:2: the line has no encoding (/*0x...*/)");
  EXPECT_EQ(sass_refusal(sass("/*0000*/ /*0x1100e804*/ NOP; /*0x1100e804*/")),
            "f.txt:2: the line has encodings before and behind the instruction");
  EXPECT_EQ(sass_refusal(sass("/*0000*/ NOP; /* 0x1100e8 */")),
            "f.txt:2: '0x1100e8' is no encoding of 8 or 16 hexadecimal digits");
  EXPECT_EQ(sass_refusal(sass("/*0000*/ NOP; /* 0xf0000001 */")),
            "f.txt:2: a long instruction needs a second word");
  EXPECT_EQ(sass_refusal(sass("/*0000*/ NOP; /* 0x1100e804 */\n/*0004*/ NOP; /* 0xe0000001f0000001 */")),
            "f.txt:3: the long instruction 0xf0000001 at 0x4 is not on an 8-byte address");
  EXPECT_EQ(sass_refusal("code for sm_10\ncode for sm_20\n"), "f.txt:2: code for sm_20 after code for sm_10");
  EXPECT_EQ(sass_refusal("code for sm_20\nFunction : f\n/*0000*/ NOP; /* 0x1100e804 */"),
            "f.txt:1: .target: 'sm_20' is not supported, only sm_10 to sm_13");
  EXPECT_EQ(sass_refusal(sass("what is this\n")), "f.txt:2: 'what is this' is no line of a SASS listing");
  EXPECT_EQ(sass_refusal("code for sm_10\n"), "f.txt: the listing has no code");
  EXPECT_EQ(sass_refusal("Function : f\n"), "f.txt:1: kernel 'f' has no instructions");
  EXPECT_THAT(sass_refusal(sass(".sharde x 4\n/*0000*/ NOP; /* 0x1100e804 */")),
              HasSubstr("f.txt:2: .sharde: unknown"));
}

TEST(hex_listing, is_words_in_any_layout) {
  for (const char* text : {"1000c805 0423c780 1100e804 1100ec00 d00e0201 a0c00781",
                           "0x1000c805, 0x0423c780,\n0x1100e804, 0x1100ec00, // two short "
                           "ones\n0xd00e0201, 0xa0c00781",
                           "# my kernel\n0000: 1000c805 0423c780\n0008: 1100e804\n000c: "
                           "1100ec00\n0010: d00e0201\na0c00781 ; end"})
    EXPECT_EQ(read_hex_listing(text, "f").kernels.at(0).code, words) << text;
  EXPECT_THAT(read_hex_listing("0x861ffe03 0000000000", "f").kernels.at(0).code, ElementsAre(0x861ffe03, 0))
      << "a zero as text cubins write it";
}

TEST(hex_listing, is_named_after_its_file_unless_it_says_otherwise) {
  EXPECT_EQ(read_hex_listing("1100e804 1100ec00", "folder/my_kernel.hex").kernels.at(0).name, "my_kernel");
  EXPECT_EQ(read_hex_listing("1100e804 1100ec00", "odd name.hex").kernels.at(0).name, "kernel");
  const cubin::module m = read_hex_listing(".target sm_12\n.entry f\n1100e804\n.end\n.entry g\n1100ec00\n", "x");
  EXPECT_EQ(m.capability, 12u);
  EXPECT_THAT(m.find("f")->code, ElementsAre(0x1100e804));
  EXPECT_THAT(m.find("g")->code, ElementsAre(0x1100ec00));
}

TEST(hex_listing, is_refused_with_file_line_and_reason) {
  EXPECT_EQ(hex_refusal("1100e804\n11g0e804"), "f.txt:2: '11g0e804' is not a 32-bit word");
  EXPECT_EQ(hex_refusal("1100e804 11100ec00"), "f.txt:1: '11100ec00' is not a 32-bit word");
  EXPECT_EQ(hex_refusal("1100e804\n\n0008: 1100ec00"), "f.txt:3: address 0x8, but the words before it end at 0x4");
  EXPECT_EQ(hex_refusal("1100e804\nf0000001 e0000001"),
            "f.txt:2: the long instruction 0xf0000001 at 0x4 is not on an 8-byte address");
  EXPECT_EQ(hex_refusal("1100e804 1100e804\nf0000001\n"), "f.txt:2: a long instruction needs a second word");
  EXPECT_EQ(hex_refusal("f0000001\n.entry g\n"), "f.txt:1: a long instruction needs a second word");
  EXPECT_EQ(hex_refusal("// nothing"), "f.txt: the listing has no code");
}

TEST(listing, registers_barriers_and_target_are_those_of_the_code) {
  // mov $r5d... a 64-bit load needs the next register too; bar 3; double precision.
  const cubin::module m =
      read_hex_listing("d00e0811 80800780 867ffe03 00000000", "f");  // ld b64 $r4d g14[$r4]; bar 3
  EXPECT_EQ(m.kernels[0].registers, 6u);
  EXPECT_EQ(m.kernels[0].barriers, 3u);
  EXPECT_EQ(m.capability, 10u);
  EXPECT_EQ(read_hex_listing("e0000001 60000780", "f").capability, 13u) << "an addition of doubles";
}

TEST(listing, registers_that_are_only_read_do_not_count) {
  EXPECT_EQ(read_hex_listing("1000f801 0403c780", "f").kernels[0].registers, 1u) << "mov $r0 $r124";
}

TEST(listing, shared_memory_has_room_for_all_parameters_and_every_fixed_address) {
  EXPECT_EQ(read_hex_listing("1100e804 1100ec00", "f").kernels[0].shared_bytes, 16u + 256);
  EXPECT_EQ(read_hex_listing(".param u32 a\n1100e804 1100ec00", "f").kernels[0].shared_bytes, 28u)
      << "the list of parameters is known; the second instruction reads s[0x18]";
}

TEST(listing, shared_memory_has_its_full_size_when_an_address_is_unknown) {
  EXPECT_EQ(read_hex_listing("1c00c001 0423c780", "f").kernels[0].shared_bytes, 16384u) << "mov $r0 s[$a3]";
  EXPECT_EQ(read_hex_listing(".smem 2092\n1c00c001 0423c780", "f").kernels[0].shared_bytes, 2092u);
}

TEST(listing, local_memory_ends_with_the_highest_access) {
  EXPECT_EQ(read_hex_listing("d0001001 60c00780", "f").kernels[0].local_bytes, 12u) << "st l[0x8] $r0";
  EXPECT_EQ(hex_refusal("d4001001 60c00780"),
            "f.txt: cannot tell how much local memory kernel 'f' needs; state it with .local BYTES");
  EXPECT_EQ(read_hex_listing(".local 40\nd4001001 60c00780", "f").kernels[0].local_bytes, 40u);
}

}  // namespace
}  // namespace gt200::assembler
