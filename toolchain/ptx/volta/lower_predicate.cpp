// Predicate logic, votes, and what lanes exchange.
#include <algorithm>
#include <map>

#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

lowering::operation& lowering::combine_predicates(const predicate& to, const predicate& a, const predicate& b,
                                                  logic_op op) {
  operation& o = out_.emit_test(opcode::plop3, to, {});
  writer::set_source(o, 0, a);
  writer::set_source(o, 1, b);
  o.code.lut[0] = op == logic_op::and_  ? table_of_a & table_of_b
                  : op == logic_op::or_ ? table_of_a | table_of_b
                                        : table_of_a ^ table_of_b;
  return o;
}

value lowering::choose_not_less(value x, value y, value c, bool is_float) {
  const predicate p = out_.new_predicate();
  operation& o = out_.emit_test(is_float ? opcode::fsetp : opcode::isetp, p, {c, is_float ? imm(0) : zero()});
  o.code.compare = not_less;
  o.code.is_signed = !is_float;
  o.code.ftz = is_float && flushes();
  return out_.choose(p, x, y);
}

constexpr std::uint32_t all_lanes = 0xffffffff;
bool is_all_lanes(const value& mask) { return mask.is_immediate() && mask.immediate() == all_lanes; }

// The lanes of the mask wait for one another and go on together.
void lowering::join_lanes(const operand& mask) { out_.emit_effect(opcode::warpsync, {source(mask, scalar::b32)}); }

// The lanes of the mask for which p holds. Lanes with another mask may execute the same vote.
value lowering::votes(const predicate& p, value members) {
  const word_ref lanes = out_.word();
  operation& o = out_.emit(opcode::vote, lanes, {});
  o.code.vote = isa::volta::vote_mode::any;
  writer::set_source(o, 0, p);
  return is_all_lanes(members) ? reg(lanes) : out_.logic_of(logic_op::and_, reg(lanes), members);
}

void lowering::set_if_equal(const predicate& to, value a, value b) {
  operation& o = out_.emit_test(opcode::isetp, to, {a, b});
  o.code.compare = equal;
}

void lowering::vote_of_all(const operand& to, const predicate& p) {
  operation& o = out_.emit(opcode::vote, {}, {});
  o.code.vote = has("any")   ? isa::volta::vote_mode::any
                : has("uni") ? isa::volta::vote_mode::eq
                             : isa::volta::vote_mode::all;
  writer::set_source(o, 0, p);
  o.predicate_out[0] = destination_predicate(to).condition;
}

void lowering::vote_of_members(const operand& to, const predicate& p, value members) {
  const predicate decided = destination_predicate(to);
  predicate opposite = p;
  opposite.inverted = !p.inverted;
  if (has("any")) {
    operation& o = out_.emit_test(opcode::isetp, decided, {votes(p, members), zero()});
    o.code.compare = different;
    return;
  }
  const predicate none_against = has("uni") ? out_.new_predicate() : decided;
  set_if_equal(none_against, votes(opposite, members), zero());
  if (!has("uni")) return;
  const predicate none_for = out_.new_predicate();
  set_if_equal(none_for, votes(p, members), zero());
  combine_predicates(decided, none_against, none_for, logic_op::or_);
}

void lowering::lower_vote() {
  const bool waits = has("sync");
  operand_count(waits ? 3 : 2, waits ? 3 : 2);
  const predicate p = predicate_source(at(1));
  const operand to = at(0);
  const operand mask = waits ? at(2) : operand{};
  // Threads whose guard is false do not vote.
  under_guard([&] {
    const value members = waits ? source(mask, scalar::b32) : imm(all_lanes);
    if (waits) join_lanes(mask);
    if (has("ballot"))
      assign(to, votes(p, members));
    else if (is_all_lanes(members))
      vote_of_all(to, p);
    else
      vote_of_members(to, p, members);
  });
}

bool lowering::lower_shuffle(const statement& s) {
  if (s.name != "shfl") return false;
  using isa::volta::shuffle_mode;
  static const std::map<std::string, shuffle_mode> modes = {{"idx", shuffle_mode::idx},
                                                            {"up", shuffle_mode::up},
                                                            {"down", shuffle_mode::down},
                                                            {"bfly", shuffle_mode::bfly}};
  const bool waits = has("sync");
  operand_count(waits ? 5 : 4, waits ? 5 : 4);
  const auto mode = std::find_if(modes.begin(), modes.end(), [&](const auto& m) { return has(m.first.c_str()); });
  if (mode == modes.end()) unsupported("the mode is missing: .up, .down, .bfly or .idx");
  if (bytes_of(type()) != 4) unsupported("the type must have 32 bits");
  operand to = at(0);
  operand valid = to;
  valid.name = to.second;
  valid.second.clear();
  to.second.clear();
  under_guard([&] {
    const value v = out_.in_register(source(at(1), scalar::b32));
    // Lane and limit are numbers of five and thirteen bits, or in registers.
    const auto number = [&](const operand& o, std::uint32_t mask) {
      const value n = source(o, scalar::b32);
      return n.is_immediate() ? imm(n.immediate() & mask) : n;
    };
    const value lane = number(at(2), 31);
    const value limit = number(at(3), 0x1f1f);
    if (waits) join_lanes(at(4));
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::shfl, d, {v, lane, limit});
    o.code.shuffle = mode->second;
    if (!valid.name.empty()) o.predicate_out[0] = destination_predicate(valid).condition;
    assign(to, reg(d));
  });
  return true;
}

bool lowering::lower_match(const statement& s) {
  if (s.name == "activemask") {
    operand_count(1, 1);
    under_guard([&] {
      operation& o = out_.emit(opcode::vote, out_.word(), {});
      o.code.vote = isa::volta::vote_mode::any;
      assign(at(0), reg(o.destination));
    });
    return true;
  }
  if (s.name != "match") return false;
  operand_count(3, 3);
  operand to = at(0);
  operand agree = to;
  agree.name = to.second;
  agree.second.clear();
  to.second.clear();
  const bool is_wide = bytes_of(type()) == 8;
  under_guard([&] {
    const value v = is_wide ? in_pair(pair_source(at(1), type())) : out_.in_register(source(at(1), scalar::b32));
    const value members = source(at(2), scalar::b32);
    join_lanes(at(2));
    const bool of_all = is_all_lanes(members);
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::match, d, {v});
    o.code.wide = is_wide;
    o.code.all_lanes = has("all") && of_all;
    if (of_all) {
      if (!agree.name.empty()) o.predicate_out[0] = destination_predicate(agree).condition;
      assign(to, reg(d));
      return;
    }
    const value same = out_.logic_of(logic_op::and_, reg(d), members);
    if (!has("all")) return assign(to, same);
    const predicate all_agree = agree.name.empty() ? out_.new_predicate() : destination_predicate(agree);
    set_if_equal(all_agree, same, votes({}, members));
    assign(to, out_.choose(all_agree, same, imm(0)));
  });
  return true;
}

}  // namespace gt200::ptx::volta
