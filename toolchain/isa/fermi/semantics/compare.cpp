// Comparisons and operations on predicates.
#include "toolchain/isa/fermi/condition.h"
#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi::semantics {
namespace {

// With carry_in, the words are the upper ones of 64 bits, and $c holds the flags of lower x - lower y.
struct integer_compare {
  explicit integer_compare(const instruction& i)
      : wanted(i.compare), is_signed(i.is_signed), use_carry(i.carry_in) {}
  bool operator()(const lane_bundle& b, unsigned lane) const {
    const std::uint32_t x = b.source[0][0].lane[lane];
    const std::uint32_t y = b.source[1][0].lane[lane];
    std::uint32_t relation = integer_relation(x, y, is_signed);
    if (use_carry && relation == 2) {
      const std::uint32_t lower = b.flags_in[lane];
      relation = (lower & flag_zero) != 0 ? 2u : (lower & flag_carry) != 0 ? 4u : 1u;
    }
    return (wanted & relation) != 0;
  }
  std::uint32_t wanted;
  bool is_signed, use_carry;
};

struct integer_select {
  explicit integer_select(const instruction& i) : wanted(i.compare), is_signed(i.is_signed) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    return {(wanted & integer_relation(z, 0, is_signed)) != 0 ? x : y, 0};
  }
  std::uint32_t wanted;
  bool is_signed;
};

struct predicate_logic {
  explicit predicate_logic(const instruction& i) : op(i.logic) {}
  bool operator()(const lane_bundle& b, unsigned lane) const {
    return combine(op, b.predicate_in[0][lane] != 0, b.predicate_in[1][lane] != 0);
  }
  logic_op op;
};

// Tests of $c: the 16 comparisons of the last result with zero (Z and S both set: unordered), then single flags.
struct flag_test {
  explicit flag_test(const instruction& i) : test(i.compare) {}
  bool operator()(const lane_bundle& b, unsigned lane) const { return condition_holds(test, b.flags_in[lane]); }
  std::uint8_t test;
};

}  // namespace

lane_function compare_function(const instruction& i) {
  switch (i.op) {
    case opcode::iset:
    case opcode::isetp: return map_truth<integer_compare>;
    case opcode::icmp: return map_words<integer_select>;
    case opcode::pset:
    case opcode::psetp: return map_truth<predicate_logic>;
    case opcode::cset:
    case opcode::csetp: return map_truth<flag_test>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
