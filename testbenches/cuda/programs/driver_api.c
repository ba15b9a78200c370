/* A program of the driver API that has no header of it: declarations of its own, as an executable from elsewhere. PTX
   that is compiled when it is loaded, its log, functions, memory, both ways to launch, a texture, streams, events,
   contexts, the functions of CUDA 2.x, and a function that the library does not have. */
#include <stdio.h>
#include <string.h>

typedef unsigned long long address;
int cuInit(unsigned flags);
int cuDeviceGet(int* device, int number);
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuCtxCreate_v2(void** context, unsigned flags, int device);
int cuCtxDestroy_v2(void* context);
int cuCtxPopCurrent_v2(void** context);
int cuCtxPushCurrent_v2(void* context);
int cuCtxSynchronize(void);
int cuCtxGetLimit(size_t* value, int limit);
int cuModuleLoad(void** module, const char* file);
int cuModuleLoadData(void** module, const void* image);
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values);
int cuModuleUnload(void* module);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuModuleGetGlobal_v2(address* global, size_t* bytes, void* module, const char* name);
int cuModuleGetTexRef(void** texture, void* module, const char* name);
int cuMemAlloc_v2(address* memory, size_t bytes);
int cuMemAlloc(unsigned* memory, unsigned bytes);
int cuMemFree_v2(address memory);
int cuMemFree(unsigned memory);
int cuMemcpyHtoD_v2(address to, const void* from, size_t bytes);
int cuMemcpyDtoH_v2(void* to, address from, size_t bytes);
int cuMemcpyDtoH(void* to, unsigned from, unsigned bytes);
int cuMemsetD32_v2(address memory, unsigned value, size_t count);
int cuMemsetD16(unsigned memory, unsigned short value, unsigned count);
int cuMemGetAddressRange_v2(address* base, size_t* bytes, address memory);
int cuFuncSetBlockShape(void* function, int x, int y, int z);
int cuFuncGetAttribute(int* value, int attribute, void* function);
int cuParamSetSize(void* function, unsigned bytes);
int cuParamSeti(void* function, int offset, unsigned value);
int cuParamSetv(void* function, int offset, void* value, unsigned bytes);
int cuLaunchGrid(void* function, int width, int height);
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** parameters, void** extra);
int cuTexRefSetAddress_v2(size_t* offset, void* texture, address memory, size_t bytes);
int cuTexRefSetFormat(void* texture, int format, int components);
int cuTexRefSetFlags(void* texture, unsigned flags);
int cuStreamCreate(void** stream, unsigned flags);
int cuStreamSynchronize(void* stream);
int cuStreamDestroy_v2(void* stream);
int cuEventCreate(void** event, unsigned flags);
int cuEventRecord(void* event, void* stream);
int cuEventSynchronize(void* event);
int cuEventElapsedTime(float* milliseconds, void* begin, void* end);
int cuIpcGetMemHandle(void* handle, address memory);

static const char ptx[] =
    ".version 1.4\n"
    ".target sm_13\n"
    ".global .u32 step = 3;\n"
    ".const .u32 bias[2] = {0, 0};\n"
    ".tex .u32 numbers;\n"
    ".entry add(.param .u64 p, .param .u32 v) {\n"
    "  .reg .u32 %r<9>; .reg .u64 %d<5>;\n"
    "  ld.param.u64 %d1, [p]; ld.param.u32 %r1, [v];\n"
    "  cvt.u32.u16 %r2, %tid.x; cvt.u32.u16 %r3, %ctaid.x; cvt.u32.u16 %r4, %ntid.x;\n"
    "  mad.lo.u32 %r2, %r3, %r4, %r2;\n"
    "  mul.wide.u32 %d2, %r2, 4; add.u64 %d1, %d1, %d2;\n"
    "  ld.const.u32 %r7, [bias + 4]; add.u32 %r1, %r1, %r7;\n"
    "  ld.global.u32 %r5, [%d1]; ld.global.u32 %r6, [step]; mul.lo.u32 %r1, %r1, %r6;\n"
    "  add.u32 %r5, %r5, %r1; st.global.u32 [%d1], %r5; exit;\n"
    "}\n"
    ".entry fetch(.param .u64 p) {\n"
    "  .reg .u32 %r<9>; .reg .u64 %d<5>;\n"
    "  ld.param.u64 %d1, [p]; cvt.u32.u16 %r1, %tid.x; cvt.s32.u32 %r2, %r1;\n"
    "  tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [numbers, {%r2, %r2, %r2, %r2}];\n"
    "  mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r4; exit;\n"
    "}\n";

static int failures = 0;
static void expect(int good, const char* what) {
  if (good) return;
  printf("wrong: %s\n", what);
  ++failures;
}
#define GOOD(call) expect((call) == 0, #call)
#define FAILS(code, call) expect((call) == (code), #call)

int main(int argc, char** argv) {
  enum { count = 256 };
  int device = -1, major = 0, threads = 0;
  unsigned numbers[count];
  void *context = NULL, *other = NULL, *module = NULL, *add = NULL, *fetch = NULL, *texture = NULL, *stream = NULL;
  void *begin = NULL, *end = NULL;
  address memory = 0, base = 0, global = 0, half;
  size_t bytes = 0;
  char log[200] = "";
  float milliseconds = -1;
  int k;

  FAILS(3, cuDeviceGet(&device, 0));
  GOOD(cuInit(0));
  GOOD(cuDeviceGet(&device, 0));
  FAILS(101, cuDeviceGet(&device, 99));
  GOOD(cuDeviceGetAttribute(&major, 16, 0));
  expect(major == 30, "number of multiprocessors");
  FAILS(201, cuMemAlloc_v2(&memory, 4));
  GOOD(cuCtxCreate_v2(&context, 0, 0));

  {
    int options[] = {5, 6};
    void* values[] = {log, (void*)sizeof log};
    FAILS(218, cuModuleLoadDataEx(&module, ".version 1.4\n.target sm_13\n.entry k() { nonsense; }\n", 2, options, values));
    expect(strstr(log, "nonsense") != NULL, "the log names the error");
    expect((size_t)values[1] == strlen(log), "the size of the log");
  }
  FAILS(215, cuCtxGetLimit(&bytes, 0));
  FAILS(301, cuModuleLoad(&module, "no such file"));
  GOOD(argc > 1 ? cuModuleLoad(&module, argv[1]) : cuModuleLoadData(&module, ptx));
  GOOD(cuModuleGetFunction(&add, module, "add"));
  FAILS(500, cuModuleGetFunction(&fetch, module, "gone"));
  GOOD(cuModuleGetFunction(&fetch, module, "fetch"));
  GOOD(cuFuncGetAttribute(&threads, 0, add));
  expect(threads == 512, "threads of a block");

  for (k = 0; k < count; ++k) numbers[k] = (unsigned)k;
  GOOD(cuMemAlloc_v2(&memory, sizeof numbers));
  GOOD(cuMemcpyHtoD_v2(memory, numbers, sizeof numbers));
  GOOD(cuMemGetAddressRange_v2(&base, &bytes, memory + 20));
  expect(base == memory && bytes == sizeof numbers, "the allocation that holds an address");
  FAILS(1, cuMemcpyHtoD_v2(memory + 4, numbers, sizeof numbers));

  GOOD(cuModuleGetGlobal_v2(&global, &bytes, module, "step"));
  expect(bytes == 4, "the size of a variable");
  GOOD(cuStreamCreate(&stream, 0));
  GOOD(cuEventCreate(&begin, 0));
  GOOD(cuEventCreate(&end, 0));
  GOOD(cuEventRecord(begin, stream));
  GOOD(cuFuncSetBlockShape(add, 64, 1, 1));
  GOOD(cuParamSetv(add, 0, &memory, sizeof memory));
  GOOD(cuParamSeti(add, 8, 100));
  GOOD(cuParamSetSize(add, 12));
  {
    const unsigned values[2] = {1000, 7};
    address constant = 0;
    GOOD(cuModuleGetGlobal_v2(&constant, &bytes, module, "bias"));
    expect(constant != 0 && bytes == 8, "the address and size of a constant");
    GOOD(cuMemcpyHtoD_v2(constant, values, sizeof values));
    FAILS(500, cuModuleGetGlobal_v2(&constant, &bytes, module, "gone"));
    GOOD(cuParamSeti(add, 8, 93));
    GOOD(cuLaunchGrid(add, 4, 1)); /* numbers + 300 */
    GOOD(cuMemsetD32_v2(constant, 0, 2));
  }
  GOOD(cuEventRecord(end, stream));
  GOOD(cuEventSynchronize(end));
  GOOD(cuEventElapsedTime(&milliseconds, begin, end));
  expect(milliseconds > 0, "the time of a launch");
  GOOD(cuMemsetD32_v2(global, 5, 1));
  {
    unsigned v = 2;
    void* parameters[] = {&memory, &v};
    GOOD(cuLaunchKernel(add, 2, 1, 1, 128, 1, 1, 0, stream, parameters, NULL)); /* + 10 */
    struct {
      address p;
      unsigned v;
    } packed = {memory, 1};
    size_t size = 12;
    void* extra[] = {(void*)1, &packed, (void*)2, &size, (void*)0};
    GOOD(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, stream, NULL, extra)); /* + 5 */
    FAILS(1, cuLaunchKernel(add, 1, 1, 1, 600, 1, 1, 0, stream, parameters, NULL));
    FAILS(1, cuLaunchKernel(add, 0, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
    FAILS(400, cuLaunchKernel(context, 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
  }
  GOOD(cuStreamSynchronize(stream));
  GOOD(cuMemcpyDtoH_v2(numbers, memory, sizeof numbers));
  for (k = 0; k < count; ++k) expect(numbers[k] == (unsigned)k + 315, "a sum");

  GOOD(cuModuleGetTexRef(&texture, module, "numbers"));
  GOOD(cuTexRefSetFormat(texture, 3, 1));
  GOOD(cuTexRefSetFlags(texture, 1));
  GOOD(cuTexRefSetAddress_v2(NULL, texture, memory, sizeof numbers));
  GOOD(cuMemAlloc_v2(&half, 128 * 4));
  {
    void* parameters[] = {&half};
    GOOD(cuLaunchKernel(fetch, 1, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
  }
  memset(numbers, 0, sizeof numbers);
  GOOD(cuMemcpyDtoH_v2(numbers, half, 128 * 4));
  for (k = 0; k < 128; ++k) expect(numbers[k] == (unsigned)k + 315, "a fetch");

  /* Functions of CUDA 2.x: addresses have 32 bits. */
  {
    unsigned small = 0;
    unsigned short words[4] = {0, 0, 0, 0};
    GOOD(cuMemAlloc(&small, 8));
    GOOD(cuMemsetD16(small, 0x1234, 4));
    GOOD(cuMemcpyDtoH(words, small, 8));
    expect(words[0] == 0x1234 && words[3] == 0x1234, "a fill of 16 bits");
    GOOD(cuMemFree(small));
  }

  /* What belongs to one context is nothing to another. */
  GOOD(cuCtxCreate_v2(&other, 0, 0));
  FAILS(1, cuMemcpyDtoH_v2(numbers, memory, 4));
  FAILS(400, cuFuncSetBlockShape(add, 1, 1, 1));
  GOOD(cuCtxDestroy_v2(other));
  GOOD(cuMemcpyDtoH_v2(numbers, memory, 4));
  FAILS(201, cuCtxPushCurrent_v2(other));
  GOOD(cuCtxPopCurrent_v2(&other));
  expect(other == context, "the context that was current");
  FAILS(201, cuCtxSynchronize());
  GOOD(cuCtxPushCurrent_v2(context));

  FAILS(801, cuIpcGetMemHandle(log, memory));
  GOOD(cuStreamDestroy_v2(stream));
  FAILS(400, cuStreamDestroy_v2(stream));
  GOOD(cuMemFree_v2(memory));
  FAILS(1, cuMemFree_v2(memory));
  GOOD(cuModuleUnload(module));
  FAILS(400, cuModuleUnload(module));
  FAILS(400, cuFuncSetBlockShape(add, 1, 1, 1));
  GOOD(cuCtxDestroy_v2(context));
  printf("%d failures\n", failures);
  return failures != 0;
}
