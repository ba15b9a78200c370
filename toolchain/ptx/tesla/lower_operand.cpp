// Sources and destinations.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::data_type;
using isa::tesla::logic_op;

std::optional<value> lowering::special_register(const std::string& name) {
  static const std::map<std::string, std::uint32_t> header = {{"%ntid.x", 2},   {"%ntid.y", 4},    {"%ntid.z", 6},
                                                              {"%nctaid.x", 8}, {"%nctaid.y", 10}, {"%ctaid.x", 12},
                                                              {"%ctaid.y", 14}, {"%gridid", 0}};
  const auto in_header = header.find(name);
  if (in_header != header.end()) {
    const word_ref d = out_.word();
    out_.emit(isa::tesla::opcode::mov, d, {shared_word(in_header->second, data_type::u16)}).reads_parameter = true;
    return reg(d);
  }
  if (name == "%tid.x") return out_.logic(logic_op::and_, reg(thread_index_), imm(0xffff));
  if (name == "%tid.y")
    return out_.logic(logic_op::and_, out_.shift_right(reg(thread_index_), imm(16), false), imm(0x3ff));
  if (name == "%tid.z") return out_.shift_right(reg(thread_index_), imm(26), false);
  if (name == "%nctaid.z") return imm(1);
  if (name == "%ctaid.z") return imm(0);
  const auto special = [&](std::uint8_t index) {
    value v;
    v.code.kind = isa::tesla::operand_kind::special;
    v.code.index = index;
    const word_ref d = out_.word();
    out_.emit(isa::tesla::opcode::mov_from_sr, d, {v});
    return reg(d);
  };
  // The register counts core cycles; %clock counts those of the shader clock, and is always even (Wong 2010).
  if (name == "%clock" || name == "%clock64") return out_.shift_left(special(1), imm(1));
  if (name.size() == 4 && name.compare(0, 3, "%pm") == 0 && name[3] >= '0' && name[3] <= '3')
    return special(static_cast<std::uint8_t>(4 + name[3] - '0'));
  if (name == "%laneid") return out_.logic(logic_op::and_, special(0), imm(0xff));
  if (name == "%warpid") return out_.logic(logic_op::and_, out_.shift_right(special(0), imm(8), false), imm(0xff));
  if (name == "%smid") return out_.logic(logic_op::and_, out_.shift_right(special(0), imm(16), false), imm(0x3ff));
  return std::nullopt;
}

value lowering::source(const operand& o, scalar t) {
  if (o.kind != operand_kind::name) return source_wide(o, t).low;
  if (const auto special = special_register(o.name)) return *special;
  return source_wide(o, t).low;
}

lowering::wide lowering::source_wide(const operand& o, scalar t) {
  require_plain(o);
  if (o.kind != operand_kind::name) {
    const std::uint64_t bits = literal(o, t);
    return {imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32))};
  }
  if (const auto special = special_register(o.name)) return {*special, imm(0)};
  const symbol* s = find(o.name);
  if (s != nullptr && s->kind == symbol_kind::reg) {
    register_named(o);
    if (s->type == scalar::pred) file_.fail(o.where, "a predicate cannot be an operand here");
    return {reg(s->words[0]), s->words.size() > 1 ? reg(s->words[1]) : imm(0)};
  }
  // The address of a variable.
  const auto offset = static_cast<std::uint32_t>(o.value);
  if (s != nullptr && s->kind == symbol_kind::memory) return {imm(s->offset + offset), imm(0)};
  const auto placed = layout_.variables.find(o.name);
  if (placed == layout_.variables.end() && layout_.functions.count(o.name) != 0)
    file_.fail(o.where, "the address of function '" + o.name + "' needs sm_20");
  if (placed == layout_.variables.end()) undeclared(o);
  switch (placed->second.declared->space) {
    case state_space::global:
      return {out_.add(out_.copy(constant_word(14, placed->second.offset)), imm(offset)), imm(0)};
    case state_space::constant: return {imm(placed->second.offset + offset), imm(0)};
    case state_space::texture: return {imm(placed->second.offset), imm(0)};  // its handle is its unit
    default: file_.fail(o.where, "'" + o.name + "' has no address");
  }
}

value lowering::extend(value v, scalar t) {
  if (bytes_of(t) >= 4) return v;
  const unsigned bits = 8 * bytes_of(t);
  const std::uint32_t mask = (1u << bits) - 1;
  if (v.is_immediate()) {
    const std::uint32_t low = v.immediate() & mask;
    return imm(is_signed(t) && (low >> (bits - 1)) != 0 ? low | ~mask : low);
  }
  if (!is_signed(t)) return out_.logic(logic_op::and_, v, imm(mask));
  const word_ref d = out_.word();
  operation& o = out_.emit(isa::tesla::opcode::cvt, d, {bits == 16 ? low_half(v, true) : v});
  o.code.cvt = isa::tesla::cvt_kind::i2i;
  o.code.source_type = bits == 16 ? data_type::s16 : data_type::s8;
  o.code.source_signed[0] = o.code.is_signed = true;
  return reg(d);
}

value lowering::extended(const operand& o, scalar t) { return extend(source(o, t), t); }

void lowering::assign_words(word_ref to, value v) {
  if (guard_.condition < 0)
    out_.move(to, v);
  else
    out_.move_where(guard_, true, to, v);
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
  // The upper word may be computed from the register that gets the lower word first: copy it.
  if (words.size() > 1 && v.high.reg == words[0]) v.high = out_.copy(v.high);
  assign_words(words[0], v.low);
  if (words.size() > 1) assign_words(words[1], v.high);
}

void lowering::assign_number(const operand& o, value v, scalar t) {
  const bool longer = o.name != "_" && register_named(o).words.size() > 1;
  if (longer)
    assign_wide(o, {v, is_signed(t) ? out_.shift_right(v, imm(31), true) : imm(0)});
  else
    assign(o, v);
}

predicate lowering::predicate_source(const operand& o) {
  if (o.kind == operand_kind::integer) {
    const bool holds = (o.value != 0) != o.negated;
    return out_.compare(holds ? 7 : 0, reg(thread_index_), reg(thread_index_), false);
  }
  const predicate p = predicate_named(o.name, o.where);
  return o.negated ? inverse(p) : p;
}

void lowering::assign_predicate(const operand& o, const predicate& p) {
  const predicate to = destination_predicate(o);
  if (to.condition < 0) return;
  // The operation that computes the value can write the register directly.
  if (guard_.condition < 0 && !out_.here().code.empty()) {
    operation& last = out_.here().code.back();
    if (last.destination == p.mask && last.condition_out == p.condition && !last.guarded()) {
      last.destination = to.mask;
      last.condition_out = to.condition;
      return;
    }
  }
  operation& set = out_.emit(isa::tesla::opcode::logic, to.mask, {reg(p.mask), reg(p.mask)});
  set.code.logic = logic_op::mov2;
  set.condition_out = to.condition;
  if (guard_.condition >= 0) {
    set.code.condition = condition_true;
    set.condition_in = guard_.condition;
  }
}

}  // namespace gt200::ptx::tesla
