// The special registers of Fermi, read by "mov b32 $r $tidx". Numbers and names: envytools gf100.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gt200::isa::fermi {

namespace special {
inline constexpr std::uint8_t laneid = 0;
inline constexpr std::uint8_t nphysid = 2;  // number of warp slots << 8, number of SMs << 20
inline constexpr std::uint8_t physid = 3;   // warp slot << 8, SM << 20
inline constexpr std::uint8_t tid = 0x20;   // packed as in $r0 of Tesla
inline constexpr std::uint8_t tidx = 0x21;
inline constexpr std::uint8_t tidz = 0x23;
inline constexpr std::uint8_t ctaidx = 0x25;
inline constexpr std::uint8_t ctaidz = 0x27;
inline constexpr std::uint8_t ntid = 0x28;
inline constexpr std::uint8_t ntidx = 0x29;
inline constexpr std::uint8_t ntidz = 0x2b;
inline constexpr std::uint8_t gridid = 0x2c;
inline constexpr std::uint8_t nctaidx = 0x2d;
inline constexpr std::uint8_t nctaidz = 0x2f;
inline constexpr std::uint8_t shared_window_base = 0x30;
inline constexpr std::uint8_t shared_window_size = 0x31;
inline constexpr std::uint8_t shared_size = 0x32;
inline constexpr std::uint8_t local_window_base = 0x34;
inline constexpr std::uint8_t local_window_size = 0x35;
inline constexpr std::uint8_t lanemask_eq = 0x38;
inline constexpr std::uint8_t lanemask_lt = 0x39;
inline constexpr std::uint8_t lanemask_le = 0x3a;
inline constexpr std::uint8_t lanemask_gt = 0x3b;
inline constexpr std::uint8_t lanemask_ge = 0x3c;
inline constexpr std::uint8_t clock = 0x50;
inline constexpr std::uint8_t clockhi = 0x51;
}  // namespace special

std::string special_register_text(std::uint8_t number);  // $sr17 if it has no name
std::optional<std::uint8_t> parse_special_register(std::string_view text);

}  // namespace gt200::isa::fermi
