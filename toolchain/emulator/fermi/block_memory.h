// Common part of blocks of sm_20 and sm_70 under functional execution: their initial state, registers as operands
// and results, constants, accesses, and how a fault is described.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/arch_state/register_transfer.h"
#include "toolchain/arch_state/step_record.h"
#include "toolchain/cubin/module.h"
#include "toolchain/emulator/constant_memory.h"

namespace gt200::emulator::fermi {

// The number of a block in its grid, x running fastest.
std::uint32_t block_number(const std::array<std::uint32_t, 3>& at, const std::array<std::uint32_t, 3>& size);
isa::lane_mask lanes_of_warp(std::uint32_t threads_of_block, unsigned warp);
void fill_registers(std::uint64_t seed, std::uint32_t block, unsigned warp, arch_state::register_rows& registers);
void fill_memories(std::uint64_t seed, std::uint32_t block, std::vector<std::uint8_t>& shared,
                   std::vector<std::uint8_t>& local);

void read_registers(const arch_state::register_rows& from, const arch_state::register_reads& reads);
void write_registers(arch_state::register_rows& to, const arch_state::register_writes& writes,
                     isa::lane_mask lanes);

// Reads the constant operands of the instruction. False: the record holds a fault.
bool gather_constants(const arch_state::generation& generation, const constant_memory& constants,
                      const isa::instruction& i, arch_state::step_record& r);

// Performs the access of a record to shared, local or global memory. False: the record holds a fault.
bool perform_in_block(arch_state::step_record& r, const arch_state::generation& generation,
                      arch_state::memory& global, std::vector<std::uint8_t>& shared,
                      std::vector<std::uint8_t>& local, std::uint32_t local_stride, bool atomics_on_chip);

arch_state::fault describe_block_fault(const arch_state::step_record& r, const arch_state::generation& generation,
                                       const cubin::kernel& kernel, const arch_state::block_place& place);

}  // namespace gt200::emulator::fermi
