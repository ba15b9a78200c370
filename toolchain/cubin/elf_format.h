// The numbers of the ELF cubins of CUDA 3.0 and later, for compute capability 1.x and 2.x.
//
// Sources: System V ABI (header, sections, symbols); e_machine, e_flags and sh_info as read by laanwj/decuda
// elfToCubin.py and shinpei0208/gdev gdev_cuda.c; attribute names as printed by cuobjdump -elf. No compiler-made
// sm_1x file was available: our inferences for it are marked (I). What is said of sm_2x was read in compiler-made
// files (seanbaxter/mgpu_old).
#pragma once

#include <cstdint>

namespace gt200::cubin::elf {

inline constexpr char magic[] =
    "\x7f"
    "ELF";
inline constexpr std::uint8_t class_32 = 1;
inline constexpr std::uint8_t class_64 = 2;  // written by 64-bit toolkits
inline constexpr std::uint8_t little_endian = 1;
inline constexpr std::uint8_t version = 1;
inline constexpr std::uint32_t first_toolkit_version = 50;
inline constexpr std::uint8_t os_abi_cuda = 0x33;
inline constexpr std::uint16_t machine_cuda = 190;
inline constexpr std::uint16_t type_executable = 2;

// e_flags: bits 0-7 hold the SM version, bits 16-23 that of the PTX it was made from.
inline constexpr std::uint32_t sm_mask = 0xff;
// From version 8 of the ABI on, that of CUDA 13, bits 8-15 hold it: seen in its cubins for sm_75.
constexpr std::uint32_t sm_of(std::uint32_t flags, unsigned abi_version) {
  return (abi_version >= 8 ? flags >> 8 : flags) & sm_mask;
}
inline constexpr unsigned ptx_sm_shift = 16;
// sm_2x and later: bit 8 is always set, bit 10 if pointers have 8 bytes.
inline constexpr std::uint32_t flag_sm_2x = 1u << 8;
inline constexpr std::uint32_t flag_address_64 = 1u << 10;
inline constexpr std::uint8_t abi_version_sm_2x = 4;
inline constexpr std::uint8_t abi_version_sm_7x = 7;

// Section types and flags.
inline constexpr std::uint32_t progbits = 1;
inline constexpr std::uint32_t symbol_table = 2;
inline constexpr std::uint32_t string_table = 3;
inline constexpr std::uint32_t relocations_with_addend = 4;
inline constexpr std::uint32_t nobits = 8;
inline constexpr std::uint32_t relocations = 9;
inline constexpr std::uint32_t cuda_info = 0x70000000;
inline constexpr std::uint32_t flag_write = 1;
inline constexpr std::uint32_t flag_alloc = 2;
inline constexpr std::uint32_t flag_code = 4;

// .text.<kernel>: sh_info = registers << 24 | symbol of the kernel; sh_flags has the barriers. From sm_2x on it is
// their count, 0 to 16, in bits 20-26. In sm_1x we give bits 20-23 the meaning of `bar` in text cubins, the highest
// number used (I).
inline constexpr unsigned registers_shift = 24;
inline constexpr unsigned barriers_shift = 20;
inline constexpr std::uint32_t barriers_mask_sm_1x = 0xf;
inline constexpr std::uint32_t barriers_mask_sm_2x = 0x7f;

// Types and bindings of symbols.
inline constexpr std::uint8_t symbol_none = 0;
inline constexpr std::uint8_t symbol_object = 1;
inline constexpr std::uint8_t symbol_function = 2;
inline constexpr std::uint8_t symbol_section = 3;
inline constexpr std::uint8_t symbol_file = 4;
inline constexpr std::uint8_t symbol_texture = 10;
inline constexpr std::uint8_t binding_global = 1;
// Values in place of a symbol's section.
inline constexpr std::uint16_t section_undefined = 0;
inline constexpr std::uint16_t section_absolute = 0xfff1;
inline constexpr std::uint16_t section_first_reserved = 0xff00;

// Relocations of a word in a constant space: the address of a variable, 32 bits or the 64 of a 64-bit toolkit.
inline constexpr std::uint32_t relocation_address_32 = 1;
inline constexpr std::uint32_t relocation_address_64 = 2;

// .nv.info and .nv.info.<kernel>: records {u8 format, u8 attribute, u16 value or size}, then `size` bytes for
// format_sized.
inline constexpr std::uint8_t format_none = 1;
inline constexpr std::uint8_t format_byte = 2;
inline constexpr std::uint8_t format_half = 3;
inline constexpr std::uint8_t format_sized = 4;
inline constexpr std::uint8_t attribute_image_slot = 0x02;           // {u32 symbol, u32 texture unit}
inline constexpr std::uint8_t attribute_max_threads = 0x05;          // {u32 x, u32 y, u32 z}: the largest block
inline constexpr std::uint8_t attribute_constant_parameters = 0x0a;  // {u32 symbol of c0, u16 offset, u16 size}
inline constexpr std::uint8_t attribute_required_threads = 0x10;     // {u32 x, u32 y, u32 z}: the only block
inline constexpr std::uint8_t attribute_frame_size = 0x11;           // {u32 symbol of a kernel, u32 bytes}
inline constexpr std::uint8_t attribute_stack_size = 0x12;           // the same
inline constexpr std::uint8_t attribute_constant_parameter_bytes = 0x19;  // half: bytes of all parameters together
inline constexpr std::uint8_t attribute_parameter = 0x17;          // {u32, u16 ordinal, u16 offset, u32 size << 18}
inline constexpr std::uint8_t attribute_shared_parameters = 0x18;  // half: bytes of all parameters together
inline constexpr unsigned parameter_size_shift = 18;
inline constexpr std::uint32_t parameter_in_shared = 1u << 17 | 0x1fu << 12;  // no constant bank (I)
inline constexpr std::uint32_t parameter_in_constants = 0x1fu << 12;

}  // namespace gt200::cubin::elf
