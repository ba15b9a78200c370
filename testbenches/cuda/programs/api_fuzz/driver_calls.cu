// Random calls of the driver API, right and wrong, on the device of the runtime API.
#include <cstring>

#include "world.h"

namespace api_fuzz {
namespace {

const char* const module_head = ".version 1.4\n.target sm_10\n";
const char* const module_variable = ".global .u32 counter[4];\n";
const char* const module_code =
    ".entry store (.param .u32 to, .param .u32 what)\n{\n  .reg .u32 %r<3>;\n"
    "  ld.param.u32 %r1, [to];\n  ld.param.u32 %r2, [what];\n  st.global.u32 [%r1], %r2;\n  exit;\n}\n";

// Code of a module stays on the device: one serves all sequences.
struct shared_module {
  CUmodule handle = nullptr;
  CUfunction store = nullptr;
};
shared_module& module_of_all() {
  static shared_module one;
  return one;
}

void memory(sequence& s) {
  CUdeviceptr p = 0;
  switch (s.below(4)) {
    case 0: s.expect("cuMemAlloc(0)", cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE); return;
    case 1: s.expect("cuMemAlloc(all)", cuMemAlloc(&p, SIZE_MAX / 2), CUDA_ERROR_OUT_OF_MEMORY); return;
    default: break;
  }
  const size_t size = 4 * (1 + s.below(100));
  if (!s.expect("cuMemAlloc", cuMemAlloc(&p, size), CUDA_SUCCESS)) return;
  bytes from = s.random_bytes(size + 4), to(size);
  s.expect("cuMemcpyHtoD", cuMemcpyHtoD(p, from.data(), size), CUDA_SUCCESS);
  const CUdeviceptr beyond = p | (CUdeviceptr{1} << (32 + s.below(16)));
  s.expect("cuMemcpyHtoD beyond 4 GiB", cuMemcpyHtoD(beyond, from.data(), size), CUDA_ERROR_INVALID_VALUE);
  s.expect("cuMemsetD32 beyond 4 GiB", cuMemsetD32(beyond, 1, size / 4), CUDA_ERROR_INVALID_VALUE);
  s.expect("cuMemcpyHtoD of too much", cuMemcpyHtoD(p, from.data(), size + 1 + s.below(1ul << 36)), CUDA_ERROR_INVALID_VALUE);
  s.expect("cuMemsetD16 of odd address", cuMemsetD16(p + 1, 1, 1), CUDA_ERROR_INVALID_VALUE);
  s.expect("cuMemcpyDtoH", cuMemcpyDtoH(to.data(), p, size), CUDA_SUCCESS);
  from.resize(size);
  s.expect_equal("cuMemcpyDtoH", to, from);
  CUdeviceptr base = 0;
  size_t count = 0;
  s.expect("cuMemGetAddressRange", cuMemGetAddressRange(&base, &count, p + s.below(size)), CUDA_SUCCESS);
  if (base != p || count != size) s.expect("range of cuMemGetAddressRange", 1, 0);
  CUfunction store = module_of_all().store;
  if (store != nullptr) {
    unsigned to_address = static_cast<unsigned>(p), what = static_cast<unsigned>(s.below(1u << 31));
    void* arguments[] = {&to_address, &what};
    s.expect("cuLaunchKernel without arguments", cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
             CUDA_ERROR_INVALID_VALUE);
    s.expect("cuLaunchKernel of large blocks", cuLaunchKernel(store, 1, 1, 1, 600, 1, 1, 0, nullptr, arguments, nullptr),
             CUDA_ERROR_INVALID_VALUE);
    s.expect("cuLaunchKernel", cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
    const auto no_stream = reinterpret_cast<CUstream>(&arguments);
    s.expect("cuLaunchKernel in no stream", cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, no_stream, arguments, nullptr),
             CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuLaunchGridAsync in no stream", cuLaunchGridAsync(store, 1, 1, no_stream), CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuMemcpyHtoDAsync in no stream", cuMemcpyHtoDAsync(p, from.data(), 4, no_stream), CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuMemcpyDtoHAsync in no stream", cuMemcpyDtoHAsync(to.data(), p, 4, no_stream), CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuMemsetD32Async in no stream", cuMemsetD32Async(p, 1, 1, no_stream), CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuMemsetD2D8Async in no stream", cuMemsetD2D8Async(p, 1, 1, 1, 1, no_stream), CUDA_ERROR_INVALID_HANDLE);
    s.expect("cuMemcpyDtoH after a launch", cuMemcpyDtoH(to.data(), p, 4), CUDA_SUCCESS);
    unsigned got = 0;
    std::memcpy(&got, to.data(), 4);
    if (got != what) s.expect("word of a kernel", 1, 0);
  }
  s.expect("cuMemFree", cuMemFree(p), CUDA_SUCCESS);
  s.expect("cuMemFree twice", cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
}

void modules(sequence& s) {
  CUmodule made = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  size_t size = 0;
  char log[64] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  shared_module& known = module_of_all();
  if (known.handle == nullptr) {
    if (!s.expect("cuModuleLoadData", cuModuleLoadData(&known.handle, (std::string(module_head) + module_variable + module_code).c_str()),
                  CUDA_SUCCESS))
      return;
    s.expect("cuModuleGetFunction", cuModuleGetFunction(&known.store, known.handle, "store"), CUDA_SUCCESS);
  }
  switch (s.below(6)) {
    case 0: {
      // A text that is damaged in one place; it may still be one. It has no variable: that would stay, where memory was freed.
      std::string text = std::string(module_head) + module_code;
      text[s.below(text.size())] = static_cast<char>(33 + s.below(90));
      text.resize(text.size() - s.below(40));
      const CUresult result = cuModuleLoadDataEx(&made, text.c_str(), 2, options, values);
      if (result == CUDA_SUCCESS)
        s.expect("cuModuleUnload", cuModuleUnload(made), CUDA_SUCCESS);
      else
        s.expect("cuModuleLoadDataEx of a damaged text", result,
                 text.compare(0, 9, ".version ") == 0 ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE);
      return;
    }
    case 1: s.expect("cuModuleLoad of no file", cuModuleLoad(&made, "/nowhere/no.cubin"), CUDA_ERROR_FILE_NOT_FOUND); return;
    case 2: s.expect("cuModuleGetFunction of none", cuModuleGetFunction(&function, known.handle, "none"), CUDA_ERROR_NOT_FOUND); return;
    case 3:
      s.expect("cuModuleGetFunction of no module", cuModuleGetFunction(&function, reinterpret_cast<CUmodule>(&made), "store"),
               CUDA_ERROR_INVALID_HANDLE);
      return;
    case 4:
      s.expect("cuModuleGetGlobal", cuModuleGetGlobal(&address, &size, known.handle, "counter"), CUDA_SUCCESS);
      s.expect("cuMemFree of a variable", cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
      return;
    default:
      s.expect("cuLaunchKernel of none",
               cuLaunchKernel(reinterpret_cast<CUfunction>(&function), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
               CUDA_ERROR_INVALID_HANDLE);
      return;
  }
}

void contexts(sequence& s) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  int value = 0;
  s.expect("cuDeviceGet of none", cuDeviceGet(&device, 1 + static_cast<int>(s.below(9))), CUDA_ERROR_INVALID_DEVICE);
  s.expect("cuDeviceGetAttribute of none", cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0),
           CUDA_ERROR_INVALID_VALUE);
  s.expect("cuCtxCreate on none", cuCtxCreate(&context, 0, 7), CUDA_ERROR_INVALID_DEVICE);
  s.expect("cuCtxDestroy of none", cuCtxDestroy(reinterpret_cast<CUcontext>(&context)), CUDA_ERROR_INVALID_CONTEXT);
  s.expect("cuCtxPushCurrent of none", cuCtxPushCurrent(reinterpret_cast<CUcontext>(&context)), CUDA_ERROR_INVALID_CONTEXT);
  s.expect("cuCtxPopCurrent of none", cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace

void driver_call(sequence& s) {
  const std::unique_lock<std::shared_mutex> alone(all().mutex);
  switch (s.below(4)) {
    case 0: return modules(s);
    case 1: return contexts(s);
    default: return memory(s);
  }
}

}  // namespace api_fuzz
