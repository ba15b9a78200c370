// Address registers: folds offsets into operands, and hoists loop-invariant addresses out of loops.
#include <algorithm>

#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

constexpr std::uint32_t address_bits = 0xffff;  // addresses of s[], c[] and l[] have 16 bits
constexpr std::int32_t longest_shift = 15;

bool is_immediate(const isa::tesla::operand& o) { return o.kind == isa::tesla::operand_kind::immediate; }

bool is_whole(const isa::tesla::operand& o) {
  return o.kind == isa::tesla::operand_kind::gpr && o.part == isa::tesla::half::whole && isa::words_of(o.type) == 1;
}

// Unconditional, flags unused, all sources are values.
bool is_value(const machine_function& f, const definitions& d, const operation* o) {
  return o != nullptr && !o->guarded() && o->condition_out < 0 && o->expansion == pseudo::none &&
         d.has_values_only(f, *o);
}

class folder {
 public:
  explicit folder(machine_function& f) : f_(f), definitions_(f) {}

  void run() {
    // Until they are shared, every address register has one access.
    for (block& b : f_.blocks)
      for (operation& o : b.code)
        for (std::size_t k = 0; k < o.source.size(); ++k)
          if (o.source[k].reg >= 0 &&
              f_.registers[static_cast<std::size_t>(o.source[k].reg)].kind == register_class::address)
            fold(o, k);
  }

 private:
  operation* address_of(word_ref a) {
    const definitions::entry& e = definitions_.of(a);
    if (!definitions_.is_value(a) || e.reads != 1) return nullptr;
    operation& o = f_.blocks[static_cast<std::size_t>(e.in_block)].code[static_cast<std::size_t>(e.index)];
    return o.code.op == opcode::shl_to_a && !o.guarded() ? &o : nullptr;
  }

  void fold(operation& access, std::size_t slot) {
    isa::tesla::operand& memory = access.code.source[slot];
    operation* address = address_of(access.source[slot]);
    if (address == nullptr) return;
    const auto size = static_cast<std::uint32_t>(isa::bytes_of(memory.type));
    for (;;) {
      if (!is_whole(address->code.source[0])) return;
      const operation* from = definitions_.only(f_, address->source[0]);
      if (!is_value(f_, definitions_, from) || !is_immediate(from->code.source[1]) ||
          !is_whole(from->code.source[0]))
        return;
      const auto number = static_cast<std::uint32_t>(from->code.source[1].value);
      const std::int32_t shift = address->code.source[1].value;
      if (from->code.op == opcode::add && !from->code.saturate && !from->code.is_16bit) {
        const std::uint32_t offset =
            (static_cast<std::uint32_t>(memory.value) + (number << static_cast<unsigned>(shift))) & address_bits;
        if (offset % size != 0 && memory.kind != isa::tesla::operand_kind::local) return;
        memory.value = static_cast<std::int32_t>(offset);
      } else if (from->code.op == opcode::shl && shift + static_cast<std::int64_t>(number) <= longest_shift) {
        address->code.source[1].value = shift + static_cast<std::int32_t>(number);
      } else {
        return;
      }
      address->source[0] = from->source[0];
    }
  }

  machine_function& f_;
  definitions definitions_;
};

class hoister {
 public:
  explicit hoister(machine_function& f) : f_(f) {}

  void run() {
    // A block added for one loop changes the graph for the next.
    while (hoist_one()) {
    }
  }

 private:
  bool hoist_one() {
    const definitions values(f_);
    for (const natural_loop& loop : loops_of(f_))
      if (hoist(loop, values)) return true;
    return false;
  }

  bool hoist(const natural_loop& loop, const definitions& values) {
    std::vector<operation> moved;
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      if (!loop.contains[b]) continue;
      std::vector<operation>& code = f_.blocks[b].code;
      const auto is_fixed = [&](const operation& o) {
        return o.code.op == opcode::shl_to_a && !o.guarded() && values.is_value(o.destination) &&
               is_whole(o.code.source[0]) && values.never_changes(f_, o.source[0]) &&
               !loop.has(values.of(o.source[0]).in_block);
      };
      std::copy_if(code.begin(), code.end(), std::back_inserter(moved), is_fixed);
      code.erase(std::remove_if(code.begin(), code.end(), is_fixed), code.end());
    }
    if (moved.empty()) return false;
    add_entrance(f_, loop, std::move(moved));
    return true;
  }

  machine_function& f_;
};

}  // namespace

void fold_addresses(machine_function& f) { folder(f).run(); }

void hoist_addresses(machine_function& f) { hoister(f).run(); }

}  // namespace gt200::ptx::tesla
