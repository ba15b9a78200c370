// The driver API later than CUDA 4.2. Code 0 if right.
#include <cstdio>
#include <cstring>

#include <cuda.h>

static int failures = 0;
static void is(CUresult error, CUresult wanted, const char* what) {
  if (error != wanted) std::printf("%s: %d\n", what, error), ++failures;
}

static const char* const code =
    ".version 6.0\n.target sm_20\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p) {\n"
    "  .reg .u64 a, o; .reg .u32 t, v;\n"
    "  ld.param.u64 a, [p]; cvta.to.global.u64 a, a;\n"
    "  mov.u32 t, %tid.x; mul.wide.u32 o, t, 4; add.u64 a, a, o;\n"
    "  ld.global.u32 v, [a]; add.u32 v, v, v; st.global.u32 [a], v; ret;\n}\n";

int main() {
  const char* text = nullptr;
  is(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS, "name");
  if (std::strcmp(text, "CUDA_ERROR_INVALID_VALUE") != 0) ++failures;
  is(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS, "meaning");
  if (std::strcmp(text, "out of memory") != 0) ++failures;
  is(cuGetErrorName(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE, "no error");
  if (text != nullptr) ++failures;

  is(cuInit(0), CUDA_SUCCESS, "init");
  // The primary context is that of the runtime API.
  CUcontext context, same;
  is(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS, "retain");
  is(cuDevicePrimaryCtxRetain(&same, 0), CUDA_SUCCESS, "retain again");
  if (context != same) ++failures;
  is(cuCtxSetCurrent(context), CUDA_SUCCESS, "current");
  is(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT, "destroy a primary context");
  unsigned* d;
  if (cudaMalloc(&d, 32 * 4) != cudaSuccess) ++failures;
  unsigned h[32];
  for (unsigned k = 0; k < 32; ++k) h[k] = k;
  is(cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(d), h, sizeof h), CUDA_SUCCESS, "copy");

  CUlinkState link;
  void* image = nullptr;
  size_t bytes = 0;
  is(cuLinkCreate(0, nullptr, nullptr, &link), CUDA_SUCCESS, "link");
  is(cuLinkComplete(link, &image, &bytes), CUDA_ERROR_ILLEGAL_STATE, "nothing to link");
  is(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(code), std::strlen(code) + 1, "twice", 0, nullptr,
                   nullptr),
     CUDA_SUCCESS, "add");
  is(cuLinkComplete(link, &image, &bytes), CUDA_SUCCESS, "complete");
  CUmodule module;
  CUfunction twice;
  is(cuModuleLoadData(&module, image), CUDA_SUCCESS, "load");
  is(cuLinkDestroy(link), CUDA_SUCCESS, "destroy");
  is(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE, "destroy again");
  is(cuModuleGetFunction(&twice, module, "twice"), CUDA_SUCCESS, "function");
  // What is no module, and PTX that does not compile, have errors of their own.
  CUmodule none;
  char image_of_nothing[64] = "no module";
  is(cuModuleLoadData(&none, image_of_nothing), CUDA_ERROR_INVALID_IMAGE, "text that is no module");
  std::memcpy(image_of_nothing, "\177ELF\2\1\1", 8);
  is(cuModuleLoadData(&none, image_of_nothing), CUDA_ERROR_INVALID_IMAGE, "ELF header alone");
  is(cuModuleLoadData(&none, ".version 6.0\n.target sm_20\n.entry k { nonsense; }\n"), CUDA_ERROR_INVALID_PTX,
     "PTX that is none");
  CUstream stream;
  is(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS, "stream");
  void* arguments[] = {&d};
  is(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS, "launch");
  static int called = 0;
  is(cuLaunchHostFunc(
         stream, [](void* p) { ++*static_cast<int*>(p); }, &called),
     CUDA_SUCCESS, "host function");
  is(cuMemcpyDtoH(h, reinterpret_cast<CUdeviceptr>(d), sizeof h), CUDA_SUCCESS, "copy back");
  if (h[31] != 62 || called != 1) ++failures;
  int blocks = 0;
  is(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 32, 0), CUDA_SUCCESS, "occupancy");
  if (blocks < 1) ++failures;
  int pages = -1;
  is(cuDeviceGetAttribute(&pages, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0), CUDA_SUCCESS,
     "pages");
  CUmemGenericAllocationHandle handle;
  is(cuMemCreate(&handle, 1 << 21, nullptr, 0), CUDA_ERROR_NOT_SUPPORTED, "no pages");
  if (pages != 0) ++failures;
  is(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS, "release");
  is(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS, "release again");
  is(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT, "not retained");
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
