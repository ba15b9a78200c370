#include "toolchain/arch_state/tesla/thread_stacks.h"

#include <algorithm>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::arch_state::tesla {
namespace {

constexpr bool is_call(token_type type) { return type == token_type::call || type == token_type::limited_call; }

}  // namespace

void thread_stacks::started() {
  for (stack& s : stacks_) s.clear();
}

fault_kind thread_stacks::push(stack& s, token_type type, isa::code_address pc) const {
  if (s.size() == options_.maximum_entries) return fault_kind::stack_overflow;
  s.push_back({pc, type});
  return fault_kind::none;
}

fault_kind thread_stacks::call(stack& s, const isa::tesla::instruction& i, isa::code_address& pc) const {
  const isa::code_address next = pc + i.length;
  const auto limited = static_cast<unsigned>(
      std::count_if(s.begin(), s.end(), [](const token& t) { return t.type == token_type::limited_call; }));
  if (i.call_limit && limited >= options_.call_limit) {
    pc = next;
    return fault_kind::none;
  }
  const fault_kind fault = push(s, i.call_limit ? token_type::limited_call : token_type::call, next);
  if (fault == fault_kind::none) pc = i.target;
  return fault;
}

// Regions that the function has opened end with it. Outside any call ret ends the thread.
void thread_stacks::ret(stack& s, isa::code_address& pc, bool& ends) {
  while (!s.empty() && !is_call(s.back().type)) s.pop_back();
  ends = s.empty();
  if (ends) return;
  pc = s.back().pc;
  s.pop_back();
}

// The loop must have been opened in the same call frame.
fault_kind thread_stacks::brk(stack& s, bool selected, isa::code_address& pc) {
  std::size_t n = s.size();
  while (n != 0 && s[n - 1].type != token_type::prebreak && !is_call(s[n - 1].type)) --n;
  if (n == 0 || s[n - 1].type != token_type::prebreak)
    return s.empty() ? fault_kind::stack_underflow : fault_kind::stack_mismatch;
  if (!selected) return fault_kind::none;
  pc = s[n - 1].pc;
  s.resize(n - 1);
  return fault_kind::none;
}

// The thread has executed the instruction with join at `at`.
fault_kind thread_stacks::join(stack& s, isa::code_address at) {
  if (s.empty()) return fault_kind::stack_underflow;
  if (s.back().type != token_type::joinat) return fault_kind::stack_mismatch;
  if (s.back().pc != at) return fault_kind::wrong_convention;
  s.pop_back();
  return fault_kind::none;
}

fault_kind thread_stacks::apply(unsigned lane, const isa::instruction& any, bool selected, isa::code_address& pc,
                                bool& ends) {
  using isa::tesla::control_kind;
  const isa::tesla::instruction& i = isa::tesla::as_tesla(any);
  stack& s = stacks_[lane];
  const isa::code_address here = pc, next = pc + i.length;
  isa::code_address to = here;
  fault_kind fault = fault_kind::none;
  switch (i.control) {
    case control_kind::none: to = next; break;
    case control_kind::bra: to = selected ? i.target : next; break;
    case control_kind::call: fault = call(s, i, to); break;
    case control_kind::ret:
      if (selected)
        ret(s, to, ends);
      else
        to = next;
      break;
    case control_kind::prebrk:
      fault = push(s, token_type::prebreak, i.target);
      to = next;
      break;
    case control_kind::brk:
      to = next;
      fault = brk(s, selected, to);
      break;
    case control_kind::joinat:
      fault = push(s, token_type::joinat, i.target);
      to = next;
      break;
    case control_kind::quadon:
    case control_kind::quadpop: fault = fault_kind::unsupported; break;
    case control_kind::trap: fault = fault_kind::trap; break;
    case control_kind::brkpt: fault = fault_kind::breakpoint; break;
  }
  if (fault == fault_kind::none && i.join) fault = join(s, here);
  if (fault != fault_kind::none) return fault;
  ends = ends || i.exit;
  pc = to;
  return fault_kind::none;
}

}  // namespace gt200::arch_state::tesla
