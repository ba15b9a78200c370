// Special registers, barriers and what stops a program.
#include <map>

#include "toolchain/isa/volta/special_register.h"
#include "toolchain/ptx/machine/lowering/instances.h"
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx {

template class structure<volta::machine>;
template class word_lowering<volta::machine>;

}  // namespace gt200::ptx

namespace gt200::ptx::volta {

using namespace isa::volta;  // NOLINT: the numbers of special registers

value lowering::read_special(std::uint8_t number) {
  const word_ref d = out_.word();
  // The clock has a way of its own, of fixed time.
  const bool is_clock = number == sr_clock_low || number == sr_clock_high;
  operation& o = out_.emit(is_clock ? opcode::cs2r : opcode::s2r, d, {});
  o.code.special = number;
  o.is_volatile = number >= sr_clock_low && number <= sr_timer_high;
  return reg(d);
}

std::optional<value> lowering::special_register(const std::string& name) {
  // Sizes are in constant memory (launch/volta/abi.h).
  static const std::map<std::string, std::uint32_t> sizes = {{"%ntid.x", 0x00},   {"%ntid.y", 0x04},
                                                             {"%ntid.z", 0x08},   {"%nctaid.x", 0x0c},
                                                             {"%nctaid.y", 0x10}, {"%nctaid.z", 0x14}};
  const auto size = sizes.find(name);
  if (size != sizes.end()) return constant_word(0, size->second);
  static const std::map<std::string, std::uint8_t> read = {{"%tid.x", sr_thread_x},
                                                           {"%tid.y", sr_thread_x + 1},
                                                           {"%tid.z", sr_thread_x + 2},
                                                           {"%ctaid.x", sr_block_x},
                                                           {"%ctaid.y", sr_block_x + 1},
                                                           {"%ctaid.z", sr_block_x + 2},
                                                           {"%laneid", sr_lane},
                                                           {"%smid", sr_virtual_sm},
                                                           {"%clock", sr_clock_low},
                                                           {"%clock_hi", sr_clock_high},
                                                           {"%lanemask_eq", sr_lanemask_eq},
                                                           {"%lanemask_lt", sr_lanemask_eq + 1},
                                                           {"%lanemask_le", sr_lanemask_eq + 2},
                                                           {"%lanemask_gt", sr_lanemask_eq + 3},
                                                           {"%lanemask_ge", sr_lanemask_eq + 4}};
  const auto known = read.find(name);
  if (known != read.end()) return read_special(known->second);
  for (const char* missing : {"%warpid", "%nwarpid", "%nsmid", "%gridid"})
    if (name == missing) unsupported(name + " is not supported for sm_70");
  return std::nullopt;
}

lowering::wide lowering::clock64() {
  const word_ref d = out_.tuple(2);
  operation& o = out_.emit(opcode::cs2r, d, {}, 2);
  o.code.special = sr_clock_low;
  o.code.wide = true;
  o.is_volatile = true;
  return {reg(d), reg({d.reg, 1})};
}

bool lowering::lower_own(const statement& s) {
  if (lower_shuffle(s) || lower_match(s) || lower_funnel(s) || lower_masks(s) || lower_products(s) ||
      lower_video(s))
    return true;
  if (s.name != "nanosleep") return false;
  operand_count(1, 1);
  under_guard([&] { out_.emit_effect(opcode::nanosleep, {source(at(0), scalar::u32)}); });
  return true;
}

// The result of a vote is read from the barrier.
void lowering::barrier(std::uint32_t number, barrier_vote vote, const predicate& votes, const operand& to) {
  operation& o = out_.emit_effect(opcode::bar, {imm(number), imm(0)});
  o.code.defer_blocking = true;
  if (vote == barrier_vote::none) {
    o.code.predicate_source[0].index = 0;
    return;
  }
  o.code.barrier_operation = barrier_mode::reduce;
  o.code.reduction = vote == barrier_vote::popc   ? barrier_reduction::popc
                     : vote == barrier_vote::and_ ? barrier_reduction::and_
                                                  : barrier_reduction::or_;
  writer::set_source(o, 0, votes);
  const bool counts = vote == barrier_vote::popc;
  const word_ref d = counts ? out_.word() : word_ref{};
  operation& result = out_.emit(opcode::b2r, d, {});
  if (counts)
    assign(to, reg(d));
  else
    result.predicate_out[0] = destination_predicate(to).condition;
}

void lowering::warp_barrier() {
  operand_count(1, 1);
  join_lanes(at(0));
}

void lowering::trap(bool stops) {
  if (!stops) unsupported("break points are not supported for sm_70");
  out_.emit_effect(opcode::bpt, {imm(1)});
}

}  // namespace gt200::ptx::volta
