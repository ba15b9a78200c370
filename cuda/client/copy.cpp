#include "cuda/client/copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace gt200::cudart {
namespace {

using kind = place::kind;
using bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t device_limit = std::uint64_t{1} << 32;

memory_rows rows_of_slice(const place& p, const box& size, size_t slice) {
  return {p.address + slice * p.slice_pitch, p.pitch, size.width, size.rows};
}

// Slices without a gap between them are more rows.
box joined(const place& p, const box& size) {
  if (size.slices > 1 && p.where != kind::array && p.slice_pitch == p.pitch * size.rows)
    return {size.width, size.rows * size.slices, 1};
  return size;
}

array_box box_of(const place& p, const box& size) {
  return {{p.first[0], p.first[1], p.first[2]}, {size.width, size.rows, size.slices}};
}

// Slices behind the first one are part of the same copy.
call_context part_of_copy(size_t slice) {
  call_context call = this_thread().call;
  call.continues |= slice != 0;
  return call;
}

cudaError_t read(process_state& all, const place& from, const box& whole, bytes& content) {
  if (from.where == kind::array) {
    message_reader reply;
    const status result = all.current().ask(
        command::read_array, message_writer().put(from.array->number).put(box_of(from, whole)), reply);
    if (result == status::success) content = reply.bytes();
    return error_of(result);
  }
  const box size = joined(from, whole);
  content.reserve(whole.bytes());
  for (size_t slice = 0; slice < size.slices; ++slice) {
    const memory_rows rows = rows_of_slice(from, size, slice);
    if (from.where == kind::host) {
      for (size_t row = 0; row < rows.rows; ++row) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(rows.address + row * rows.pitch);
        content.insert(content.end(), at, at + rows.width);
      }
      continue;
    }
    message_reader reply;
    const call_scope scope(part_of_copy(slice));
    const status result = all.current().ask(command::read, message_writer().put(rows), reply);
    if (result != status::success) return error_of(result);
    size_t count = 0;
    const std::uint8_t* at = reply.bytes(count);
    content.insert(content.end(), at, at + count);
  }
  return cudaSuccess;
}

cudaError_t write(process_state& all, const place& to, const box& whole, const bytes& content) {
  if (to.where == kind::array)
    return error_of(all.current().ask(
        command::write_array,
        message_writer().put(to.array->number).put(box_of(to, whole)).bytes(content.data(), content.size())));
  const box size = joined(to, whole);
  const std::uint8_t* from = content.data();
  for (size_t slice = 0; slice < size.slices; ++slice, from += size.width * size.rows) {
    const memory_rows rows = rows_of_slice(to, size, slice);
    if (to.where == kind::host) {
      for (size_t row = 0; row < rows.rows; ++row)
        std::memcpy(reinterpret_cast<void*>(rows.address + row * rows.pitch), from + row * rows.width, rows.width);
      continue;
    }
    const call_scope scope(part_of_copy(slice));
    const status result =
        all.current().ask(command::write, message_writer().put(rows).bytes(from, size.width * size.rows));
    if (result != status::success) return error_of(result);
  }
  return cudaSuccess;
}

bool is_wrong(const place& p, const box& size) {
  if (p.where == kind::array) return p.array == nullptr;
  return p.address == 0 || (size.rows > 1 && p.pitch < size.width);
}

// Bytes from the first of a box to its last; false if no number has them.
bool span_of(const place& p, const box& size, size_t& bytes) {
  size_t rows = 0;
  size_t slices = 0;
  return !__builtin_mul_overflow(size.rows - 1, p.pitch, &rows) &&
         !__builtin_mul_overflow(size.slices - 1, p.slice_pitch, &slices) &&
         !__builtin_add_overflow(rows, slices, &bytes) && !__builtin_add_overflow(bytes, size.width, &bytes);
}

// A device address that is taken for one of the host has no memory there, as a rule.
bool is_in_process(std::uintptr_t address, size_t bytes) {
  if (address >= device_limit) return true;
  if (bytes > device_limit) return false;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = address / page * page;
  const size_t length = address + bytes - begin;
  std::vector<unsigned char> ignored(length / page + 1);
  return mincore(reinterpret_cast<void*>(begin), length, ignored.data()) == 0;
}

}  // namespace

bool is_alive(process_state& all, const cudaArray* array) {
  return array != nullptr && all.arrays.count(array) != 0 && array->epoch == all.current().epoch();
}

cudaError_t sides_of(cudaMemcpyKind direction, const void* to, const void* from, kind& to_side, kind& from_side) {
  // The host's side of memory that both use is the newest once the device has been waited for.
  const auto is_shared = [](const void* p) {
    return process().mapped.is_shared(reinterpret_cast<std::uintptr_t>(p));
  };
  const auto side = [](const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) < device_limit ? kind::device : kind::host;
  };
  switch (direction) {
    case cudaMemcpyHostToHost: to_side = from_side = kind::host; break;
    case cudaMemcpyHostToDevice: to_side = kind::device, from_side = kind::host; break;
    case cudaMemcpyDeviceToHost: to_side = kind::host, from_side = kind::device; break;
    case cudaMemcpyDeviceToDevice: to_side = from_side = kind::device; break;
    case cudaMemcpyDefault: to_side = side(to), from_side = side(from); break;
    default: return cudaErrorInvalidMemcpyDirection;
  }
  if (is_shared(to)) to_side = kind::host;
  if (is_shared(from)) from_side = kind::host;
  return cudaSuccess;
}

cudaError_t require(process_state& all, const place& p, const box& size) {
  size_t span = 0;
  if (p.where == kind::array || size.bytes() == 0) return cudaSuccess;
  if (!span_of(p, size, span)) return cudaErrorInvalidValue;
  if (p.where == kind::host) return is_in_process(p.address, span) ? cudaSuccess : cudaErrorInvalidValue;
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  board& device = all.current();
  if (device.allocation_at(p.address, base, bytes) && span <= bytes - (p.address - base)) return cudaSuccess;
  return error_of(device.ask(command::hold, message_writer().put(memory_rows{p.address, span, span, 1})));
}

call_context copying(process_state& all, const void* host) {
  call_context call = this_thread().call;
  std::uintptr_t ignored = 0;
  call.within_device |= host == nullptr;
  call.page_locked |= all.mapped.find(host, ignored) != nullptr;
  return call;
}

call_context by_way_of_host(const CUstream_st* stream) {
  call_context call = in_stream(stream);
  call.page_locked = true;
  call.returns_early = false;
  return call;
}

cudaError_t copy(process_state& all, const place& to, const place& from, const box& size) {
  if (size.bytes() == 0) return cudaSuccess;
  if (size.bytes() > device_limit) return cudaErrorInvalidValue;
  if (is_wrong(to, size) || is_wrong(from, size)) return cudaErrorInvalidValue;
  for (const place* p : {&to, &from})
    if (p->where == kind::array && !is_alive(all, p->array)) return cudaErrorInvalidResourceHandle;
  board* device = nullptr;
  if (const cudaError_t error = all.ready(device); error != cudaSuccess) return error;
  if (const cudaError_t error = all.mapped.is_empty() ? cudaSuccess : all.wait(); error != cudaSuccess)
    return error;
  for (const place* p : {&to, &from})
    if (const cudaError_t error = require(all, *p, size); error != cudaSuccess) return error;
  if (to.where == kind::device && from.where == kind::device && size.slices == 1) {
    const memory_rows rows = rows_of_slice(to, size, 0);
    return error_of(device->ask(
        command::copy, message_writer().put(rows).put<std::uint64_t>(from.address).put<std::uint64_t>(from.pitch)));
  }
  const place& other = to.where == kind::host ? to : from;
  const call_scope scope(
      copying(all, other.where == kind::host ? reinterpret_cast<const void*>(other.address) : nullptr));
  bytes content;
  if (const cudaError_t error = read(all, from, size, content); error != cudaSuccess) return error;
  return write(all, to, size, content);
}

}  // namespace gt200::cudart
