#include "toolchain/cuda/container.h"

#include <cstring>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

void append(std::string& to, const void* from, std::size_t bytes) {
  to.append(static_cast<const char*>(from), bytes);
}

void append_text(std::string& to, const std::string& text) {
  const auto bytes = static_cast<std::uint32_t>(text.size());
  append(to, &bytes, sizeof bytes);
  to += text;
}

std::string take_text(std::string_view& from) {
  std::uint32_t bytes = 0;
  if (from.size() < sizeof bytes) throw input_error("a container of device code is cut off");
  std::memcpy(&bytes, from.data(), sizeof bytes);
  from.remove_prefix(sizeof bytes);
  if (from.size() < bytes) throw input_error("a container of device code is cut off");
  const std::string text(from.substr(0, bytes));
  from.remove_prefix(bytes);
  return text;
}

}  // namespace

std::string pack(const container& content) {
  container_head head = {container_mark, 0, content.max_registers, content.contract ? 1u : 0u};
  std::string bytes;
  append(bytes, &head, sizeof head);
  append_text(bytes, content.source_file);
  append_text(bytes, content.ptx);
  head.bytes = bytes.size();
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

container unpack(std::string_view bytes) {
  container_head head = {};
  if (bytes.size() < sizeof head) throw input_error("this is no container of device code");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.mark != container_mark) throw input_error("this is no container of device code");
  if (head.bytes != bytes.size()) throw input_error("a container of device code is cut off");
  bytes.remove_prefix(sizeof head);
  container content;
  content.max_registers = head.max_registers;
  content.contract = head.contract != 0;
  content.source_file = take_text(bytes);
  content.ptx = take_text(bytes);
  return content;
}

}  // namespace gt200::cuda
