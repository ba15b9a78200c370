#include "testbenches/toolchain/cpu_reference/cpu_device.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

constexpr std::size_t stack_bytes = 65536;

struct index3 {
  unsigned x, y, z;
};
using kernel_call = void (*)(const unsigned char*);

// The threads of a block, each with its own stack. The process runs one block at a time.
struct running_block {
  kernel_call call = nullptr;
  const unsigned char* parameters = nullptr;
  ucontext_t scheduler = {};
  std::vector<ucontext_t> threads;
  std::vector<bool> ended;
  std::size_t current = 0;
};
running_block* running = nullptr;

void at_barrier() { swapcontext(&running->threads[running->current], &running->scheduler); }

void thread_begins() {
  running->call(running->parameters);
  running->ended[running->current] = true;
}

// A separate function, because getcontext() may return twice.
void prepare_thread(ucontext_t& context, char* stack, ucontext_t& scheduler) {
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = stack_bytes;
  context.uc_link = &scheduler;
  makecontext(&context, thread_begins, 0);
}

void* device_pointer(std::uint32_t address) { return reinterpret_cast<void*>(std::uintptr_t{address}); }

}  // namespace

cpu_device::cpu_device(const launch::prepared& program, const std::string& source) : program_(program) {
  std::uint64_t end = launch::first_device_address;
  for (const auto* list : {&program.globals, &program.buffers})
    for (const launch::placed_bytes& placed : *list)
      end = std::max(end, std::uint64_t{placed.address} + placed.initial.size());
  mapped_ = end - launch::first_device_address;
  void* const at = device_pointer(launch::first_device_address);
  if (mmap(at, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at)
    throw input_error(source, 0, "the addresses of device memory are not free in this process");
  build(source);
  // Constants set by the host follow the variables of the program, in unnamed segments.
  for (const cubin::constant_segment& c : program.module->constants)
    for (const cubin::constant_segment& v : program.module->constants)
      if (dlsym(library_, v.name.c_str()) != nullptr && c.offset >= v.offset &&
          c.offset + c.data.size() <= v.offset + v.size)
        std::memcpy(symbol<char*>(v.name) + (c.offset - v.offset), c.data.data(), c.data.size());
}

cpu_device::~cpu_device() {
  if (library_ != nullptr) dlclose(library_);
  munmap(device_pointer(launch::first_device_address), mapped_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void cpu_device::build(const std::string& source) {
  folder_ = (std::filesystem::temp_directory_path() / "gt200-cpu-XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr)
    throw input_error("no folder for temporary files can be made: " + folder_);
  std::ofstream code(folder_ + "/kernels.cpp");
  code << "#include \"" << GT200_SOURCE_DIR << "/testbenches/toolchain/cpu_reference/cpu_cuda.h\"\n#include \""
       << std::filesystem::absolute(source).string() << "\"\n";
  for (const cubin::kernel& k : program_.module->kernels)
    code << "extern \"C\" void gt200_call_" << k.name << "(const unsigned char* p) { gt200_call(" << k.name
         << ", p); }\n";
  code.close();
  const char* named = std::getenv("GT200_CLANG");
  const std::string clang = named != nullptr ? named : "clang-14";
  const std::string command = clang + " -x c++ -std=c++17 -O1 -ffp-contract=off -w -fPIC -shared -o " + folder_ +
                              "/kernels.so " + folder_ + "/kernels.cpp";
  if (std::system(command.c_str()) != 0) throw input_error(source, 0, "clang does not take it as C++ for the CPU");
  library_ = dlopen((folder_ + "/kernels.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw input_error(source, 0, dlerror());
  *symbol<void (**)()>("gt200_barrier") = at_barrier;
}

template <class T>
T cpu_device::symbol(const std::string& name) const {
  void* const found = dlsym(library_, name.c_str());
  if (found == nullptr) throw input_error(program_.launch->file, 0, "the CPU's program has no '" + name + "'");
  return reinterpret_cast<T>(found);
}

launch::device cpu_device::interface() {
  launch::device device;
  device.write = [](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
    if (size != 0) std::memcpy(device_pointer(address), bytes, size);
  };
  device.read = [](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
    if (size != 0) std::memcpy(bytes, device_pointer(address), size);
  };
  device.launch = [this](const launch::launch_parameters& grid) { run(grid); };
  return device;
}

void cpu_device::run(const launch::launch_parameters& grid) {
  const std::size_t count = std::size_t{grid.block[0]} * grid.block[1] * grid.block[2];
  running_block block;
  block.call = symbol<kernel_call>("gt200_call_" + grid.kernel->name);
  block.parameters = grid.parameter_bytes.data();
  running = &block;
  std::vector<char> stacks(count * stack_bytes);
  index3& thread_index = *symbol<index3*>("threadIdx");
  index3& block_index = *symbol<index3*>("blockIdx");
  *symbol<index3*>("blockDim") = {grid.block[0], grid.block[1], grid.block[2]};
  *symbol<index3*>("gridDim") = {grid.grid[0], grid.grid[1], 1};
  for (unsigned b = 0; b < grid.grid[0] * grid.grid[1]; ++b) {
    block_index = {b % grid.grid[0], b / grid.grid[0], 0};
    block.threads.assign(count, {});
    block.ended.assign(count, false);
    for (std::size_t t = 0; t < count; ++t)
      prepare_thread(block.threads[t], &stacks[t * stack_bytes], block.scheduler);
    // Every round runs all threads to their next barrier.
    for (bool any = true; any;) {
      any = false;
      for (std::size_t t = 0; t < count; ++t) {
        if (block.ended[t]) continue;
        any = true;
        block.current = t;
        thread_index = {static_cast<unsigned>(t % grid.block[0]),
                        static_cast<unsigned>(t / grid.block[0] % grid.block[1]),
                        static_cast<unsigned>(t / grid.block[0] / grid.block[1])};
        swapcontext(&block.scheduler, &block.threads[t]);
      }
    }
  }
  running = nullptr;
}

}  // namespace gt200::cuda
