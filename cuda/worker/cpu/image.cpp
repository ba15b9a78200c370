#include "cuda/worker/cpu/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "toolchain/error.h"

namespace gt200::cudart {
namespace {

// Tables of a shared object that is loaded.
struct dynamic_tables {
  explicit dynamic_tables(const link_map& object) {
    for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) switch (entry->d_tag) {
        case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr); break;
        case DT_STRTAB: names = reinterpret_cast<const char*>(entry->d_un.d_ptr); break;
        case DT_RELA: relocations = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
        case DT_RELASZ: count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        default: break;
      }
  }
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * relocations = nullptr;
  std::size_t count = 0;
};

}  // namespace

cpu_image::cpu_image(const std::string& bytes, const std::map<std::string, std::uint32_t>& variables) {
  const int file = memfd_create("gt200 device code", MFD_CLOEXEC);
  std::size_t written = 0;
  while (file >= 0 && written < bytes.size()) {
    const ssize_t step = write(file, bytes.data() + written, bytes.size() - written);
    if (step <= 0) break;
    written += static_cast<std::size_t>(step);
  }
  if (written == bytes.size()) {
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  const char* const reason = handle_ == nullptr ? dlerror() : nullptr;
  if (file >= 0) close(file);
  if (handle_ == nullptr)
    throw input_error(std::string("code for the CPU cannot be loaded: ") +
                      (reason == nullptr ? "no room for it" : reason));
  bind(variables);
}

cpu_image::~cpu_image() { dlclose(handle_); }

void* cpu_image::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

// The code takes the addresses of its variables from a table. It gets those of the device; for constants and
// textures its own, even if this program has something of the same name.
void cpu_image::bind(const std::map<std::string, std::uint32_t>& variables) {
  link_map* object = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &object) != 0) throw input_error(dlerror());
  const dynamic_tables tables(*object);
  for (std::size_t k = 0; k < tables.count; ++k) {
    const ElfW(Rela)& entry = tables.relocations[k];
    const auto kind = ELF64_R_TYPE(entry.r_info);
    if (kind != R_X86_64_GLOB_DAT && kind != R_X86_64_64) continue;
    const ElfW(Sym)& symbol = tables.symbols[ELF64_R_SYM(entry.r_info)];
    const auto device = variables.find(tables.names + symbol.st_name);
    if (device == variables.end() && symbol.st_shndx == SHN_UNDEF) continue;
    std::uint64_t address = device != variables.end() ? device->second : object->l_addr + symbol.st_value;
    if (kind == R_X86_64_64) address += static_cast<std::uint64_t>(entry.r_addend);
    std::memcpy(reinterpret_cast<void*>(object->l_addr + entry.r_offset), &address, sizeof address);
  }
}

}  // namespace gt200::cudart
