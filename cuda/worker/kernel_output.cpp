#include "cuda/worker/kernel_output.h"

#include <cstdio>
#include <cstring>

#include "toolchain/cuda/kernel_library.h"

namespace gt200::cudart {
namespace {

class formatter {
 public:
  formatter(const std::string& format, const std::vector<std::uint64_t>& values,
            const std::function<std::string(std::uint64_t)>& text_at)
      : format_(format), values_(values), text_at_(text_at) {}

  std::string run() {
    for (std::size_t at = 0; at < format_.size();) {
      if (format_[at] != '%') {
        text_ += format_[at++];
        continue;
      }
      const std::size_t end = format_.find_first_not_of("0123456789.+- #*hlLqjzt", at + 1);
      if (end == std::string::npos) {
        text_ += format_.substr(at);
        break;
      }
      conversion(format_.substr(at, end - at), format_[end]);
      at = end + 1;
    }
    return std::move(text_);
  }

 private:
  std::uint64_t next() { return used_ < values_.size() ? values_[used_++] : 0; }

  // `form`: "%-5.2ll". What is no conversion stays as it is.
  void conversion(std::string form, char kind) {
    if (kind == '%') {
      text_ += '%';
      return;
    }
    for (std::size_t star = form.find('*'); star != std::string::npos; star = form.find('*'))
      form.replace(star, 1, std::to_string(static_cast<int>(next())));
    // 'l' and the like: values of 64 bits.
    const std::size_t length = form.find_first_of("hlLqjzt");
    const std::string modifier = length == std::string::npos ? "" : form.substr(length);
    if (length != std::string::npos) form.resize(length);
    const bool is_wide = !modifier.empty() && modifier[0] != 'h' && modifier[0] != 'L';
    switch (kind) {
      case 'd':
      case 'i': {
        std::int64_t v = static_cast<std::int64_t>(next());
        if (!is_wide) v = static_cast<std::int32_t>(v);
        if (modifier == "h") v = static_cast<std::int16_t>(v);
        if (modifier == "hh") v = static_cast<std::int8_t>(v);
        return append((form + "lld").c_str(), static_cast<long long>(v));
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        std::uint64_t v = next();
        if (!is_wide) v = static_cast<std::uint32_t>(v);
        if (modifier == "h") v = static_cast<std::uint16_t>(v);
        if (modifier == "hh") v = static_cast<std::uint8_t>(v);
        return append((form + "ll" + kind).c_str(), static_cast<unsigned long long>(v));
      }
      case 'c': return append((form + "c").c_str(), static_cast<int>(next()));
      case 'p': return append((form + "p").c_str(), reinterpret_cast<void*>(next()));
      case 's': return append((form + "s").c_str(), text_at_(next()).c_str());
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const std::uint64_t bits = next();
        double v = 0;
        std::memcpy(&v, &bits, sizeof v);
        return append((form + kind).c_str(), v);
      }
      default: text_ += form + modifier + kind;
    }
  }

  template <class T>
  void append(const char* form, T value) {
    // The form has one conversion, which fits the value: conversion() made it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int length = std::snprintf(nullptr, 0, form, value);
    if (length <= 0) return;
    std::string piece(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(piece.data(), piece.size(), form, value);
#pragma GCC diagnostic pop
    piece.pop_back();
    text_ += piece;
  }

  const std::string& format_;
  const std::vector<std::uint64_t>& values_;
  const std::function<std::string(std::uint64_t)>& text_at_;
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace

kernel_output output_of(const std::vector<std::uint8_t>& ring, std::uint32_t position,
                        const std::function<std::string(std::uint64_t)>& text_at) {
  kernel_output output;
  if (ring.empty()) return output;
  constexpr std::uint64_t word = 8;
  const auto word_at = [&](std::uint64_t at) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, ring.data() + (at & (ring.size() - 1)), sizeof bits);
    return bits;
  };
  // A kernel may have written anything to the position.
  const std::uint64_t last = position / word * word;
  std::uint64_t at = last > ring.size() ? last - ring.size() : 0;
  while (at < last) {
    const std::uint64_t head = word_at(at);
    const std::uint64_t end = at + word * (cuda::values_of_record(head) + 2);
    if (head >> 48 != cuda::print_mark || static_cast<std::uint32_t>(head) != at || end > last) {
      at += word;
      continue;
    }
    std::vector<std::uint64_t> values;
    for (std::uint64_t k = at + 2 * word; k < end; k += word) values.push_back(word_at(k));
    (cuda::is_assertion(head) ? output.assertions : output.text) +=
        formatter(text_at(word_at(at + word)), values, text_at).run();
    at = end;
  }
  return output;
}

}  // namespace gt200::cudart
