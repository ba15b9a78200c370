// Predicate logic and votes.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

lowering::operation& lowering::combine_predicates(const predicate& to, const predicate& a, const predicate& b,
                                                  logic_op op) {
  operation& o = out_.emit_test(opcode::psetp, to, {});
  writer::set_source(o, 0, a);
  writer::set_source(o, 1, b);
  o.code.logic = op;
  return o;
}

value lowering::choose_not_less(value x, value y, value c, bool is_float) {
  const word_ref d = out_.word();
  operation& o = out_.emit(is_float ? opcode::fcmp : opcode::icmp, d, {out_.in_register(x), y, c});
  o.code.compare = not_less;
  o.code.is_signed = !is_float;
  o.code.ftz = is_float && flushes();
  return reg(d);
}

void lowering::lower_vote() {
  if (has("sync")) unsupported(".sync needs sm_30");
  operand_count(2, 2);
  const predicate p = predicate_source(at(1));
  const bool ballot = has("ballot");
  const operand to = at(0);
  // Threads whose guard is false do not vote.
  under_guard([&] {
    operation& o = out_.emit(opcode::vote, ballot ? out_.word() : word_ref{}, {});
    o.code.vote = has("any")   ? isa::fermi::vote_mode::any
                  : has("uni") ? isa::fermi::vote_mode::uni
                               : isa::fermi::vote_mode::all;
    writer::set_source(o, 0, p);
    if (ballot)
      assign(to, reg(o.destination));
    else
      o.predicate_out[0] = destination_predicate(to).condition;
  });
}

}  // namespace gt200::ptx::fermi
