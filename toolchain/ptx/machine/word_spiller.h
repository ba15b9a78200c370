// Makes room in the register files of targets with predicates of single bits: general registers go to local memory,
// predicates to general registers. The namespace of a target has
//
//   describe_spill(operation, data_type)   says what a local access needs beside address and data
//   predicate_slot_of(operation)           of a choice
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/spill.h"
#include "toolchain/ptx/machine/word_writer.h"

namespace gt200::ptx {

template <class function>
class word_spiller final : public basic_spiller<function> {
 public:
  using operation = typename function::operation;
  using block = typename function::block;
  using opcode = typename operation::opcode;
  using kind = typename operation::kind;
  using value = basic_value<typename operation::operand>;
  using basic_spiller<function>::basic_spiller;

 private:
  using basic_spiller<function>::f_;
  using basic_spiller<function>::new_temporary;
  using basic_spiller<function>::spill_to_local;

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
    o.code.source[0] = local_operand(offset);
    o.destination = r;
    o.code.destination = value::of(r, static_cast<std::uint8_t>(words)).code;
    describe_spill(o, type_of_words(words));
    return o;
  }

  operation store_local(std::uint32_t offset, word_ref r, int words, unsigned line) const override {
    operation o;
    o.line = line;
    o.code.op = opcode::stl;
    o.code.source[0] = local_operand(offset);
    o.source[1] = r;
    o.code.source[1] = value::of(r, static_cast<std::uint8_t>(words)).code;
    describe_spill(o, type_of_words(words));
    return o;
  }

  static typename operation::operand local_operand(std::uint32_t offset) {
    typename operation::operand o;
    o.kind = kind::memory;
    o.value = static_cast<std::int32_t>(offset);
    return o;
  }

  static isa::data_type type_of_words(int words) {
    return words == 1 ? isa::data_type::b32 : words == 2 ? isa::data_type::b64 : isa::data_type::b128;
  }

  // A general register holds the predicate as 0 or 1. It is tested before every use, and set after every write.
  void keep_in_register(int victim) {
    const word_ref home = {f_.add_register(register_class::general), 0};
    const auto test = [&](std::vector<operation>& code, unsigned line) {
      operation o;
      o.line = line;
      o.code.op = opcode::isetp;
      o.code.compare = different;
      o.code.source[0] = value::of(home).code;
      o.source[0] = home;
      o.code.source[1] = value::number(0).code;
      o.predicate_out[0] = new_temporary(register_class::condition, 1);
      code.push_back(o);
      return o.predicate_out[0];
    };
    const auto keep = [&](std::vector<operation>& code, int p, unsigned line) {
      operation o;
      o.line = line;
      o.code.op = opcode::sel;
      o.code.destination = value::of(home).code;
      o.destination = home;
      o.code.source[0] = value::of({}).code;
      o.code.source[1] = value::number(1).code;
      o.predicate_in[predicate_slot_of(o)] = p;
      o.code.predicate_source[predicate_slot_of(o)].negate = true;
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

}  // namespace gt200::ptx
