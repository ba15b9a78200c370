// Functions later than CUDA 4.2: streams with flags, memory of both sides, occupancy, texture objects.
#include <algorithm>

#include "cuda/client/array.h"
#include "cuda/client/event.h"
#include "cuda/client/launch.h"
#include "cuda/driver_api/driver.h"

using namespace gt200::cudart;

namespace {

constexpr unsigned fermi = 20;
constexpr unsigned first_with_priorities = 35;

CUresult occupancy_of(board& device, const CUfunc_st& function, int threads, size_t dynamic_shared, int& blocks) {
  message_reader reply;
  const status result = device.ask(command::occupancy,
                                   message_writer()
                                       .put(function.kernel->module)
                                       .text(function.name)
                                       .put(static_cast<std::uint32_t>(threads))
                                       .put<std::uint64_t>(dynamic_shared),
                                   reply);
  if (result == status::success) blocks = static_cast<int>(reply.get<std::uint32_t>());
  return result_of(result);
}

// The format of texels as the runtime API describes it.
cudaChannelFormatDesc description_of(CUarray_format format, unsigned channels) {
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
  switch (static_cast<int>(format)) {
    case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32, kind = cudaChannelFormatKindUnsigned; break;
    case CU_AD_FORMAT_SIGNED_INT8: bits = 8, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT16: bits = 16, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT32: bits = 32, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_FLOAT: bits = 32, kind = cudaChannelFormatKindFloat; break;
    default: break;
  }
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
}

// What a texture object reads.
CUresult memory_of(process_state& all, const CUDA_RESOURCE_DESC& r, texture_description& wanted,
                   cudaChannelFormatDesc& description) {
  size_t offset = 0;
  switch (static_cast<int>(r.resType)) {
    case CU_RESOURCE_TYPE_ARRAY:
      if (!is_alive(all, r.res.array.hArray)) return CUDA_ERROR_INVALID_HANDLE;
      wanted.memory = texture_memory::array;
      wanted.address = r.res.array.hArray->number;
      wanted.layers = r.res.array.hArray->layers();
      description = r.res.array.hArray->description;
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
      wanted.memory = texture_memory::linear;
      wanted.bytes = r.res.linear.sizeInBytes;
      description = description_of(r.res.linear.format, r.res.linear.numChannels);
      break;
    case CU_RESOURCE_TYPE_PITCH2D: {
      constexpr size_t limit = 65536;
      const auto& p = r.res.pitch2D;
      if (p.width == 0 || p.height == 0 || p.width > limit || p.height > limit || p.pitchInBytes > limit * 16)
        return CUDA_ERROR_INVALID_VALUE;
      wanted.memory = texture_memory::pitch;
      wanted.width = static_cast<std::uint32_t>(p.width);
      wanted.height = static_cast<std::uint32_t>(p.height);
      wanted.pitch = static_cast<std::uint32_t>(p.pitchInBytes);
      description = description_of(p.format, p.numChannels);
      break;
    }
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  // The address is the first member of both.
  return split_address(r.res.linear.devPtr, &offset, wanted.address) && offset == 0 ? CUDA_SUCCESS
                                                                                    : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context([&](process_state&, board& device) {
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = d.capability >= first_with_priorities ? -5 : 0;
    return CUDA_SUCCESS;
  });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return in_context([&](process_state& all, board& device) {
    if ((flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) != 0) return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    const int greatest = d.capability >= first_with_priorities ? -5 : 0;
    return result_of(create_stream(all, stream, flags, std::clamp(priority, greatest, 0)));
  });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return in_context([&](process_state& all, board&) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_stream(all, stream)) return CUDA_ERROR_INVALID_HANDLE;
    *flags = own_stream(stream) == nullptr ? 0 : stream->flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return in_context([&](process_state& all, board&) {
    if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_stream(all, stream)) return CUDA_ERROR_INVALID_HANDLE;
    *priority = own_stream(stream) == nullptr ? 0 : stream->priority;
    return CUDA_SUCCESS;
  });
}
// What was asked for before has ended when the function is called. It may not call the API, as CUDA has it.
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = cuStreamSynchronize(stream);
  if (error == CUDA_ERROR_INVALID_HANDLE || error == CUDA_ERROR_INVALID_CONTEXT) return error;
  callback(stream, error, data);
  return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = cuStreamSynchronize(stream); error != CUDA_SUCCESS) return error;
  function(data);
  return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return in_context([&](process_state& all, board& device) {
    if (address == nullptr || bytes == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
      return CUDA_ERROR_INVALID_VALUE;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    if (d.capability < fermi) return CUDA_ERROR_NOT_SUPPORTED;
    status result = status::success;
    void* const pages = all.mapped.allocate(device, bytes, flags, true, result);
    *address = reinterpret_cast<CUdeviceptr>(pages);
    return pages == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : result_of(result);
  });
}
// Calls return when they have ended, so that the memory is there at once.
CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  const CUresult known = in_context([&](process_state& all, board&) {
    return takes_work(all, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
  return known != CUDA_SUCCESS ? known : cuMemAlloc(address, bytes);
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const CUresult known = in_context([&](process_state& all, board&) {
    return takes_work(all, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
  return known != CUDA_SUCCESS ? known : cuMemFree(address);
}

// Blocks may have all shared memory there is without being asked; a launch checks it.
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return in_context([&](process_state& all, board& device) {
    if (find_function(all, function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    constexpr int most_percent = 100;
    const bool is_possible =
        attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            ? value >= 0 &&
                  static_cast<std::uint64_t>(value) + function->kernel->needs.shared_bytes <= d.shared_bytes
            : attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT && value >= -1 &&
                  value <= most_percent;
    return is_possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_threads,
                                                     size_t dynamic_shared) {
  return in_context([&](process_state& all, board& device) {
    if (blocks == nullptr || block_threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    if (find_function(all, function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return occupancy_of(device, *function, block_threads, dynamic_shared, *blocks);
  });
}
// The size of blocks, up to `limit` threads, with which an SM holds the most threads.
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t dynamic_shared, int limit) {
  return in_context([&](process_state& all, board& device) {
    if (grid == nullptr || block == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_function(all, function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    const int warp = static_cast<int>(d.warp_size);
    int most = static_cast<int>(function->kernel->needs.threads_per_block);
    if (limit > 0) most = std::min(most, limit);
    int best = 0;
    *grid = *block = 0;
    for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
      const int used = std::min(threads, most);
      int blocks = 0;
      const size_t shared = shared_of != nullptr ? shared_of(used) : dynamic_shared;
      if (const CUresult error = occupancy_of(device, *function, used, shared, blocks); error != CUDA_SUCCESS)
        return error;
      if (blocks * used <= best) continue;
      best = blocks * used;
      *block = used;
      *grid = blocks * static_cast<int>(d.multiprocessors);
    }
    return CUDA_SUCCESS;
  });
}
// All blocks must be on the chip at once, because they wait for each other.
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** parameters) {
  const CUresult known = in_context([&](process_state& all, board& device) {
    if (find_function(all, function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    device_description d;
    if (const status error = device.describe(d); error != status::success) return result_of(error);
    int blocks = 0;
    const int threads = static_cast<int>(block_x * block_y * block_z);
    if (const CUresult error = occupancy_of(device, *function, threads, shared, blocks); error != CUDA_SUCCESS)
      return error;
    return std::uint64_t{grid_x} * grid_y * grid_z <= static_cast<std::uint64_t>(blocks) * d.multiprocessors
               ? CUDA_SUCCESS
               : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  });
  return known != CUDA_SUCCESS
             ? known
             : launch_kernel(function,
                             {dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream, true},
                             parameters, nullptr);
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* reading, const CUDA_RESOURCE_VIEW_DESC* view) {
  return in_context([&](process_state& all, board& device) {
    if (texture == nullptr || resource == nullptr || reading == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (view != nullptr || (reading->flags & CU_TRSF_SRGB) != 0) return CUDA_ERROR_NOT_SUPPORTED;
    texture_description wanted = {};
    cudaChannelFormatDesc description = {};
    if (const CUresult error = memory_of(all, *resource, wanted, description); error != CUDA_SUCCESS) return error;
    textureReference how = {};
    how.normalized = (reading->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    how.filterMode = static_cast<cudaTextureFilterMode>(reading->filterMode);
    for (size_t k = 0; k < 3; ++k)
      how.addressMode[k] = static_cast<cudaTextureAddressMode>(reading->addressMode[k]);
    // Whole numbers become floats from 0 or -1 to 1, unless the flag says otherwise; those of 32 bits never do.
    const bool normalised = (reading->flags & CU_TRSF_READ_AS_INTEGER) == 0 &&
                            description.f != cudaChannelFormatKindFloat && description.x < 32;
    if (const cudaError_t error = describe_texture(how, &description, normalised, wanted); error != cudaSuccess)
      return result_of(error);
    message_reader reply;
    const status result = device.ask(command::make_texture, message_writer().put(wanted), reply);
    if (result == status::success) *texture = reply.get<std::uint64_t>();
    return result_of(result);
  });
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
  return in_context([&](process_state&, board& device) {
    return result_of(device.ask(command::drop_texture, message_writer().put<std::uint64_t>(texture)));
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  return in_context([&](process_state& all, board& device) {
    if (surface == nullptr || resource == nullptr || resource->resType != CU_RESOURCE_TYPE_ARRAY)
      return CUDA_ERROR_INVALID_VALUE;
    const CUarray array = resource->res.array.hArray;
    if (!is_alive(all, array)) return CUDA_ERROR_INVALID_HANDLE;
    device_description d;
    if (const status result = device.describe(d); result != status::success) return result_of(result);
    if (d.capability < 20) return CUDA_ERROR_NOT_SUPPORTED;
    message_reader reply;
    const status result = device.ask(command::make_surface, message_writer().put(array->number), reply);
    if (result == status::success) *surface = reply.get<std::uint64_t>();
    return result_of(result);
  });
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return in_context([&](process_state& all, board& device) {
    all.wait();
    return result_of(device.ask(command::drop_surface, message_writer().put<std::uint64_t>(surface)));
  });
}

}  // extern "C"
