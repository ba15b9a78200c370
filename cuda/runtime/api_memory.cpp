// Linear memory: allocation, copies, symbols.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cuda/client/copy.h"
#include "cuda/client/event.h"
#include "cuda/runtime/capture.h"
#include "cuda/runtime/pool.h"

using namespace gt200::cudart;

namespace {

constexpr size_t pitch_alignment = 256;

// The pitch of rows; 0 if no number has the bytes of all of them.
size_t pitch_of(size_t width, size_t rows) {
  size_t padded = 0;
  size_t bytes = 0;
  if (__builtin_add_overflow(width, pitch_alignment - 1, &padded)) return 0;
  const size_t pitch = padded / pitch_alignment * pitch_alignment;
  return __builtin_mul_overflow(pitch, rows, &bytes) ? 0 : pitch;
}

cudaError_t allocate(process_state& all, size_t bytes, void** pointer) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  std::uint64_t address = 0;
  const status result = device->allocate(bytes, address);
  if (result == status::success) *pointer = reinterpret_cast<void*>(address);
  return error_of(result);
}

// Whether the current device uses pointers of the host; it is then ready.
cudaError_t unified(process_state& all, board*& device, bool& is_unified) {
  device_description d;
  if (const status result = all.current().describe(d); result != status::success) return error_of(result);
  constexpr unsigned fermi = 20;
  is_unified = d.capability >= fermi;
  return is_unified ? all.ready(device) : cudaSuccess;
}

cudaError_t fill(process_state& all, const memory_rows& rows, int value) {
  if (rows.width == 0 || rows.rows == 0) return cudaSuccess;
  if (rows.rows > 1 && rows.pitch < rows.width) return cudaErrorInvalidValue;
  if (all.mapped.is_shared(rows.address)) {
    if (const cudaError_t error = all.wait(); error != cudaSuccess) return error;
    const place where = place::in_memory(place::kind::host, reinterpret_cast<void*>(rows.address), rows.pitch, 0);
    if (const cudaError_t error = require(all, where, {rows.width, rows.rows, 1}); error != cudaSuccess)
      return error;
    for (std::uint64_t k = 0; k < rows.rows; ++k)
      std::memset(reinterpret_cast<void*>(rows.address + k * rows.pitch), value, rows.width);
    return cudaSuccess;
  }
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  return error_of(
      device->ask(command::fill, message_writer().put(rows).put(static_cast<std::uint32_t>(value) & 255).put(1u)));
}

cudaError_t copy_plane(process_state& all, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                       const box& size, cudaMemcpyKind kind) {
  place::kind to_side{};
  place::kind from_side{};
  if (const cudaError_t error = sides_of(kind, to, from, to_side, from_side); error != cudaSuccess) return error;
  if (to_side == place::kind::host && from_side == place::kind::host) {
    if (size.bytes() == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    if (!all.mapped.is_empty())
      if (const cudaError_t error = all.wait(); error != cudaSuccess) return error;
    for (const place& p :
         {place::in_memory(to_side, to, to_pitch, 0), place::in_memory(from_side, from, from_pitch, 0)})
      if (const cudaError_t error = require(all, p, size); error != cudaSuccess) return error;
    for (size_t row = 0; row < size.rows; ++row)
      std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                   size.width);
    return cudaSuccess;
  }
  return copy(all, place::in_memory(to_side, to, to_pitch, to_pitch * size.rows),
              place::in_memory(from_side, from, from_pitch, from_pitch * size.rows), size);
}

cudaError_t fill_plane(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    return fill(all, {reinterpret_cast<std::uintptr_t>(pointer), pitch, width, height}, value);
  });
}

cudaError_t fill_box(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    if (extent.width > pointer.pitch || extent.height > pointer.ysize) return cudaErrorInvalidValue;
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
    size_t slice_pitch = 0;
    if (__builtin_mul_overflow(pointer.pitch, pointer.ysize, &slice_pitch)) return cudaErrorInvalidValue;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    // All of it, before the first slice is written.
    const place whole = place::in_memory(place::kind::device, pointer.ptr, pointer.pitch, slice_pitch);
    if (const cudaError_t error = require(all, whole, {extent.width, extent.height, extent.depth});
        error != cudaSuccess)
      return error;
    for (size_t slice = 0; slice < extent.depth; ++slice) {
      const auto address = reinterpret_cast<std::uintptr_t>(pointer.ptr) + slice * slice_pitch;
      const cudaError_t error = fill(all, {address, pointer.pitch, extent.width, extent.height}, value);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t copy_plane(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       cudaMemcpyKind kind, cudaStream_t stream) {
  return guarded_in(stream, [&](process_state& all) {
    if (height > 1 && (to_pitch < width || from_pitch < width)) return cudaErrorInvalidPitchValue;
    return copy_plane(all, to, to_pitch, from, from_pitch, {width, height, 1}, kind);
  });
}

// Copies between devices go through the host. The stream may be one of any device.
cudaError_t copy_between(void* to, int to_device, const void* from, int from_device, size_t bytes,
                         cudaStream_t stream) {
  return guarded([&](process_state& all) {
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    for (const int device : {to_device, from_device})
      if (device < 0 || static_cast<size_t>(device) >= all.boards.size()) return cudaErrorInvalidDevice;
    if (bytes == 0) return cudaSuccess;
    const call_scope scope(by_way_of_host(stream));
    message_reader reply;
    memory_rows rows = {reinterpret_cast<std::uintptr_t>(from), bytes, bytes, 1};
    const status read =
        all.boards[static_cast<size_t>(from_device)]->ask(command::read, message_writer().put(rows), reply);
    if (read != status::success) return error_of(read);
    size_t count = 0;
    const std::uint8_t* content = reply.bytes(count);
    rows.address = reinterpret_cast<std::uintptr_t>(to);
    return error_of(all.boards[static_cast<size_t>(to_device)]->ask(
        command::write, message_writer().put(rows).bytes(content, count)));
  });
}

bool is_managed(const process_state& all, const void* pointer, size_t bytes) {
  std::uintptr_t begin = 0;
  const mapped_memory::block* known = all.mapped.find(pointer, begin);
  return known != nullptr && known->is_managed && bytes != 0 &&
         bytes <= known->bytes - (reinterpret_cast<std::uintptr_t>(pointer) - begin);
}

constexpr int cpu_number = -1;  // cudaCpuDeviceId

cudaError_t allocate_in(process_state& all, CUmemPoolHandle_st& pool, size_t bytes, void** pointer) {
  if (!has_room(pool, all.current(), bytes)) return cudaErrorMemoryAllocation;
  const cudaError_t error = allocate(all, bytes, pointer);
  if (error == cudaSuccess && bytes != 0)
    note_allocation(pool, all.current(), reinterpret_cast<std::uintptr_t>(*pointer), bytes);
  return error;
}

// A variable of the current device.
struct variable {
  board* device = nullptr;
  const registered* entry = nullptr;
  const known_symbol* symbol = nullptr;
};

cudaError_t find_variable(process_state& all, const void* host_or_name, variable& found) {
  found.entry = all.code.variable(host_or_name);
  if (found.entry == nullptr) return cudaErrorInvalidSymbol;
  if (const cudaError_t error = all.ready(found.device, *found.entry); error != cudaSuccess) return error;
  found.symbol = found.device->symbol(found.entry->code->container, found.entry->name);
  return cudaSuccess;
}

cudaError_t address_of(const variable& v, std::uint64_t& address) {
  message_reader reply;
  const status result =
      v.device->ask(command::symbol_address, message_writer().put(v.symbol->module).text(v.entry->name), reply);
  if (result == status::success) address = reply.get<std::uint64_t>();
  return error_of(result);
}

cudaError_t copy_to_symbol(process_state& all, const void* symbol, const void* from, size_t bytes, size_t offset,
                           cudaMemcpyKind kind) {
  variable v;
  if (const cudaError_t error = find_variable(all, symbol, v); error != cudaSuccess) return error;
  if (offset > v.entry->bytes || bytes > v.entry->bytes - offset) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  // clang drops variables that no kernel uses: nobody can see what is written to them.
  if (bytes == 0 || v.symbol == nullptr) return cudaSuccess;
  if (from == nullptr) return cudaErrorInvalidValue;
  std::vector<std::uint8_t> content;
  const auto* source = static_cast<const std::uint8_t*>(from);
  place::kind to_side{};
  place::kind from_side{};
  sides_of(kind, symbol, from, to_side, from_side);
  if (const cudaError_t error = require(all, place::in_memory(from_side, from, bytes, bytes), {bytes, 1, 1});
      error != cudaSuccess)
    return error;
  const call_scope scope(copying(all, from_side == place::kind::host ? from : nullptr));
  if (from_side == place::kind::device) {
    message_reader reply;
    const memory_rows rows = {reinterpret_cast<std::uintptr_t>(from), bytes, bytes, 1};
    const status result = v.device->ask(command::read, message_writer().put(rows), reply);
    if (result != status::success) return error_of(result);
    content = reply.bytes();
    source = content.data();
  }
  return error_of(v.device->ask(
      command::write_symbol,
      message_writer().put(v.symbol->module).text(v.entry->name).put<std::uint64_t>(offset).bytes(source, bytes)));
}

cudaError_t copy_from_symbol(process_state& all, void* to, const void* symbol, size_t bytes, size_t offset,
                             cudaMemcpyKind kind) {
  variable v;
  if (const cudaError_t error = find_variable(all, symbol, v); error != cudaSuccess) return error;
  if (offset > v.entry->bytes || bytes > v.entry->bytes - offset) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr) return cudaErrorInvalidValue;
  place::kind to_side{};
  place::kind from_side{};
  sides_of(kind, to, symbol, to_side, from_side);
  if (const cudaError_t error = require(all, place::in_memory(to_side, to, bytes, bytes), {bytes, 1, 1});
      error != cudaSuccess)
    return error;
  std::vector<std::uint8_t> content(bytes);
  const call_scope scope(copying(all, to_side == place::kind::host ? to : nullptr));
  if (v.symbol != nullptr) {
    message_reader reply;
    const status result = v.device->ask(command::read_symbol,
                                        message_writer()
                                            .put(v.symbol->module)
                                            .text(v.entry->name)
                                            .put<std::uint64_t>(offset)
                                            .put<std::uint64_t>(bytes),
                                        reply);
    if (result != status::success) return error_of(result);
    content = reply.bytes();
  }
  if (to_side == place::kind::host) {
    std::memcpy(to, content.data(), bytes);
    return cudaSuccess;
  }
  const memory_rows rows = {reinterpret_cast<std::uintptr_t>(to), bytes, bytes, 1};
  return error_of(v.device->ask(command::write, message_writer().put(rows).bytes(content.data(), bytes)));
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return guarded([&](process_state& all) { return allocate(all, bytes, pointer); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return guarded([&](process_state& all) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    const size_t padded = pitch_of(width, height);
    if (padded == 0 && width != 0) return cudaErrorMemoryAllocation;
    *pitch = padded;
    return allocate(all, padded * height, pointer);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return guarded([&](process_state& all) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    size_t rows = 0;
    const bool too_many = __builtin_mul_overflow(extent.height, extent.depth, &rows);
    const size_t pitch = pitch_of(extent.width, rows);
    if (too_many || (pitch == 0 && extent.width != 0)) return cudaErrorMemoryAllocation;
    pointer->pitch = pitch;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate(all, pitch * rows, &pointer->ptr);
  });
}

cudaError_t cudaFree(void* pointer) {
  return guarded([&](process_state& all) {
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    if (pointer == nullptr) return cudaSuccess;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (all.mapped.is_shared(address)) {
      if (const cudaError_t error = all.wait(); error != cudaSuccess) return error;
      return all.mapped.release_managed(pointer) ? cudaSuccess : cudaErrorInvalidDevicePointer;
    }
    // The copies of mapped memory go with the memory of the host.
    if (all.mapped.has_copy_at(*device, address)) return cudaErrorInvalidDevicePointer;
    if (is_of_graph(address)) return cudaSuccess;  // it stays with the graph
    const status result = device->release(address);
    if (result == status::success) note_release(*device, address);
    return error_of(result);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (pointer == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    constexpr size_t page = 4096;
    if (bytes > SIZE_MAX - page) return cudaErrorMemoryAllocation;
    board* device = nullptr;
    bool has_unified_addresses = false;
    if (const cudaError_t error = unified(all, device, has_unified_addresses); error != cudaSuccess) return error;
    if (has_unified_addresses) {
      status result = status::success;
      *pointer = all.mapped.allocate(*device, bytes, flags, false, result);
      if (*pointer != nullptr) return cudaSuccess;
    }
    *pointer = std::aligned_alloc(page, std::max(page, (bytes + page - 1) / page * page));
    if (*pointer == nullptr) return cudaErrorMemoryAllocation;
    all.mapped.add(*pointer, bytes, flags, (flags & cudaHostAllocMapped) != 0, true);
    return cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return guarded([&](process_state& all) {
    constexpr unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped;
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return cudaErrorInvalidValue;
    std::uintptr_t begin = 0;
    if (all.mapped.find(pointer, begin) != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
    all.mapped.add(pointer, bytes, flags, (flags & cudaHostRegisterMapped) != 0, false);
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return guarded([&](process_state& all) {
    all.wait();
    return all.mapped.remove(pointer, false) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned flags) {
  return guarded([&](process_state& all) {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    std::uint64_t address = 0;
    const status result = all.mapped.device_address(*device, host, address);
    *device_pointer = reinterpret_cast<void*>(address);
    return error_of(result);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return guarded([&](process_state& all) {
    std::uintptr_t begin = 0;
    const mapped_memory::block* known = all.mapped.find(host, begin);
    if (flags == nullptr || known == nullptr) return cudaErrorInvalidValue;
    *flags = known->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return guarded([&](process_state& all) {
    if (pointer == nullptr) return cudaSuccess;
    all.wait();
    return all.mapped.remove(pointer, true) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* given) {
  return guarded([&](process_state& all) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    void* const pointer = const_cast<void*>(given);
    *attributes = {};
    attributes->device = static_cast<int>(this_thread().device);
    if (all.mapped.is_shared(reinterpret_cast<std::uintptr_t>(pointer))) {
      std::uintptr_t first = 0;
      const bool managed = all.mapped.find(pointer, first)->is_managed;
      attributes->memoryType = managed ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
      attributes->type = managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      attributes->isManaged = managed;
      attributes->devicePointer = attributes->hostPointer = pointer;
      return cudaSuccess;
    }
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    if (all.current().allocation_at(reinterpret_cast<std::uintptr_t>(pointer), base, bytes)) {
      attributes->memoryType = attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = pointer;
      return cudaSuccess;
    }
    std::uintptr_t begin = 0;
    const bool is_registered = all.mapped.find(pointer, begin) != nullptr;
    // Plain memory of the host is no error since CUDA 11.
    constexpr int no_device = -2;  // cudaInvalidDeviceId
    if (!is_registered) attributes->device = no_device;
    attributes->memoryType = attributes->type = is_registered ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
    attributes->hostPointer = pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return guarded([&](process_state& all) {
    if (pointer == nullptr || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    board* device = nullptr;
    bool has_unified_addresses = false;
    if (const cudaError_t error = unified(all, device, has_unified_addresses); error != cudaSuccess) return error;
    if (!has_unified_addresses) return cudaErrorNotSupported;
    status result = status::success;
    *pointer = all.mapped.allocate(*device, bytes, flags, true, result);
    return *pointer == nullptr ? cudaErrorMemoryAllocation : error_of(result);
  });
}

// Pages move at launches and at calls that wait, whatever a program advises.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeEmpty, result, [&](CUgraphNode_st&) { return cudaSuccess; })) return result;
  return guarded([&](process_state& all) {
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    if (device != cpu_number && (device < 0 || static_cast<size_t>(device) >= all.boards.size()))
      return cudaErrorInvalidDevice;
    return is_managed(all, pointer, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return guarded([&](process_state& all) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    const bool names_device = advice >= cudaMemAdviseSetPreferredLocation;
    if (names_device && device != cpu_number && (device < 0 || static_cast<size_t>(device) >= all.boards.size()))
      return cudaErrorInvalidDevice;
    return is_managed(all, pointer, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes, unsigned) {
  return guarded([&](process_state& all) {
    if (!is_stream(all, stream)) return cudaErrorInvalidResourceHandle;
    return is_managed(all, pointer, std::max<size_t>(bytes, 1)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Calls return when they have ended, so that the memory is there at once.
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemAlloc, result, [&](CUgraphNode_st& n) {
        const cudaError_t error = pointer == nullptr ? cudaErrorInvalidValue : set_memory(n, bytes);
        if (error == cudaSuccess) *pointer = n.memory.dptr;
        return error;
      }))
    return result;
  return guarded_in(stream, [&](process_state& all) {
    return allocate_in(all, pool_in_use(static_cast<int>(all.current().device())), bytes, pointer);
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (is_any_captured() && captured_graph(stream) != nullptr) {
    const cudaError_t error =
        guarded([&](process_state&) { return find_pool(pool) != nullptr ? cudaSuccess : cudaErrorInvalidValue; });
    return error != cudaSuccess ? error : cudaMallocAsync(pointer, bytes, stream);
  }
  return guarded_in(stream, [&](process_state& all) {
    CUmemPoolHandle_st* const from = find_pool(pool);
    if (from == nullptr || from->device != static_cast<int>(all.current().device())) return cudaErrorInvalidValue;
    return allocate_in(all, *from, bytes, pointer);
  });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemFree, result, [&](CUgraphNode_st& n) {
        n.memory.dptr = pointer;
        return cudaSuccess;
      }))
    return result;
  const cudaError_t error = guarded(
      [&](process_state& all) { return takes_work(all, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
  return error != cudaSuccess ? error : cudaFree(pointer);
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* bytes) {
  return guarded([&](process_state& all) {
    if (free_bytes == nullptr || bytes == nullptr) return cudaErrorInvalidValue;
    board* device = nullptr;
    if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
    message_reader reply;
    const status result = device->ask(command::memory, {}, reply);
    if (result == status::success) {
      *free_bytes = reply.get<std::uint64_t>();
      *bytes = reply.get<std::uint64_t>();
    }
    return error_of(result);
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return fill_plane(pointer, bytes, value, bytes, 1, nullptr);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill_plane(pointer, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return fill_box(pointer, value, extent, nullptr);
}
// Calls return when they have ended: that keeps the order within every stream.
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemset, result, [&](CUgraphNode_st& n) {
        return set_fill(n, {pointer, bytes, static_cast<unsigned>(value), 1, bytes, 1});
      }))
    return result;
  return fill_plane(pointer, bytes, value, bytes, 1, stream);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemset, result, [&](CUgraphNode_st& n) {
        return set_fill(n, {pointer, pitch, static_cast<unsigned>(value), 1, width, height});
      }))
    return result;
  return fill_plane(pointer, pitch, value, width, height, stream);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemset, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) { return cudaMemset3DAsync(pointer, value, extent, s); };
        return cudaSuccess;
      }))
    return result;
  return fill_box(pointer, value, extent, stream);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_plane(to, bytes, from, bytes, bytes, 1, kind, nullptr);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result,
               [&](CUgraphNode_st& n) { return set_copy(n, to, from, bytes, kind); }))
    return result;
  const returns_early call;
  return copy_plane(to, bytes, from, bytes, bytes, 1, kind, stream);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy_plane(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) {
          return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, s);
        };
        return cudaSuccess;
      }))
    return result;
  const returns_early call;
  return copy_plane(to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return copy_between(to, to_device, from, from_device, bytes, nullptr);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) { return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, s); };
        return cudaSuccess;
      }))
    return result;
  const returns_early call;
  return copy_between(to, to_device, from, from_device, bytes, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return guarded([&](process_state& all) { return copy_to_symbol(all, symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return guarded([&](process_state& all) { return copy_from_symbol(all, to, symbol, bytes, offset, kind); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) { return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, s); };
        return cudaSuccess;
      }))
    return result;
  const returns_early call;
  return guarded_in(stream,
                    [&](process_state& all) { return copy_to_symbol(all, symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  cudaError_t result = cudaSuccess;
  if (captured(stream, cudaGraphNodeTypeMemcpy, result, [&](CUgraphNode_st& n) {
        n.work = [=](cudaStream_t s) { return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, s); };
        return cudaSuccess;
      }))
    return result;
  const returns_early call;
  return guarded_in(stream,
                    [&](process_state& all) { return copy_from_symbol(all, to, symbol, bytes, offset, kind); });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return guarded([&](process_state& all) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    variable v;
    if (const cudaError_t error = find_variable(all, symbol, v); error != cudaSuccess) return error;
    if (v.symbol == nullptr) return cudaErrorInvalidSymbol;
    std::uint64_t address = 0;
    const cudaError_t error = address_of(v, address);
    if (error == cudaSuccess) *pointer = reinterpret_cast<void*>(address);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return guarded([&](process_state& all) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    const registered* entry = all.code.variable(symbol);
    if (entry == nullptr) return cudaErrorInvalidSymbol;
    *bytes = entry->bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
