// TOML text as a tree, by toml++. Include this header instead of toml++ itself.
//
// toml++ 3.3 ends the program by an assertion for some malformed headers ("[=]"); here its assertions become
// exceptions. All translation units must agree on that, hence one header.
#pragma once

#include <stdexcept>
#include <string>

#include "toolchain/error.h"

namespace gt200 {
struct toml_assertion : std::logic_error {
  using std::logic_error::logic_error;
};
constexpr void check_toml(bool holds, const char* what) {
  if (!holds) throw toml_assertion(what);
}
}  // namespace gt200

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) gt200::check_toml(static_cast<bool>(expr), #expr)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace gt200 {

// `file` is for messages. Throws input_error with file and line.
inline toml::table parse_toml(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw input_error(file, static_cast<unsigned>(error.source().begin.line), std::string(error.description()));
  } catch (const toml_assertion&) {
    throw input_error(file, 0, "malformed TOML: a table header or key begins with an impossible character");
  }
}

}  // namespace gt200
