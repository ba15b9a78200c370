#include <algorithm>
#include <map>

#include "toolchain/assembler/code_layout.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/ptx/machine/block_order.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

class emitter {
 public:
  emitter(machine_function& f, const allocation& registers, const std::string& file)
      : f_(f), registers_(registers), file_(file) {}

  void run(cubin::kernel& kernel) {
    skip_vacant_blocks(f_, registers_.assigned);
    const std::vector<int> order = block_order(f_);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const int after = k + 1 < order.size() ? order[k + 1] : -1;
      put_block(order[k], after);
    }
    assembler::lay_out(items_, labels_, file_);
    kernel.code = assembler::words_of(items_);
    for (const assembler::code_item& item : items_) {
      if (item.line != 0 && (kernel.lines.empty() || kernel.lines.back().line != item.line))
        kernel.lines.push_back({item.address, item.line});
    }
    if (!f_.literals.empty()) {
      cubin::constant_segment c;
      c.name = "literals";
      c.space = 1;
      c.size = static_cast<std::uint32_t>(4 * f_.literals.size());
      for (const std::uint32_t w : f_.literals)
        for (unsigned k = 0; k < 4; ++k) c.data.push_back(static_cast<std::uint8_t>(w >> (8 * k)));
      kernel.constants.push_back(c);
    }
  }

 private:
  static std::string label(int b) { return "b" + std::to_string(b); }

  bool returns_to(int b) const { return ends_threads(f_.blocks[static_cast<std::size_t>(b)]); }

  void put(isa::tesla::instruction code, unsigned line, const std::string& target = {}) {
    assembler::code_item item;
    item.line = line;
    item.target_label = target;
    isa::tesla::decode_error error;
    if (!isa::tesla::encode(code, error) && !with_literal(code))
      throw input_error(file_, line, "no encoding exists: " + error.reason);
    item.instruction = code;
    items_.push_back(item);
  }

  // Immediate forms reach only the lower half of the registers.
  bool with_literal(isa::tesla::instruction& code) {
    for (std::size_t k = 0; k < code.source.size(); ++k) {
      isa::tesla::operand& s = code.source[k];
      if (s.kind != isa::tesla::operand_kind::immediate) continue;
      const int offset = literal_offset(f_, static_cast<std::uint32_t>(s.value));
      if (offset < 0) return false;
      s = literal_operand(offset, code, k);
      if (code.op == opcode::mov) code.op = opcode::ld_const;
      isa::tesla::decode_error error;
      return isa::tesla::encode(code, error);
    }
    return false;
  }

  void put_block(int number, int after) {
    const block& b = f_.blocks[static_cast<std::size_t>(number)];
    labels_[label(number)] = {items_.size(), b.line};
    if (b.joins) {
      isa::tesla::instruction join;
      join.op = opcode::nop;
      join.join = true;
      put(join, b.line);
    }
    for (const operation& o : b.code) {
      if (!vanishes(o, registers_.assigned)) put(bind(o, registers_.assigned), o.line);
    }
    for (const reconvergence_point& m : b.announces)
      put(control(m.by_break ? opcode::prebrk : opcode::joinat), b.line, label(m.block));
    if (b.breaks_to_taken || b.breaks_to_next) return put_break(b, after);
    if (b.end == ending::branch) {
      isa::tesla::instruction branch = control(opcode::bra);
      branch.condition_source =
          static_cast<std::uint8_t>(registers_.assigned[static_cast<std::size_t>(b.condition)]);
      const auto go = [&](bool where_false, int to) {
        branch.op = returns_to(to) ? opcode::ret : opcode::bra;
        branch.condition = where_false ? condition_false : condition_true;
        put(branch, b.line, returns_to(to) ? "" : label(to));
      };
      if (returns_to(b.next) && returns_to(b.taken)) return put_exit(b.line);
      if (returns_to(b.next) && b.taken != after) {
        go(b.on_false, b.taken);
        return put_exit(b.line);
      }
      if (returns_to(b.next)) return go(!b.on_false, b.next);
      if (b.taken == after && !returns_to(b.taken)) return go(!b.on_false, b.next);
      go(b.on_false, b.taken);
    }
    if (b.end == ending::exit) {
      put_exit(b.line);
    } else if (b.next != after) {
      put(control(opcode::bra), b.line, label(b.next));
    }
  }

  // Emits the break for the threads of one way; the others continue.
  void put_break(const block& b, int after) {
    isa::tesla::instruction leave = control(opcode::brk);
    const bool all = b.end == ending::jump || (b.breaks_to_taken && b.breaks_to_next);
    if (!all) {
      leave.condition_source =
          static_cast<std::uint8_t>(registers_.assigned[static_cast<std::size_t>(b.condition)]);
      leave.condition = b.on_false == b.breaks_to_taken ? condition_false : condition_true;
    }
    put(leave, b.line);
    if (all) return;
    const int other = b.breaks_to_taken ? b.next : b.taken;
    if (returns_to(other))
      put_exit(b.line);
    else if (other != after)
      put(control(opcode::bra), b.line, label(other));
  }

  static isa::tesla::instruction control(opcode op) {
    isa::tesla::instruction code;
    code.op = op;
    return code;
  }

  // Attaches the exit to the last instruction of the block, if that can carry it.
  void put_exit(unsigned line) {
    const bool has_label =
        std::any_of(labels_.begin(), labels_.end(), [&](const auto& l) { return l.second.item == items_.size(); });
    if (!items_.empty() && !has_label) {
      isa::tesla::instruction last = items_.back().instruction;
      last.exit = true;
      isa::tesla::decode_error error;
      const bool plain = !last.join && items_.back().target_label.empty() && last.condition == 0xf;
      if (plain && isa::tesla::encode(last, error, true)) {
        items_.back().instruction = last;
        return;
      }
    }
    isa::tesla::instruction nothing;
    nothing.op = opcode::nop;
    nothing.exit = true;
    put(nothing, line);
  }

  machine_function& f_;
  const allocation& registers_;
  const std::string& file_;
  std::vector<assembler::code_item> items_;
  std::map<std::string, assembler::code_label> labels_;
};

}  // namespace

isa::tesla::instruction bind(const operation& o, const std::vector<int>& assigned) {
  isa::tesla::instruction code = o.code;
  const auto number = [&](word_ref r) {
    return static_cast<std::uint8_t>(assigned[static_cast<std::size_t>(r.reg)] + r.word);
  };
  // $a0 is not a register: the four are $a1 to $a4.
  const auto address = [&](word_ref r) { return static_cast<std::uint8_t>(number(r) + 1); };
  if (o.destination.reg >= 0)
    code.destination.index =
        code.destination.kind == isa::tesla::operand_kind::address ? address(o.destination) : number(o.destination);
  for (std::size_t k = 0; k < 3; ++k) {
    if (o.source[k].reg < 0) continue;
    isa::tesla::operand& s = code.source[k];
    switch (s.kind) {
      case isa::tesla::operand_kind::gpr: s.index = number(o.source[k]); break;
      case isa::tesla::operand_kind::global: s.base = number(o.source[k]); break;
      case isa::tesla::operand_kind::address: s.index = address(o.source[k]); break;
      default: s.address_register = address(o.source[k]);
    }
  }
  if (o.condition_in >= 0)
    code.condition_source = static_cast<std::uint8_t>(assigned[static_cast<std::size_t>(o.condition_in)]);
  if (o.condition_out >= 0) {
    code.writes_condition = true;
    code.condition_destination = static_cast<std::uint8_t>(assigned[static_cast<std::size_t>(o.condition_out)]);
  }
  return code;
}

bool vanishes(const operation& o, const std::vector<int>& assigned) {
  if (!is_copy(o)) return false;
  const isa::tesla::instruction code = bind(o, assigned);
  return code.destination.index == code.source[0].index;
}

void emit(machine_function& f, const allocation& registers, const std::string& file, cubin::kernel& kernel) {
  emitter(f, registers, file).run(kernel);
}

}  // namespace gt200::ptx::tesla
