// What a CUDA program asks of the worker of a device. A command is a call_context and what its comment names. Every
// command gets one reply, in order: a status, the time of the program (u64 femtoseconds) and what the comment names
// behind the arrow. The worker replies to a launch when it has accepted it, and then runs it.
#pragma once

#include <array>
#include <cstdint>

namespace gt200::cudart {

enum class command : std::uint32_t {
  describe,        // -> device_description
  load_module,     // image_options, bytes -> what is in it (see kernel_needs), or why it cannot be loaded
  allocate,        // u64 bytes -> u64 address
  release,         // u64 address
  allocate_array,  // array_description -> u64 number of the array
  release_array,   // u64 number
  write,           // memory_rows, bytes (rows without gaps)
  read,            // memory_rows -> bytes
  copy,            // memory_rows of the target, u64 address and u64 pitch of the source
  fill,            // memory_rows, u32 value, u32 bytes of the value: 1, 2, 4
  hold,            // memory_rows: an error unless one allocation holds all of them
  write_symbol,    // u32 module, text name, u64 offset, bytes
  read_symbol,     // u32 module, text name, u64 offset, u64 count -> bytes
  symbol_address,  // u32 module, text name -> u64 address
  write_array,     // u64 array, array_box, bytes (rows without gaps)
  read_array,      // u64 array, array_box -> bytes
  bind_texture,    // u32 module, text name, texture_description
  launch,          // u32 module, text kernel, launch_description, bytes of the parameters
  wait,            // until all that was asked has ended; the program waits for the stream
  time,            // -> u64 femtoseconds of the device at which the work of the stream ends
  hold_back,       // u64 femtoseconds: later work of the stream begins no earlier
  memory,          // -> u64 free bytes, u64 bytes
  limit,           // u32 limit_kind -> u64 value
  set_limit,       // u32 limit_kind, u64 value
  occupancy,       // u32 module, text kernel, u32 threads of a block, u64 dynamic shared -> u32 blocks of an SM
  printed,         // -> text that kernels have printed since the last time, text of failed assertions
  make_texture,    // texture_description -> u64 handle of a texture object
  drop_texture,    // u64 handle
  make_surface,    // u64 array -> u64 address of its surface_description in device memory
  drop_surface     // u64 address
};

// Values are those of cudaError (cuda/include/driver_types.h).
enum class status : std::int32_t {
  success = 0,
  memory_allocation = 2,
  launch_failure = 4,
  launch_timeout = 6,
  launch_out_of_resources = 7,
  invalid_device_function = 8,
  invalid_image = 47,  // cannot be loaded
  invalid_configuration = 9,
  invalid_value = 11,
  invalid_symbol = 13,
  invalid_device_pointer = 17,
  invalid_texture = 18,
  unknown = 30,
  invalid_resource_handle = 33,
  unsupported_limit = 42,
  no_image_for_device = 48,  // no code for its compute capability
  failed_assertion = 59,
  invalid_ptx = 78  // PTX that cannot be compiled
};

// Values are those of cudaLimit and CUlimit.
enum class limit_kind : std::uint32_t { stack_bytes, printf_bytes, heap_bytes };

// Streams of a process have numbers of their own.
constexpr std::uint32_t default_stream = 0;
constexpr std::uint32_t no_stream = 0xffffffff;

// The call that a command is part of.
struct call_context {
  std::uint64_t host_time = 0;  // of the program: femtoseconds
  std::uint32_t stream = default_stream;
  // Set or not; a bool of another value would be undefined where it is read.
  using flag = std::uint8_t;
  flag page_locked = 0;    // the memory of the host that a copy moves
  flag returns_early = 0;  // an asynchronous copy
  flag continues = 0;      // a copy that earlier commands have begun
  flag within_device = 0;  // a copy between two places of it, which the program carries from one to the other
};

struct device_description {
  char name[256];
  std::uint64_t memory_bytes;
  std::uint64_t constant_bytes;
  std::uint32_t capability;  // x 10
  std::uint32_t multiprocessors;
  std::uint32_t shared_bytes;  // per block
  std::uint32_t registers;     // per block
  std::uint32_t warp_size;
  std::uint32_t threads_per_block;
  std::uint32_t threads_per_multiprocessor;
  std::array<std::uint32_t, 3> block;
  std::array<std::uint32_t, 3> grid;
  std::uint32_t clock_khz;  // of the clock that clock() counts
  std::uint32_t memory_clock_khz;
  std::uint32_t memory_bus_bits;
  std::uint32_t l2_bytes;      // of the chip; 0: none
  std::uint32_t copy_engines;  // copies that run beside grids
  std::uint32_t l1_bytes;      // of data, of an SM; 0: none
  std::uint32_t shared_bytes_per_multiprocessor;
  std::uint32_t registers_per_multiprocessor;
  std::uint32_t blocks_per_multiprocessor;
  std::uint32_t float_to_double_ratio;  // of the peak rates; 0: no double precision
};

// How PTX is compiled; a container says that itself.
struct image_options {
  std::uint32_t max_registers;  // 0: no limit
};

// `rows` pieces of `width` bytes, `pitch` bytes apart.
struct memory_rows {
  std::uint64_t address;
  std::uint64_t pitch;
  std::uint64_t width;
  std::uint64_t rows;
};

struct array_description {
  std::array<std::uint32_t, 3> extent;  // texels; 0 for a dimension that the array lacks
  std::uint32_t channels;               // 1, 2, 4
  std::uint32_t channel_bits;           // 8, 16, 32
};

// Part of an array: the first texel in bytes, row and slice, and the size in the same units.
struct array_box {
  std::array<std::uint64_t, 3> first;
  std::array<std::uint64_t, 3> size;
};

enum class texture_memory : std::uint32_t { unbound, linear, pitch, array };

struct texture_description {
  texture_memory memory;
  std::uint32_t channels;
  std::uint32_t channel_bits;
  std::uint32_t channel_kind;  // cudaChannelFormatKind: 0 signed, 1 unsigned, 2 float
  std::uint64_t address;       // or the number of the array
  std::uint64_t bytes;         // of linear memory
  std::uint32_t width, height, pitch;
  std::uint32_t normalised_values;
  std::uint32_t normalised_coordinates;
  std::uint32_t linear_filter;
  std::array<std::uint32_t, 3> addressing;  // cudaTextureAddressMode: 0 wrap, 1 clamp, 2 mirror, 3 border
  std::uint32_t layers;                     // of an array that has layers or faces; its handle tells kernels
};

// Where the bytes of an array are, as device code reads it (toolchain/cuda/gt200_surfaces.h). Arrays are
// block-linear (toolchain/sampling/shape.h).
struct surface_description {
  std::uint64_t address;
  std::array<std::uint32_t, 3> extent;  // bytes, rows, slices
  std::uint32_t block_height_log, block_depth_log;
  std::uint32_t blocks_in_row, blocks_in_slice;
  std::uint32_t unused = 0;
};

struct launch_description {
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint64_t dynamic_shared;
  std::uint32_t cooperative = 0;  // blocks wait for each other: all of them are on the chip at once
};

// The reply to load_module: u32 number of the module; u32 kernels, each text name, kernel_needs, u32 parameters,
// each u32 offset and u32 size; u32 variables, each text name, u64 bytes; u32 refused kernels, each text name and
// text reason; u32 textures, each text name.
struct kernel_needs {
  std::uint32_t registers;
  std::uint32_t shared_bytes;  // static
  std::uint32_t local_bytes;
  std::uint32_t threads_per_block;
};

}  // namespace gt200::cudart
