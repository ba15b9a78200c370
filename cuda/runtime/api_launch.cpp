// Registration of device code, and launches.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuda/client/launch.h"
#include "cuda/protocol/kernel_name.h"
#include "cuda/runtime/capture.h"
#include "toolchain/cuda/container_head.h"

using namespace gt200::cudart;

namespace {

binary* code_of(void** handle) { return reinterpret_cast<binary*>(handle); }

// The kernel of the current device that the program calls by this address.
cudaError_t find_kernel(process_state& all, const void* function, const registered*& entry, board*& device,
                        const known_kernel*& kernel) {
  entry = all.code.kernel(function);
  if (entry == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const cudaError_t error = all.ready(device, *entry); error != cudaSuccess) return error;
  kernel = device->kernel(entry->code->container, entry->name);
  if (kernel != nullptr) return cudaSuccess;
  if (const std::string reason = device->absence(entry->code->container); !reason.empty()) {
    std::fprintf(stderr, "gt200: kernel '%s' cannot run: %s\n", readable_kernel(entry->name).c_str(),
                 reason.c_str());
    return cudaErrorNoKernelImageForDevice;
  }
  std::fprintf(stderr, "gt200: kernel '%s' cannot run: %s\n", readable_kernel(entry->name).c_str(),
               device->refusal(entry->code->container, entry->name).c_str());
  return cudaErrorInvalidDeviceFunction;
}

cudaError_t occupancy_of(process_state& all, const void* function, int threads, size_t dynamic_shared,
                         int& blocks) {
  const registered* entry = nullptr;
  board* device = nullptr;
  const known_kernel* kernel = nullptr;
  const cudaError_t error = find_kernel(all, function, entry, device, kernel);
  if (error != cudaSuccess) return error;
  message_reader reply;
  const status result = device->ask(command::occupancy,
                                    message_writer()
                                        .put(kernel->module)
                                        .text(entry->name)
                                        .put(static_cast<std::uint32_t>(threads))
                                        .put<std::uint64_t>(dynamic_shared),
                                    reply);
  if (result == status::success) blocks = static_cast<int>(reply.get<std::uint32_t>());
  return error_of(result);
}

cudaError_t launch_kernel(const void* function, const call_configuration& how, void** arguments) {
  cudaError_t result = cudaSuccess;
  if (captured(how.stream, cudaGraphNodeTypeKernel, result, [&](CUgraphNode_st& n) {
        n.is_cooperative = how.cooperative;
        return set_kernel(n, {const_cast<void*>(function), how.grid, how.block, static_cast<unsigned>(how.shared),
                              arguments, nullptr});
      }))
    return result;
  return guarded([&](process_state& all) {
    const registered* entry = nullptr;
    board* device = nullptr;
    const known_kernel* kernel = nullptr;
    const cudaError_t error = find_kernel(all, function, entry, device, kernel);
    if (error != cudaSuccess) return error;
    if (arguments == nullptr && !kernel->parameters.empty()) return cudaErrorInvalidValue;
    return launch(all, *device, entry->name, *kernel, how, packed(*kernel, arguments));
  });
}

}  // namespace

namespace gt200::cudart {

cudaError_t copy_arguments(const void* function, void** arguments, std::vector<std::vector<std::uint8_t>>& copies) {
  return guarded([&](process_state& all) {
    const registered* entry = nullptr;
    board* device = nullptr;
    const known_kernel* kernel = nullptr;
    const cudaError_t error = find_kernel(all, function, entry, device, kernel);
    if (error != cudaSuccess) return error;
    if (arguments == nullptr && !kernel->parameters.empty()) return cudaErrorInvalidValue;
    for (size_t k = 0; k < kernel->parameters.size(); ++k) {
      const auto* first = static_cast<const std::uint8_t*>(arguments[k]);
      copies.emplace_back(first, first + kernel->parameters[k].size);
    }
    return cudaSuccess;
  });
}

}  // namespace gt200::cudart

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  return reinterpret_cast<void**>(process().code.add_binary(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  process().code.remove_binary(code_of(handle));
}
void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*, void*,
                            void*, int*) {
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  process().code.add_kernel(code_of(handle), host, name);
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  process_state& all = process();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  all.code.add_variable(code_of(handle), host, name, bytes);
  // The host may read a managed variable before its first call. Code that is linked with that of other files is not
  // complete yet.
  gt200::cuda::container_head head = {};
  if (!all.code.is_managed(host) || code_of(handle)->bytes < sizeof head) return;
  std::memcpy(&head, code_of(handle)->container, sizeof head);
  board* device = nullptr;
  if (head.relocatable == 0) all.ready(device);
}
void __cudaRegisterManagedRange(const void* begin, const void* end) {
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  process().code.add_managed_range(begin, end);
}
void __cudaRegisterTexture(void** handle, const void* host, const void**, const char* name, int, int normalised,
                           int) {
  const std::lock_guard<std::mutex> one_at_a_time(process().mutex);
  process().code.add_texture(code_of(handle), host, name, normalised != 0);
}
// Surfaces need compute capability 2.0; kernels that use one are refused by the compiler.
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  this_thread().configurations.push_back({grid, block, shared, static_cast<cudaStream_t>(stream)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  thread_state& own = this_thread();
  if (own.configurations.empty()) return own.last_error = cudaErrorMissingConfiguration;
  const call_configuration configuration = own.configurations.back();
  own.configurations.pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return launch_kernel(function, {grid, block, shared, stream}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void** arguments) {
  bool is_cooperative = false;
  const bool is_known = how != nullptr && (how->numAttrs == 0 || how->attrs != nullptr);
  if (!is_known) return guarded([](process_state&) { return cudaErrorInvalidValue; });
  for (unsigned k = 0; k < how->numAttrs; ++k) {
    const cudaLaunchAttribute& a = how->attrs[k];
    const auto& cluster = a.val.clusterDim;
    // Clusters of blocks need compute capability 9.0.
    if (a.id == cudaLaunchAttributeClusterDimension && (cluster.x > 1 || cluster.y > 1 || cluster.z > 1))
      return guarded([](process_state&) { return cudaErrorNotSupported; });
    if (a.id == cudaLaunchAttributeCooperative) is_cooperative = a.val.cooperative != 0;
  }
  const auto call = is_cooperative ? &cudaLaunchCooperativeKernel : &cudaLaunchKernel;
  return call(function, how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, how->stream);
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  this_thread().configurations.push_back({grid, block, shared, stream});
  this_thread().arguments.clear();
  return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void* argument, size_t bytes, size_t offset) {
  return guarded([&](process_state&) {
    constexpr size_t room = 256;
    if (argument == nullptr || offset > room || bytes > room - offset) return cudaErrorInvalidValue;
    std::vector<std::uint8_t>& to = this_thread().arguments;
    to.resize(std::max(to.size(), offset + bytes));
    std::memcpy(to.data() + offset, argument, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunch(const void* function) {
  return guarded([&](process_state& all) {
    thread_state& own = this_thread();
    if (own.configurations.empty()) return cudaErrorMissingConfiguration;
    const call_configuration configuration = own.configurations.back();
    own.configurations.pop_back();
    const registered* entry = nullptr;
    board* device = nullptr;
    const known_kernel* kernel = nullptr;
    const cudaError_t error = find_kernel(all, function, entry, device, kernel);
    if (error != cudaSuccess) return error;
    std::vector<std::uint8_t> parameters = own.arguments;
    for (const known_kernel::parameter& p : kernel->parameters)
      parameters.resize(std::max<size_t>(parameters.size(), p.offset + p.size));
    return launch(all, *device, entry->name, *kernel, configuration, parameters);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return guarded([&](process_state& all) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const registered* entry = nullptr;
    board* device = nullptr;
    const known_kernel* kernel = nullptr;
    const cudaError_t error = find_kernel(all, function, entry, device, kernel);
    if (error != cudaSuccess) return error;
    device_description d;
    if (const status result = device->describe(d); result != status::success) return error_of(result);
    *attributes = {};
    attributes->sharedSizeBytes = kernel->needs.shared_bytes;
    attributes->localSizeBytes = kernel->needs.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->needs.threads_per_block);
    attributes->numRegs = static_cast<int>(kernel->needs.registers);
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(d.capability);
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(d.shared_bytes - std::min(d.shared_bytes, kernel->needs.shared_bytes));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return guarded([&](process_state& all) {
    const registered* entry = nullptr;
    board* device = nullptr;
    const known_kernel* kernel = nullptr;
    const cudaError_t error = find_kernel(all, function, entry, device, kernel);
    if (error != cudaSuccess) return error;
    device_description d;
    if (const status result = device->describe(d); result != status::success) return error_of(result);
    // Blocks may have all shared memory there is without being asked; a launch checks it.
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
      return value >= 0 && static_cast<std::uint64_t>(value) + kernel->needs.shared_bytes <= d.shared_bytes
                 ? cudaSuccess
                 : cudaErrorInvalidValue;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return value >= cudaSharedmemCarveoutDefault && value <= cudaSharedmemCarveoutMaxShared
                 ? cudaSuccess
                 : cudaErrorInvalidValue;
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return guarded([&](process_state& all) {
    if (all.code.kernel(function) == nullptr) return cudaErrorInvalidDeviceFunction;
    return config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads,
                                                          size_t dynamic_shared) {
  return guarded([&](process_state& all) {
    if (blocks == nullptr || block_threads <= 0) return cudaErrorInvalidValue;
    return occupancy_of(all, function, block_threads, dynamic_shared, *blocks);
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block_threads, size_t dynamic_shared,
                                                                   unsigned flags) {
  if (flags > cudaOccupancyDisableCachingOverride)
    return guarded([](process_state&) { return cudaErrorInvalidValue; });
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, dynamic_shared);
}
// The most that leaves room for so many blocks, in units of the granule.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int block_threads) {
  return guarded([&](process_state& all) {
    if (bytes == nullptr || blocks <= 0 || block_threads <= 0) return cudaErrorInvalidValue;
    device_description d;
    if (const status result = all.current().describe(d); result != status::success) return error_of(result);
    size_t fits = 0;
    size_t fits_not = d.shared_bytes + size_t{1};
    int found = 0;
    cudaError_t error = occupancy_of(all, function, block_threads, 0, found);
    if (error == cudaSuccess && found < blocks) error = cudaErrorInvalidValue;
    while (error == cudaSuccess && fits + 1 < fits_not) {
      const size_t middle = fits + (fits_not - fits) / 2;
      error = occupancy_of(all, function, block_threads, middle, found);
      (found >= blocks ? fits : fits_not) = middle;
    }
    if (error == cudaSuccess) *bytes = fits;
    return error;
  });
}

// All blocks must be on the chip at once, because they wait for each other.
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  const cudaError_t error = guarded([&](process_state& all) {
    device_description d;
    if (const status result = all.current().describe(d); result != status::success) return error_of(result);
    int blocks = 0;
    const unsigned threads = block.x * block.y * block.z;
    const cudaError_t known = occupancy_of(all, function, static_cast<int>(threads), shared, blocks);
    if (known != cudaSuccess) return known;
    const std::uint64_t wanted = std::uint64_t{grid.x} * grid.y * grid.z;
    return wanted <= static_cast<std::uint64_t>(blocks) * d.multiprocessors ? cudaSuccess
                                                                            : cudaErrorCooperativeLaunchTooLarge;
  });
  return error != cudaSuccess ? error : launch_kernel(function, {grid, block, shared, stream, true}, arguments);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache cache) {
  return guarded([&](process_state& all) {
    if (all.code.kernel(function) == nullptr) return cudaErrorInvalidDeviceFunction;
    return cache > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
  });
}

}  // extern "C"
