#include "toolchain/cuda/container.h"

#include <cstring>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

void append(std::string& to, const void* from, std::size_t bytes) {
  to.append(static_cast<const char*>(from), bytes);
}

void append_number(std::string& to, std::size_t number) {
  const auto bits = static_cast<std::uint32_t>(number);
  append(to, &bits, sizeof bits);
}

void append_text(std::string& to, const std::string& text) {
  append_number(to, text.size());
  to += text;
}

std::uint32_t take_number(std::string_view& from) {
  std::uint32_t number = 0;
  if (from.size() < sizeof number) throw input_error("a container of device code is cut off");
  std::memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return number;
}

std::string take_text(std::string_view& from) {
  const std::uint32_t bytes = take_number(from);
  if (from.size() < bytes) throw input_error("a container of device code is cut off");
  const std::string text(from.substr(0, bytes));
  from.remove_prefix(bytes);
  return text;
}

}  // namespace

std::string pack(const container& content) {
  container_head head = {
      container_mark, 0, content.max_registers, content.contract ? 1u : 0u, content.relocatable ? 1u : 0u, 0};
  std::string bytes;
  append(bytes, &head, sizeof head);
  append_text(bytes, content.source_file);
  append_number(bytes, content.variants.size());
  for (const variant& v : content.variants) {
    append_number(bytes, v.capability);
    append_text(bytes, v.ptx);
    append_text(bytes, v.cpu_image);
    append_text(bytes, v.refusal);
  }
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
  content.relocatable = head.relocatable != 0;
  content.source_file = take_text(bytes);
  const std::uint32_t variants = take_number(bytes);
  for (std::uint32_t k = 0; k < variants; ++k) {
    const std::uint32_t capability = take_number(bytes);
    std::string ptx = take_text(bytes);
    std::string cpu_image = take_text(bytes);
    content.variants.push_back({capability, std::move(ptx), std::move(cpu_image), take_text(bytes)});
  }
  if (content.variants.empty()) throw input_error("a container of device code is empty");
  return content;
}

const variant& variant_for(const container& content, unsigned capability) {
  const variant* best = nullptr;
  const variant* refused = nullptr;
  for (const variant& v : content.variants) {
    if (v.capability > capability) continue;
    (v.refusal.empty() ? best : refused) = &v;
  }
  if (best != nullptr) return *best;
  // Capabilities of Tesla differ in single instructions: kernels that have none of them run.
  constexpr unsigned fermi = 20;
  for (const variant& v : content.variants)
    if (v.refusal.empty() && v.capability < fermi && capability < fermi) return v;
  const auto name = [](unsigned c) { return std::to_string(c / 10) + "." + std::to_string(c % 10); };
  std::string compiled;
  for (const variant& v : content.variants)
    if (v.refusal.empty()) compiled += (compiled.empty() ? "" : ", ") + name(v.capability);
  const std::string reason = refused == nullptr ? "" : ": " + refused->refusal;
  throw no_variant(content.source_file, 0,
                   "there is no code for a device of compute capability " + name(capability) + " (there is for " +
                       compiled + ")" + reason);
}

}  // namespace gt200::cuda
