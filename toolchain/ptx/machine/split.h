// Turns registers into values: each write of a register within a block may get a register of its own.
#pragma once

#include <map>
#include <vector>

#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx {

inline bool is_plain(const virtual_register& r) {
  return r.kind == register_class::general && r.words == 1 && r.fixed < 0;
}

// A register written several times within a block becomes several registers.
template <class function>
class register_splitter {
 public:
  using operation = typename function::operation;

  explicit register_splitter(function& f) : f_(f), live_(f), definitions_(f) {
    may_split_.resize(f.registers.size());
    for (std::size_t r = 0; r < f.registers.size(); ++r)
      may_split_[r] = is_plain(f.registers[r]) && definitions_.of({static_cast<int>(r), 0}).writes > 1;
    // A mask stays with its condition.
    for (const virtual_register& r : f.registers)
      if (r.mask >= 0) may_split_[static_cast<std::size_t>(r.mask)] = false;
  }

  void run() {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) split(b);
  }

 private:
  bool splits(word_ref r) const { return r.reg >= 0 && may_split_[static_cast<std::size_t>(r.reg)]; }

  void split(std::size_t b) {
    std::vector<operation>& code = f_.blocks[b].code;
    // Finds the writes whose value nobody needs after the block or after the next write.
    std::vector<bool> own(code.size());
    std::map<int, bool> written_later;
    const bit_set out = live_.live_out(b);
    for (std::size_t k = code.size(); k-- > 0;) {
      const word_ref d = code[k].destination;
      if (!splits(d) || code[k].guarded()) continue;
      const auto later = written_later.find(d.reg);
      own[k] = later != written_later.end() || !out.test(live_.node(d));
      written_later[d.reg] = true;
    }
    std::map<int, int> now;
    const auto renamed = [&](word_ref r) {
      const auto found = now.find(r.reg);
      return found == now.end() ? r : word_ref{found->second, 0};
    };
    for (std::size_t k = 0; k < code.size(); ++k) {
      for (word_ref& s : code[k].source)
        if (splits(s)) s = renamed(s);
      word_ref& d = code[k].destination;
      if (!splits(d)) continue;
      if (own[k])
        now[d.reg] = f_.add_register(register_class::general);
      else if (!code[k].guarded())
        now.erase(d.reg);
      d = renamed(d);
      may_split_.resize(f_.registers.size());
    }
  }

  function& f_;
  basic_liveness<function> live_;
  basic_definitions<function> definitions_;
  std::vector<bool> may_split_;
};

}  // namespace gt200::ptx
