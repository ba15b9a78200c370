// Integers: arithmetic, logic, shifts, fields of bits, products of bytes and halves.
#include <algorithm>

#include "testbenches/toolchain/ptx/second_reading/meaning.h"

namespace gt200::second_reading {
namespace {

__extension__ using number = __int128;

number clamp_to(number v, unsigned bits, bool is_signed) {
  const number top = (static_cast<number>(1) << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp<number>(v, is_signed ? -top - 1 : 0, top);
}

// The low bits, as a number with or without a sign.
number cut(number v, unsigned bits, bool is_signed) {
  const number modulus = static_cast<number>(1) << bits;
  number low = v & (modulus - 1);
  if (is_signed && low >= modulus / 2) low -= modulus;
  return low;
}

unsigned highest_bit(std::uint64_t v) {
  unsigned place = 0;
  while (v >>= 1) ++place;
  return place;
}

}  // namespace

bool meaning::integers(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const number_type t = type_named(i.words.back());
  if (t.kind == 'f' || t.kind == 'p' || t.bits == 0) return false;
  const bool is_signed = t.kind == 's';
  const std::string& to = i.arguments[0].name;
  const number a = value(i.arguments[1], t, lane);
  const auto second = [&] { return value(i.arguments[2], t, lane); };
  const auto give = [&](number v) {
    put(to, lane, v);
    return true;
  };
  if (n == "abs") return give(a < 0 ? -a : a);
  if (n == "neg") return give(-a);
  if (n == "not") return give(~a);
  if (n == "cnot") return give(a == 0 ? 1 : 0);
  if (n == "shl" || n == "shr") {
    const std::uint64_t count = bits(i.arguments[2], {'u', 32}, lane);
    const auto by = static_cast<unsigned>(std::min<std::uint64_t>(count, t.bits));
    if (n == "shr") return give(a >> by);
    return give(by == t.bits ? 0 : static_cast<number>(static_cast<std::uint64_t>(a) << by));
  }
  if (i.arguments.size() < 3) return false;
  const number b = second();
  if (n == "add" || n == "sub") {
    const number sum = n == "add" ? a + b : a - b;
    return give(i.has("sat") ? clamp_to(sum, 32, true) : sum);
  }
  if (n == "and") return give(a & b);
  if (n == "or") return give(a | b);
  if (n == "xor") return give(a ^ b);
  if (n == "min") return give(std::min(a, b));
  if (n == "max") return give(std::max(a, b));
  if (n == "div" || n == "rem") {
    if (b == 0) {
      put(to, lane, 0, true);
      return true;
    }
    return give(n == "div" ? a / b : a % b);
  }
  if (n == "sad") return give((a > b ? a - b : b - a) + value(i.arguments[3], t, lane));
  if (n == "mul24" || n == "mad24") {
    const number product = cut(a, 24, is_signed) * cut(b, 24, is_signed);
    const number part = i.has("hi") ? cut(product >> 16, 32, is_signed) : cut(product, 32, is_signed);
    if (n == "mul24") return give(part);
    const number sum = part + value(i.arguments[3], t, lane);
    return give(i.has("sat") ? clamp_to(sum, 32, true) : sum);
  }
  if (n == "mul" || n == "mad") {
    // The upper half of 128 bits without a sign does not fit into a number with one.
    __extension__ using natural = unsigned __int128;
    const number product =
        is_signed ? a * b : static_cast<number>(static_cast<natural>(a) * static_cast<natural>(b));
    number part = product;
    if (i.has("hi"))
      part = is_signed ? product >> t.bits : static_cast<number>(static_cast<natural>(product) >> t.bits);
    if (n == "mul") return give(part);
    const number_type of_sum = i.has("wide") ? number_type{t.kind, 2 * t.bits} : t;
    const number sum = part + value(i.arguments[3], of_sum, lane);
    return give(i.has("sat") ? clamp_to(cut(part, 32, true) + value(i.arguments[3], of_sum, lane), 32, true) : sum);
  }
  return false;
}

// add.cc, addc, sub.cc, subc, mad.cc, madc: the flag is a carry, or a borrow.
bool meaning::carries(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const bool takes = n == "addc" || n == "subc" || n == "madc";
  if (!takes && !i.has("cc")) return false;
  const number_type t = type_named(i.words.back());
  const number_type natural = {'u', t.bits};
  const bool subtracts = n == "sub" || n == "subc";
  number a = value(i.arguments[1], natural, lane);
  number b = value(i.arguments[2], natural, lane);
  if (n == "mad" || n == "madc") {
    __extension__ using wide = unsigned __int128;
    const number x = value(i.arguments[1], t, lane);
    const number y = value(i.arguments[2], t, lane);
    const wide product = static_cast<wide>(x) * static_cast<wide>(y);
    a = cut(static_cast<number>(i.has("hi") ? product >> t.bits : product), t.bits, false);
    b = value(i.arguments[3], natural, lane);
  }
  const number flag = takes ? carry_[lane] : 0;
  const number sum = subtracts ? a - b - flag : a + b + flag;
  put(i.arguments[0].name, lane, sum);
  if (i.has("cc")) carry_[lane] = sum < 0 || sum >> t.bits != 0 ? 1 : 0;
  return true;
}

bool meaning::bit_fields(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const number_type t = type_named(i.words.back());
  const std::string& to = i.arguments[0].name;
  const auto word = [&](std::size_t k) {
    return static_cast<std::uint32_t>(bits(i.arguments[k], {'b', 32}, lane));
  };
  const auto give = [&](number v) {
    put(to, lane, v);
    return true;
  };
  const auto bits_of = [&](std::size_t k) { return bits(i.arguments[k], t, lane); };
  if (n == "popc") return give(__builtin_popcountll(bits_of(1)));
  if (n == "clz") return give(bits_of(1) == 0 ? t.bits : t.bits - 1 - highest_bit(bits_of(1)));
  if (n == "brev") {
    std::uint64_t r = 0;
    for (unsigned k = 0; k < t.bits; ++k) r |= (bits_of(1) >> k & 1) << (t.bits - 1 - k);
    return give(static_cast<number>(r));
  }
  if (n == "bfind") {
    const number v = value(i.arguments[1], t, lane);
    const auto field = static_cast<std::uint64_t>(v < 0 ? ~v : v);
    if (field == 0) return give(0xffffffff);
    return give(i.has("shiftamt") ? t.bits - 1 - highest_bit(field) : highest_bit(field));
  }
  if (n == "bfe") {
    const unsigned first = word(2) & 255;
    const unsigned length = word(3) & 255;
    const bool negative =
        t.kind == 's' && length != 0 && (bits_of(1) >> std::min(first + length - 1, t.bits - 1) & 1) != 0;
    std::uint64_t r = 0;
    for (unsigned k = 0; k < t.bits; ++k) {
      const bool bit = k < length && first + k < t.bits ? (bits_of(1) >> (first + k) & 1) != 0 : negative;
      r |= std::uint64_t{bit} << k;
    }
    return give(static_cast<number>(r));
  }
  if (n == "bfi") {
    const unsigned first = word(3) & 255;
    const unsigned length = word(4) & 255;
    std::uint64_t r = bits_of(2);
    for (unsigned k = 0; k < length && first + k < t.bits; ++k) {
      r &= ~(std::uint64_t{1} << (first + k));
      r |= (bits_of(1) >> k & 1) << (first + k);
    }
    return give(static_cast<number>(r));
  }
  if (n == "bmsk") {
    const bool clamps = i.has("clamp");
    const unsigned first = clamps ? std::min(word(1), 32u) : word(1) & 31;
    const unsigned length = clamps ? std::min(word(2), 32u) : word(2) & 31;
    return give(static_cast<number>(((std::uint64_t{1} << length) - 1) << first & 0xffffffff));
  }
  if (n == "szext") {
    const unsigned length = i.has("clamp") ? std::min(word(2), 32u) : word(2) & 31;
    return give(length == 0 ? 0 : cut(word(1), length, t.kind == 's'));
  }
  if (n == "fns") {
    const std::uint32_t mask = word(1);
    const auto base = static_cast<int>(word(2));
    const auto offset = static_cast<int>(word(3));
    int place = -1;
    if (offset == 0) {
      place = base >= 0 && base < 32 && (mask >> base & 1) != 0 ? base : -1;
    } else {
      const int step = offset < 0 ? -1 : 1;
      std::int64_t left = offset < 0 ? -std::int64_t{offset} : offset;
      for (std::int64_t k = base; k >= 0 && k < 32 && left > 0; k += step)
        if ((mask >> k & 1) != 0 && --left == 0) place = static_cast<int>(k);
    }
    return give(place);
  }
  if (n == "lop3") {
    const std::uint32_t table = word(4);
    std::uint32_t r = 0;
    for (unsigned k = 0; k < 32; ++k) {
      const unsigned row = (word(1) >> k & 1) << 2 | (word(2) >> k & 1) << 1 | (word(3) >> k & 1);
      r |= (table >> row & 1) << k;
    }
    if (i.arguments.size() == 6) {
      const bool q = truth(i.arguments[5], lane);
      put(i.arguments[0].other, lane, i.has("and") ? r != 0 && q : r != 0 || q);
    }
    return give(r);
  }
  if (n == "shf") {
    const unsigned count = i.has("wrap") ? word(3) & 31 : std::min(word(3), 32u);
    const std::uint64_t both = std::uint64_t{word(2)} << 32 | word(1);
    if (i.has("l")) return give(count == 32 ? word(1) : static_cast<std::uint32_t>(both << count >> 32));
    return give(count == 32 ? word(2) : static_cast<std::uint32_t>(both >> count));
  }
  if (n != "prmt") return false;
  const std::uint64_t both = std::uint64_t{word(2)} << 32 | word(1);
  std::uint32_t r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned s = word(3) & 3;
    unsigned from = 0;
    bool repeats_sign = false;
    if (i.has("f4e"))
      from = s + k;
    else if (i.has("b4e"))
      from = (s - k) & 7;
    else if (i.has("rc8"))
      from = s;
    else if (i.has("ecl"))
      from = std::max(k, s);
    else if (i.has("ecr"))
      from = std::min(k, s);
    else if (i.has("rc16"))
      from = (s & 1) * 2 + (k & 1);
    else {
      from = word(3) >> (4 * k) & 7;
      repeats_sign = (word(3) >> (4 * k) & 8) != 0;
    }
    auto byte = static_cast<std::uint32_t>(both >> (8 * from) & 255);
    if (repeats_sign) byte = (byte & 128) != 0 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return give(r);
}

// dp4a.atype.btype, dp2a.mode.atype.btype
bool meaning::products_of_parts(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  if (n != "dp4a" && n != "dp2a") return false;
  const bool a_signed = i.words[i.words.size() - 2] == "s32";
  const bool b_signed = i.words.back() == "s32";
  const number a = value(i.arguments[1], {'u', 32}, lane);
  const number b = value(i.arguments[2], {'u', 32}, lane);
  number sum = value(i.arguments[3], {'u', 32}, lane);
  for (unsigned k = 0; k < (n == "dp4a" ? 4u : 2u); ++k) {
    const unsigned width = n == "dp4a" ? 8 : 16;
    const unsigned place = n == "dp4a" ? k : k + (i.has("hi") ? 2 : 0);
    sum += cut(a >> (width * k), width, a_signed) * cut(b >> (8 * place), 8, b_signed);
  }
  put(i.arguments[0].name, lane, sum);
  return true;
}

// v*.dtype.atype.btype{.sat}{.op2}: parts of the sources, an operation without overflow, a clamp, then a second
// operation with or a merge into c.
bool meaning::video(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  static const std::vector<std::string> names = {"vadd", "vsub", "vabsdiff", "vmin", "vmax",
                                                 "vset", "vshl", "vshr",     "vmad"};
  if (std::find(names.begin(), names.end(), n) == names.end()) return false;
  std::vector<bool> signs;
  for (std::size_t k = 1; k < i.words.size(); ++k)
    if (type_named(i.words[k]).bits == 32) signs.push_back(i.words[k] == "s32");
  if (n == "vset") signs.insert(signs.begin(), false);
  if (n != "vmad" && signs.size() == 2) signs.push_back(false);
  const auto part = [&](std::size_t k, bool is_signed) {
    const number whole = value(i.arguments[k], {'u', 32}, lane);
    const std::string& p = i.arguments[k].part;
    if (p.empty()) return cut(whole, 32, is_signed);
    const unsigned width = p[0] == 'b' ? 8 : 16;
    return cut(whole >> (width * static_cast<unsigned>(p[1] - '0')), width, is_signed);
  };
  number a = part(1, signs[1]);
  number b = part(2, signs[2]);
  const bool is_signed = signs[0];
  if (n == "vmad") {
    const bool plus_one = i.has("po");
    const bool minus_product = i.arguments[1].minus != i.arguments[2].minus;
    const bool sign = signs[1] || signs[2] || minus_product || i.arguments[3].minus;
    (void)is_signed;
    number c = cut(value(i.arguments[3], {'u', 32}, lane), 32, signs[1] || signs[2] || minus_product);
    if (i.arguments[3].minus) c = -c;
    number sum = (minus_product ? -(a * b) : a * b) + c + (plus_one ? 1 : 0);
    sum >>= i.has("shr7") ? 7 : i.has("shr15") ? 15 : 0;
    if (i.has("sat")) sum = clamp_to(sum, 32, sign);
    put(i.arguments[0].name, lane, sum);
    return true;
  }
  number r = 0;
  if (n == "vadd")
    r = a + b;
  else if (n == "vsub")
    r = a - b;
  else if (n == "vabsdiff")
    r = a > b ? a - b : b - a;
  else if (n == "vmin")
    r = std::min(a, b);
  else if (n == "vmax")
    r = std::max(a, b);
  else if (n == "vset") {
    const std::string cmp = i.has("eq")   ? "eq"
                            : i.has("ne") ? "ne"
                            : i.has("lt") ? "lt"
                            : i.has("le") ? "le"
                            : i.has("gt") ? "gt"
                                          : "ge";
    r = cmp == "eq"   ? a == b
        : cmp == "ne" ? a != b
        : cmp == "lt" ? a < b
        : cmp == "le" ? a <= b
        : cmp == "gt" ? a > b
                      : a >= b;
  } else {
    const number count = i.has("wrap") ? b & 31 : std::min<number>(b, 32);
    r = n == "vshl" ? a << static_cast<unsigned>(count) : a >> static_cast<unsigned>(count);
  }
  const std::string& merged = i.arguments[0].part;
  const unsigned width = merged.empty() ? 32 : merged[0] == 'b' ? 8 : 16;
  if (i.has("sat")) r = clamp_to(r, width, is_signed);
  if (i.arguments.size() == 4) {
    const number c = cut(value(i.arguments[3], {'u', 32}, lane), 32, is_signed);
    if (!merged.empty()) {
      const unsigned low = width * static_cast<unsigned>(merged[1] - '0');
      const number mask = ((static_cast<number>(1) << width) - 1) << low;
      r = (c & ~mask) | (r << low & mask);
    } else if (i.has("add")) {
      r += c;
    } else {
      r = cut(r, 32, is_signed);
      r = i.has("min") ? std::min(r, c) : std::max(r, c);
    }
  }
  put(i.arguments[0].name, lane, r);
  return true;
}

// v*2, v*4: halves or bytes of a and b, an operation without overflow, a clamp, then a merge into c or a sum with
// it.
bool meaning::video_of_lanes(const instruction& i, unsigned lane) {
  const std::string& name = i.words[0];
  if (name[0] != 'v' || (name.back() != '2' && name.back() != '4')) return false;
  const std::string n = name.substr(0, name.size() - 1);
  const unsigned count = name.back() == '2' ? 2 : 4;
  const unsigned width = 32 / count;
  std::vector<bool> signs;
  for (const std::string& w : i.words)
    if (w == "u32" || w == "s32") signs.push_back(w == "s32");
  if (n == "vset") signs.insert(signs.begin(), false);
  const auto word = [&](std::size_t k) { return value(i.arguments[k], {'u', 32}, lane); };
  const auto taken = [&](std::size_t k, unsigned place, bool is_signed) {
    const std::string& part = i.arguments[k].part;
    const unsigned which =
        part.empty() ? place + (k == 2 ? count : 0) : static_cast<unsigned>(part[part.size() - 1 - place] - '0');
    return cut(word(which < count ? 1 : 2) >> (which % count * width), width, is_signed);
  };
  number result = word(3);
  for (unsigned place = 0; place < count; ++place) {
    const std::string& mask = i.arguments[0].part;
    if (!mask.empty() && mask.find(static_cast<char>('0' + place)) == std::string::npos) continue;
    const number a = taken(1, place, signs[1]);
    const number b = taken(2, place, signs[2]);
    number r = 0;
    if (n == "vadd") r = a + b;
    if (n == "vsub") r = a - b;
    if (n == "vabsdiff") r = a < b ? b - a : a - b;
    if (n == "vmin") r = std::min(a, b);
    if (n == "vmax") r = std::max(a, b);
    if (n == "vavrg") r = (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    if (n == "vset")
      r = (i.has("eq") && a == b) || (i.has("ne") && a != b) || (i.has("lt") && a < b) || (i.has("le") && a <= b) ||
                  (i.has("gt") && a > b) || (i.has("ge") && a >= b)
              ? 1
              : 0;
    if (i.has("sat")) r = clamp_to(r, width, signs[0]);
    const number ones = ((static_cast<number>(1) << width) - 1) << (place * width);
    result =
        i.has("add") ? result + r : (result & ~ones) | (r * (static_cast<number>(1) << (place * width)) & ones);
  }
  put(i.arguments[0].name, lane, result);
  return true;
}

}  // namespace gt200::second_reading
