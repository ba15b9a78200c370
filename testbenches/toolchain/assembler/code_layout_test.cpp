// Pairing of 4-byte instructions, addresses and branch targets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::assembler {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> code_of(const std::string& body) {
  return assemble(".entry f\n" + body + "\n.end\n", "f.s").kernels.at(0).code;
}

constexpr const char* short_move = "short mov b32 $r1 b32 s[0x10]\n";
constexpr std::uint32_t short_move_word = 0x1100e804;
constexpr const char* final_store = "exit st b32 g14[$r1] $r0\n";

TEST(code_layout, two_short_instructions_share_eight_bytes) {
  EXPECT_THAT(code_of(std::string(short_move) + short_move + final_store),
              ElementsAre(short_move_word, short_move_word, 0xd00e0201u, 0xa0c00781u));
}

TEST(code_layout, a_lone_short_instruction_takes_its_long_form) {
  EXPECT_THAT(code_of(std::string(short_move) + final_store),
              ElementsAre(0x1000c805u, 0x0423c780u, 0xd00e0201u, 0xa0c00781u));
}

TEST(code_layout, of_an_odd_run_the_last_instruction_is_lengthened) {
  EXPECT_THAT(code_of(std::string(short_move) + short_move + "short mov b32 $r2 b32 s[0x18]\n" + final_store),
              ElementsAre(short_move_word, short_move_word, 0x1000cc09u, 0x0423c780u, 0xd00e0201u, 0xa0c00781u));
}

TEST(code_layout, without_the_word_short_the_long_form_is_meant) {
  EXPECT_EQ(code_of(std::string("mov b32 $r1 b32 s[0x10]\n") + final_store).size(), 4u);
}

TEST(code_layout, raw_words_count_in_pairs_too) {
  EXPECT_THAT(code_of(std::string(".word 0x12345678\n") + short_move + final_store),
              ElementsAre(0x12345678u, short_move_word, 0xd00e0201u, 0xa0c00781u));
  EXPECT_THAT(code_of(std::string(final_store) + ".word 0x12345678"),
              ElementsAre(0xd00e0201u, 0xa0c00781u, 0x12345678u));
}

TEST(code_layout, branch_targets_are_byte_addresses_from_the_start_of_the_kernel) {
  const std::string body = std::string(short_move) + "middle: " + short_move + "back: (lg $c0) bra middle\n" +
                           "(lg $c0) bra ahead\n(lg $c0) bra back\nahead: " + final_store;
  const auto code = code_of(body);
  const auto target_at = [&](std::size_t word) {
    isa::tesla::decode_error error;
    return isa::tesla::decode(code[word], code[word + 1], error).value().target;
  };
  EXPECT_EQ(target_at(2), 4u) << "the second half of a pair can be a target";
  EXPECT_EQ(target_at(4), 0x20u);
  EXPECT_EQ(target_at(6), 8u);
}

TEST(code_layout, source_lines_follow_the_code) {
  const cubin::kernel k = assemble(".entry f\n\n" + std::string(short_move) + "// comment\n" + short_move +
                                       "here:\n" + final_store + ".end",
                                   "f.s")
                              .kernels.at(0);
  ASSERT_EQ(k.lines.size(), 3u);
  EXPECT_EQ(k.lines[0].offset, 0u);
  EXPECT_EQ(k.lines[0].line, 3u);
  EXPECT_EQ(k.lines[1].offset, 4u);
  EXPECT_EQ(k.lines[1].line, 5u);
  EXPECT_EQ(k.lines[2].offset, 8u);
  EXPECT_EQ(k.lines[2].line, 7u);
}

}  // namespace
}  // namespace gt200::assembler
