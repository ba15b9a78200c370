// Special registers, barriers and what stops a program.
#include <map>

#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/machine/lowering/instances.h"

namespace gt200::ptx {

template class structure<fermi::machine>;
template class word_lowering<fermi::machine>;

}  // namespace gt200::ptx

namespace gt200::ptx::fermi {

namespace special = isa::fermi::special;

std::optional<value> lowering::special_register(const std::string& name) {
  // Sizes are in constant memory (launch/fermi/abi.h).
  static const std::map<std::string, std::uint32_t> sizes = {{"%ntid.x", 0x08},   {"%ntid.y", 0x0c},
                                                             {"%ntid.z", 0x10},   {"%nctaid.x", 0x14},
                                                             {"%nctaid.y", 0x18}, {"%nctaid.z", 0x1c}};
  const auto size = sizes.find(name);
  if (size != sizes.end()) return constant_word(0, size->second);
  if (name == "%clock") return out_.shift_left(read_clock(special::clock), imm(1));
  if (name == "%clock_hi") return clock64().high;
  static const std::map<std::string, std::uint8_t> read = {{"%tid.x", special::tidx},
                                                           {"%tid.y", special::tidx + 1},
                                                           {"%tid.z", special::tidz},
                                                           {"%ctaid.x", special::ctaidx},
                                                           {"%ctaid.y", special::ctaidx + 1},
                                                           {"%ctaid.z", special::ctaidz},
                                                           {"%laneid", special::laneid},
                                                           {"%gridid", special::gridid},
                                                           {"%lanemask_eq", special::lanemask_eq},
                                                           {"%lanemask_lt", special::lanemask_lt},
                                                           {"%lanemask_le", special::lanemask_le},
                                                           {"%lanemask_gt", special::lanemask_gt},
                                                           {"%lanemask_ge", special::lanemask_ge}};
  const auto get = [&](std::uint8_t number) {
    const word_ref d = out_.word();
    out_.emit(opcode::s2r, d, {}).code.special = number;
    return reg(d);
  };
  const auto known = read.find(name);
  if (known != read.end()) return get(known->second);
  if (name == "%warpid") return out_.field(get(special::physid), 8, 8, false);
  if (name == "%nwarpid") return out_.field(get(special::nphysid), 8, 8, false);
  if (name == "%smid") return out_.field(get(special::physid), 20, 9, false);
  if (name == "%nsmid") return out_.field(get(special::nphysid), 20, 9, false);
  return std::nullopt;
}

value lowering::read_clock(std::uint8_t half) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::s2r, d, {});
  o.code.special = half;
  o.is_volatile = true;
  return reg(d);
}

// The register counts core cycles; PTX counts those of the shader clock, two in each.
lowering::wide lowering::clock64() {
  const value low = read_clock(special::clock);
  const value high = read_clock(special::clockhi);
  return {out_.shift_left(low, imm(1)),
          out_.logic_of(logic_op::or_, out_.shift_left(high, imm(1)), out_.shift_right(low, imm(31), false))};
}

bool lowering::lower_own(const statement& s) {
  if (lower_video(s)) return true;
  if (s.name != "pmevent") return false;
  operand_count(1, 1);
  if (at(0).kind != operand_kind::integer || at(0).value > 15) unsupported("events are numbered 0 to 15");
  under_guard([&] { out_.emit_effect(opcode::pmtrig, {imm(static_cast<std::uint32_t>(at(0).value))}); });
  return true;
}

void lowering::barrier(std::uint32_t number, barrier_vote vote, const predicate& votes, const operand& to) {
  using isa::fermi::barrier_mode;
  const bool counts = vote == barrier_vote::popc;
  operation& o = out_.emit(opcode::bar, counts ? out_.word() : word_ref{}, {imm(number), zero()});
  o.code.barrier_operation = vote == barrier_vote::and_  ? barrier_mode::and_
                             : vote == barrier_vote::or_ ? barrier_mode::or_
                                                         : barrier_mode::popc;
  if (vote == barrier_vote::none) return;
  writer::set_source(o, 2, votes);
  if (counts)
    assign(to, reg(o.destination));
  else
    o.predicate_out[0] = destination_predicate(to).condition;
}

void lowering::trap(bool stops) {
  operation& o = out_.emit_effect(opcode::bpt, {imm(0)});
  o.code.breakpoint = stops ? isa::fermi::breakpoint_mode::trap : isa::fermi::breakpoint_mode::pause;
}

}  // namespace gt200::ptx::fermi
