// A loaded program: kernels, their code and constants, independent of the container they came from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gt200::cubin {

struct source_line {  // optional debug information: code offset -> line of the source the assembler saw
  std::uint32_t offset = 0;
  std::uint32_t line = 0;
};

// Initialised bytes in a constant space.
struct constant_segment {
  std::string name;
  // c<space>; what each one holds: cubin/limits.h.
  std::uint8_t space = 0;
  std::uint32_t offset = 0;  // bytes from the start of the space
  std::uint32_t size = 0;    // bytes; bytes beyond `data` are zero
  std::vector<std::uint8_t> data;
};

// A named object in global memory (.global in assembly, __device__ in CUDA C).
struct global_variable {
  std::string name;
  std::uint32_t size = 0;
  std::uint32_t alignment = 4;
  std::vector<std::uint8_t> data;  // initial bytes, zero-filled to size
};

struct sampler {
  std::string name;
  std::uint32_t texture_unit = 0;
};

// c14 word that receives the address of a global variable.
struct relocation {
  std::string name;  // of the global variable
  std::uint8_t space = 14;
  std::uint32_t offset = 0;  // bytes
};

struct parameter {           // known for assembled and ELF modules; empty for text cubins
  std::uint32_t offset = 0;  // bytes from the first parameter
  std::uint32_t size = 0;
};

struct kernel {
  std::string name;
  std::vector<std::uint32_t> code;  // machine words; branch targets are relative to the kernel's first byte
  std::uint32_t registers = 0;      // per thread, 1..128
  std::uint32_t shared_bytes = 0;   // static shared memory; sm_1x: with header (16) and parameters
  std::uint32_t local_bytes = 0;    // per thread
  // sm_1x: highest barrier number used, as `bar` of a cubin. Later: how many barriers.
  std::uint32_t barriers = 0;
  std::vector<parameter> parameters;
  std::vector<std::uint32_t> pointers;      // of compiled PTX: offsets of 64-bit pointers among the parameters
  std::uint32_t parameter_base = 0;         // not sm_1x: first byte of the parameters in c0
  std::vector<constant_segment> constants;  // of the kernel alone
  std::vector<source_line> lines;
  // Bounds of a launch's blocks by the source; 0: none. Text cubins cannot hold them.
  std::array<std::uint32_t, 3> largest_block = {};   // a block has at most as many threads as this one
  std::array<std::uint32_t, 3> required_block = {};  // a block is like this one
  std::string refusal;                               // why it cannot run, though it can be listed; usually empty
};

// A kernel that the source has, and that this hardware cannot run.
struct refused_kernel {
  std::string name;
  std::string reason;
};

struct module {
  std::string name;
  std::string source_file;     // for messages
  unsigned capability = 10;    // 10..13, 20, 21, 30..62 (listed only), 70..72
  unsigned address_bytes = 4;  // of pointers: 4, or 8 on sm_2x; 8 from sm_70 on
  std::vector<kernel> kernels;
  std::vector<constant_segment> constants;  // of all kernels
  std::vector<global_variable> globals;
  std::vector<sampler> samplers;
  std::vector<relocation> relocations;
  std::vector<refused_kernel> refused;  // of a compiled module; a launch of one is an error with this reason

  const kernel* find(const std::string& kernel_name) const {
    for (const auto& k : kernels)
      if (k.name == kernel_name) return &k;
    return nullptr;
  }
};

}  // namespace gt200::cubin
