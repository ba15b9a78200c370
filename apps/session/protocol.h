// Commands of a session to its device, a process `gt200 session`. Every command gets one reply, in order: an exit
// code (apps/exit_code.h), and behind a 0 what the comment names behind the arrow, behind another code the text of
// the message. Messages are those of cuda/protocol.
#pragma once

#include <cstdint>

namespace gt200::session {

enum class command : std::uint32_t {
  describe,      // -> device_facts
  load,          // text path -> u32 number of the program and what is in it, see below
  allocate,      // u64 bytes -> u64 address
  release,       // u64 address
  write,         // u64 address, bytes
  read,          // u64 address, u64 count -> bytes
  write_symbol,  // u32 program, text name, u64 offset, bytes
  read_symbol,   // u32 program, text name, u64 offset, u64 count -> bytes
  launch,     // u32 program, text kernel, launch_shape, u32 arguments, each argument_head, bytes -> launch_facts,
              // text verdict, text message
  statistics  // -> text, the content of stats.json
};

struct device_facts {
  std::uint32_t capability;  // 10: 1.0
  std::uint32_t sms;
  std::uint32_t warps_per_sm;
  std::uint64_t memory_bytes;  // for programs
  std::uint64_t free_bytes;
};

// The reply to load: u32 kernels, each text name, kernel_facts, u32 parameters, each u32 offset, u32 size and
// parameter_type; u32 symbols, each text name, u64 bytes, u64 address (0: a constant); u32 refused kernels, each
// text name and text reason.
struct kernel_facts {
  std::uint32_t registers;     // per thread
  std::uint32_t shared_bytes;  // static, as the program declares it
  std::uint32_t local_bytes;   // per thread
};

// Type that the source declares for a parameter. None: only its width is known.
enum class parameter_type : std::uint32_t { none, integer, real };

struct launch_shape {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint64_t dynamic_shared;  // bytes
};

// `bytes` are passed as they are; the others get the width that the kernel declares.
// A natural: an integer beyond the signed ones of 64 bits.
enum class argument_kind : std::uint32_t { bytes, address, integer, natural, real };

// `code`: of the launch, as exit code; the device takes no further launch unless it is 0.
struct launch_facts {
  std::uint32_t code;
  std::uint64_t core_cycles;
  std::uint64_t began_at_fs;
  std::uint64_t ended_at_fs;
  std::uint64_t warp_instructions;
};

}  // namespace gt200::session
