#include "toolchain/ptx/spill.h"

#include <algorithm>

#include "toolchain/launch/abi.h"
#include "toolchain/ptx/writer.h"

namespace gt200::ptx {
namespace {

using isa::tesla::opcode;

constexpr double loop_weight = 8;
constexpr double max_loop_depth = 6;

// A rough execution frequency of each block: a jump to an earlier block makes a loop of the blocks between.
std::vector<double> frequencies(const machine_function& f) {
  std::vector<int> depth(f.blocks.size(), 0);
  for (std::size_t b = 0; b < f.blocks.size(); ++b)
    for (const int s : successors(f.blocks[b]))
      for (auto k = static_cast<std::size_t>(s); k <= b; ++k) ++depth[k];
  std::vector<double> result;
  for (const int d : depth) {
    double weight = 1;
    for (int k = 0; k < d && k < static_cast<int>(max_loop_depth); ++k) weight *= loop_weight;
    result.push_back(weight);
  }
  return result;
}

}  // namespace

bool spiller::make_room(const allocation& failed, std::size_t rivals_each) {
  const register_class kind = f_.registers[static_cast<std::size_t>(failed.uncoloured)].kind;
  // Accesses per register relieved: a register that lives long and is seldom used goes first.
  std::vector<double> cost = costs();
  std::vector<int> victims;
  for (std::size_t k = 0; k < failed.rivals.size(); ++k) {
    const int r = failed.rivals[k];
    cost[static_cast<std::size_t>(r)] /= 1 + static_cast<double>(failed.degrees[k]);
    const virtual_register& v = f_.registers[static_cast<std::size_t>(r)];
    if (v.fixed < 0 && !is_temporary(r) && (kind != register_class::condition || v.mask >= 0)) victims.push_back(r);
  }
  if (victims.empty()) return false;
  // Takes the cheapest; with many rivals, several at once.
  std::stable_sort(victims.begin(), victims.end(), [&](int a, int b) {
    return cost[static_cast<std::size_t>(a)] < cost[static_cast<std::size_t>(b)];
  });
  victims.resize(1 + victims.size() / rivals_each);
  for (const int victim : victims) {
    if (kind == register_class::condition)
      recompute(victim);
    else if (kind == register_class::address)
      recompute_address(victim);
    else
      spill_to_local(victim);
  }
  return true;
}

bool spiller::is_temporary(int r) const {
  const auto index = static_cast<std::size_t>(r);
  return index < temporary_.size() && temporary_[index];
}

int spiller::new_temporary(register_class kind, std::uint8_t words) {
  const int made = f_.add_register(kind, words);
  temporary_.resize(f_.registers.size());
  temporary_.back() = true;
  return made;
}

std::vector<double> spiller::costs() const {
  const std::vector<double> frequency = frequencies(f_);
  std::vector<double> cost(f_.registers.size(), 0);
  for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
    const auto count = [&](int r) { cost[static_cast<std::size_t>(r)] += frequency[b]; };
    for (const operation& o : f_.blocks[b].code) {
      for_each_source(o, [&](word_ref r) { count(r.reg); });
      for_each_destination(o, [&](word_ref r) { count(r.reg); });
      if (o.condition_in >= 0) count(o.condition_in);
      if (o.condition_out >= 0) count(o.condition_out);
    }
    if (f_.blocks[b].end == ending::branch) count(f_.blocks[b].condition);
  }
  return cost;
}

void spiller::recompute(int condition) {
  const word_ref mask = {f_.registers[static_cast<std::size_t>(condition)].mask, 0};
  const auto set = [&](std::vector<operation>& code, unsigned line) {
    operation o;
    o.code.op = opcode::logic;
    o.code.logic = isa::tesla::logic_op::mov2;
    o.code.destination.kind = isa::tesla::operand_kind::discard;
    for (std::size_t k = 0; k < 2; ++k) {
      o.code.source[k].kind = isa::tesla::operand_kind::gpr;
      o.source[k] = mask;
    }
    o.condition_out = new_temporary(register_class::condition, 1);
    o.line = line;
    code.push_back(o);
    return o.condition_out;
  };
  for (block& b : f_.blocks) {
    std::vector<operation> code;
    for (operation o : b.code) {
      if (o.condition_in == condition) o.condition_in = set(code, o.line);
      if (o.condition_out == condition) {
        o.condition_out = -1;
        if (o.destination.reg < 0) {  // otherwise it already writes the mask, or what goes to the mask's home
          o.destination = mask;
          o.code.destination.kind = isa::tesla::operand_kind::gpr;
        }
      }
      code.push_back(o);
    }
    if (b.end == ending::branch && b.condition == condition) b.condition = set(code, b.line);
    b.code = std::move(code);
  }
  if (home_.count(mask.reg) != 0) spill_to_local(mask.reg);
}

void spiller::recompute_address(int victim) {
  operation setter;
  for (const block& b : f_.blocks)
    for (const operation& o : b.code)
      if (o.destination.reg == victim) setter = o;
  for (block& b : f_.blocks) {
    std::vector<operation> code;
    for (operation o : b.code) {
      if (o.destination.reg == victim) continue;
      for (word_ref& s : o.source) {
        if (s.reg != victim) continue;
        setter.destination = {new_temporary(register_class::address, 1), 0};
        setter.line = o.line;
        code.push_back(setter);
        s = setter.destination;
      }
      code.push_back(o);
    }
    b.code = std::move(code);
  }
}

operation spiller::local_access(opcode op, std::uint32_t offset, word_ref r, int words, unsigned line) const {
  operation o;
  o.code.op = op;
  o.line = line;
  const isa::data_type type = words == 1   ? isa::data_type::b32
                              : words == 2 ? isa::data_type::b64
                                           : isa::data_type::b128;
  o.code.source[0].kind = isa::tesla::operand_kind::local;
  o.code.source[0].type = type;
  o.code.source[0].value = static_cast<std::int32_t>(offset);
  if (op == opcode::ld_local) {
    o.destination = r;
    o.code.destination.kind = isa::tesla::operand_kind::gpr;
    o.code.destination.type = type;
  } else {
    o.source[1] = r;
    o.code.source[1].kind = isa::tesla::operand_kind::gpr;
    o.code.source[1].type = type;
  }
  return o;
}

std::uint32_t spiller::home_of(int victim, std::uint32_t bytes) {
  const auto known = home_.find(victim);
  if (known != home_.end()) return known->second;
  const std::uint32_t home = launch::align_up(f_.local_bytes, bytes);
  f_.local_bytes = home + bytes;
  home_[victim] = home;
  return home;
}

void spiller::spill_to_local(int victim) {
  const std::uint8_t words = f_.registers[static_cast<std::size_t>(victim)].words;
  const std::uint32_t home = home_of(victim, 4u * words);
  for (block& b : f_.blocks) {
    std::vector<operation> code;
    for (operation o : b.code) {
      // A texture fetch reads and writes all its words in place; a guarded write keeps what it does not write.
      const bool whole = o.code.op == opcode::tex || o.code.op == opcode::texfetch;
      const auto width = [&](const isa::tesla::operand& s) {
        return s.kind == isa::tesla::operand_kind::gpr ? isa::words_of(s.type) : 1;
      };
      for (std::size_t k = 0; k < 3; ++k) {
        if (o.source[k].reg != victim) continue;
        const int count = width(o.code.source[k]);
        const word_ref t = {new_temporary(register_class::general, static_cast<std::uint8_t>(count)), 0};
        code.push_back(local_access(opcode::ld_local, home + 4u * o.source[k].word, t, count, o.line));
        const word_ref old = o.source[k];
        for (std::size_t j = k; j < 3; ++j)
          if (o.source[j] == old && width(o.code.source[j]) == count) o.source[j] = t;
      }
      if (o.destination.reg != victim) {
        code.push_back(o);
        continue;
      }
      const int count = whole ? words : width(o.code.destination);
      const std::uint32_t at = home + (whole ? 0u : 4u * o.destination.word);
      const word_ref t = {new_temporary(register_class::general, static_cast<std::uint8_t>(count)), 0};
      if (whole || o.guarded()) code.push_back(local_access(opcode::ld_local, at, t, count, o.line));
      o.destination = t;
      code.push_back(o);
      code.push_back(local_access(opcode::st_local, at, t, count, o.line));
    }
    b.code = std::move(code);
  }
}

}  // namespace gt200::ptx
