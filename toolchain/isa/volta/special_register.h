// The special registers that s2r and cs2r read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gt200::isa::volta {

inline constexpr std::uint8_t sr_lane = 0x00;
inline constexpr std::uint8_t sr_virtual_id = 0x03;
inline constexpr std::uint8_t sr_thread_x = 0x21;  // .y .z follow
inline constexpr std::uint8_t sr_block_x = 0x25;
inline constexpr std::uint8_t sr_lanemask_eq = 0x38;  // lt, le, gt, ge follow
inline constexpr std::uint8_t sr_virtual_sm = 0x43;
inline constexpr std::uint8_t sr_clock_low = 0x50;
inline constexpr std::uint8_t sr_clock_high = 0x51;
inline constexpr std::uint8_t sr_timer_low = 0x52;
inline constexpr std::uint8_t sr_timer_high = 0x53;
inline constexpr std::uint8_t sr_zero = 0xff;

// "SR_TID.X"; a number without a name as "SR17".
std::string special_register_text(std::uint8_t number);
std::optional<std::uint8_t> parse_special_register(std::string_view text);

}  // namespace gt200::isa::volta
