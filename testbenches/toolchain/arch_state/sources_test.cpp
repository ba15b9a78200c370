// instruction::sources says which sources have a value when an instruction is calculated. Here it is held against
// what the collection of operands really fills, over random instructions of every row of every generation.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "testbenches/toolchain/isa/fermi/random_encodings.h"
#include "testbenches/toolchain/isa/random_encodings.h"
#include "testbenches/toolchain/isa/volta/random_encodings.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/arch_state/volta/generation.h"
#include "toolchain/isa/fermi/semantics/semantics.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::arch_state {
namespace {

constexpr unsigned sources = 3;

// Fills what is collected before an instruction is calculated, in a bundle full of `before`: registers, constants,
// an operand in shared memory, the predicate file, and what the generation adds.
std::unique_ptr<isa::lane_bundle> collected(const generation& rules, const isa::instruction& i, int before) {
  auto values = std::make_unique<isa::lane_bundle>();
  std::memset(static_cast<void*>(values.get()), before, sizeof *values);
  const auto fill_source = [&](unsigned slot) {
    std::memset(&values->source[slot][0], 1, sizeof(isa::lane_words));
  };
  const register_reads reads = operands_of(i, *values);
  for (const isa::register_transfer& r : reads) switch (r.file) {
      case isa::register_file_kind::gpr:
        std::memset(reads.row<isa::lane_words>(r), 1, r.count * sizeof(isa::lane_words));
        break;
      case isa::register_file_kind::condition: std::memset(reads.row<std::uint8_t>(r), 1, isa::warp_size); break;
      case isa::register_file_kind::address: std::memset(reads.row<std::uint16_t>(r), 1, 2 * isa::warp_size); break;
    }
  for (unsigned k = 0; k < i.constant_count; ++k) fill_source(i.constants[k].slot);
  if (i.access.kind == isa::access_kind::operand) fill_source(i.access.slot);
  if (i.reads_predicate_file) fill_source(2);
  const block_place block;
  warp_place place;
  place.block = &block;
  if (i.needs_collect) rules.collect(i, place, 0xffffffff, *values);
  return values;
}

// Sources of which a row does not depend on what the bundle held before.
unsigned filled_sources(const generation& rules, const isa::instruction& i) {
  const auto one = collected(rules, i, 0x5a);
  const auto other = collected(rules, i, 0xa5);
  unsigned filled = 0;
  for (unsigned s = 0; s < sources; ++s)
    for (unsigned row = 0; row < 4; ++row)
      if (std::memcmp(&one->source[s][row], &other->source[s][row], sizeof(isa::lane_words)) == 0)
        filled |= 1u << s;
  return filled;
}

// Expects the bits of all instructions; each source must be seen with and without a value.
class checked_sources {
 public:
  explicit checked_sources(const generation& rules) : rules_(rules) {}
  ~checked_sources() {
    for (unsigned s = 0; s < sources; ++s) {
      EXPECT_GT(with_[s], compared_ / 20) << "of " << compared_ << ", source " << s;
      EXPECT_GT(compared_ - with_[s], compared_ / 20) << "of " << compared_ << ", source " << s;
    }
  }
  void check(const isa::instruction& i) {
    const unsigned filled = filled_sources(rules_, i);
    EXPECT_EQ(unsigned{i.sources}, filled) << text_of(i);
    ++compared_;
    for (unsigned s = 0; s < sources; ++s) with_[s] += filled >> s & 1;
  }

 private:
  const generation& rules_;
  unsigned compared_ = 0;
  unsigned with_[sources] = {};
};

TEST(sources, are_those_that_the_collection_of_tesla_fills) {
  const tesla::generation rules(13, {});
  checked_sources expected(rules);
  for (const auto& e : isa::tesla::random_instructions(12)) expected.check(*isa::tesla::decoded(e.words));
}

TEST(sources, are_those_that_the_collection_of_fermi_fills) {
  const fermi::generation rules;
  checked_sources expected(rules);
  for (const auto& e : isa::fermi::random_instructions(12)) {
    const auto i = isa::fermi::decoded(e.words);
    if (isa::fermi::refusal_of(*i) == nullptr) expected.check(*i);
  }
}

TEST(sources, are_those_that_the_collection_of_volta_fills) {
  const volta::generation rules;
  checked_sources expected(rules);
  for (const auto& e : isa::volta::random_instructions(50)) {
    const auto i = isa::volta::decoded(e.words);
    if (isa::volta::refusal_of(*i) == nullptr) expected.check(*i);
  }
}

// Tesla's bits were once found operand by operand. Of a texture fetch, whose coordinates are no operand, that found
// nothing; no unit calculates one.
unsigned by_kinds_of_operands(const isa::tesla::instruction& i) {
  using kind = isa::tesla::operand_kind;
  unsigned found = 0;
  for (unsigned s = 0; s < sources; ++s) {
    const kind k = i.source[s].kind;
    if (k == kind::gpr || k == kind::immediate || k == kind::constant || k == kind::special ||
        (k == kind::shared && i.access.kind == isa::access_kind::operand))
      found |= 1u << s;
  }
  return found;
}

TEST(sources, of_tesla_follow_from_the_kinds_of_operands) {
  for (const auto& e : isa::tesla::random_instructions(40)) {
    const auto i = isa::tesla::decoded(e.words);
    const bool fetches = i->access.kind == isa::access_kind::texture;
    EXPECT_EQ(unsigned{i->sources}, fetches ? 1u : by_kinds_of_operands(*i)) << disassemble(*i);
  }
}

}  // namespace
}  // namespace gt200::arch_state
