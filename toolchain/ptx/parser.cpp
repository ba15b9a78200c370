#include "toolchain/ptx/parser.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "toolchain/ptx/scopes.h"
#include "toolchain/ptx/vectors.h"

namespace gt200::ptx {
namespace {

constexpr unsigned max_nesting = 64;
constexpr std::uint64_t max_bytes = 1u << 30;
constexpr unsigned max_registers = 1u << 16;

class parser {
 public:
  parser(std::string_view content, const source_file& file) : file_(file), tokens_(split_tokens(content, file)) {}

  module_source run() {
    while (peek().kind != token_kind::end) top_level();
    return std::move(module_);
  }

 private:
  const token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  token take() { return tokens_[position_ + 1 < tokens_.size() ? position_++ : position_]; }
  bool is(const char* text) const { return peek().text == text && peek().kind != token_kind::text; }
  bool accept(const char* text) {
    if (!is(text)) return false;
    take();
    return true;
  }
  [[noreturn]] void expected(const std::string& item) const {
    const token& t = peek();
    file_.fail(t.where,
               "expected " + item + (t.kind == token_kind::end ? ", but the file ends" : ", not '" + t.text + "'"));
  }
  void expect(const char* text) {
    if (!accept(text)) expected("'" + std::string(text) + "'");
  }
  bool at_directive() const { return peek().kind == token_kind::word && peek().text[0] == '.'; }
  std::string name(const std::string& item) {
    if (peek().kind != token_kind::word || peek().text[0] == '.') expected(item);
    return take().text;
  }
  std::uint64_t integer(const std::string& item) {
    if (peek().kind != token_kind::integer) expected(item);
    return take().value;
  }

  void top_level() {
    const token t = peek();
    if (t.kind != token_kind::word || t.text[0] != '.') expected("a directive");
    if (t.text == ".version") {
      take();
      version();
    } else if (t.text == ".target") {
      take();
      target();
    } else if (t.text == ".address_size") {
      take();
      const std::uint64_t size = integer("32 or 64");
      if (size != 32 && size != 64) file_.fail(t.where, "the address size is 32 or 64");
      module_.address_bytes = static_cast<unsigned>(size / 8);
    } else if (debug_directive()) {
      return;
    } else {
      linked_item();
    }
  }

  void version() {
    const token t = take();
    const std::size_t point = t.text.find('.');
    if (point == std::string::npos || point == 0 || point + 1 >= t.text.size())
      file_.fail(t.where, "expected a version number such as 1.4");
    unsigned number = 0;
    for (const char c : t.text) {
      if (c == '.') continue;
      if (c < '0' || c > '9' || number > 1000) file_.fail(t.where, "expected a version number such as 1.4");
      number = number * 10 + static_cast<unsigned>(c - '0');
    }
    module_.version = number;
  }

  void target() {
    do {
      const std::string word = name("a target such as sm_13");
      if (word == "map_f64_to_f32")
        module_.demote_f64 = true;
      else if (module_.target.empty())
        module_.target = word;
    } while (accept(","));
  }

  // Skips a directive that does not influence the code. True if there was one.
  bool debug_directive() {
    if (is(".file")) {
      take();
      integer("a file number");
      if (peek().kind != token_kind::text) expected("a file name");
      take();
      while (accept(",")) integer("a number");
      return true;
    }
    if (is(".loc")) {
      take();
      const std::uint64_t number = integer("a file number");
      const std::uint64_t line = integer("a line number");
      // Line 0 marks code that belongs to no line.
      if (line != 0 && file_.has_number(number)) source_line_ = static_cast<unsigned>(line);
      integer("a column");
      while (accept(",")) {
        // function_name $L + 4, inlined_at 1 5 0
        if (name("an attribute") == "inlined_at") {
          for (const char* number_of : {"a file number", "a line number", "a column"}) integer(number_of);
        } else if (peek().kind == token_kind::integer)
          take();
        else if (peek().kind == token_kind::word) {
          take();
          if (accept("+")) integer("an offset");
        }
      }
      return true;
    }
    if (is(".pragma")) {
      take();
      do {
        if (peek().kind != token_kind::text) expected("a text in quotes");
        take();
      } while (accept(","));
      expect(";");
      return true;
    }
    if (is(".section")) {
      while (!is("{")) {
        if (peek().kind == token_kind::end) expected("'{'");
        take();
      }
      skip_braces();
      return true;
    }
    return false;
  }

  void skip_braces() {
    expect("{");
    for (unsigned depth = 1; depth > 0; take()) {
      if (peek().kind == token_kind::end) expected("'}'");
      if (is("{")) ++depth;
      if (is("}")) --depth;
    }
  }

  void linked_item() {
    bool external = false;
    for (;;) {
      if (accept(".visible") || accept(".weak") || accept(".common")) continue;
      if (!accept(".extern")) break;
      external = true;
    }
    if (is(".entry") || is(".func")) return function_definition();
    std::vector<variable> found = declaration();
    for (variable& v : found) {
      if (v.space == state_space::surface) continue;  // a kernel that uses it is refused
      v.is_external = external;
      if (v.space == state_space::reg && v.vector != 1) vectors_.push_back(v);
      for (variable& element : elements_of(v)) module_.variables.push_back(std::move(element));
    }
  }

  // Parses space, attributes, type and names, up to the semicolon.
  std::vector<variable> declaration() {
    variable common = declaration_head();
    std::vector<variable> found;
    do {
      found.push_back(declarator(common));
    } while (accept(","));
    expect(";");
    return found;
  }

  variable declaration_head() {
    static const std::map<std::string, state_space> spaces = {
        {".reg", state_space::reg},        {".param", state_space::param},   {".shared", state_space::shared},
        {".const", state_space::constant}, {".global", state_space::global}, {".local", state_space::local},
        {".tex", state_space::texture},    {".sreg", state_space::reg}};
    variable v;
    const auto space = spaces.find(peek().text);
    if (space == spaces.end() || peek().kind != token_kind::word)
      expected("an instruction or a directive known here (.reg, .param, .shared, .const, .global, .local, .tex)");
    take();
    v.space = space->second;
    for (;;) {
      const token t = peek();
      if (t.kind != token_kind::word || t.text[0] != '.') break;
      take();
      if (t.text == ".align") {
        v.alignment = alignment();
      } else if (t.text == ".v2" || t.text == ".v4") {
        v.vector = t.text == ".v2" ? 2 : 4;
      } else if (t.text == ".ptr") {
        for (const char* where : {".global", ".shared", ".const", ".local"}) accept(where);
        if (accept(".align")) alignment();
      } else if (t.text == ".attribute") {
        file_.fail(t.where, ".attribute needs sm_30 or later");
      } else if (t.text == ".texref" || t.text == ".samplerref" || t.text == ".surfref") {
        v.type = scalar::u32;
        v.space = t.text == ".surfref" ? state_space::surface : state_space::texture;
      } else {
        v.type = scalar_named(t.text);
        if (v.type == scalar::none) file_.fail(t.where, "expected a type, not '" + t.text + "'");
      }
    }
    if (v.type == scalar::none) expected("a type");
    return v;
  }

  unsigned alignment() {
    const token t = peek();
    const std::uint64_t value = integer("an alignment");
    if (value == 0 || value > 4096 || (value & (value - 1)) != 0)
      file_.fail(t.where, "an alignment is a power of two up to 4096");
    return static_cast<unsigned>(value);
  }

  variable declarator(const variable& common) {
    variable v = common;
    v.where = peek().where;
    v.name = name("a name");
    if (accept("<")) {
      const std::uint64_t range = integer("a number of registers");
      if (range == 0 || range > max_registers) file_.fail(v.where, "1 to 65536 registers can be declared at once");
      v.range = static_cast<unsigned>(range);
      expect(">");
    }
    std::vector<std::uint64_t> extents;
    while (accept("[")) {
      extents.push_back(0);
      if (accept("]")) {
        v.count = 0;
        continue;
      }
      const std::uint64_t extent = constant_integer("a number of elements");
      expect("]");
      if (extent > max_bytes || v.count * extent > max_bytes) file_.fail(v.where, "the array is too large");
      v.count *= extent;
      extents.back() = extent;
      if (v.bytes() > max_bytes) file_.fail(v.where, "the array is too large");
    }
    if (v.vector != 1) extents.push_back(v.vector);
    if (accept("=")) initial_values(v, extents, 0);
    if (v.count == 0 && !v.values.empty()) v.count = (v.values.size() + v.vector - 1) / v.vector;
    return v;
  }

  // Braces at a depth hold a row of the remaining dimensions; what a row lacks is zero.
  void initial_values(variable& v, const std::vector<std::uint64_t>& extents, std::size_t depth) {
    const location where = peek().where;
    if (!accept("{")) return v.values.push_back(initial_value_of(v));
    if (depth > extents.size()) file_.fail(where, "more nested braces than dimensions");
    const std::size_t first = v.values.size();
    if (!accept("}")) {
      do {
        initial_values(v, extents, depth + 1);
      } while (accept(","));
      expect("}");
    }
    if (depth == 0) return;
    std::uint64_t row = 1;
    for (std::size_t k = depth; k < extents.size(); ++k) row *= extents[k];
    if (v.values.size() - first > row) file_.fail(where, "more initial values than elements of this row");
    initial_value zero;
    zero.where = where;
    if (is_float(v.type)) zero.number.kind = constant_kind::f64;
    v.values.resize(first + row, zero);
  }

  initial_value initial_value_of(const variable& v) {
    initial_value i;
    i.where = peek().where;
    if (peek().kind == token_kind::word && !is("WARP_SZ")) {
      i.symbol = name("an initial value");
      if (i.symbol == "generic" && accept("(")) {
        i.symbol = name("the name of a variable");
        expect(")");
      }
      i.number.bits = offset();
      return i;
    }
    i.number = constant_expression(0, 0);
    try {
      i.number.bits = bits_of(i.number, v.type);
    } catch (const constant_error& error) {
      file_.fail(i.where, error.what());
    }
    return i;
  }

  std::vector<variable> parameter_list() {
    std::vector<variable> list;
    expect("(");
    if (accept(")")) return list;
    do {
      list.push_back(declarator(declaration_head()));
      if (list.back().space == state_space::reg && list.back().vector != 1)
        file_.fail(list.back().where, "vector registers cannot be parameters of functions");
    } while (accept(","));
    expect(")");
    return list;
  }

  void function_definition() {
    function f;
    f.is_entry = take().text == ".entry";
    if (is("(")) f.results = parameter_list();
    f.where = peek().where;
    f.name = name("the name of a function");
    if (is("(")) f.parameters = parameter_list();
    performance_directives(f.bounds);
    if (is("{")) {
      f.has_body = true;
      body(f);
      divide_vectors(f, vectors_, file_);
      separate_names(f);
    } else if (!accept(";") && !at_directive() && peek().kind != token_kind::end) {
      // A prototype ends where the next directive begins: nvopencc writes no semicolon.
      expected("'{', ';' or a directive");
    }
    module_.functions.push_back(std::move(f));
  }

  void performance_directives(launch_bounds& bounds) {
    while (is(".maxntid") || is(".reqntid") || is(".minnctapersm") || is(".maxnctapersm") || is(".maxnreg") ||
           is(".noreturn") || is(".pragma")) {
      if (debug_directive()) continue;
      const token directive = take();
      if (directive.text == ".noreturn") continue;
      // .maxnctapersm is the old name of .minnctapersm.
      if (directive.text == ".maxntid") bounds.largest_block = block_of(directive);
      if (directive.text == ".reqntid") bounds.required_block = block_of(directive);
      if (directive.text == ".minnctapersm" || directive.text == ".maxnctapersm") bounds.blocks = bound(directive);
      if (directive.text == ".maxnreg") bounds.registers = bound(directive);
    }
  }

  std::uint32_t bound(const token& directive) {
    const location where = peek().where;
    const std::uint64_t value = integer("a number");
    if (value == 0 || value > 0xffff) file_.fail(where, directive.text + " must be between 1 and 65535");
    return static_cast<std::uint32_t>(value);
  }

  // Directions that are not given are 1.
  std::array<std::uint32_t, 3> block_of(const token& directive) {
    std::array<std::uint32_t, 3> block = {1, 1, 1};
    for (std::size_t k = 0; k < block.size(); ++k) {
      block[k] = bound(directive);
      if (!accept(",")) break;
    }
    return block;
  }

  void body(function& f) {
    expect("{");
    unsigned depth = 1;
    while (depth > 0) {
      statement s;
      s.where = peek().where;
      s.source_line = source_line_;
      if (peek().kind == token_kind::end) expected("'}'");
      if (accept("{")) {
        if (++depth > max_nesting) file_.fail(s.where, "too many nested braces");
        s.kind = statement_kind::scope_begin;
      } else if (accept("}")) {
        if (--depth == 0) return;
        s.kind = statement_kind::scope_end;
      } else if (debug_directive()) {
        continue;
      } else if (is(".callprototype") || is(".calltargets") || is(".branchtargets")) {
        // The table that the label in front of it names is not possible here: lowering says so if the kernel is
        // compiled.
        s.kind = statement_kind::instruction;
        s.name = take().text;
        while (!accept(";")) {
          if (peek().kind == token_kind::end) expected("';'");
          take();
        }
      } else if (peek().kind == token_kind::word && peek().text[0] == '.') {
        s.kind = statement_kind::declaration;
        s.variables = declaration();
        move_to_module(s.variables);
      } else if (peek().kind == token_kind::word && peek(1).text == ":" && peek(1).kind == token_kind::symbol) {
        s.kind = statement_kind::label;
        s.name = take().text;
        take();
      } else {
        instruction(s);
      }
      f.body.push_back(std::move(s));
    }
  }

  // Moves constants, global variables and textures to the module: they belong to it wherever they are declared.
  void move_to_module(std::vector<variable>& variables) {
    const auto stays = [](const variable& v) {
      return v.space != state_space::constant && v.space != state_space::global && v.space != state_space::texture;
    };
    const auto moved = std::stable_partition(variables.begin(), variables.end(), stays);
    module_.variables.insert(module_.variables.end(), std::make_move_iterator(moved),
                             std::make_move_iterator(variables.end()));
    variables.erase(moved, variables.end());
  }

  void instruction(statement& s) {
    if (accept("@")) {
      s.guard_negated = accept("!");
      s.guard = name("a predicate");
    }
    const std::string opcode = name("an instruction");
    std::size_t start = opcode.find('.');
    s.name = opcode.substr(0, start);
    while (start != std::string::npos) {
      const std::size_t end = opcode.find('.', start + 1);
      s.modifiers.push_back(opcode.substr(start + 1, end == std::string::npos ? end : end - start - 1));
      start = end;
    }
    if (accept(";")) return;
    is_call_ = s.name == "call";
    do {
      s.operands.push_back(parse_operand(0));
    } while (accept(","));
    expect(";");
  }

  operand parse_operand(unsigned depth) {
    operand o;
    o.where = peek().where;
    if (depth > max_nesting) file_.fail(o.where, "too many nested brackets");
    if (accept("{")) return group(o, operand_kind::vector, "}", depth);
    if (is_call_ && accept("(")) return group(o, operand_kind::list, ")", depth);
    if (accept("[")) {
      address(o, depth);
      return o;
    }
    const token& next = is("!") || is("-") ? peek(1) : peek();
    if (next.kind != token_kind::word || next.text == "WARP_SZ") {
      const constant c = constant_expression(0, 0);
      o.kind = c.is_integer()                 ? operand_kind::integer
               : c.kind == constant_kind::f32 ? operand_kind::f32_bits
                                              : operand_kind::f64_bits;
      o.value = c.bits;
      return o;
    }
    o.negated = accept("!");
    o.minus = !o.negated && accept("-");
    if (next.text[0] == '.') file_.fail(o.where, "expected an operand");
    o.kind = operand_kind::name;
    o.name = take().text;
    static const std::set<std::string> fourth = {"%tid.w", "%ntid.w", "%ctaid.w", "%nctaid.w"};
    if (fourth.count(o.name) != 0) {  // unused, and always zero
      o.kind = operand_kind::integer;
      o.name.clear();
      if (o.negated || o.minus) file_.fail(o.where, "there is no sign before a special register");
      return o;
    }
    divide_part(o);
    if (accept("|"))
      o.second = name("a predicate");
    else
      o.value = offset();
    return o;
  }

  // Operators of at least this precedence (constant.h); 0: "? :" as well.
  constant constant_expression(unsigned least, unsigned depth) {
    const location where = peek().where;
    constant left = constant_term(depth);
    try {
      for (unsigned level = 0; (level = operator_at()) > least;) {
        const std::string op = take().text;
        left = evaluate(op, left, constant_expression(level, depth));
      }
      if (least == 0 && accept("?")) {
        const constant when_true = constant_expression(0, depth + 1);
        expect(":");
        left = choose(left, when_true, constant_expression(0, depth + 1));
      }
    } catch (const constant_error& error) {
      file_.fail(where, error.what());
    }
    return left;
  }
  unsigned operator_at() const { return peek().kind == token_kind::symbol ? precedence_of(peek().text) : 0; }

  constant constant_term(unsigned depth) {
    const token t = take();
    if (depth > max_nesting) file_.fail(t.where, "too many nested brackets");
    switch (t.kind) {
      case token_kind::integer: return {t.is_unsigned ? constant_kind::u64 : constant_kind::s64, t.value};
      case token_kind::f32_bits: return {constant_kind::f32, t.value};
      case token_kind::f64_bits: return {constant_kind::f64, t.value};
      default: break;
    }
    if (t.text == "WARP_SZ") return {constant_kind::s64, 32};
    if (t.text == "(" && t.kind == token_kind::symbol) {
      const bool to_signed = accept(".s64");
      if (to_signed || accept(".u64")) {
        expect(")");
        const constant c = constant_term(depth + 1);
        if (!c.is_integer()) file_.fail(t.where, "of a floating-point number there is no integer here");
        return {to_signed ? constant_kind::s64 : constant_kind::u64, c.bits};
      }
      const constant c = constant_expression(0, depth + 1);
      expect(")");
      return c;
    }
    if (t.kind != token_kind::symbol || (t.text != "-" && t.text != "+" && t.text != "!" && t.text != "~"))
      file_.fail(t.where, "expected an operand, not '" + t.text + "'");
    try {
      return evaluate(t.text, constant_term(depth + 1));
    } catch (const constant_error& error) {
      file_.fail(t.where, error.what());
    }
  }

  std::uint64_t constant_integer(const std::string& item) {
    const location where = peek().where;
    if (peek().kind == token_kind::end) expected(item);
    const constant c = constant_expression(0, 0);
    if (!c.is_integer()) file_.fail(where, "expected " + item);
    return c.bits;
  }

  // "%r1.b2" names a byte of %r1, "%r1.h10" both halves.
  static void divide_part(operand& o) {
    const std::size_t dot = o.name.rfind('.');
    if (dot == std::string::npos || dot + 2 >= o.name.size()) return;
    const std::string part = o.name.substr(dot + 1);
    if ((part[0] != 'b' && part[0] != 'h') || part.find_first_not_of("01234567", 1) != std::string::npos) return;
    o.part = part;
    o.name.resize(dot);
  }

  operand group(operand& o, operand_kind kind, const char* end, unsigned depth) {
    o.kind = kind;
    if (accept(end)) return o;
    do {
      o.elements.push_back(parse_operand(depth + 1));
    } while (accept(","));
    expect(end);
    return o;
  }

  // Behind a name: "+4", "-4+2*8".
  std::uint64_t offset() {
    std::uint64_t sum = 0;
    while (is("+") || is("-")) {
      const bool minus = take().text == "-";
      const location where = peek().where;
      const constant c = constant_expression(precedence_of("+"), 0);
      if (!c.is_integer()) file_.fail(where, "an offset is an integer");
      sum += minus ? 0 - c.bits : c.bits;
    }
    return sum;
  }

  void address(operand& o, unsigned depth) {
    o.kind = operand_kind::address;
    if (peek().kind == token_kind::word && peek().text[0] != '.') {
      o.name = take().text;
      o.value = offset();
    } else {
      o.value = constant_integer("an address");
    }
    while (accept(",")) o.elements.push_back(parse_operand(depth + 1));
    expect("]");
  }

  const source_file& file_;
  std::vector<token> tokens_;
  std::size_t position_ = 0;
  unsigned source_line_ = 0;
  bool is_call_ = false;           // of the current instruction: ( ) are lists there
  std::vector<variable> vectors_;  // registers outside functions
  module_source module_;
};

}  // namespace

module_source parse(std::string_view content, const source_file& file) { return parser(content, file).run(); }

unsigned bytes_of(scalar t) {
  switch (t) {
    case scalar::none: return 0;
    case scalar::b8:
    case scalar::u8:
    case scalar::s8: return 1;
    case scalar::b16:
    case scalar::u16:
    case scalar::s16:
    case scalar::f16: return 2;
    case scalar::b64:
    case scalar::u64:
    case scalar::s64:
    case scalar::f64: return 8;
    default: return 4;
  }
}

bool is_signed(scalar t) { return t == scalar::s8 || t == scalar::s16 || t == scalar::s32 || t == scalar::s64; }
bool is_float(scalar t) { return t == scalar::f16 || t == scalar::f32 || t == scalar::f64; }

scalar scalar_named(const std::string& text) {
  static constexpr std::array<const char*, 17> names = {"none", "pred", "b8",  "b16", "b32", "b64",
                                                        "u8",   "u16",  "u32", "u64", "s8",  "s16",
                                                        "s32",  "s64",  "f16", "f32", "f64"};
  const std::string bare = !text.empty() && text[0] == '.' ? text.substr(1) : text;
  for (std::size_t k = 1; k < names.size(); ++k)
    if (bare == names[k]) return static_cast<scalar>(k);
  return scalar::none;
}

std::uint64_t bits_of(const constant& c, scalar t) {
  if (c.is_integer()) {
    if (is_float(t) && t != scalar::f16)
      throw constant_error("an integer is no number of this type; its bits would be 0f or 0d and digits");
    return c.bits;
  }
  if (t == scalar::f16) throw constant_error("a number of this type is written as its bits: 0x and four digits");
  const bool is_single = c.kind == constant_kind::f32;
  if (!is_float(t) && t != scalar::b64 && (t != scalar::b32 || !is_single))
    throw constant_error("a floating-point number is no integer");
  if (t == scalar::f64 && is_single) {
    const auto bits = static_cast<std::uint32_t>(c.bits);
    float narrow = 0;
    std::memcpy(&narrow, &bits, sizeof narrow);
    const double wide = narrow;
    std::uint64_t wide_bits = 0;
    std::memcpy(&wide_bits, &wide, sizeof wide_bits);
    return wide_bits;
  }
  if (t == scalar::f32 && !is_single) {
    double wide = 0;
    std::memcpy(&wide, &c.bits, sizeof wide);
    const auto narrow = static_cast<float>(wide);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  return c.bits;
}

}  // namespace gt200::ptx
