#include "testbenches/toolchain/ptx/second_reading/meaning.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace gt200::second_reading {
namespace {

constexpr unsigned warp_size = 32;

std::uint64_t ones(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::uint64_t of_real(const argument& a, number_type t) {
  if (a.what == argument::kind::real32 && t.bits == 64 && t.kind == 'f') {
    float f = 0;
    const auto word = static_cast<std::uint32_t>(a.bits);
    std::memcpy(&f, &word, sizeof f);
    const double d = static_cast<double>(f);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &d, sizeof bits);
    return bits;
  }
  if (a.what == argument::kind::real64 && t.bits == 32 && t.kind == 'f') {
    double d = 0;
    std::memcpy(&d, &a.bits, sizeof d);
    const float f = static_cast<float>(d);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &f, sizeof bits);
    return bits;
  }
  return a.bits;
}

// Bits of "less" 1, "equal" 2, "greater" 4, "unordered" 8.
unsigned relations_named(const std::string& word) {
  static const std::map<std::string, unsigned> names = {
      {"eq", 2},  {"ne", 5},   {"lt", 1},   {"le", 3},   {"gt", 4},   {"ge", 6},
      {"lo", 1},  {"ls", 3},   {"hi", 4},   {"hs", 6},   {"equ", 10}, {"neu", 13},
      {"ltu", 9}, {"leu", 11}, {"gtu", 12}, {"geu", 14}, {"num", 7},  {"nan", 8}};
  const auto found = names.find(word);
  return found == names.end() ? 0 : found->second;
}

}  // namespace

std::string rounding_of(const instruction& i) {
  for (const char* r : {"rn", "rz", "rm", "rp"})
    if (i.has(r) || i.has(std::string(r) + "i")) return r;
  return "rn";
}

machine_register& meaning::declare(const std::string& name, number_type type) {
  machine_register& r = registers_[name];
  r.type = type;
  r.lanes.assign(threads_, 0);
  r.is_open.assign(threads_, 0);
  return r;
}

std::uint64_t meaning::bits(const argument& a, number_type t, unsigned lane) const {
  if (a.inverted) throw std::runtime_error("second reading: ! before a number");
  if (a.what == argument::kind::group) {
    const unsigned each = t.bits / static_cast<unsigned>(a.parts.size());
    std::uint64_t all = 0;
    for (std::size_t k = a.parts.size(); k-- > 0;) all = all << each | bits(a.parts[k], {'b', each}, lane);
    return all;
  }
  if (a.what != argument::kind::reg) return of_real(a, t) & ones(t.bits);
  if (a.name == "WARP_SZ") return warp_size;
  if (a.name[0] == '%' && registers_.count(a.name) == 0) {
    static const std::map<std::string, int> fixed = {{"%tid.y", 0},   {"%tid.z", 0},    {"%ntid.y", 1},
                                                     {"%ctaid.x", 0}, {"%nctaid.x", 1}, {"%ctaid.y", 0},
                                                     {"%ntid.z", 1}};
    if (a.name == "%tid.x") return lane & ones(t.bits);
    if (a.name == "%laneid") return lane % warp_size & ones(t.bits);
    if (a.name == "%ntid.x") return threads_ & ones(t.bits);
    if (a.name == "%lanemask_lt") return ones(lane % warp_size) & ones(t.bits);
    const auto known = fixed.find(a.name);
    if (known == fixed.end()) throw unknown_instruction("second reading: unknown register " + a.name);
    return static_cast<std::uint64_t>(known->second);
  }
  return registers_.at(a.name).lanes[lane] & ones(t.bits);
}

meaning::number meaning::value(const argument& a, number_type t, unsigned lane) const {
  const std::uint64_t word = bits(a, t, lane);
  if (t.kind != 's' || (word >> (t.bits - 1) & 1) == 0) return static_cast<number>(word);
  return static_cast<number>(word) - (static_cast<number>(1) << t.bits);
}

bool meaning::truth(const argument& a, unsigned lane) const {
  const bool holds = a.what == argument::kind::reg ? registers_.at(a.name).lanes[lane] != 0 : a.bits != 0;
  return holds != a.inverted;
}

bool meaning::executes(const instruction& i, unsigned lane) const {
  return i.guard.empty() || (registers_.at(i.guard).lanes[lane] != 0) != i.guard_inverted;
}

void meaning::put(const std::string& name, unsigned lane, number v, bool is_open) {
  if (name == "_" || name.empty()) return;
  machine_register& r = registers_.at(name);
  r.lanes[lane] = static_cast<std::uint64_t>(v) & ones(r.type.bits);
  r.is_open[lane] = is_open ? 1 : 0;
}

void meaning::execute(const instruction& i) {
  if (warps(i)) return;
  for (unsigned lane = 0; lane < threads_; ++lane) {
    if (!executes(i, lane)) continue;
    if (!moves(i, lane) && !predicates(i, lane) && !conversions(i, lane) && !halves(i, lane) && !floats(i, lane) &&
        !carries(i, lane) && !bit_fields(i, lane) && !products_of_parts(i, lane) && !video(i, lane) &&
        !video_of_lanes(i, lane) && !integers(i, lane))
      throw unknown_instruction("second reading: unknown instruction " + i.words[0]);
  }
}

bool meaning::compare(const instruction& i, number_type t, unsigned lane, unsigned part) const {
  const unsigned wanted = relations_named(i.words[1]);
  const argument& x = i.arguments[1];
  const argument& y = i.arguments[2];
  if (t.kind != 'f') {
    const bool is_unsigned = i.words[1] == "lo" || i.words[1] == "ls" || i.words[1] == "hi" || i.words[1] == "hs";
    const number_type read_as = is_unsigned ? number_type{'u', t.bits} : t;
    const number a = value(x, read_as, lane);
    const number b = value(y, read_as, lane);
    return (wanted & (a < b ? 1u : a == b ? 2u : 4u)) != 0;
  }
  const auto real = [&](const argument& from) {
    const bool is_pair = i.words.back() == "f16x2";
    const std::uint64_t word = bits(from, is_pair ? number_type{'b', 32} : t, lane) >> (16 * part);
    if (t.bits == 16) {
      auto half = static_cast<std::uint16_t>(word);
      if (i.has("ftz") && (half & 0x7c00) == 0) half &= 0x8000;
      return of_half(half);
    }
    double d = 0;
    if (t.bits == 64) {
      std::memcpy(&d, &word, sizeof d);
      return d;
    }
    auto low = static_cast<std::uint32_t>(word);
    if (flushes(i) && (low & 0x7f800000) == 0) low &= 0x80000000;
    float f = 0;
    std::memcpy(&f, &low, sizeof f);
    return static_cast<double>(f);
  };
  const double a = real(x);
  const double b = real(y);
  return (wanted & (std::isnan(a) || std::isnan(b) ? 8u : a < b ? 1u : a == b ? 2u : 4u)) != 0;
}

bool meaning::predicates(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const bool is_pair = i.words.back() == "f16x2" && n == "setp";
  const number_type t = is_pair ? number_type{'f', 16} : type_named(i.words.back());
  const argument& to = i.arguments[0];
  if (n == "setp" || n == "set") {
    bool first = compare(i, t, lane, 0);
    bool second = is_pair ? compare(i, t, lane, 1) : !first;
    if (i.arguments.size() == 4) {
      const bool c = truth(i.arguments[3], lane);
      const auto joined = [&](bool p) { return i.has("and") ? p && c : i.has("or") ? p || c : p != c; };
      first = joined(first);
      second = joined(second);
    }
    if (n == "set") {
      const bool real = type_named(i.words[i.words.size() - 2]).kind == 'f';
      put(to.name, lane, first ? (real ? 0x3f800000 : 0xffffffff) : 0);
      return true;
    }
    put(to.name, lane, first ? 1 : 0);
    put(to.other, lane, second ? 1 : 0);
    return true;
  }
  if (n == "selp") {
    put(to.name, lane, static_cast<number>(bits(i.arguments[truth(i.arguments[3], lane) ? 1 : 2], t, lane)));
    return true;
  }
  if (n == "slct") {
    const number_type of_value = type_named(i.words[i.words.size() - 2]);
    bool takes_first = false;
    if (t.kind == 's') {
      takes_first = value(i.arguments[3], t, lane) >= 0;
    } else {
      auto word = static_cast<std::uint32_t>(bits(i.arguments[3], t, lane));
      if (flushes(i) && (word & 0x7f800000) == 0) word = 0;
      takes_first = (word & 0x7fffffff) <= 0x7f800000 && (word >> 31 == 0 || word == 0x80000000);
    }
    put(to.name, lane, static_cast<number>(bits(i.arguments[takes_first ? 1 : 2], of_value, lane)));
    return true;
  }
  if (t.kind != 'p') return false;
  if (n == "mov")
    put(to.name, lane, truth(i.arguments[1], lane) ? 1 : 0);
  else if (n == "not")
    put(to.name, lane, truth(i.arguments[1], lane) ? 0 : 1);
  else if (n == "and" || n == "or" || n == "xor") {
    const bool a = truth(i.arguments[1], lane);
    const bool b = truth(i.arguments[2], lane);
    put(to.name, lane, (n == "and" ? a && b : n == "or" ? a || b : a != b) ? 1 : 0);
  } else {
    return false;
  }
  return true;
}

bool meaning::moves(const instruction& i, unsigned lane) {
  const number_type t = type_named(i.words.back());
  if (i.words[0] != "mov" || t.kind == 'p') return false;
  const std::uint64_t word = bits(i.arguments[1], t, lane);
  const argument& to = i.arguments[0];
  if (to.what != argument::kind::group) {
    put(to.name, lane, static_cast<number>(word));
    return true;
  }
  const unsigned each = t.bits / static_cast<unsigned>(to.parts.size());
  for (unsigned k = 0; k < to.parts.size(); ++k)
    put(to.parts[k].name, lane, static_cast<number>(word >> (each * k) & ones(each)));
  return true;
}

// The lanes of a warp that execute the instruction.
std::vector<unsigned> meaning::members(const instruction& i, unsigned warp) const {
  std::vector<unsigned> found;
  for (unsigned lane = warp * warp_size; lane < (warp + 1) * warp_size; ++lane)
    if (executes(i, lane)) found.push_back(lane);
  return found;
}

bool meaning::warps(const instruction& i) {
  const std::string& n = i.words[0];
  if (n != "vote" && n != "shfl" && n != "match" && n != "activemask") return false;
  for (unsigned warp = 0; warp < threads_ / warp_size; ++warp) {
    const std::vector<unsigned> lanes = members(i, warp);
    std::uint32_t active = 0;
    for (const unsigned lane : lanes) active |= 1u << lane % warp_size;
    const argument& to = i.arguments[0];
    if (n == "activemask") {
      for (const unsigned lane : lanes) put(to.name, lane, active);
      continue;
    }
    if (n == "vote") {
      std::uint32_t holds = 0;
      for (const unsigned lane : lanes)
        if (truth(i.arguments[1], lane)) holds |= 1u << lane % warp_size;
      const bool result = i.has("any")   ? holds != 0
                          : i.has("all") ? holds == active
                                         : holds == 0 || holds == active;
      for (const unsigned lane : lanes) put(to.name, lane, i.has("ballot") ? holds : result ? 1u : 0u);
      continue;
    }
    if (n == "match") {
      const number_type t = type_named(i.words.back());
      std::map<std::uint64_t, std::uint32_t> groups;
      for (const unsigned lane : lanes) groups[bits(i.arguments[1], t, lane)] |= 1u << lane % warp_size;
      for (const unsigned lane : lanes) {
        const std::uint32_t same = groups[bits(i.arguments[1], t, lane)];
        put(to.name, lane, i.has("any") ? same : same == active ? active : 0u);
        put(to.other, lane, same == active ? 1 : 0);
      }
      continue;
    }
    const number_type word = {'b', 32};
    std::vector<std::uint32_t> given(warp_size);
    for (unsigned k = 0; k < warp_size; ++k)
      given[k] = static_cast<std::uint32_t>(bits(i.arguments[1], word, warp * warp_size + k));
    for (const unsigned lane : lanes) {
      const auto own = static_cast<int>(lane % warp_size);
      const auto b = static_cast<int>(bits(i.arguments[2], word, lane) & 31);
      const auto c = static_cast<int>(bits(i.arguments[3], word, lane));
      const int limit = c & 31;
      const int segment = c >> 8 & 31;
      const int highest = (own & segment) | (limit & ~segment);
      const int lowest = own & segment;
      int from = 0;
      bool inside = false;
      if (i.has("up"))
        from = own - b, inside = from >= highest;
      else if (i.has("down"))
        from = own + b, inside = from <= highest;
      else if (i.has("bfly"))
        from = own ^ b, inside = from <= highest;
      else
        from = lowest | (b & ~segment), inside = from <= highest;
      if (!inside) from = own;
      const bool open = (active >> from & 1) == 0;
      put(to.name, lane, given[static_cast<std::size_t>(from)], open);
      put(to.other, lane, inside ? 1 : 0);
    }
  }
  return true;
}

}  // namespace gt200::second_reading
