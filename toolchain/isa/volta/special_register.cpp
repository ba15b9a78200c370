#include "toolchain/isa/volta/special_register.h"

#include <array>

#include "toolchain/isa/common/text_stream.h"

namespace gt200::isa::volta {
namespace {

struct named_register {
  std::uint8_t number;
  const char* name;
};
constexpr std::array<named_register, 28> named_registers = {{
    {sr_lane, "SR_LANEID"},
    {sr_virtual_id, "SR_VIRTID"},
    {sr_thread_x, "SR_TID.X"},
    {sr_thread_x + 1, "SR_TID.Y"},
    {sr_thread_x + 2, "SR_TID.Z"},
    {sr_block_x, "SR_CTAID.X"},
    {sr_block_x + 1, "SR_CTAID.Y"},
    {sr_block_x + 2, "SR_CTAID.Z"},
    {sr_lanemask_eq, "SR_EQMASK"},
    {sr_lanemask_eq + 1, "SR_LTMASK"},
    {sr_lanemask_eq + 2, "SR_LEMASK"},
    {sr_lanemask_eq + 3, "SR_GTMASK"},
    {sr_lanemask_eq + 4, "SR_GEMASK"},
    {sr_virtual_sm, "SR_VIRTUALSMID"},
    {sr_clock_low, "SR_CLOCKLO"},
    {sr_clock_high, "SR_CLOCKHI"},
    {sr_timer_low, "SR_GLOBALTIMERLO"},
    {sr_timer_high, "SR_GLOBALTIMERHI"},
    {0x64, "SR_PM0"},
    {0x66, "SR_PM1"},
    {0x68, "SR_PM2"},
    {0x6a, "SR_PM3"},
    {0x6c, "SR_PM4"},
    {0x6e, "SR_PM5"},
    {0x70, "SR_PM6"},
    {0x72, "SR_PM7"},
    {sr_zero, "SRZ"},
    {sr_zero, "SR_SRZ"},
}};

}  // namespace

std::string special_register_text(std::uint8_t number) {
  for (const named_register& r : named_registers)
    if (r.number == number) return r.name;
  return "SR" + std::to_string(number);
}

std::optional<std::uint8_t> parse_special_register(std::string_view text) {
  for (const named_register& r : named_registers)
    if (text == r.name) return r.number;
  if (text.substr(0, 2) != "SR") return std::nullopt;
  const auto number = parse_number(text.substr(2));
  if (!number || *number < 0 || *number > 255) return std::nullopt;
  return static_cast<std::uint8_t>(*number);
}

}  // namespace gt200::isa::volta
