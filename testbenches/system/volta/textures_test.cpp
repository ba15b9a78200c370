// Texture fetches of sm_70 on the chip: every kind of texture, checked against the emulator, in every way of
// simulating; handles; what wrong control codes do to them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// R12 to R14 are coordinates in and around the images, R16 and R17 texel numbers, some of them outside; R8 is the
// address of the thread's four words of `out`.
const char* const coordinates =
    "  [B------:R-:W0:-:S02] I2F.U32 R15, R0\n"
    "  [B------:R-:W-:-:S05] MOV R1, 0x10\n"
    "  [B------:R-:W-:-:S08] IMAD.WIDE R8, R0, R1, c[0x0][out]\n"
    "  [B------:R-:W-:-:S08] IADD3 R16, R0, -0x8, RZ\n"
    "  [B------:R-:W-:-:S08] SHF.R.U32.HI R17, RZ, 0x4, R0\n"
    "  [B0-----:R-:W-:-:S08] FMUL R12, R15, 0.37\n"
    "  [B------:R-:W-:-:S08] FADD R12, R12, -3\n"
    "  [B------:R-:W-:-:S08] FMUL R13, R15, 0.061\n"
    "  [B------:R-:W-:-:S08] FMUL R14, R15, -0.017\n";
const char* const store_quad = "  [B0-----:R-:W-:-:S02] STG.E.128.SYS [R8], R4\n";

std::string fetching(const std::string& fetch, unsigned unit, const std::string& rest = store_quad) {
  return volta_program(coordinates + ("  " + fetch + "\n") + rest,
                       fmt::format(".literal other u32 99\n.literal handle u32 {}\n", unit));
}

const volta_grid grid = {{2}, {96, 1, 1}, 768, true};

std::string tex(unsigned dimensions) {
  constexpr const char* arguments[] = {"R12, 0x2, 0x1, 1D", "R12, R13, 0x2, 0x1, 2D", "R12, R14, 0x2, 0x1, 3D"};
  return std::string("[B------:R-:W0:-:S02] TEX.SCR.LZ R6, R4, ") + arguments[dimensions - 1];
}

struct unit_of_image {
  unsigned unit, dimensions;
};
class volta_image : public testing::TestWithParam<unit_of_image> {};

TEST_P(volta_image, is_sampled_alike_in_every_way) {
  const std::string program = fetching(tex(GetParam().dimensions), GetParam().unit);
  expect_alike_in_every_way(program, grid);
}

INSTANTIATE_TEST_SUITE_P(units, volta_image,
                         testing::Values(unit_of_image{1, 2}, unit_of_image{2, 2}, unit_of_image{3, 1},
                                         unit_of_image{4, 2}, unit_of_image{5, 2}, unit_of_image{6, 3}),
                         [](const auto& info) { return "unit_" + std::to_string(info.param.unit); });

TEST(volta_textures, linear_memory_is_read_by_numbers) {
  const std::string program = fetching("[B------:R-:W0:-:S02] TLD.SCR.LZ R6, R4, R16, 0x2, 0x1, 1D", 0);
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.hazards, 0u);
  EXPECT_EQ(o.out[4 * 7], 0u) << "in front of the memory";
  for (std::uint32_t i = 8; i < 192; ++i) {
    EXPECT_EQ(o.out[4 * i], volta_input(i - 8) & 0xffff) << i;
    EXPECT_EQ(o.out[4 * i + 1], volta_input(i - 8) >> 16) << i;
  }
}

TEST(volta_textures, registers_of_components_that_are_not_written_keep_their_values) {
  const std::string program =
      fetching("[B------:R-:W0:-:S02] TLD.SCR.LZ RZ, R5, R16, 0x2, 0x1, 1D, 0x2", 0,
               "  [B------:R-:W-:-:S04] MOV R4, 0x11\n  [B------:R-:W-:-:S04] MOV R6, 0x12\n"
               "  [B------:R-:W-:Y:S15] MOV R7, 0x13\n" +
                   std::string(store_quad));
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[4 * 20], 0x11u);
  EXPECT_EQ(o.out[4 * 20 + 1], volta_input(12) >> 16);
  EXPECT_EQ(o.out[4 * 20 + 2], 0x12u);
  EXPECT_EQ(o.out[4 * 20 + 3], 0x13u);
}

// -- handles --

TEST(volta_textures, a_handle_may_be_in_a_register) {
  const auto words_of = [](const std::string& fetch, const std::string& before) {
    const volta_figures o = figures_of(run_volta_apart(fetching(before + fetch, 2), grid));
    EXPECT_EQ(o.error, "");
    return o.out;
  };
  const std::string move = "[B------:R-:W-:-:S08] MOV R18, 0x2\n  ";
  EXPECT_EQ(words_of("[B------:R-:W0:-:S02] TEX.SCR.B.LZ R6, R4, R12, R18, 2D", move), words_of(tex(2), ""));
  EXPECT_EQ(words_of("[B------:R-:W0:-:S02] TEX.B.LL R6, R4, R12, R18, 2D",
                     move + "[B------:R-:W-:-:S08] MOV R19, RZ\n  "),
            words_of(tex(2), ""));
}

TEST(volta_textures, lanes_with_different_handles_are_at_fault) {
  const std::string program = fetching("[B------:R-:W0:-:S02] TEX.SCR.B.LZ R6, R4, R12, R0, 2D", 0);
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  EXPECT_NE(o.error.find("unsupported"), std::string::npos) << o.error;
}

TEST(volta_textures, a_handle_without_a_texture_is_a_fault) {
  for (const unsigned unit : {77u, 0x80000000u}) {
    const volta_figures o = figures_of(run_volta_apart(fetching(tex(2), unit), grid));
    EXPECT_NE(o.error.find("texture"), std::string::npos) << o.error;
  }
}

// -- control codes --

TEST(volta_textures, a_result_that_is_not_awaited_is_a_hazard_of_the_program) {
  const std::string program = fetching(tex(2), 1, "  [B------:R-:W-:-:S02] STG.E.128.SYS [R8], R4\n");
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  EXPECT_NE(o.error.find("program hazard, R4"), std::string::npos) << o.error;
}

// Stores before it fill the queue, so that the fetch waits for its turn to read. In the second pass the code is in
// the cache.
TEST(volta_textures, coordinates_that_change_before_they_are_read_are_a_hazard_of_the_program) {
  const auto error_of = [](const std::string& read_barrier, const std::string& wait) {
    std::string stores;
    for (unsigned n = 0; n < 10; ++n) stores += "  [B------:R-:W-:-:S01] STG.E.SYS [R8], R16\n";
    const std::string body =
        "  [B------:R-:W-:Y:S15] MOV R20, RZ\n"
        "  [B------:R-:W-:Y:S15] MOV R21, R13\nagain:\n"
        "  [B------:R-:W-:Y:S15] MOV R13, R21\n" +
        stores + "  [B------:" + read_barrier + ":W0:-:S02] TEX.SCR.LZ R6, R4, R12, R13, 0x2, 0x1, 2D\n  [" + wait +
        ":R-:W-:-:S08] MOV R13, RZ\n  [B0-----:R-:W-:Y:S15] IADD3 R20, R20, 0x1, RZ\n"
        "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R20, 0x2, PT\n  [B------:R-:W-:-:S05] @P0 BRA again\n" +
        store_quad;
    return figures_of(run_volta_apart(fetching("[B------:R-:W-:-:S01] NOP", 2, body), grid)).error;
  };
  EXPECT_EQ(error_of("R1", "B-1----"), "");
  const std::string broken = error_of("R-", "B------");
  EXPECT_NE(broken.find("program hazard, R13"), std::string::npos) << broken;
}

}  // namespace
}  // namespace gt200::support
