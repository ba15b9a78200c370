#include <algorithm>
#include <map>

#include "toolchain/error.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/block_order.h"
#include "toolchain/ptx/machine/literals.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::opcode;

class emitter {
 public:
  emitter(machine_function& f, const allocation& registers, const std::string& file)
      : f_(f),
        registers_(registers),
        file_(file),
        start_(f.blocks.size(), -1),
        behind_join_(f.blocks.size(), -1),
        break_leads_to_(f.blocks.size()) {}

  void run(cubin::kernel& kernel) {
    skip_vacant_blocks(f_, registers_.assigned);
    const std::vector<int> order = block_order(f_);
    for (const block& b : f_.blocks)
      for (const reconvergence_point& m : b.announces)
        if (m.by_break) break_leads_to_[static_cast<std::size_t>(m.block)] = true;
    for (std::size_t k = 0; k < order.size(); ++k) put_block(order[k], k + 1 < order.size() ? order[k + 1] : -1);
    for (item& i : items_) {
      if (i.block >= 0) set_target(i);
      kernel.code.push_back(i.code.words[0]);
      kernel.code.push_back(i.code.words[1]);
    }
    for (const item& i : items_)
      if (i.line != 0 && (kernel.lines.empty() || kernel.lines.back().line != i.line))
        kernel.lines.push_back({i.at, i.line});
    append_literals(f_, cubin::fermi.literal_space, kernel);
  }

 private:
  struct item {
    isa::fermi::instruction code;
    std::uint32_t at = 0;
    unsigned line = 0;
    int block = -1;            // of the target
    bool behind_join = false;  // the target is what follows the join of that block
  };

  const block& at(int b) const { return f_.blocks[static_cast<std::size_t>(b)]; }
  bool returns_to(int b) const { return ends_threads(at(b)); }
  std::uint32_t here() const { return static_cast<std::uint32_t>(items_.size() * isa::fermi::instruction_bytes); }

  void put(isa::fermi::instruction code, unsigned line, int target = -1, bool behind_join = false) {
    std::string reason;
    if (!encode(code, reason)) throw input_error(file_, line, "no encoding exists: " + reason);
    items_.push_back({code, here(), line, target, behind_join});
  }

  void set_target(item& i) {
    const auto b = static_cast<std::size_t>(i.block);
    const int target = i.behind_join ? behind_join_[b] : start_[b];
    isa::fermi::decode_error error;
    if (!isa::fermi::set_target(i.code, i.at, static_cast<std::uint32_t>(target), error) ||
        !isa::fermi::encode(i.code, error))
      throw input_error(file_, i.line, error.reason);
  }

  static isa::fermi::instruction plain(opcode op) {
    isa::fermi::instruction code;
    code.op = op;
    return code;
  }

  // Code of the threads whose condition is not `on_false`.
  isa::fermi::instruction guarded(opcode op, int condition, bool on_false) const {
    isa::fermi::instruction code = plain(op);
    code.guard.index = static_cast<std::uint8_t>(registers_.assigned[static_cast<std::size_t>(condition)]);
    code.guard.negate = on_false;
    return code;
  }

  void put_block(int number, int after) {
    const block& b = at(number);
    start_[static_cast<std::size_t>(number)] = static_cast<int>(here());
    if (b.joins) {
      if (falls_through_ || break_leads_to_[static_cast<std::size_t>(number)]) put_join(b.line);
      behind_join_[static_cast<std::size_t>(number)] = static_cast<int>(here());
    }
    falls_through_ = false;
    for (const operation& o : b.code)
      if (!vanishes(o, registers_.assigned)) put(with_registers(o, registers_.assigned), o.line);
    for (const reconvergence_point& m : b.announces)
      put(plain(m.by_break ? opcode::pbk : opcode::ssy), b.line, m.block, !m.by_break);
    if (b.breaks_to_taken || b.breaks_to_next) return put_break(b, after);
    if (b.end == ending::branch) return put_branch(b, after);
    if (b.end == ending::exit) return put(plain(opcode::exit), b.line);
    go_on(b.line, b.next, after);
  }

  void go_on(unsigned line, int to, int after) {
    falls_through_ = to == after && !returns_to(to);
    if (!falls_through_) put_jump(line, to);
  }

  // The threads that are here have finished their path.
  void put_join(unsigned line) {
    isa::fermi::instruction join = plain(opcode::nop);
    join.join = true;
    put(join, line);
  }

  // A path that ends where its region meets needs no branch: it ends here.
  void put_jump(unsigned line, int to) {
    if (at(to).joins)
      put_join(line);
    else if (returns_to(to))
      put(plain(opcode::exit), line);
    else
      put(plain(opcode::bra), line, to);
  }

  void put_jump_where(const block& b, bool on_false, int to) {
    if (at(to).joins) {
      isa::fermi::instruction join = guarded(opcode::nop, b.condition, on_false);
      join.join = true;
      put(join, b.line);
    } else if (returns_to(to)) {
      put(guarded(opcode::exit, b.condition, on_false), b.line);
    } else {
      put(guarded(opcode::bra, b.condition, on_false), b.line, to);
    }
  }

  void put_branch(const block& b, int after) {
    if (b.taken == after && !returns_to(b.taken)) {
      put_jump_where(b, !b.on_false, b.next);
      falls_through_ = true;
      return;
    }
    put_jump_where(b, b.on_false, b.taken);
    go_on(b.line, b.next, after);
  }

  // The threads of one way leave the loop; the others continue.
  void put_break(const block& b, int after) {
    const bool all = b.end == ending::jump || (b.breaks_to_taken && b.breaks_to_next);
    if (all) return put(plain(opcode::brk), b.line);
    put(guarded(opcode::brk, b.condition, b.on_false == b.breaks_to_taken), b.line);
    go_on(b.line, b.breaks_to_taken ? b.next : b.taken, after);
  }

  machine_function& f_;
  const allocation& registers_;
  const std::string& file_;
  std::vector<item> items_;
  std::vector<int> start_;        // byte addresses of blocks
  std::vector<int> behind_join_;  // of what follows their joins
  std::vector<bool> break_leads_to_;
  bool falls_through_ = true;  // threads go on into the next block
};

}  // namespace

void emit(machine_function& f, const allocation& registers, const std::string& file, cubin::kernel& kernel) {
  emitter(f, registers, file).run(kernel);
}

}  // namespace gt200::ptx::fermi
