// Reading launch.toml.
#include "toolchain/launch/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/abi.h"
#include "toolchain/launch/nearest.h"
#include "toolchain/launch/strict_table.h"
#include "toolchain/launch/texture_table.h"
#include "toolchain/toml_file.h"

namespace gt200::launch {
namespace {

constexpr std::int64_t schema_version = 1;
constexpr std::int64_t max_repeats = 1000000;
// 32-bit addresses: no buffer can be larger.
constexpr std::uint64_t max_buffer_bytes = 0xffffffffu;
constexpr std::int64_t max_constant_bytes = 65536;

class description_reader {
 public:
  description_reader(const std::string& path, const overrides& changes)
      : folder_(std::filesystem::path(path).parent_path()), changes_(changes) {
    context_.file = path;
    result_.file = path;
  }

  description read(const toml::table& root) {
    const strict_table table(root, "the launch description", context_,
                             {"schema", "source", "seed", "requires", "warp_synchronous", "parameters", "assert",
                              "buffer", "texture", "constant", "step", "expect"});
    table.integer("schema", schema_version, schema_version);
    const std::string source = table.text("source");
    result_.source = changes_.source ? *changes_.source : resolve(source);
    result_.seed = static_cast<std::uint32_t>(table.integer_or("seed", 0, 0, UINT32_MAX));
    if (changes_.seed) result_.seed = *changes_.seed;
    read_requirements(table);
    result_.warp_synchronous = table.flag_or("warp_synchronous", false);
    read_parameters(table);
    for (const toml::table* t : table.tables("assert")) check_assertion(*t);
    for (const toml::table* t : table.tables("buffer")) read_buffer(*t);
    check_random_groups();
    for (const toml::table* t : table.tables("texture")) read_texture_table(*t);
    for (const toml::table* t : table.tables("constant")) read_constant(*t);
    result_.steps = read_steps(table.tables("step"), 0);
    if (result_.steps.empty()) table.fail("there is no [[step]]");
    for (const toml::table* t : table.tables("expect")) read_expectation(*t);
    return std::move(result_);
  }

 private:
  std::string resolve(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  void read_requirements(const strict_table& root) {
    if (!root.has("requires")) return;
    result_.required_line = root.line_of("requires");
    std::vector<std::string> names;
    std::string known;
    for (const feature& f : features) known += (known.empty() ? "" : ", ") + names.emplace_back(f.name);
    for (const std::string& word : root.words("requires")) {
      const auto found = std::find(names.begin(), names.end(), word);
      if (found == names.end()) {
        const std::string hint = suggestion(word, names);
        root.fail("requires", fmt::format("has '{}', known are {}{}", word, known, hint));
      }
      result_.required.push_back(&features[static_cast<std::size_t>(found - names.begin())]);
    }
  }

  void read_parameters(const strict_table& root) {
    if (root.has("parameters")) {
      for (const auto& [key, node] : root.table("parameters")) {
        const auto value = node.value_exact<std::int64_t>();
        if (!value) root.fail_at(node, fmt::format("parameter '{}' must be an integer", key.str()));
        result_.parameters.emplace(std::string(key.str()), *value);
      }
    }
    for (const auto& [name, value] : changes_.parameters) {
      const auto found = result_.parameters.find(name);
      if (found == result_.parameters.end()) {
        const std::string hint = suggestion(name, parameter_names());
        throw input_error(context_.file, 0, fmt::format("there is no parameter '{}' to set{}", name, hint));
      }
      found->second = value;
    }
    context_.names = result_.parameters;
  }

  void check_assertion(const toml::table& node) const {
    const strict_table table(node, "[[assert]]", context_, {"that", "message"});
    const std::string that = table.text("that");
    const std::string message = table.text("message");
    std::string reason;
    const auto holds = parameters_satisfy(that, context_.names, reason);
    if (!holds) table.fail("that", reason);
    if (*holds) return;
    std::string values;
    for (const auto& [name, value] : result_.parameters)
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
    table.fail(fmt::format("{}; {} does not hold with {}", message, that, values));
  }

  std::vector<std::string> parameter_names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : result_.parameters) names.push_back(name);
    return names;
  }

  const buffer& known_buffer(const strict_table& table, std::string_view key, const std::string& name) const {
    const buffer* found = result_.find_buffer(name);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const buffer& b : result_.buffers) names.push_back(b.name);
      const std::string hint = suggestion(name, names);
      table.fail(key, fmt::format("names the unknown buffer '{}'{}", name, hint));
    }
    return *found;
  }

  void read_buffer(const toml::table& node) {
    const strict_table table(
        node, "[[buffer]]", context_,
        {"name", "type", "count", "init", "values", "file", "generator", "random_group", "modulo"});
    buffer b;
    b.line = table.line();
    b.name = table.text("name");
    if (result_.find_buffer(b.name) != nullptr) table.fail("name", fmt::format("'{}' is given twice", b.name));
    if (table.count_of({"init", "values", "file", "generator"}) != 1)
      table.fail(fmt::format("buffer '{}' needs exactly one of init, values, file, generator", b.name));
    read_content(table, b);
    result_.buffers.push_back(std::move(b));
  }

  // Type, number of elements and what they hold, of a buffer or of constants.
  void read_content(const strict_table& table, buffer& b) const {
    b.type = table.type("type");
    if (table.has("init")) read_named_content(table, b);
    if (table.has("values")) {
      b.init = initial_content::values;
      b.values = table.values("values", b.type);
    }
    if (table.has("file")) {
      b.init = initial_content::file;
      b.path = resolve(table.text("file"));
    }
    if (table.has("generator")) {
      b.init = initial_content::generator;
      b.generator = table.text("generator");
    }
    if (b.init != initial_content::random && table.has("random_group"))
      table.fail("random_group", "needs init = \"random\"");
    if (b.init != initial_content::random && table.has("modulo")) table.fail("modulo", "needs init = \"random\"");
    read_count(table, b);
  }

  void read_texture_table(const toml::table& node) {
    const strict_table table(node, "[[texture]]", context_, texture_keys);
    texture t = read_texture(table, known_buffer(table, "buffer", table.text("buffer")));
    for (const texture& other : result_.textures)
      if (other.name == t.name && other.unit == t.unit)
        table.fail(t.name.empty() ? fmt::format("texture unit {} is given twice", t.unit)
                                  : fmt::format("texture '{}' is given twice", t.name));
    result_.textures.push_back(std::move(t));
  }

  void read_constant(const toml::table& node) {
    const strict_table table(node, "[[constant]]", context_,
                             {"symbol", "bank", "offset", "type", "count", "init", "values", "file", "modulo"});
    constant c;
    if (table.count_of({"symbol", "bank"}) != 1) table.fail("a [[constant]] needs exactly one of symbol, bank");
    if (table.has("symbol")) c.symbol = table.text("symbol");
    if (table.has("bank")) c.bank = static_cast<std::uint8_t>(table.integer("bank", 0, 15));
    if (c.bank == 1 || c.bank == 14)
      table.fail("bank", "is for user constants: 1 holds the literals of kernels, 14 addresses of variables");
    c.offset = static_cast<std::uint32_t>(table.integer_or("offset", 0, 0, max_constant_bytes - 1));
    c.content.name =
        fmt::format("constant {}[{:#x}]", c.symbol.empty() ? fmt::format("c{}", c.bank) : c.symbol, c.offset);
    c.content.line = table.line();
    for (const constant& other : result_.constants)
      if (other.content.name == c.content.name) table.fail(fmt::format("{} is given twice", c.content.name));
    if (table.count_of({"init", "values", "file"}) != 1)
      table.fail(fmt::format("{} needs exactly one of init, values, file", c.content.name));
    read_content(table, c.content);
    if (c.offset + c.content.bytes() > max_constant_bytes)
      table.fail(fmt::format("{} takes {} bytes, which end behind the {} of a bank", c.content.name,
                             c.content.bytes(), max_constant_bytes));
    result_.constants.push_back(std::move(c));
  }

  static void read_named_content(const strict_table& table, buffer& b) {
    const std::string name = table.text("init");
    if (name == "zeros")
      b.init = initial_content::zeros;
    else if (name == "iota")
      b.init = initial_content::iota;
    else if (name == "random")
      b.init = initial_content::random;
    else
      table.fail("init", fmt::format("is '{}', allowed are zeros, iota, random", name));
    b.random_group = table.text_or("random_group", "");
    if (table.has("modulo")) {
      if (is_float(b.type)) table.fail("modulo", "is for integer types");
      b.modulo = static_cast<std::uint32_t>(table.integer("modulo", 1, 1 << 24));
    }
  }

  static void read_count(const strict_table& table, buffer& b) {
    const std::uint64_t given = b.values.size() / size_of(b.type);
    const auto max = static_cast<std::int64_t>(max_buffer_bytes / size_of(b.type));
    if (given > 0 && !table.has("count"))
      b.count = given;
    else
      b.count = static_cast<std::uint64_t>(table.integer("count", 1, max));
    if (given > b.count) table.fail("values", fmt::format("has {} elements, but count is {}", given, b.count));
  }

  void check_random_groups() const {
    for (const buffer& b : result_.buffers)
      for (const buffer& other : result_.buffers)
        if (!b.random_group.empty() && b.random_group == other.random_group && b.count != other.count)
          throw input_error(
              context_.file, other.line,
              fmt::format("buffers '{}' and '{}' draw in turn (random_group '{}'), but have {} and {} "
                          "elements",
                          b.name, other.name, b.random_group, b.count, other.count));
  }

  std::vector<step> read_steps(const std::vector<const toml::table*>& tables, int depth) const {
    std::vector<step> steps;
    for (const toml::table* node : tables) {
      const strict_table table(*node, "[[step]]", context_,
                               {"launch", "grid", "block", "dynamic_shared", "arguments", "fill", "value", "set",
                                "first", "values", "repeat", "repeat_while", "step"});
      step& s = steps.emplace_back();
      s.line = table.line();
      if (table.has("launch"))
        s.action = read_launch(*node);
      else if (table.has("fill"))
        s.action = read_fill(*node);
      else if (table.has("set"))
        s.action = read_set(*node);
      else if (table.has("repeat") || table.has("repeat_while"))
        s.action = read_repeat(*node, depth);
      else
        table.fail("a [[step]] needs one of launch, fill, set, repeat, repeat_while");
    }
    return steps;
  }

  launch_step read_launch(const toml::table& node) const {
    const strict_table table(node, "a launch step", context_,
                             {"launch", "grid", "block", "dynamic_shared", "arguments"});
    launch_step s;
    s.kernel = table.text("launch");
    const auto grid = table.integers("grid", 3, 1, max_grid);
    std::copy(grid.begin(), grid.end(), s.grid.begin());
    const auto block = table.integers("block", 3, 1, max_block[0]);
    std::copy(block.begin(), block.end(), s.block.begin());
    s.dynamic_shared = static_cast<std::uint32_t>(table.integer_or("dynamic_shared", 0, 0, max_shared_bytes));
    if (table.has("arguments"))
      for (const toml::node& argument_node : table.array("arguments"))
        s.arguments.push_back(read_argument(table, argument_node));
    return s;
  }

  argument read_argument(const strict_table& parent, const toml::node& node) const {
    argument a;
    if (const auto name = node.value_exact<std::string>()) {
      a.buffer = known_buffer(parent, "arguments", *name).name;
      return a;
    }
    if (!node.is_table())
      parent.fail_at(node,
                     "an argument is the name of a buffer or a table { type, value } or { buffer, offset, type }");
    const strict_table table(*node.as_table(), "an argument", context_, {"type", "value", "buffer", "offset"});
    if (table.has("buffer")) {
      if (table.has("value")) table.fail("value", "does not go with 'buffer'");
      const buffer& b = known_buffer(table, "buffer", table.text("buffer"));
      a.buffer = b.name;
      a.offset = static_cast<std::uint32_t>(table.integer_or("offset", 0, 0, static_cast<std::int64_t>(b.bytes())));
      a.type_given = table.has("type");
      if (a.type_given) a.type = table.type("type");
      if (a.type != element_type::u32 && a.type != element_type::u64)
        table.fail("type", "of an address must be u32 or u64");
    } else {
      a.type_given = true;
      a.type = table.type("type");
      a.bytes = table.value("value", a.type);
    }
    return a;
  }

  fill_step read_fill(const toml::table& node) const {
    const strict_table table(node, "a fill step", context_, {"fill", "value"});
    const buffer& b = known_buffer(table, "fill", table.text("fill"));
    return {b.name, table.value("value", b.type)};
  }

  set_step read_set(const toml::table& node) const {
    const strict_table table(node, "a set step", context_, {"set", "first", "values"});
    const buffer& b = known_buffer(table, "set", table.text("set"));
    set_step s;
    s.buffer = b.name;
    s.first = static_cast<std::uint64_t>(table.integer_or("first", 0, 0, static_cast<std::int64_t>(b.count) - 1));
    s.values = table.values("values", b.type);
    const std::uint64_t given = s.values.size() / size_of(b.type);
    if (given > b.count - s.first)
      table.fail("values", fmt::format("has {} elements from {} on, but buffer '{}' has {}", given, s.first, b.name,
                                       b.count));
    return s;
  }

  repeat_step read_repeat(const toml::table& node, int depth) const {
    const strict_table table(node, "a repeat step", context_, {"repeat", "repeat_while", "step"});
    if (depth > 3) table.fail("repeat steps are nested too deeply");
    repeat_step s;
    s.count = static_cast<std::uint64_t>(table.integer_or("repeat", max_repeats, 1, max_repeats));
    if (table.has("repeat_while")) s.repeat_while = read_condition(table);
    s.body = read_steps(table.tables("step"), depth + 1);
    if (s.body.empty()) table.fail("a repeat step needs at least one [[step.step]]");
    return s;
  }

  condition read_condition(const strict_table& table) const {
    std::string reason;
    auto result = parse_condition(table.text("repeat_while"), context_.names, reason);
    if (!result) table.fail("repeat_while", reason);
    const buffer& b = known_buffer(table, "repeat_while", result->buffer);
    if (result->index >= b.count)
      table.fail("repeat_while",
                 fmt::format("names element {} of buffer '{}', which has {}", result->index, b.name, b.count));
    return *result;
  }

  bool condition_holds(const toml::table& when) const {
    std::vector<std::string> names = parameter_names();
    names.emplace_back("seed");
    bool holds = true;
    for (const auto& [key, node] : when) {
      const std::string name(key.str());
      const unsigned line = static_cast<unsigned>(node.source().begin.line);
      const auto value = node.value_exact<std::int64_t>();
      if (!value) throw input_error(context_.file, line, fmt::format("'when.{}' must be an integer", name));
      const auto found = result_.parameters.find(name);
      if (found == result_.parameters.end() && name != "seed") {
        const std::string hint = suggestion(name, names);
        throw input_error(context_.file, line,
                          fmt::format("'when' names the unknown parameter '{}'{}", name, hint));
      }
      holds = holds && *value == (found != result_.parameters.end() ? found->second : std::int64_t{result_.seed});
    }
    return holds;
  }

  void read_expectation(const toml::table& node) {
    const strict_table table(
        node, "[[expect]]", context_,
        {"buffer", "values", "file", "crc32", "reference", "absolute", "relative", "scaled", "nan", "when"});
    expectation e;
    e.line = table.line();
    const buffer& b = known_buffer(table, "buffer", table.text("buffer"));
    e.buffer = b.name;
    if (table.count_of({"values", "file", "crc32", "reference"}) != 1)
      table.fail("an [[expect]] needs exactly one of values, file, crc32, reference");
    if (table.has("values")) {
      e.kind = expectation_kind::values;
      e.values = table.values("values", b.type);
      if (e.values.size() > b.bytes()) table.fail("values", "has more elements than the buffer");
    } else if (table.has("file")) {
      e.kind = expectation_kind::file;
      e.path = resolve(table.text("file"));
    } else if (table.has("reference")) {
      e.kind = expectation_kind::reference;
      e.reference = table.text("reference");
    } else {
      e.crc32 = read_crc(table);
    }
    read_metric(table, e);
    read_nan_rule(table, b.type, e);
    if (table.has("when")) e.applies = condition_holds(table.table("when"));
    result_.expectations.push_back(std::move(e));
  }

  static std::uint32_t read_crc(const strict_table& table) {
    const std::string digits = table.text("crc32");
    if (digits.size() != 8 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      table.fail("crc32", "must be a string of 8 hexadecimal digits");
    return static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
  }

  static void read_nan_rule(const strict_table& table, element_type type, expectation& e) {
    if (!table.has("nan")) return;
    if (e.kind == expectation_kind::crc32) table.fail("nan", "does not go with 'crc32'");
    if (!is_float(type)) table.fail("nan", "needs a buffer of floating-point numbers");
    const std::string rule = table.text("nan");
    if (rule != "equal" && rule != "same_bits") table.fail("nan", "must be \"equal\" or \"same_bits\"");
    if (rule == "same_bits") e.nan = nan_rule::same_bits;
  }

  static void read_metric(const strict_table& table, expectation& e) {
    if (table.count_of({"absolute", "relative", "scaled"}) > 1)
      table.fail("only one of absolute, relative, scaled is possible");
    const char* key = nullptr;
    if (table.has("absolute")) e.metric = error_metric::absolute, key = "absolute";
    if (table.has("relative")) e.metric = error_metric::relative, key = "relative";
    if (table.has("scaled")) e.metric = error_metric::scaled, key = "scaled";
    if (key == nullptr) return;
    if (e.kind == expectation_kind::crc32) table.fail(key, "does not go with 'crc32'");
    if (e.metric == error_metric::scaled && e.kind != expectation_kind::reference)
      table.fail(key, "needs a 'reference', which supplies the scale");
    e.tolerance = table.number(key);
    if (!std::isfinite(e.tolerance)) table.fail(key, "must be a finite number");
    if (e.tolerance < 0) table.fail(key, "must not be negative");
  }

  std::filesystem::path folder_;
  const overrides& changes_;
  table_context context_;
  description result_;
};

}  // namespace

description parse(const std::string& text, const std::string& path, const overrides& changes) {
  return description_reader(path, changes).read(parse_toml(text, path));
}

description load(const std::string& path, const overrides& changes) {
  return parse(cubin::read_file(path), path, changes);
}

}  // namespace gt200::launch
