#include "toolchain/ptx/parser.h"

#include "toolchain/ptx/scopes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

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
      module_.variables.push_back(std::move(v));
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
    while (accept("[")) {
      if (accept("]")) {
        v.count = 0;
        continue;
      }
      const std::uint64_t extent = integer("a number of elements");
      expect("]");
      if (extent > max_bytes || v.count * extent > max_bytes) file_.fail(v.where, "the array is too large");
      v.count *= extent;
      if (v.bytes() > max_bytes) file_.fail(v.where, "the array is too large");
    }
    if (accept("=")) initial_values(v.values, 0);
    if (v.count == 0 && !v.values.empty()) v.count = v.values.size();
    return v;
  }

  void initial_values(std::vector<initial_value>& values, unsigned depth) {
    if (depth > max_nesting) file_.fail(peek().where, "too many nested braces");
    if (accept("{")) {
      if (accept("}")) return;
      do {
        initial_values(values, depth + 1);
      } while (accept(","));
      return expect("}");
    }
    initial_value v;
    v.where = peek().where;
    const bool minus = accept("-");
    const token t = take();
    switch (t.kind) {
      case token_kind::integer: v.bits = minus ? 0 - t.value : t.value; break;
      case token_kind::f32_bits:
        v.bits = t.value;  // exactly the bits written
        break;
      case token_kind::f64_bits:
        v.bits = minus ? t.value ^ (std::uint64_t{1} << 63) : t.value;
        v.is_real = true;
        break;
      case token_kind::word:
        v.symbol = t.text;
        if (accept("+")) v.bits = integer("an offset");
        break;
      default: file_.fail(t.where, "expected an initial value");
    }
    values.push_back(v);
  }

  std::vector<variable> parameter_list() {
    std::vector<variable> list;
    expect("(");
    if (accept(")")) return list;
    do {
      list.push_back(declarator(declaration_head()));
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
    if (accept("(")) return group(o, operand_kind::list, ")", depth);
    if (accept("[")) {
      address(o, depth);
      return o;
    }
    o.negated = accept("!");
    const bool minus = !o.negated && accept("-");
    const token t = take();
    o.value = t.value;
    switch (t.kind) {
      case token_kind::integer:
        o.kind = operand_kind::integer;
        if (minus) o.value = 0 - o.value;
        break;
      case token_kind::f32_bits:
        o.kind = operand_kind::f32_bits;
        if (minus) o.value ^= 0x80000000u;
        break;
      case token_kind::f64_bits:
        o.kind = operand_kind::f64_bits;
        if (minus) o.value ^= std::uint64_t{1} << 63;
        break;
      case token_kind::word:
        if (t.text[0] == '.') file_.fail(t.where, "expected an operand");
        o.kind = operand_kind::name;
        o.name = t.text;
        o.value = 0;
        o.minus = minus;
        divide_part(o);
        if (accept("|")) {
          o.second = name("a predicate");
        } else if (accept("+")) {
          o.value = offset();
        }
        break;
      default: file_.fail(t.where, "expected an operand, not '" + t.text + "'");
    }
    return o;
  }

  // "%r1.b2" names a byte of %r1.
  static void divide_part(operand& o) {
    static const std::set<std::string> parts = {"b0", "b1", "b2", "b3", "h0", "h1"};
    const std::size_t dot = o.name.rfind('.');
    if (dot == std::string::npos || parts.count(o.name.substr(dot + 1)) == 0) return;
    o.part = o.name.substr(dot + 1);
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

  std::uint64_t offset() {
    const bool minus = accept("-");
    const std::uint64_t value = integer("an offset");
    return minus ? 0 - value : value;
  }

  void address(operand& o, unsigned depth) {
    o.kind = operand_kind::address;
    if (peek().kind == token_kind::word && peek().text[0] != '.') {
      o.name = take().text;
      if (accept("+"))
        o.value = offset();
      else if (accept("-"))
        o.value = 0 - integer("an offset");
    } else {
      o.value = offset();
    }
    while (accept(",")) o.elements.push_back(parse_operand(depth + 1));
    expect("]");
  }

  const source_file& file_;
  std::vector<token> tokens_;
  std::size_t position_ = 0;
  unsigned source_line_ = 0;
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

}  // namespace gt200::ptx
