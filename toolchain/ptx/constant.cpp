#include "toolchain/ptx/constant.h"

#include <cstring>
#include <map>

namespace gt200::ptx {
namespace {

double real_of(const constant& c) {
  double value = 0;
  std::memcpy(&value, &c.bits, sizeof value);
  return value;
}

constant of_real(double value) {
  constant c = {constant_kind::f64, 0};
  std::memcpy(&c.bits, &value, sizeof value);
  return c;
}

constant of_truth(bool holds) { return {constant_kind::s64, holds ? 1u : 0u}; }

bool is_true(const constant& c) { return c.kind == constant_kind::f64 ? real_of(c) != 0 : c.bits != 0; }

// "less" 1, "equal" 2, "greater" 4; 0: not comparable
unsigned relations_of(const std::string& op) {
  static const std::map<std::string, unsigned> relations = {{"<", 1},  {"<=", 3}, {">", 4},
                                                            {">=", 6}, {"==", 2}, {"!=", 5}};
  const auto found = relations.find(op);
  return found == relations.end() ? 0 : found->second;
}

template <class number>
bool compare(const std::string& op, number a, number b) {
  return (relations_of(op) & (a < b ? 1u : a > b ? 4u : 2u)) != 0;
}

constant of_reals(const std::string& op, double a, double b) {
  if (op == "+") return of_real(a + b);
  if (op == "-") return of_real(a - b);
  if (op == "*") return of_real(a * b);
  if (op == "/") return of_real(a / b);
  if (relations_of(op) != 0) return of_truth(compare(op, a, b));
  throw constant_error("'" + op + "' does not stand between floating-point numbers");
}

constant quotient(const std::string& op, constant_kind kind, std::uint64_t a, std::uint64_t b) {
  if (b == 0) throw constant_error("a division by zero");
  if (kind == constant_kind::u64) return {kind, op == "/" ? a / b : a % b};
  // The lowest number divided by -1 is itself.
  const bool minus_a = a >> 63 != 0;
  const bool minus_b = b >> 63 != 0;
  const std::uint64_t x = minus_a ? 0 - a : a;
  const std::uint64_t y = minus_b ? 0 - b : b;
  const std::uint64_t r = op == "/" ? x / y : x % y;
  return {kind, (op == "/" ? minus_a != minus_b : minus_a) ? 0 - r : r};
}

std::uint64_t shifted(const std::string& op, const constant& a, std::uint64_t count) {
  if (op == "<<") return count > 63 ? 0 : a.bits << count;
  const std::uint64_t sign = a.kind == constant_kind::s64 && a.bits >> 63 != 0 ? ~std::uint64_t{0} : 0;
  if (count == 0) return a.bits;
  return count > 63 ? sign : a.bits >> count | sign << (64 - count);
}

}  // namespace

unsigned precedence_of(const std::string& text) {
  static const std::map<std::string, unsigned> levels = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {"<=", 7},
      {">", 7},  {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = levels.find(text);
  return found == levels.end() ? 0 : found->second;
}

constant evaluate(const std::string& op, const constant& a) {
  if (op == "+") return a;
  if (a.kind == constant_kind::f32) {
    if (op == "-") return {a.kind, a.bits ^ 0x80000000u};
  } else if (a.kind == constant_kind::f64) {
    if (op == "-") return {a.kind, a.bits ^ (std::uint64_t{1} << 63)};
    if (op == "!") return of_truth(!is_true(a));
  } else {
    if (op == "-") return {a.kind, 0 - a.bits};
    if (op == "~") return {a.kind, ~a.bits};
    if (op == "!") return of_truth(!is_true(a));
  }
  throw constant_error("'" + op + "' does not stand before a floating-point number");
}

constant evaluate(const std::string& op, const constant& a, const constant& b) {
  if (a.kind == constant_kind::f32 || b.kind == constant_kind::f32)
    throw constant_error("a number written 0f stands alone");
  if (op == "&&") return of_truth(is_true(a) && is_true(b));
  if (op == "||") return of_truth(is_true(a) || is_true(b));
  if (a.is_integer() != b.is_integer())
    throw constant_error("'" + op + "' stands between an integer and a floating-point number");
  if (!a.is_integer()) return of_reals(op, real_of(a), real_of(b));
  if (op == "<<" || op == ">>") return {a.kind, shifted(op, a, b.bits)};
  const constant_kind kind =
      a.kind == constant_kind::u64 || b.kind == constant_kind::u64 ? constant_kind::u64 : constant_kind::s64;
  if (relations_of(op) != 0) {
    // With the top bit inverted, numbers with a sign are in the order of those without.
    const std::uint64_t flip = kind == constant_kind::s64 ? std::uint64_t{1} << 63 : 0;
    return of_truth(compare(op, a.bits ^ flip, b.bits ^ flip));
  }
  if (op == "+") return {kind, a.bits + b.bits};
  if (op == "-") return {kind, a.bits - b.bits};
  if (op == "*") return {kind, a.bits * b.bits};
  if (op == "&") return {kind, a.bits & b.bits};
  if (op == "|") return {kind, a.bits | b.bits};
  if (op == "^") return {kind, a.bits ^ b.bits};
  return quotient(op, kind, a.bits, b.bits);
}

constant choose(const constant& a, const constant& b, const constant& c) {
  if (a.kind == constant_kind::f32) throw constant_error("a number written 0f stands alone");
  if (b.is_integer() != c.is_integer())
    throw constant_error("':' stands between an integer and a floating-point number");
  return is_true(a) ? b : c;
}

}  // namespace gt200::ptx
