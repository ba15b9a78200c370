// Sources and destinations.
#include <map>

#include "toolchain/isa/fermi/special_register.h"
#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/library.h"

namespace gt200::ptx::fermi {

using isa::fermi::logic_op;
using isa::fermi::opcode;
namespace special = isa::fermi::special;

std::optional<value> lowering::special_register(const std::string& name) {
  // Sizes are in constant memory (launch/fermi/abi.h).
  static const std::map<std::string, std::uint32_t> sizes = {{"%ntid.x", 0x08},   {"%ntid.y", 0x0c},
                                                             {"%ntid.z", 0x10},   {"%nctaid.x", 0x14},
                                                             {"%nctaid.y", 0x18}, {"%nctaid.z", 0x1c}};
  const auto size = sizes.find(name);
  if (size != sizes.end()) return constant_word(0, size->second);
  if (name == "WARP_SZ") return imm(32);
  static const std::map<std::string, std::uint8_t> read = {{"%tid.x", special::tidx},
                                                           {"%tid.y", special::tidx + 1},
                                                           {"%tid.z", special::tidz},
                                                           {"%ctaid.x", special::ctaidx},
                                                           {"%ctaid.y", special::ctaidx + 1},
                                                           {"%ctaid.z", special::ctaidz},
                                                           {"%laneid", special::laneid},
                                                           {"%gridid", special::gridid},
                                                           {"%clock", special::clock},
                                                           {"%lanemask_eq", special::lanemask_eq},
                                                           {"%lanemask_lt", special::lanemask_lt},
                                                           {"%lanemask_le", special::lanemask_le},
                                                           {"%lanemask_gt", special::lanemask_gt},
                                                           {"%lanemask_ge", special::lanemask_ge}};
  const auto get = [&](std::uint8_t number) {
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::s2r, d, {});
    o.code.special = number;
    o.is_volatile = number == special::clock || number == special::clockhi;
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

lowering::wide lowering::source_wide(const operand& o, scalar t) {
  if (o.negated) file_.fail(o.where, "'!' stands before predicates only");
  if (o.kind != operand_kind::name) {
    const std::uint64_t bits = literal(o, t);
    return {imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32))};
  }
  if (o.name == "%clock64") {
    const value low = *special_register("%clock");
    const word_ref high = out_.word();
    operation& r = out_.emit(opcode::s2r, high, {});
    r.code.special = special::clockhi;
    r.is_volatile = true;
    return {low, reg(high)};
  }
  if (const auto known = special_register(o.name)) return {*known, imm(0)};
  const symbol* s = find(o.name);
  if (s != nullptr && s->kind == symbol_kind::reg) {
    if (s->type == scalar::pred) file_.fail(o.where, "a predicate cannot be an operand here");
    return {reg(s->words[0]), s->words.size() > 1 ? reg(s->words[1]) : imm(0)};
  }
  // The address of a variable in its space.
  const auto offset = static_cast<std::uint32_t>(o.value);
  if (s != nullptr && s->kind == symbol_kind::memory) return {imm(s->offset + offset), imm(0)};
  const auto placed = layout_.variables.find(o.name);
  if (placed == layout_.variables.end()) file_.fail(o.where, "'" + o.name + "' is not declared");
  switch (placed->second.declared->space) {
    case state_space::global: {
      constexpr std::uint8_t bank = cubin::fermi.address_space;
      const wide address = {constant_word(bank, placed->second.offset),
                            options_.address_bytes == 8 ? constant_word(bank, placed->second.offset + 4) : imm(0)};
      return offset == 0 ? address : add_wide(address, {imm(offset), imm(o.value >> 63 != 0 ? ~0u : 0u)});
    }
    case state_space::constant: return {imm(placed->second.offset + offset), imm(0)};
    case state_space::texture: return {imm(placed->second.offset), imm(0)};  // its handle is its unit
    default: file_.fail(o.where, "'" + o.name + "' has no address");
  }
}

value lowering::pair_source(const operand& o, scalar t) {
  if (o.kind != operand_kind::name) {
    const std::uint64_t bits = literal(o, t);
    return out_.pair(imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32)));
  }
  const wide v = source_wide(o, t);
  return out_.pair(v.low, v.high);
}

value lowering::in_pair(value v) {
  if (v.is_register()) return v;
  const word_ref d = out_.tuple(2);
  if (v.is_constant()) {
    out_.move(d, constant_word(v.code.bank, static_cast<std::uint32_t>(v.code.value)));
    out_.move({d.reg, 1}, constant_word(v.code.bank, static_cast<std::uint32_t>(v.code.value) + 4));
  } else {
    out_.move(d, imm(0));
    out_.move({d.reg, 1}, imm(v.immediate()));
  }
  return reg(d, 2);
}

value lowering::extend(value v, scalar t) {
  if (bytes_of(t) >= 4) return v;
  return out_.field(v, 0, 8 * bytes_of(t), is_signed(t));
}

bool lowering::flushes() const {
  return has("ftz") || (options_.flush_denormals && !is_library(frames_.back().code->name));
}

predicate lowering::predicate_source(const operand& o) {
  if (o.kind == operand_kind::integer) return {-1, o.value == 0};
  const predicate p = predicate_named(o.name, o.where);
  return o.negated ? inverse(p) : p;
}

predicate lowering::destination_predicate(const operand& o) {
  if (o.kind == operand_kind::name && o.name == "_") return {};
  return predicate_named(o.name, o.where);
}

operation& lowering::under_own_guard(operation& o) {
  writer::guard(o, guard_);
  return o;
}

// Makes the last operation write to `to`, under the guard, if it is the one that has just made the value.
bool lowering::retarget(word_ref made, word_ref to, int words) {
  if (out_.here().code.empty()) return false;
  operation& last = out_.here().code.back();
  if (last.destination != made || last.guarded() || last.code.destination.words != words ||
      last.code.op == isa::fermi::opcode::mov ||
      function_.registers[static_cast<std::size_t>(made.reg)].words != words)
    return false;
  if (guard_.condition >= 0 && !can_guard(last)) return false;
  // A register of PTX keeps its value: only temporaries may lose theirs.
  if (made.reg < first_temporary_) return false;
  if (words == 2 && to.word != 0) return false;
  last.destination = to;
  under_own_guard(last);
  return true;
}

void lowering::assign_words(word_ref to, value v) {
  if (v.is_register() && !v.code.negate && v.code.words == 1 && retarget(v.reg, to, 1)) return;
  if (guard_.condition < 0)
    out_.move(to, v);
  else
    out_.move_where(guard_, to, v);
}

void lowering::assign(const operand& o, value v) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const symbol& s = register_named(o);
  if (s.type == scalar::pred) file_.fail(o.where, "a predicate cannot be the destination here");
  const std::vector<word_ref> words = s.words;
  assign_words(words[0], v);
  if (words.size() > 1) assign_words(words[1], imm(0));
}

void lowering::assign_wide(const operand& o, wide v) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const std::vector<word_ref> words = register_named(o).words;
  if (words.empty()) file_.fail(o.where, "a predicate cannot be the destination here");
  if (words.size() == 1) return assign_words(words[0], v.low);
  const bool apart = !v.low.is_register() || !v.high.is_register() || v.low.reg != v.high.reg;
  if (apart && v.high.is_register() && v.low.reg != words[1] && v.high.code.words == 1 &&
      retarget(v.high.reg, words[1], 1))
    return assign_words(words[0], v.low);
  // The upper word may be computed from the register that gets the lower word first: copy it.
  if (v.high.is_register() && v.high.reg == words[0]) v.high = out_.copy(v.high);
  if (!apart) v.low = out_.copy(v.low);
  assign_words(words[0], v.low);
  assign_words(words[1], v.high);
}

void lowering::assign_pair(const operand& o, word_ref pair) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const std::vector<word_ref> words = register_named(o).words;
  if (words.size() == 2 && retarget(pair, words[0], 2)) return;
  assign_wide(o, {reg(pair), reg({pair.reg, 1})});
}

void lowering::assign_number(const operand& o, value v, scalar t) {
  const bool longer = o.name != "_" && register_named(o).words.size() > 1;
  if (longer)
    assign_wide(o, {v, is_signed(t) ? out_.shift_right(v, imm(31), true) : imm(0)});
  else
    assign(o, v);
}

}  // namespace gt200::ptx::fermi
