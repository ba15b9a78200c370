#include "toolchain/cubin/text_tree.h"

#include <cctype>
#include <utility>

#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

// No real cubin nests deeper than code / const / mem. The limit keeps hostile input from overflowing the call
// stack.
constexpr int max_depth = 16;

enum class token_kind { word, equals, open, close, end };

struct token {
  token_kind kind = token_kind::end;
  std::string text;
  unsigned line = 0;
};

class tokenizer {
 public:
  tokenizer(std::string_view text, const std::string& file) : text_(text), file_(file) { advance(); }

  const token& peek() const { return current_; }
  token take() {
    token result = std::move(current_);
    advance();
    return result;
  }
  const std::string& file() const { return file_; }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"'; }
  bool at_line_continuation() const {
    return text_[position_] == '\\' && position_ + 1 < text_.size() &&
           (text_[position_ + 1] == '\n' || text_[position_ + 1] == '\r');
  }

  void skip_space() {
    while (position_ < text_.size() && (is_space(text_[position_]) || at_line_continuation())) {
      if (text_[position_] == '\n') ++line_;
      ++position_;
    }
  }

  void advance() {
    skip_space();
    current_ = token{token_kind::end, {}, line_};
    if (position_ == text_.size()) return;
    switch (text_[position_]) {
      case '{': current_.kind = token_kind::open; break;
      case '}': current_.kind = token_kind::close; break;
      case '=': current_.kind = token_kind::equals; break;
      default: current_.kind = token_kind::word; break;
    }
    if (current_.kind != token_kind::word) {
      ++position_;
      return;
    }
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_space(text_[position_]) && !at_line_continuation() &&
           text_[position_] != '{' && text_[position_] != '}' && text_[position_] != '=') {
      if (std::isgraph(static_cast<unsigned char>(text_[position_])) == 0)
        throw input_error(file_, line_, "not a text cubin: unprintable character");
      ++position_;
    }
    current_.text = std::string(text_.substr(start, position_ - start));
  }

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  unsigned line_ = 1;
  token current_;
};

void parse_content(tokenizer& tokens, text_node& node, int depth) {
  if (depth > max_depth) throw input_error(tokens.file(), node.line, "blocks are nested too deeply");
  for (;;) {
    const token first = tokens.take();
    switch (first.kind) {
      case token_kind::end:
        if (depth > 0) throw input_error(tokens.file(), node.line, "'" + node.key + " {' is never closed");
        return;
      case token_kind::close:
        if (depth == 0) throw input_error(tokens.file(), first.line, "'}' without a matching '{'");
        return;
      case token_kind::open: throw input_error(tokens.file(), first.line, "'{' without a block name");
      case token_kind::equals: throw input_error(tokens.file(), first.line, "'=' without a key");
      case token_kind::word: break;
    }
    if (tokens.peek().kind == token_kind::open) {
      tokens.take();
      text_node& block = node.children.emplace_back();
      block.key = first.text;
      block.line = first.line;
      block.is_block = true;
      parse_content(tokens, block, depth + 1);
    } else if (tokens.peek().kind == token_kind::equals) {
      tokens.take();
      if (tokens.peek().kind != token_kind::word)
        throw input_error(tokens.file(), first.line, "'" + first.text + " =' without a value");
      text_node& entry = node.children.emplace_back();
      entry.key = first.text;
      entry.line = first.line;
      const token value = tokens.take();
      entry.words.push_back({value.text, value.line});
    } else {
      node.words.push_back({first.text, first.line});
    }
  }
}

}  // namespace

text_node parse_text_tree(std::string_view text, const std::string& file) {
  tokenizer tokens(text, file);
  text_node root;
  parse_content(tokens, root, 0);
  return root;
}

}  // namespace gt200::cubin
