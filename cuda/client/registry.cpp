#include "cuda/client/registry.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "toolchain/cuda/container_head.h"

namespace gt200::cudart {
namespace {

// What clang puts around the device code of an object file.
struct wrapper_head {
  std::int32_t mark;
  std::int32_t version;
  const void* code;
  const void* unused;
};

// Begin of the program or shared object in which an address lies.
const void* object_of(const void* address) {
  Dl_info found{};
  return dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

bool lies_in_library(const void* address) {
  const void* const program = object_of(reinterpret_cast<const void*>(getauxval(AT_PHDR)));
  return program != nullptr && object_of(address) != program;
}

}  // namespace

binary* registry::add_binary(const void* wrapper) {
  auto code = std::make_unique<binary>();
  code->container = static_cast<const wrapper_head*>(wrapper)->code;
  cuda::container_head head = {};
  std::memcpy(&head, code->container, sizeof head);
  code->of_library = head.relocatable == 0 && lies_in_library(wrapper);
  if (head.mark == cuda::container_mark)
    code->bytes = head.bytes;
  else
    std::fprintf(stderr,
                 "gt200: device code of this program was not compiled by gt200 nvcc; its kernels are missing\n");
  binaries_.push_back(std::move(code));
  return binaries_.back().get();
}

void registry::remove_binary(const binary* code) {
  for (table* t : {&kernels_, &variables_, &textures_})
    for (auto entry = t->begin(); entry != t->end();)
      entry = entry->second.code == code ? t->erase(entry) : std::next(entry);
  binaries_.erase(std::remove_if(binaries_.begin(), binaries_.end(),
                                 [&](const std::unique_ptr<binary>& b) { return b.get() == code; }),
                  binaries_.end());
}

const registered* registry::variable(const void* host_or_name) const {
  if (host_or_name == nullptr) return nullptr;
  if (const registered* found = find(variables_, host_or_name)) return found;
  for (const auto& [host, entry] : variables_)
    if (std::strncmp(entry.name.c_str(), static_cast<const char*>(host_or_name), entry.name.size() + 1) == 0)
      return &entry;
  return nullptr;
}

const void* registry::texture_named(const char* name) const {
  for (const auto& [host, entry] : textures_)
    if (entry.name == name) return host;
  return nullptr;
}

}  // namespace gt200::cudart
