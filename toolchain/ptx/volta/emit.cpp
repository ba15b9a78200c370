#include <algorithm>
#include <map>

#include "toolchain/error.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/ptx/machine/block_order.h"
#include "toolchain/ptx/machine/literals.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

using isa::volta::opcode;

class emitter {
 public:
  emitter(machine_function& f, const allocation& registers, const std::string& file)
      : f_(f), registers_(registers), file_(file), barrier_(number_barriers(f)) {}

  void run(bool optimise, cubin::kernel& kernel) {
    skip_vacant_blocks(f_, registers_.assigned);
    const std::vector<int> order = block_order(f_);
    for (std::size_t k = 0; k < order.size(); ++k) put_block(order[k], k + 1 < order.size() ? order[k + 1] : -1);
    for (std::size_t b = 0; b < placed_.size(); ++b)
      for (const int to : ways_[b]) placed_[b].next.push_back(to == next_block ? b + 1 : start_.at(to));
    if (optimise) order_instructions(placed_);
    set_control_codes(placed_, optimise);
    finish(kernel);
    append_literals(f_, cubin::volta.literal_space, kernel);
  }

 private:
  static constexpr int next_block = -1;  // among the ways of a block

  const block& at(int b) const { return f_.blocks[static_cast<std::size_t>(b)]; }
  bool returns_to(int b) const { return ends_threads(at(b)); }

  void begin() {
    placed_.emplace_back();
    ways_.emplace_back();
  }

  void put(isa::volta::instruction code, unsigned line, int target = -1) {
    encode(code, line);
    placed_.back().code.push_back({code, line, target});
  }

  void encode(isa::volta::instruction& code, unsigned line) const {
    fill_unused_fields(code);
    isa::volta::decode_error error;
    if (!isa::volta::encode(code, error)) throw input_error(file_, line, "no encoding exists: " + error.reason);
  }

  static isa::volta::instruction plain(opcode op) {
    isa::volta::instruction code;
    code.op = op;
    return code;
  }

  // Code of the threads whose condition is not `on_false`.
  isa::volta::instruction guarded(opcode op, int condition, bool on_false) const {
    isa::volta::instruction code = plain(op);
    code.guard.index = static_cast<std::uint8_t>(registers_.assigned[static_cast<std::size_t>(condition)]);
    code.guard.negate = on_false;
    return code;
  }

  isa::volta::instruction of_barrier(opcode op, int block_of_join) const {
    isa::volta::instruction code = plain(op);
    code.convergence_register = static_cast<std::uint8_t>(barrier_[static_cast<std::size_t>(block_of_join)]);
    return code;
  }

  void put_block(int number, int after) {
    const block& b = at(number);
    start_[number] = placed_.size();
    begin();
    if (b.joins) put(of_barrier(opcode::bsync, number), b.line);
    for (const operation& o : b.code)
      if (!vanishes(o, registers_.assigned)) put(with_registers(o, registers_.assigned), o.line);
    for (const reconvergence_point& m : b.announces) put(of_barrier(opcode::bssy, m.block), b.line, m.block);
    if (b.end == ending::branch)
      put_branch(b, after);
    else if (b.end == ending::exit)
      put(plain(opcode::exit), b.line);
    else
      go_on(b.line, b.next, after);
    if (placed_.back().code.empty()) put(plain(opcode::nop), b.line);
  }

  void go_on(unsigned line, int to, int after) {
    if (to == after && !returns_to(to)) return ways_.back().push_back(to);
    if (returns_to(to)) return put(plain(opcode::exit), line);
    put(plain(opcode::bra), line, to);
    ways_.back().push_back(to);
  }

  void put_jump_where(const block& b, bool on_false, int to) {
    if (returns_to(to)) return put(guarded(opcode::exit, b.condition, on_false), b.line);
    put(guarded(opcode::bra, b.condition, on_false), b.line, to);
    ways_.back().push_back(to);
  }

  // The code behind a branch that is not always taken is a block of its own.
  void put_branch(const block& b, int after) {
    if (b.taken == after && !returns_to(b.taken)) {
      put_jump_where(b, !b.on_false, b.next);
      ways_.back().push_back(b.taken);
      return;
    }
    put_jump_where(b, b.on_false, b.taken);
    if (b.next == after && !returns_to(b.next)) return ways_.back().push_back(b.next);
    ways_.back().push_back(next_block);
    begin();
    go_on(b.line, b.next, after);
  }

  void finish(cubin::kernel& kernel) {
    std::map<int, std::uint32_t> address;
    std::vector<std::uint32_t> first;
    std::uint32_t at_byte = 0;
    for (const placed_block& b : placed_) {
      first.push_back(at_byte);
      at_byte += static_cast<std::uint32_t>(b.code.size() * isa::volta::instruction_bytes);
    }
    std::uint32_t here = 0;
    for (placed_block& b : placed_)
      for (placed_instruction& i : b.code) {
        if (i.target >= 0) isa::volta::set_target(i.code, here, first[start_.at(i.target)]);
        encode(i.code, i.line);
        kernel.code.insert(kernel.code.end(), i.code.words.begin(), i.code.words.end());
        if (i.line != 0 && (kernel.lines.empty() || kernel.lines.back().line != i.line))
          kernel.lines.push_back({here, i.line});
        here += isa::volta::instruction_bytes;
      }
  }

  machine_function& f_;
  const allocation& registers_;
  const std::string& file_;
  std::vector<int> barrier_;  // convergence barrier, by block that joins
  std::vector<placed_block> placed_;
  std::vector<std::vector<int>> ways_;  // blocks of the function that a placed block leads to
  std::map<int, std::size_t> start_;    // placed block in which a block begins
};

}  // namespace

void emit(machine_function& f, const allocation& registers, const std::string& file, bool optimise,
          cubin::kernel& kernel) {
  emitter(f, registers, file).run(optimise, kernel);
}

}  // namespace gt200::ptx::volta
