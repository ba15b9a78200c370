// Allocates registers: colours them (machine/colour.h) and makes room until every register has its place.
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/fermi/writer.h"
#include "toolchain/ptx/machine/colour.h"
#include "toolchain/ptx/machine/spill.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::opcode;
using isa::fermi::operand_kind;

constexpr int predicates = isa::fermi::predicate_count;

isa::fermi::operand local_operand(std::uint32_t offset) {
  isa::fermi::operand o;
  o.kind = operand_kind::memory;
  o.value = static_cast<std::int32_t>(offset);
  return o;
}

isa::data_type type_of_words(int words) {
  return words == 1 ? isa::data_type::b32 : words == 2 ? isa::data_type::b64 : isa::data_type::b128;
}

class spiller final : public basic_spiller<machine_function> {
 public:
  using basic_spiller::basic_spiller;

 private:
  bool can_spill(int r) const override {
    return f_.registers[static_cast<std::size_t>(r)].kind != register_class::address;
  }

  void spill(int victim) override {
    if (f_.registers[static_cast<std::size_t>(victim)].kind == register_class::condition)
      keep_in_register(victim);
    else
      spill_to_local(victim);
  }

  operation load_local(std::uint32_t offset, word_ref r, int words, unsigned line) const override {
    operation o;
    o.line = line;
    o.code.op = opcode::ldl;
    o.code.memory_type = type_of_words(words);
    o.code.source[0] = local_operand(offset);
    o.destination = r;
    o.code.destination = reg(r, static_cast<std::uint8_t>(words)).code;
    return o;
  }

  operation store_local(std::uint32_t offset, word_ref r, int words, unsigned line) const override {
    operation o;
    o.line = line;
    o.code.op = opcode::stl;
    o.code.memory_type = type_of_words(words);
    o.code.source[0] = local_operand(offset);
    o.source[1] = r;
    o.code.source[1] = reg(r, static_cast<std::uint8_t>(words)).code;
    return o;
  }

  // A general register holds the predicate as 0 or 1. It is tested before every use, and set after every write.
  void keep_in_register(int victim) {
    const word_ref home = {f_.add_register(register_class::general), 0};
    const auto test = [&](std::vector<operation>& code, unsigned line) {
      operation o;
      o.line = line;
      o.code.op = opcode::isetp;
      o.code.compare = different;
      o.code.source[0] = reg(home).code;
      o.source[0] = home;
      o.code.source[1] = imm(0).code;
      o.predicate_out[0] = new_temporary(register_class::condition, 1);
      code.push_back(o);
      return o.predicate_out[0];
    };
    const auto keep = [&](std::vector<operation>& code, int p, unsigned line) {
      operation o;
      o.line = line;
      o.code.op = opcode::sel;
      o.code.destination = reg(home).code;
      o.destination = home;
      o.code.source[0] = zero().code;
      o.code.source[1] = imm(1).code;
      o.predicate_in[2] = p;
      o.code.predicate_source[2].negate = true;
      code.push_back(o);
    };
    for (block& b : f_.blocks) {
      std::vector<operation> code;
      for (operation o : b.code) {
        const bool reads = o.guard == victim || o.predicate_in[0] == victim || o.predicate_in[1] == victim ||
                           o.predicate_in[2] == victim;
        const bool writes = o.predicate_out[0] == victim || o.predicate_out[1] == victim;
        if (!reads && !writes) {
          code.push_back(o);
          continue;
        }
        // A guarded operation keeps the predicate where its guard is false.
        const int before = reads || o.guarded() ? test(code, o.line) : -1;
        if (o.guard == victim) o.guard = before;
        for (int& p : o.predicate_in)
          if (p == victim) p = before;
        int after = before;
        if (writes && reads) {
          // The guard and the result must differ if both are this predicate and the result is needed on its own.
          after = o.guarded() ? test(code, o.line) : new_temporary(register_class::condition, 1);
        } else if (writes && before < 0) {
          after = new_temporary(register_class::condition, 1);
        }
        for (int& p : o.predicate_out)
          if (p == victim) p = after;
        code.push_back(o);
        if (writes) keep(code, after, o.line);
      }
      if (b.end == ending::branch && b.condition == victim) b.condition = test(code, b.line);
      b.code = std::move(code);
    }
  }
};

}  // namespace

std::optional<allocation> allocate_registers(machine_function& f, unsigned max_registers) {
  renumber_registers(f);
  colour_rules rules;
  rules.max_registers = static_cast<int>(std::min(max_registers, isa::fermi::max_gpr));
  rules.condition_registers = predicates;
  rules.address_registers = 1;
  rules.full_occupancy = registers_of_full_occupancy;
  spiller room(f);
  return allocate(f, room, [&](const machine_function& g) { return colourer<machine_function>(g, rules).run(); });
}

}  // namespace gt200::ptx::fermi
