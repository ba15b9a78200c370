// Messages between a CUDA program and the worker process of a device: numbers, texts and bytes one after the other.
//
// Both ends are built from the same sources and run on the same machine, so numbers are sent as they are in memory.
// A reader that runs beyond the end throws short_message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace gt200::cudart {

struct short_message : std::runtime_error {
  short_message() : std::runtime_error("a message between a CUDA program and its worker is too short") {}
};

class message_writer {
 public:
  template <class T>
  message_writer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "texts and bytes have functions of their own");
    return raw(&value, sizeof value);
  }
  message_writer& text(const std::string& value) { return bytes(value.data(), value.size()); }
  // The number of bytes, then the bytes.
  message_writer& bytes(const void* data, std::size_t count) {
    put<std::uint64_t>(count);
    return raw(data, count);
  }

  const std::vector<std::uint8_t>& content() const { return content_; }

 private:
  message_writer& raw(const void* data, std::size_t count) {
    const std::size_t at = content_.size();
    content_.resize(at + count);
    if (count != 0) std::memcpy(content_.data() + at, data, count);
    return *this;
  }

  std::vector<std::uint8_t> content_;
};

class message_reader {
 public:
  message_reader() = default;
  explicit message_reader(std::vector<std::uint8_t> content) : content_(std::move(content)) {}

  bool has_more() const { return at_ < content_.size(); }

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>, "texts and bytes have functions of their own");
    T value;
    std::memcpy(&value, raw(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const std::size_t count = length();
    return {reinterpret_cast<const char*>(raw(count)), count};
  }
  // Valid as long as the reader.
  const std::uint8_t* bytes(std::size_t& count) {
    count = length();
    return raw(count);
  }
  std::vector<std::uint8_t> bytes() {
    std::size_t count = 0;
    const std::uint8_t* from = bytes(count);
    return {from, from + count};
  }

 private:
  std::size_t length() { return static_cast<std::size_t>(get<std::uint64_t>()); }
  const std::uint8_t* raw(std::size_t count) {
    if (count > content_.size() - at_) throw short_message();
    const std::uint8_t* from = content_.data() + at_;
    at_ += count;
    return from;
  }

  std::vector<std::uint8_t> content_;
  std::size_t at_ = 0;
};

}  // namespace gt200::cudart
