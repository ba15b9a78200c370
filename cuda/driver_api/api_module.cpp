// Modules: device code from files and from memory, and what is in it.
#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cuda/driver_api/driver.h"
#include "toolchain/cuda/container_head.h"

using namespace gt200::cudart;

namespace {

// Bytes of an image: a container says so, ELF has its section headers at the end, PTX and text cubins are texts.
std::uint64_t bytes_of(const void* image) {
  gt200::cuda::container_head head = {};
  std::memcpy(&head.mark, image, sizeof head.mark);
  if (head.mark == gt200::cuda::container_mark) {
    std::memcpy(&head, image, sizeof head);
    return head.bytes;
  }
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return std::strlen(static_cast<const char*>(image));
  const auto size = [&](const auto& elf) {
    std::uint64_t end = elf.e_shoff + std::uint64_t{elf.e_shnum} * elf.e_shentsize;
    return std::max<std::uint64_t>(end, elf.e_phoff + std::uint64_t{elf.e_phnum} * elf.e_phentsize);
  };
  if (static_cast<const unsigned char*>(image)[EI_CLASS] == ELFCLASS64) {
    Elf64_Ehdr elf;
    std::memcpy(&elf, image, sizeof elf);
    return size(elf);
  }
  Elf32_Ehdr elf;
  std::memcpy(&elf, image, sizeof elf);
  return size(elf);
}

// The options of cuModuleLoadDataEx. Values of numbers are in the pointers themselves, as the API has it.
struct jit_options {
  image_options image = {};
  char* error_log = nullptr;
  char* info_log = nullptr;
  size_t error_bytes = 0;
  size_t info_bytes = 0;
  void** error_used = nullptr;
  void** info_used = nullptr;
};

CUresult read(unsigned count, const CUjit_option* options, void** values, jit_options& to) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned k = 0; k < count; ++k) {
    const auto number = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values[k]));
    switch (static_cast<int>(options[k])) {
      case CU_JIT_MAX_REGISTERS: to.image.max_registers = number; break;
      case CU_JIT_INFO_LOG_BUFFER: to.info_log = static_cast<char*>(values[k]); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        to.info_bytes = number;
        to.info_used = &values[k];
        break;
      case CU_JIT_ERROR_LOG_BUFFER: to.error_log = static_cast<char*>(values[k]); break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        to.error_bytes = number;
        to.error_used = &values[k];
        break;
      // The device's own compute capability is compiled for; there is one level of optimisation.
      case CU_JIT_THREADS_PER_BLOCK:
      case CU_JIT_WALL_TIME:
      case CU_JIT_OPTIMIZATION_LEVEL:
      case CU_JIT_TARGET_FROM_CUCONTEXT:
      case CU_JIT_TARGET:
      case CU_JIT_FALLBACK_STRATEGY:
      case CU_JIT_GENERATE_DEBUG_INFO:
      case CU_JIT_LOG_VERBOSE:
      case CU_JIT_GENERATE_LINE_INFO:
      case CU_JIT_CACHE_MODE: break;
      default: return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

void write_log(const std::string& text, char* to, size_t bytes, void** used) {
  size_t written = 0;
  if (to != nullptr && bytes != 0) {
    std::snprintf(to, bytes, "%s", text.c_str());
    written = std::min(text.size(), bytes - 1);
  }
  if (used != nullptr) *used = reinterpret_cast<void*>(written);
}

CUresult load(board& device, CUmodule* module, const void* image, std::uint64_t bytes, jit_options options) {
  auto made = std::make_unique<CUmod_st>();
  std::string log;
  const status result = device.load_image(image, bytes, options.image, made->content, log);
  const bool has_buffer = options.error_log != nullptr && options.error_bytes != 0;
  if (result != status::success && !has_buffer && !log.empty()) std::fprintf(stderr, "gt200: %s\n", log.c_str());
  write_log(log, options.error_log, options.error_bytes, options.error_used);
  std::string notes;
  for (const auto& [kernel, reason] : made->content.refused)
    notes += "kernel '" + kernel + "' cannot run: " + reason + "\n";
  write_log(notes, options.info_log, options.info_bytes, options.info_used);
  if (result != status::success) return result_of(result);
  made->epoch = device.epoch();
  *module = made.get();
  driver().modules.emplace(*module, std::move(made));
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return in_context([&](process_state&, board& device) {
    if (module == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream in(file, std::ios::binary);
    if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
    std::ostringstream content;
    content << in.rdbuf();
    const std::string image = content.str();
    return load(device, module, image.data(), image.size(), {});
  });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
  return in_context([&](process_state&, board& device) {
    if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    jit_options wanted;
    if (const CUresult error = read(count, options, values, wanted); error != CUDA_SUCCESS) return error;
    return load(device, module, image, bytes_of(image), wanted);
  });
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) { return cuModuleLoadData(module, image); }

// The code and its variables stay on the device until the context ends: a kernel may still run.
CUresult cuModuleUnload(CUmodule module) {
  return in_context([&](process_state& all, board&) {
    if (find_module(all, module) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    for (const auto& [name, function] : module->functions) driver().functions.erase(function.get());
    for (const auto& [name, texture] : module->textures) driver().textures.erase(texture.get());
    driver().modules.erase(module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return in_context([&](process_state& all, board&) {
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_module(all, module) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto kernel = module->content.kernels.find(name);
    if (kernel == module->content.kernels.end()) {
      const auto refused = module->content.refused.find(name);
      if (refused != module->content.refused.end())
        std::fprintf(stderr, "gt200: kernel '%s' cannot run: %s\n", name, refused->second.c_str());
      return CUDA_ERROR_NOT_FOUND;
    }
    std::unique_ptr<CUfunc_st>& known = module->functions[name];
    if (known == nullptr) {
      known = std::make_unique<CUfunc_st>();
      known->module = module;
      known->name = name;
      known->kernel = &kernel->second;
      driver().functions.insert(known.get());
    }
    *function = known.get();
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return in_context([&](process_state& all, board& device) {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_module(all, module) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto symbol = module->content.symbols.find(name);
    if (symbol == module->content.symbols.end()) return CUDA_ERROR_NOT_FOUND;
    message_reader reply;
    const status result =
        device.ask(command::symbol_address, message_writer().put(module->content.number).text(name), reply);
    if (result != status::success) return result_of(result);
    if (address != nullptr) *address = reply.get<std::uint64_t>();
    if (bytes != nullptr) *bytes = symbol->second.bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetTexRef(CUtexref* texture, CUmodule module, const char* name) {
  return in_context([&](process_state& all, board&) {
    if (texture == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_module(all, module) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const std::vector<std::string>& names = module->content.textures;
    if (std::find(names.begin(), names.end(), name) == names.end()) return CUDA_ERROR_NOT_FOUND;
    std::unique_ptr<CUtexref_st>& known = module->textures[name];
    if (known == nullptr) {
      known = std::make_unique<CUtexref_st>();
      known->module = module;
      known->name = name;
      driver().textures.insert(known.get());
    }
    *texture = known.get();
    return CUDA_SUCCESS;
  });
}

// Surfaces need compute capability 2.0.
CUresult cuModuleGetSurfRef(CUsurfref*, CUmodule, const char*) { return CUDA_ERROR_NOT_FOUND; }

}  // extern "C"
