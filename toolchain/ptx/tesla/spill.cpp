#include "toolchain/ptx/tesla/spill.h"

#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {

using isa::tesla::opcode;

void spiller::recompute(int condition) {
  const word_ref mask = {f_.registers[static_cast<std::size_t>(condition)].mask, 0};
  const auto set = [&](std::vector<operation>& code, unsigned line) {
    operation o;
    o.code.op = opcode::logic;
    o.code.logic = isa::tesla::logic_op::mov2;
    o.code.destination.kind = isa::tesla::operand_kind::discard;
    for (std::size_t k = 0; k < 2; ++k) {
      o.code.source[k].kind = isa::tesla::operand_kind::gpr;
      o.source[k] = mask;
    }
    o.condition_out = new_temporary(register_class::condition, 1);
    o.line = line;
    code.push_back(o);
    return o.condition_out;
  };
  for (block& b : f_.blocks) {
    std::vector<operation> code;
    for (operation o : b.code) {
      if (o.condition_in == condition) o.condition_in = set(code, o.line);
      if (o.condition_out == condition) {
        o.condition_out = -1;
        if (o.destination.reg < 0) {  // otherwise it already writes the mask, or what goes to the mask's home
          o.destination = mask;
          o.code.destination.kind = isa::tesla::operand_kind::gpr;
        }
      }
      code.push_back(o);
    }
    if (b.end == ending::branch && b.condition == condition) b.condition = set(code, b.line);
    b.code = std::move(code);
  }
  if (home_.count(mask.reg) != 0) spill_to_local(mask.reg);
}

void spiller::recompute_address(int victim) {
  operation setter;
  for (const block& b : f_.blocks)
    for (const operation& o : b.code)
      if (o.destination.reg == victim) setter = o;
  for (block& b : f_.blocks) {
    std::vector<operation> code;
    for (operation o : b.code) {
      if (o.destination.reg == victim) continue;
      for (word_ref& s : o.source) {
        if (s.reg != victim) continue;
        setter.destination = {new_temporary(register_class::address, 1), 0};
        setter.line = o.line;
        code.push_back(setter);
        s = setter.destination;
      }
      code.push_back(o);
    }
    b.code = std::move(code);
  }
}

namespace {

operation local_access(opcode op, std::uint32_t offset, word_ref r, int words, unsigned line) {
  operation o;
  o.code.op = op;
  o.line = line;
  const isa::data_type type = words == 1   ? isa::data_type::b32
                              : words == 2 ? isa::data_type::b64
                                           : isa::data_type::b128;
  o.code.source[0].kind = isa::tesla::operand_kind::local;
  o.code.source[0].type = type;
  o.code.source[0].value = static_cast<std::int32_t>(offset);
  if (op == opcode::ld_local) {
    o.destination = r;
    o.code.destination.kind = isa::tesla::operand_kind::gpr;
    o.code.destination.type = type;
  } else {
    o.source[1] = r;
    o.code.source[1].kind = isa::tesla::operand_kind::gpr;
    o.code.source[1].type = type;
  }
  return o;
}

int words_of(const isa::tesla::operand& o) {
  return o.kind == isa::tesla::operand_kind::gpr ? isa::words_of(o.type) : 1;
}

}  // namespace

operation spiller::load_local(std::uint32_t offset, word_ref r, int words, unsigned line) const {
  return local_access(opcode::ld_local, offset, r, words, line);
}

operation spiller::store_local(std::uint32_t offset, word_ref r, int words, unsigned line) const {
  return local_access(opcode::st_local, offset, r, words, line);
}

int source_words(const operation& o, std::size_t k) { return words_of(o.code.source[k]); }

int destination_words(const operation& o) { return words_of(o.code.destination); }

bool uses_destination_whole(const operation& o) {
  return o.code.op == opcode::tex || o.code.op == opcode::texfetch;
}

bool spiller::can_spill(int r) const {
  const virtual_register& v = f_.registers[static_cast<std::size_t>(r)];
  return !v.advances && (v.kind != register_class::condition || v.mask >= 0);
}

void spiller::spill(int victim) {
  switch (f_.registers[static_cast<std::size_t>(victim)].kind) {
    case register_class::condition: return recompute(victim);
    case register_class::address: return recompute_address(victim);
    case register_class::general: return spill_to_local(victim);
  }
}

}  // namespace gt200::ptx::tesla
