// Texture fetches of sm_70: their words, their text, and which registers hold what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/dependency_state.h"
#include "toolchain/isa/volta/semantics/semantics.h"
#include "toolchain/isa/volta/texture.h"

namespace gt200::isa::volta {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr uint128 no_codes = uint128{0x7f0} << 105;  // stall 0, no barriers

std::optional<instruction> parsed(const std::string& line, std::string* reason = nullptr) {
  std::string label;
  decode_error error;
  auto i = parse("[B------:R-:W-:-:S00] " + line, 0, label, error);
  if (reason != nullptr) *reason = error.reason;
  return i;
}

instruction fetch(const std::string& line) {
  std::string reason;
  const auto i = parsed(line, &reason);
  EXPECT_TRUE(i) << line << ": " << reason;
  return i.value_or(instruction{});
}

std::string reason_for(const std::string& line) {
  std::string reason;
  EXPECT_FALSE(parsed(line, &reason)) << line;
  return reason;
}

// Words as NVIDIA's compiler writes them, without control codes; from the samples of CuAssembler.
TEST(volta_texture, words_and_text_are_those_of_compiled_code) {
  struct example {
    std::uint64_t high, low;
    const char* text;
  };
  constexpr example examples[] = {
      {0x00000000019e01ff, 0x3000620804037b60, "TEX.SCR.LL RZ, R3, R4, R8, 0x0, 0x62, 2D, 0x1"},
      {0x00000000019e01ff, 0x70005c1a181a7b60, "TEX.SCR.LL RZ, R26, R24, R26, 0x0, 0x5c, CUBE, 0x1"},
      {0x00000000019e4f04, 0x2800000402067361, "TEX.B.LL.DC R4, R6, R2, R4, 2D"},
      {0x00000000001e3f26, 0x4800001418187361, "TEX.B.AOFFI.NDV R38, R24, R24, R20, 3D"},
      {0x00000000019e0f0e, 0x980000060e067361, "TEX.SCR.B.LL R14, R6, R14, R6, ARRAY_1D"},
      {0x00000000019e4f04, 0x30c0000402067b60, "TEX.SCR.LL.DC R4, R6, R2, R4, 0x3, 0x0, 2D"},
      {0x00000000019e0f54, 0xe000587618567b60, "TEX.LL R84, R86, R24, R118, 0x0, 0x58, ARRAY_CUBE"},
      {0x00000000019e0f06, 0x3000630508082b60, "@P2 TEX.SCR.LL R6, R8, R8, R5, 0x0, 0x63, 2D"},
      {0x00000000009e03ff, 0x100064ff0b0c7b66, "TLD.SCR.LZ RZ, R12, R11, 0x0, 0x64, 1D, 0x3"},
      {0x00000000009e0f12, 0x3000580606107b66, "TLD.SCR.LZ R18, R16, R6, R6, 0x0, 0x58, 2D"},
      {0x00000000009e1f22, 0x1800000408087367, "TLD.SCR.B.LZ.AOFFI R34, R8, R8, R4, 1D"},
  };
  for (const example& e : examples) {
    const uint128 words = (uint128{e.high} << 64 | e.low) | no_codes;
    decode_error error;
    const auto i = decode(words, error);
    ASSERT_TRUE(i) << e.text << ": " << error.reason;
    EXPECT_EQ(disassemble(*i), e.text);
    EXPECT_EQ(words_of(fetch(e.text).words), words) << e.text;
  }
}

std::vector<unsigned> registers_read(const instruction& i) {
  std::vector<unsigned> all;
  for_each_read(i, [&](unsigned resource, reader_class, bool) { all.push_back(resource); });
  return all;
}
std::vector<unsigned> registers_written(const instruction& i) {
  std::vector<unsigned> all;
  for_each_write(i, [&](unsigned resource, unsigned) { all.push_back(resource); });
  return all;
}

TEST(volta_texture, scalar_arguments_are_divided_between_both_sources) {
  EXPECT_THAT(registers_read(fetch("TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 1D")), ElementsAre(8u));
  EXPECT_THAT(registers_read(fetch("TEX.SCR.LZ R2, R0, R8, R20, 0x2, 0x0, 2D")), ElementsAre(8u, 20u));
  EXPECT_THAT(registers_read(fetch("TEX.SCR.LZ R2, R0, R8, R20, 0x2, 0x0, 3D")), ElementsAre(8u, 9u, 20u));
  EXPECT_THAT(registers_read(fetch("TEX.SCR.LL R2, R0, R8, R20, 0x2, 0x0, 2D")), ElementsAre(8u, 9u, 20u));
  EXPECT_THAT(registers_read(fetch("TEX.SCR.B.LL R2, R0, R8, R20, 2D")), ElementsAre(8u, 9u, 20u, 21u));
}

TEST(volta_texture, else_the_first_source_has_the_coordinates_alone) {
  EXPECT_THAT(registers_read(fetch("TEX.LL R2, R0, R8, R20, 0x2, 0x0, 2D")), ElementsAre(8u, 9u, 20u));
  EXPECT_THAT(registers_read(fetch("TEX.B.LL.AOFFI R2, R0, R8, R20, 3D")), ElementsAre(8u, 9u, 10u, 20u, 21u, 22u));
  EXPECT_THAT(registers_read(fetch("TEX.LZ R2, R0, R8, 0x2, 0x0, ARRAY_CUBE")), ElementsAre(8u, 9u, 10u, 11u));
}

TEST(volta_texture, components_beyond_two_go_to_the_second_destination_which_stands_first) {
  EXPECT_THAT(registers_written(fetch("TEX.SCR.LZ R2, R6, R8, 0x2, 0x0, 1D")),
              UnorderedElementsAre(2u, 3u, 6u, 7u));
  EXPECT_THAT(registers_written(fetch("TEX.SCR.LZ R2, R6, R8, 0x2, 0x0, 1D, 0xd")),
              UnorderedElementsAre(2u, 6u, 7u));
  EXPECT_THAT(registers_written(fetch("TEX.SCR.LZ RZ, R6, R8, 0x2, 0x0, 1D, 0xa")), UnorderedElementsAre(6u, 7u));
  EXPECT_THAT(registers_written(fetch("TEX.SCR.LZ RZ, R6, R8, 0x2, 0x0, 1D, 0x4")), UnorderedElementsAre(6u));
}

// Coordinates arrive in source 0 of the bundle, the handle in source 2, whatever registers they come from.
TEST(volta_texture, arguments_reach_their_rows_of_the_bundle) {
  const auto places = [](const instruction& i) {
    std::vector<std::pair<unsigned, unsigned>> all;  // register, row counted over all sources
    for (unsigned k = 0; k < i.operand_count; ++k)
      for (unsigned n = 0; n < i.operands[k].count; ++n)
        all.push_back(
            {i.operands[k].first + n,
             static_cast<unsigned>((i.operands[k].place - offsetof(lane_bundle, source)) / sizeof(lane_words)) +
                 n});
    return all;
  };
  using at = std::pair<unsigned, unsigned>;
  constexpr unsigned extra = 4;
  constexpr unsigned handle = 8;
  EXPECT_THAT(places(fetch("TEX.SCR.LZ R2, R0, R8, R20, 0x2, 0x0, 3D")),
              UnorderedElementsAre(at{8, 0}, at{9, 1}, at{20, 2}));
  EXPECT_THAT(places(fetch("TEX.SCR.B.LL R2, R0, R8, R20, 2D")),
              UnorderedElementsAre(at{8, 0}, at{9, 1}, at{20, handle}, at{21, extra}));
  const instruction bound = fetch("TEX.SCR.LZ R2, R0, R8, R20, 0x3, 0x5, 2D");
  ASSERT_EQ(bound.constant_count, 1);
  EXPECT_EQ(bound.constants[0].slot, 2);
  EXPECT_EQ(bound.constants[0].bank, 3);
  EXPECT_EQ(bound.constants[0].offset, 20u);
  EXPECT_TRUE(bound.texture.by_handle);
  EXPECT_EQ(bound.texture.arguments, 2);
  EXPECT_FALSE(bound.texture.texel_numbers);
  EXPECT_TRUE(fetch("TLD.SCR.LZ R2, R0, R8, 0x3, 0x5, 1D").texture.texel_numbers);
}

TEST(volta_texture, a_fetch_needs_a_barrier_and_reads_as_memory_does) {
  const instruction i = fetch("TEX.SCR.LZ R2, R0, R8, R20, 0x2, 0x0, 2D");
  EXPECT_TRUE(has_variable_latency(i));
  EXPECT_EQ(result_class_of(i, 0), result_class::varies);
  EXPECT_EQ(reader_class_of(i, 0, 0), reader_class::memory);
}

TEST(volta_texture, what_no_unit_here_can_do_is_known_but_not_executed) {
  for (const char* line : {"TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 1D", "TEX.SCR.LL R2, R0, R8, R9, 0x2, 0x0, 2D",
                           "TEX.SCR R2, R0, R8, R9, 0x2, 0x0, 3D", "TLD.SCR.B.LZ R2, R0, R8, R9, 2D"})
    EXPECT_TRUE(is_executable(fetch(line))) << line;
  for (const char* line :
       {"TEX.SCR.LB R2, R0, R8, R9, 0x2, 0x0, 2D", "TEX.SCR.LZ.DC R2, R0, R8, R9, 0x2, 0x0, 2D",
        "TEX.SCR.LZ.AOFFI R2, R0, R8, R9, 0x2, 0x0, 2D", "TEX.SCR.LZ R2, R0, R8, R9, 0x2, 0x0, CUBE",
        "TLD.SCR.LZ R2, R0, R8, R9, 0x2, 0x0, ARRAY_1D"})
    EXPECT_FALSE(is_executable(fetch(line))) << line;
}

TEST(volta_texture, wrong_fetches_are_refused_with_a_reason) {
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 5D").find("a shape such as 2D"), std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x20, 0x0, 1D").find("a constant bank of 0 to 0x1f"),
            std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x2, 0x4000, 1D").find("a word of constant memory"),
            std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 1D, 0x10").find("written components"), std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 1D, 0x0").find("at least one component"),
            std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, 0x2, 0x0, 1D, 0x1").find("does not use"), std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R0, R8, R9, 0x2, 0x0, 1D").find("does not use"), std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LL.AOFFI R2, R0, R8, R12, 0x2, 0x0, 3D").find("more arguments"), std::string::npos);
  EXPECT_NE(reason_for("TEX.SCR.LZ R2, R254, R8, 0x2, 0x0, 1D").find("beyond R254"), std::string::npos);
  EXPECT_NE(reason_for("TLD.SCR R2, R0, R8, 0x2, 0x0, 1D").find("missing"), std::string::npos);
  EXPECT_EQ(reason_for("TXQ RZ, R0, R20, TEX_HEADER_DIMENSION, 0x0, 0x58, 0x2"), "TXQ is not supported");
  decode_error error;
  EXPECT_FALSE(decode(no_codes | 0x7360, error));
  EXPECT_EQ(error.reason, "this form of TEX is not supported");
}

}  // namespace
}  // namespace gt200::isa::volta
