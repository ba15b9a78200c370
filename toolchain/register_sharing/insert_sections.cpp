#include "toolchain/register_sharing/insert_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "toolchain/assembler/code_layout.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/register_use.h"

namespace gt200::register_sharing {
namespace {

using isa::tesla::operand;
using isa::tesla::operand_kind;

class writer {
 public:
  writer(const analysed_code& code, const section_plan& plan, cubin::kernel& kernel)
      : code_(code), plan_(plan), kernel_(kernel) {}

  inserted run() {
    if (plan_.held[0]) add_section(isa::tesla::opcode::regacquire, 0);
    for (std::size_t n = 0; n < code_.graph.size(); ++n) {
      const code_node& node = code_.graph.nodes[n];
      labels_[label_of(static_cast<int>(n))] = {items_.size(), 0};
      assembler::code_item item;
      item.instruction = renamed(n);
      if (node.target != nowhere) item.target_label = way_to(n, node.target);
      add(std::move(item), n);
      if (node.continues) add_border(n, n + 1);
    }
    for (const detour& d : detours_) {
      labels_[d.label] = {items_.size(), 0};
      add_border(d.from, static_cast<std::size_t>(d.to));
      add_branch(d.from, label_of(d.to));
    }
    try {
      assembler::lay_out(items_, labels_, kernel_.name);
    } catch (const input_error& error) {
      throw refusal(error.what());
    }
    move_lines();
    kernel_.code = assembler::words_of(items_);
    return count_;
  }

 private:
  struct detour {
    std::string label;
    std::size_t from;
    int to;
  };

  static std::string label_of(int n) { return "n" + std::to_string(n); }
  bool has_border(std::size_t from, int to) const {
    return plan_.held[from] != plan_.held[static_cast<std::size_t>(to)];
  }

  void add(assembler::code_item item, std::size_t node) {
    items_.push_back(std::move(item));
    node_of_.push_back(node);
  }
  void encode_and_add(isa::tesla::instruction i, std::size_t node, const std::string& target = {}) {
    isa::tesla::decode_error error;
    if (!isa::tesla::encode(i, error, true)) throw refusal(error.reason);
    assembler::code_item item;
    item.instruction = i;
    item.target_label = target;
    add(std::move(item), node);
  }

  // The label that the control instruction `n` names for its target: a detour if a border lies between. The lanes
  // that go on at the target of joinat and break come there on other ways.
  std::string way_to(std::size_t n, int target) {
    const isa::tesla::control_kind control = code_.graph.nodes[n].instruction.control;
    const bool goes_there = control == isa::tesla::control_kind::bra || control == isa::tesla::control_kind::call;
    if (!goes_there || !has_border(n, target)) return label_of(target);
    detours_.push_back({"d" + std::to_string(detours_.size()), n, target});
    return detours_.back().label;
  }

  void add_border(std::size_t from, std::size_t to) {
    if (!has_border(from, static_cast<int>(to))) return;
    const bool acquires = plan_.held[to];
    if (acquires) add_section(isa::tesla::opcode::regacquire, from);
    const register_set alive = code_.life[from].after & code_.life[to].before;
    for (unsigned r = plan_.base; r < code_.registers; ++r) {
      if (!alive.test(r)) continue;
      const std::uint8_t home = acquires ? plan_.after[from][r] : plan_.before[to][r];
      if (home == section_plan::no_home)
        throw std::logic_error("a value without a place at the border of a section");
      add_move(acquires ? r : home, acquires ? home : r, from);
    }
    if (!acquires) add_section(isa::tesla::opcode::regrelease, from);
  }

  void add_section(isa::tesla::opcode op, std::size_t node) {
    isa::tesla::instruction i;
    i.op = op;
    i.section.first = static_cast<std::uint8_t>(plan_.base);
    i.section.count = static_cast<std::uint8_t>(code_.registers - plan_.base);
    ++(op == isa::tesla::opcode::regacquire ? count_.acquires : count_.releases);
    encode_and_add(i, node);
  }

  void add_move(unsigned to, unsigned from, std::size_t node) {
    isa::tesla::instruction i;
    i.op = isa::tesla::opcode::mov;
    i.destination.kind = i.source[0].kind = operand_kind::gpr;
    i.destination.index = static_cast<std::uint8_t>(to);
    i.source[0].index = static_cast<std::uint8_t>(from);
    ++count_.moves;
    encode_and_add(i, node);
  }

  void add_branch(std::size_t node, const std::string& target) {
    isa::tesla::instruction i;
    i.op = isa::tesla::opcode::bra;
    encode_and_add(i, node, target);
  }

  // The instruction with the low registers that stand for high ones.
  isa::tesla::instruction renamed(std::size_t n) const {
    isa::tesla::instruction i = code_.graph.nodes[n].instruction;
    if (plan_.held[n]) return i;
    bool changed = false;
    const auto rename = [&](std::uint8_t& index, const section_plan::homes& homes) {
      if (index < plan_.base || index >= code_.registers) return;
      if (homes[index] == section_plan::no_home) throw std::logic_error("a value without a place");
      index = homes[index];
      changed = true;
    };
    for (operand& o : i.source) {
      if (o.kind == operand_kind::gpr) rename(o.index, plan_.before[n]);
      if (o.kind == operand_kind::global) rename(o.base, plan_.before[n]);
    }
    if (i.destination.kind == operand_kind::gpr) rename(i.destination.index, plan_.after[n]);
    if (!changed) return i;
    isa::tesla::decode_error error;
    isa::tesla::instruction encoded = i;
    if (i.length == 4 && isa::tesla::encode(encoded, error)) return encoded;
    if (!isa::tesla::encode(i, error, true))
      throw refusal(fmt::format("the instruction at {:#x} cannot name other registers: {}",
                                code_.graph.nodes[n].address, error.reason));
    return i;
  }

  // Each line begins where it did; what is inserted belongs to the line before, a detour to that of its branch.
  void move_lines() {
    if (kernel_.lines.empty()) return;
    std::vector<cubin::source_line> old = kernel_.lines;
    std::stable_sort(old.begin(), old.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    const auto line_of = [&](isa::code_address address) {
      std::uint32_t line = 0;
      for (const cubin::source_line& l : old) {
        if (l.offset > address) break;
        line = l.line;
      }
      return line;
    };
    kernel_.lines.clear();
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const std::uint32_t line = line_of(code_.graph.nodes[node_of_[k]].address);
      if (kernel_.lines.empty() || kernel_.lines.back().line != line)
        kernel_.lines.push_back({items_[k].address, line});
    }
  }

  const analysed_code& code_;
  const section_plan& plan_;
  cubin::kernel& kernel_;
  std::vector<assembler::code_item> items_;
  std::vector<std::size_t> node_of_;  // by item: the instruction that it is, or behind which it stands
  std::map<std::string, assembler::code_label> labels_;
  std::vector<detour> detours_;
  inserted count_;
};

}  // namespace

inserted insert_sections(const analysed_code& code, const section_plan& plan, cubin::kernel& kernel) {
  return writer(code, plan, kernel).run();
}

}  // namespace gt200::register_sharing
