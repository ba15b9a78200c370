// The bare grammar of text cubins, without any meaning: a tree of blocks, values and words.
//
//   content := ( key '=' value | key '{' content '}' | word )*
//
// White space separates (around '=' and braces it is optional). Line breaks carry no meaning, so a cubin flattened
// into one line reads the same. A backslash before a line break and quotation marks, as left behind when a cubin
// was cut out of a C string literal, count as white space.
// Source: 94 files written by the CUDA 1.x compiler, and cubins embedded in host programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gt200::cubin {

struct text_word {
  std::string text;
  unsigned line = 0;
};

// A block, or a `key = value` entry (then `words` holds exactly the value and `is_block` is false).
struct text_node {
  std::string key;
  unsigned line = 0;
  bool is_block = false;
  std::vector<text_word> words;
  std::vector<text_node> children;
};

// The root node has no key. `file` is for messages only. Throws input_error for unbalanced braces, a missing key or
// value, and a character that no cubin contains.
text_node parse_text_tree(std::string_view text, const std::string& file);

}  // namespace gt200::cubin
