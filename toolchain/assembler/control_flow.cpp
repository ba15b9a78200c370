#include "toolchain/assembler/control_flow.h"

#include <algorithm>
#include <cstddef>

namespace gt200::assembler {
namespace {

struct successors {
  bool next = true;
  bool target = false;
};

successors successors_of(const isa::tesla::instruction& i) {
  successors result;
  const bool conditional = i.predicated;
  // A predicated exit continues in the lanes whose predicate is false. "exit (never) nop" exits all the same: a nop
  // has no operation for the predicate to guard.
  if (i.exit) result.next = conditional && i.op != isa::tesla::opcode::nop;
  switch (i.control) {
    case isa::tesla::control_kind::bra:
      result.target = true;
      result.next = conditional;
      break;
    case isa::tesla::control_kind::ret:
    case isa::tesla::control_kind::brk: result.next = conditional; break;
    case isa::tesla::control_kind::trap: result.next = false; break;
    // The target is where a later ret, brk or join continues.
    case isa::tesla::control_kind::call:
    case isa::tesla::control_kind::prebrk:
    case isa::tesla::control_kind::joinat: result.target = true; break;
    default: break;
  }
  return result;
}

}  // namespace

const code_item* runs_past_end(const std::vector<code_item>& items) {
  const auto index_of = [&](std::uint32_t address) -> std::size_t {
    const auto found = std::lower_bound(items.begin(), items.end(), address,
                                        [](const code_item& item, std::uint32_t a) { return item.address < a; });
    return static_cast<std::size_t>(found - items.begin());
  };
  std::vector<bool> reached(items.size(), false);
  std::vector<std::size_t> open = {0};
  const code_item* first = nullptr;
  while (!open.empty()) {
    const std::size_t index = open.back();
    open.pop_back();
    if (reached[index]) continue;
    reached[index] = true;
    const code_item& item = items[index];
    if (item.is_raw) continue;
    const successors after = successors_of(item.instruction);
    std::vector<std::size_t> next;
    if (after.next) next.push_back(index + 1);
    if (after.target) next.push_back(index_of(item.instruction.target));
    for (const std::size_t n : next) {
      if (n < items.size())
        open.push_back(n);
      else if (first == nullptr || item.address < first->address)
        first = &item;
    }
  }
  return first;
}

}  // namespace gt200::assembler
