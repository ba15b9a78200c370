#include <algorithm>
#include <map>
#include <utility>

#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

constexpr std::uint32_t address_mask = 0xffff;

// The bytes that an operand s[$a + offset] reaches: 32 elements.
std::uint32_t reach_of(const operation& load) {
  return 32u * static_cast<std::uint32_t>(isa::bytes_of(load.code.source[0].type));
}

// An address register that holds another one, or none, and an offset.
struct window {
  word_ref base;
  std::uint32_t offset = 0;
  word_ref at;
};

class mover {
 public:
  // Loads that `at_least` loads of their block share a window with get one; up to `windows` live at once, 0: each
  // has its own. `replaces`: loads become moves.
  mover(machine_function& f, std::size_t windows, std::size_t at_least, bool replaces)
      : f_(f), most_(windows), at_least_(at_least), replaces_(replaces) {}

  void run() {
    for (block& b : f_.blocks) {
      made_.clear();
      windows_.clear();
      wanted_.clear();
      for (const operation& o : b.code)
        if (is_load(o)) ++wanted_[key_of(o)];
      for (const operation& o : b.code) {
        if (is_load(o))
          add(o);
        else
          made_.push_back(o);
        forget(o.destination);
      }
      b.code = made_;
    }
  }

 private:
  static bool is_load(const operation& o) { return o.code.op == opcode::ld_shared && !o.code.lock; }
  static std::uint32_t offset_of(const operation& load) {
    return static_cast<std::uint32_t>(load.code.source[0].value) & address_mask;
  }
  static std::pair<int, std::uint32_t> key_of(const operation& load) {
    return {load.source[0].reg, offset_of(load) & ~(reach_of(load) - 1)};
  }

  void add(const operation& load) {
    operation move = load;
    move.code.op = opcode::mov;
    if (!encodes(move) && !through_known_window(move) && !through_new_window(move)) return made_.push_back(load);
    if (!replaces_) move.code.op = opcode::ld_shared;
    made_.push_back(move);
  }

  bool through_new_window(operation& move) {
    if (wanted_[key_of(move)] < at_least_) return false;
    const std::uint32_t offset = offset_of(move);
    const window made{move.source[0],
                      most_ == 0 ? offset : offset & ~(reach_of(move) - 1),
                      {f_.add_register(register_class::address), 0}};
    const int line = move.line;
    if (!passes_through(move, made)) return false;
    made_.push_back(sum_of(made, line));
    if (most_ == 0) return true;
    if (windows_.size() == most_) windows_.pop_back();
    windows_.insert(windows_.begin(), made);
    return true;
  }

  bool through_known_window(operation& move) {
    for (auto w = windows_.begin(); w != windows_.end(); ++w) {
      if (!passes_through(move, *w)) continue;
      std::rotate(windows_.begin(), w, w + 1);  // the one used last comes first
      return true;
    }
    return false;
  }

  // Makes the move read through the window, if that can be encoded.
  static bool passes_through(operation& move, const window& w) {
    if (move.source[0] != w.base) return false;
    operation trial = move;
    trial.source[0] = w.at;
    trial.code.source[0].value = static_cast<std::int32_t>(
        (static_cast<std::uint32_t>(move.code.source[0].value) - w.offset) & address_mask);
    if (!encodes(trial)) return false;
    move = trial;
    return true;
  }

  // Sets the address register of the window.
  static operation sum_of(const window& w, int line) {
    operation sum;
    sum.line = line;
    sum.code.op = opcode::add_to_a;
    sum.code.destination.kind = isa::tesla::operand_kind::address;
    sum.code.destination.type = isa::data_type::u16;
    sum.destination = w.at;
    sum.code.source[0].kind = isa::tesla::operand_kind::address;
    sum.code.source[0].type = isa::data_type::u16;
    sum.source[0] = w.base;
    sum.code.source[1].kind = isa::tesla::operand_kind::immediate;
    sum.code.source[1].value = static_cast<std::int32_t>(w.offset);
    return sum;
  }

  // The register has another value now.
  void forget(word_ref changed) {
    if (changed.reg < 0) return;
    windows_.erase(std::remove_if(windows_.begin(), windows_.end(),
                                  [&](const window& w) { return w.base.reg == changed.reg; }),
                   windows_.end());
  }

  machine_function& f_;
  std::size_t most_, at_least_;
  bool replaces_;
  std::map<std::pair<int, std::uint32_t>, std::size_t> wanted_;  // loads of the block by base and window
  std::vector<window> windows_;                                  // of the block, the one used last first
  std::vector<operation> made_;
};

}  // namespace

void bring_shared_near(machine_function& f, std::size_t windows) {
  constexpr std::size_t worth_it = 3;  // loads that save more than the sum costs
  mover(f, windows, worth_it, false).run();
}

void load_shared_by_moves(machine_function& f, std::size_t windows) { mover(f, windows, 1, true).run(); }

}  // namespace gt200::ptx::tesla
