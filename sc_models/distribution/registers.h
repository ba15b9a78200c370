// Register map of the command processor: what a host, or any virtual platform, sees of the chip.
//
// 32-bit registers at byte offsets, little endian. Below 0x1000 stand registers of the Tesla compute class at their
// offsets there (method numbers of class 0x50c0, envytools rnndb g80_compute.xml; bit fields as there); from 0x1000
// on those that hardware has elsewhere or not at all. Every register may be read back; "ro" ones only read.
//
// A launch: write code, constants and data through the aperture, set the registers, write LAUNCH. The registers are
// copied at that moment and may be changed for the next launch at once; launches wait in a queue and run one after
// the other. Then poll STATUS, or GRIDS_ENDED.
//
// `device address`: physical address of a byte in the DRAM of the chip, the same in the registers and behind
// the aperture. Local memory is the exception: LOCAL_ADDRESS is virtual, as the page table of the chip maps it.
#pragma once

#include <cstdint>

namespace gt200::model::registers {

// -- compute class --
inline constexpr std::uint32_t cp_address_high = 0x0210;     // device address of code byte 0, bits 39:32
inline constexpr std::uint32_t cp_address_low = 0x0214;      // bits 31:0
inline constexpr std::uint32_t local_address_high = 0x0294;  // virtual address of the local memory of the chip
inline constexpr std::uint32_t local_address_low = 0x0298;
inline constexpr std::uint32_t local_size_log = 0x029c;       // log2(bytes per thread / 8); 0 = none
inline constexpr std::uint32_t cb_def_address_high = 0x02a4;  // device address of a constant buffer ...
inline constexpr std::uint32_t cb_def_address_low = 0x02a8;
inline constexpr std::uint32_t cb_def_set = 0x02ac;   // ... defined here: 15:0 bytes (0 = 65536), 22:16 buffer
inline constexpr std::uint32_t block_alloc = 0x02b4;  // 15:0 threads per block, 23:16 barriers
inline constexpr std::uint32_t cp_reg_alloc_temp = 0x02c0;  // registers per thread, 1..128
inline constexpr std::uint32_t launch = 0x0368;             // any write launches
inline constexpr std::uint32_t user_param_count = 0x0374;   // 15:8 parameter words, 0..64; sets user_param_bytes
inline constexpr std::uint32_t gridid = 0x0388;             // 15:0 appears in s[0x00]
inline constexpr std::uint32_t griddim = 0x03a4;            // 15:0 x, 31:16 y, in blocks; GRIDDIM_Z
inline constexpr std::uint32_t shared_size = 0x03a8;        // bytes per block; accesses beyond are faults
inline constexpr std::uint32_t blockdim_xy = 0x03ac;        // 15:0 x, 31:16 y, in threads
inline constexpr std::uint32_t blockdim_z = 0x03b0;
inline constexpr std::uint32_t cp_start_id = 0x03b4;     // offset of the first instruction in the code
inline constexpr std::uint32_t set_program_cb = 0x03c8;  // 7:0 valid, 11:8 space, 18:12 buffer, 19 space + 16
inline constexpr std::uint32_t user_param = 0x0600;      // 64 words, copied to s[0x10] of every block
inline constexpr std::uint32_t user_param_words = 64;

// -- this chip --
inline constexpr std::uint32_t id = 0x1000;                // ro: id_value
inline constexpr std::uint32_t code_size = 0x1004;         // bytes of code from CP_ADDRESS; fetches beyond fault
inline constexpr std::uint32_t user_param_bytes = 0x1008;  // when the last parameter word is not whole
inline constexpr std::uint32_t griddim_z = 0x100c;         // blocks in z; 0 is taken as 1
inline constexpr std::uint32_t texture_address_high =
    0x1010;  // address of texel 0 (virtual, as the page table maps it)
inline constexpr std::uint32_t texture_address_low = 0x1014;
inline constexpr std::uint32_t texture_width = 0x1018;       // texels; 0 unbinds
inline constexpr std::uint32_t texture_format = 0x101c;      // 2:0 components 1|2|4, 6:4 format (sampling/texel.h),
                                                             // 8 normalised
inline constexpr std::uint32_t texture_bind = 0x1020;        // 6:0 unit that gets the texture set above
inline constexpr std::uint32_t texture_unbind_all = 0x1024;  // any write
inline constexpr std::uint32_t texture_height = 0x1028;      // texels; 0 is taken as 1
inline constexpr std::uint32_t texture_depth = 0x102c;       // texels; 0 is taken as 1
inline constexpr std::uint32_t texture_pitch = 0x1030;       // bytes from row to row of a pitch-linear image
inline constexpr std::uint32_t texture_image =
    0x1034;  // 1:0 dimensions, 0 linear memory; 2 block-linear;
             // 6:4 block height in gobs, 10:8 block depth in slices, log2
inline constexpr std::uint32_t texture_sampler = 0x1038;  // 0 linear filter; 1 normalised coordinates;
                                                          // addressing in x, y, z: low bit 4, 5, 6, high bit
                                                          // 8, 9, 10; 0 clamp, 1 wrap, 2 mirror, 3 border
inline constexpr std::uint32_t base_registers = 0x103c;   // registers of a thread that its warp keeps; 0: all
inline constexpr std::uint32_t status = 0x1040;           // ro: 1:0 chip_status, 15:8 launches waiting
inline constexpr std::uint32_t error = 0x1044;            // ro: launch_error of the last LAUNCH
inline constexpr std::uint32_t error_value = 0x1048;      // ro: what that launch asked for ...
inline constexpr std::uint32_t error_limit = 0x104c;      // ro: ... and what is possible
inline constexpr std::uint32_t grids_ended = 0x1050;      // ro: launches that have ended, faulted one included
inline constexpr std::uint32_t fault_sm = 0x1054;         // ro: 7:0 SM in its TPC, 15:8 TPC
inline constexpr std::uint32_t fault_block = 0x1058;      // ro: number of the block, (z * grid.y + y) * grid.x + x
inline constexpr std::uint32_t static_warps = 0x105c;     // 1: warps of the grid are never formed anew
inline constexpr std::uint32_t began_low = 0x1060;        // ro: uncore cycle at which the last launch was begun
inline constexpr std::uint32_t began_high = 0x1064;
inline constexpr std::uint32_t ended_low = 0x1068;  // ro: uncore cycle at which it ended
inline constexpr std::uint32_t ended_high = 0x106c;

inline constexpr std::uint32_t interrupt =
    0x1070;                                      // 0 a launch has ended; writing 1 clears it, and the line with it
inline constexpr std::uint32_t window = 0x1074;  // 15:0 device address of the window's first byte / window_bytes
inline constexpr std::uint32_t reset = 0x1078;   // 0 writing 1 resets the chip, and is 1 until that is done

inline constexpr std::uint32_t space_bytes = 0x2000;   // register space; beyond it: address error
inline constexpr std::uint32_t id_value = 0x47543230;  // "GT20"

// The memory of the chip: device address + aperture. Whole or partial words, any length.
inline constexpr std::uint64_t aperture = std::uint64_t{1} << 32;

// The same memory for a bus of 32 bits: window_bytes from the address that WINDOW selects. An access must not leave
// it.
inline constexpr std::uint64_t window_base = std::uint64_t{1} << 24;
inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 24;

// A fault stays until a reset: the chip accepts no further launch. While it is being reset it accepts none either.
enum class chip_status : std::uint32_t { idle = 0, busy = 1, faulted = 2, resetting = 3 };

}  // namespace gt200::model::registers
