#include "apps/support/direct_launch.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>

#include "toolchain/error.h"
#include "toolchain/launch/element_type.h"
#include "toolchain/real_number.h"

namespace gt200::apps {
namespace {

constexpr const char* place = "command line";
constexpr std::array<const char*, 3> contents = {"zeros", "iota", "random"};

struct argument_text {
  std::string name;  // empty: none given
  std::string type;
  std::string count;  // empty: a scalar
  std::string value;  // what follows '=', with content for a buffer
};

[[noreturn]] void fail(const std::string& option, const std::string& text, const std::string& reason) {
  throw input_error(place, 0, fmt::format("{} '{}' {}", option, text, reason));
}

argument_text split(const std::string& text) {
  argument_text result;
  const std::size_t equals = text.find('=');
  std::string head = text.substr(0, equals);
  if (equals != std::string::npos) result.value = text.substr(equals + 1);
  const std::size_t colon = head.find(':');
  if (colon != std::string::npos) {
    result.name = head.substr(0, colon);
    head.erase(0, colon + 1);
  }
  const std::size_t bracket = head.find('[');
  result.type = head.substr(0, bracket);
  const bool is_buffer = bracket != std::string::npos;
  if (is_buffer && head.back() == ']') result.count = head.substr(bracket + 1, head.size() - bracket - 2);
  if (!launch::parse_element_type(result.type) || is_buffer == result.count.empty() ||
      (!is_buffer && result.value.empty()))
    fail("--arg", text,
         "is neither TYPE=VALUE nor TYPE[COUNT] nor TYPE[COUNT]=zeros|iota|random|@FILE; types are u8 s8 u16 s16 "
         "u32 s32 u64 s64 f32 f64, a name and a colon may stand before them");
  return result;
}

// As a TOML string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// "X" or "X,Y" or "X,Y,Z" as a TOML array.
std::string dimensions(const std::string& option, const std::string& text) {
  for (const char c : text)
    if ((c < '0' || c > '9') && c != ',') fail(option, text, "is not numbers with commas between them");
  if (text.empty() || text.front() == ',' || text.back() == ',' || text.find(",,") != std::string::npos)
    fail(option, text, "is not numbers with commas between them");
  return "[" + text + "]";
}

// A number of single precision is rounded once.
real_number<double> double_of(const real_number<float>& single) {
  return {static_cast<double>(single.value), single.length, single.is_too_small, single.is_too_large};
}

std::string number(const std::string& text, const argument_text& argument) {
  if (argument.type[0] != 'f') return quoted(argument.value);  // an expression
  const bool is_single = argument.type == "f32";
  const auto read = is_single ? double_of(whole_real<float>(argument.value)) : whole_real<double>(argument.value);
  if (std::isnan(read.value) && argument.value != "nan") fail("--arg", text, "has a NaN that is not written nan");
  if (read.length == 0) fail("--arg", text, "has no number behind '='");
  if (read.is_too_large)
    throw input_error(place, 0, fmt::format("'value': {} does not fit the type {}", argument.value, argument.type));
  return fmt::format("{:.17g}", read.value);
}

std::string content_of(const std::string& text, const argument_text& argument) {
  if (argument.value.empty()) return "init = \"zeros\"";
  if (argument.value[0] == '@') return "file = " + quoted(argument.value.substr(1));
  for (const char* known : contents)
    if (argument.value == known) return "init = " + quoted(argument.value);
  fail("--arg", text, "starts with none of zeros, iota, random, @FILE");
}

std::string entry_of(const direct_launch_options& options, const cubin::module& module) {
  if (!options.entry.empty()) return options.entry;
  if (module.kernels.size() == 1) return module.kernels.front().name;
  std::string names;
  for (const auto& kernel : module.kernels) names += (names.empty() ? "" : ", ") + kernel.name;
  throw input_error(place, 0, "--entry has to name one of the program's kernels: " + names);
}

// Drops line numbers: they refer to the text generated here, which the user does not see.
std::string without_line(std::string message) {
  const std::string prefix = std::string(place) + ":";
  if (message.compare(0, prefix.size(), prefix) != 0) return message;
  std::size_t end = prefix.size();
  while (end < message.size() && message[end] >= '0' && message[end] <= '9') ++end;
  return end > prefix.size() && message[end] == ':' ? message.erase(prefix.size(), end + 1 - prefix.size())
                                                    : message;
}

}  // namespace

void add_direct_launch_options(CLI::App& command, direct_launch_options& options) {
  auto* block = command.add_option("--block", options.block, "threads of a block: a launch without a description")
                    ->type_name("X[,Y[,Z]]");
  command.add_option("--grid", options.grid, "blocks of the grid")->type_name("X[,Y[,Z]]")->needs(block);
  command
      .add_option("--arg", options.arguments,
                  "next argument of the kernel, repeatable: u32=7, f32=0.5, or a buffer f32[1024], which may be "
                  "=iota, =random or =@FILE, and have a name: A:f32[1024]")
      ->type_name("TYPE...")
      ->allow_extra_args(false)
      ->needs(block);
  command.add_option("--entry", options.entry, "kernel to launch, where the program has several")
      ->type_name("NAME")
      ->needs(block);
  command.add_option("--shared", options.shared, "bytes of dynamic shared memory")
      ->type_name("BYTES")
      ->needs(block);
  command.add_flag("--warp-synchronous", options.warp_synchronous, warp_synchronous_help)->needs(block);
}

std::string text_of_launch(const direct_launch_options& options, const std::string& source,
                           const cubin::module& module) {
  std::string buffers;
  std::string arguments;
  for (std::size_t i = 0; i < options.arguments.size(); ++i) {
    const std::string& text = options.arguments[i];
    const argument_text argument = split(text);
    if (!arguments.empty()) arguments += ", ";
    if (argument.count.empty()) {
      arguments += fmt::format("{{ type = \"{}\", value = {} }}", argument.type, number(text, argument));
      continue;
    }
    const std::string name = argument.name.empty() ? fmt::format("arg{}", i) : argument.name;
    buffers += fmt::format("[[buffer]]\nname = {}\ntype = \"{}\"\ncount = {}\n{}\n", quoted(name), argument.type,
                           quoted(argument.count), content_of(text, argument));
    arguments += quoted(name);
  }
  return fmt::format(
      "schema = 1\nsource = {}\nwarp_synchronous = {}\n{}[[step]]\nlaunch = {}\ngrid = {}\nblock = "
      "{}\ndynamic_shared = {}\narguments = [{}]\n",
      quoted(source), options.warp_synchronous, buffers, quoted(entry_of(options, module)),
      dimensions("--grid", options.grid), dimensions("--block", options.block), options.shared, arguments);
}

launch::description describe_launch(const direct_launch_options& options, const std::string& source,
                                    const cubin::module& module, std::optional<std::uint32_t> seed) {
  const std::string text = text_of_launch(options, source, module);
  launch::overrides changes;
  changes.source = source;
  changes.seed = seed;
  try {
    launch::description result = launch::parse(text, place, changes);
    for (launch::buffer& b : result.buffers) b.line = 0;
    for (launch::step& s : result.steps) s.line = 0;
    return result;
  } catch (const input_error& error) {
    throw input_error(without_line(error.what()));
  }
}

}  // namespace gt200::apps
