#include "toolchain/ptx/vectors.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace gt200::ptx {
namespace {

constexpr std::array<char, 4> letters = {'x', 'y', 'z', 'w'};
constexpr std::array<char, 4> colours = {'r', 'g', 'b', 'a'};

// An element of "%v12" of the range "%v<20>" is "%v.x12": the number stays last.
std::string element(const std::string& name, const std::string& number, std::size_t k) {
  return name + "." + letters[k] + number;
}

// The number at the end, empty if there is none.
std::string number_of(const std::string& name) { return name.substr(name.find_last_not_of("0123456789") + 1); }

class division {
 public:
  division(function& f, const source_file& file) : f_(f), file_(file) {}

  void run(const std::vector<variable>& outer) {
    scopes_.emplace_back();
    for (const variable& v : outer) scopes_.back()[v.name] = v;
    scopes_.emplace_back();
    std::vector<statement> body;
    for (statement& s : f_.body) {
      if (s.kind == statement_kind::scope_begin) scopes_.emplace_back();
      if (s.kind == statement_kind::scope_end) scopes_.pop_back();
      if (s.kind == statement_kind::declaration) declare(s);
      if (s.kind == statement_kind::instruction) {
        for (operand& o : s.operands) divide(o);
        if (moves_vectors(s)) {
          move_elements(s, body);
          continue;
        }
      }
      body.push_back(std::move(s));
    }
    f_.body = std::move(body);
  }

 private:
  void declare(statement& s) {
    std::vector<variable> all;
    for (const variable& v : s.variables) {
      scopes_.back()[v.name] = v;
      for (variable& e : elements_of(v)) all.push_back(std::move(e));
    }
    s.variables = std::move(all);
  }

  // The declaration of the register; its number in a range.
  const variable* find(const std::string& name, std::string& number) const {
    const std::string digits = number_of(name);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      number.clear();
      const auto found = scope->find(name);
      if (found != scope->end() && found->second.range == 0) return &found->second;
      if (digits.empty() || digits.size() > 6) continue;
      const auto range = scope->find(name.substr(0, name.size() - digits.size()));
      if (range == scope->end() || std::stoul(digits) >= range->second.range) continue;
      number = digits;
      return &range->second;
    }
    return nullptr;
  }

  const variable* vector_named(const std::string& name, std::string& number) const {
    const variable* v = find(name, number);
    return v != nullptr && v->space == state_space::reg && v->vector != 1 ? v : nullptr;
  }

  void divide(operand& o) {
    std::string number;
    if (const variable* v = vector_named(o.name, number)) {
      if (o.kind != operand_kind::name || o.negated || o.minus || o.value != 0 || !o.part.empty() ||
          !o.second.empty())
        file_.fail(o.where, "'" + o.name + "' is a vector: its elements are ." + letters[0] + ", ." + letters[1] +
                                (v->vector == 4 ? ", .z, .w" : ""));
      o.kind = operand_kind::vector;
      for (std::size_t k = 0; k < v->vector; ++k) {
        operand e;
        e.kind = operand_kind::name;
        e.where = o.where;
        e.name = element(v->name, number, k);
        o.elements.push_back(std::move(e));
      }
      o.name.clear();
      return;
    }
    rename_element(o.name, o.where);
    for (operand& e : o.elements) divide(e);
  }

  void rename_element(std::string& name, location where) const {
    if (name.size() < 3 || name[name.size() - 2] != '.') return;
    std::string number;
    const variable* v = vector_named(name.substr(0, name.size() - 2), number);
    if (v == nullptr) return;
    for (const auto& set : {letters, colours}) {
      const auto k = static_cast<std::size_t>(std::find(set.begin(), set.end(), name.back()) - set.begin());
      if (k >= v->vector) continue;
      name = element(v->name, number, k);
      return;
    }
    file_.fail(where,
               "'" + v->name + number + "' has " + std::to_string(v->vector) + " elements, and no ." + name.back());
  }

  static bool moves_vectors(const statement& s) {
    return s.name == "mov" && s.modifiers.size() == 2 && (s.modifiers[0] == "v2" || s.modifiers[0] == "v4");
  }

  // All are read before one is written.
  void move_elements(const statement& s, std::vector<statement>& body) {
    const std::size_t count = s.modifiers[0] == "v2" ? 2 : 4;
    std::vector<operand> from = s.operands.size() == 2 ? s.operands[1].elements : std::vector<operand>{};
    static const std::set<std::string> special = {"%tid", "%ntid", "%ctaid", "%nctaid"};
    if (from.empty() && s.operands.size() == 2 && special.count(s.operands[1].name) != 0) {
      from.assign(count, s.operands[1]);
      for (std::size_t k = 0; k < count; ++k) {
        if (k < 3)
          from[k].name += std::string(".") + letters[k];
        else
          from[k].kind = operand_kind::integer;  // the fourth is always zero
      }
    }
    if (from.size() != count || s.operands[0].elements.size() != count)
      file_.fail(s.where,
                 "mov." + s.modifiers[0] + ": expected two vectors of " + std::to_string(count) + " elements");
    statement declared;
    declared.kind = statement_kind::declaration;
    declared.where = s.where;
    std::vector<statement> writes;
    for (std::size_t k = 0; k < count; ++k) {
      variable v;
      v.space = state_space::reg;
      v.type = scalar_named(s.modifiers[1]);
      v.where = s.where;
      v.name = "%moved@" + std::to_string(moved_++);
      operand kept;
      kept.kind = operand_kind::name;
      kept.where = s.where;
      kept.name = v.name;
      declared.variables.push_back(std::move(v));
      statement read = s;
      read.modifiers = {s.modifiers[1]};
      statement write = read;
      read.operands = {kept, from[k]};
      write.operands = {s.operands[0].elements[k], kept};
      if (k == 0) body.push_back(declared);
      body.push_back(std::move(read));
      writes.push_back(std::move(write));
    }
    body[body.size() - count - 1].variables = std::move(declared.variables);
    std::move(writes.begin(), writes.end(), std::back_inserter(body));
  }

  function& f_;
  const source_file& file_;
  std::vector<std::map<std::string, variable>> scopes_;
  unsigned moved_ = 0;
};

}  // namespace

std::vector<variable> elements_of(const variable& v) {
  if (v.space != state_space::reg || v.vector == 1) return {v};
  std::vector<variable> all(v.vector, v);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].name = element(v.name, {}, k);
    all[k].vector = 1;
  }
  return all;
}

void divide_vectors(function& f, const std::vector<variable>& outer, const source_file& file) {
  division(f, file).run(outer);
}

}  // namespace gt200::ptx
