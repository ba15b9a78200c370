#include "toolchain/isa/fermi/special_register.h"

#include <array>

#include "toolchain/isa/common/text_stream.h"

namespace gt200::isa::fermi {
namespace {

struct named_register {
  std::uint8_t number;
  const char* name;
};
constexpr std::array<named_register, 48> named_registers = {{
    {0x00, "laneid"},      {0x02, "nphysid"},     {0x03, "physid"},      {0x04, "pm0"},
    {0x05, "pm1"},         {0x06, "pm2"},         {0x07, "pm3"},         {0x08, "pm4"},
    {0x09, "pm5"},         {0x0a, "pm6"},         {0x0b, "pm7"},         {0x10, "vtxcnt"},
    {0x11, "invoc"},       {0x12, "ydir"},        {0x13, "thread_kill"}, {0x20, "tid"},
    {0x21, "tidx"},        {0x22, "tidy"},        {0x23, "tidz"},        {0x24, "launcharg"},
    {0x25, "ctaidx"},      {0x26, "ctaidy"},      {0x27, "ctaidz"},      {0x28, "ntid"},
    {0x29, "ntidx"},       {0x2a, "ntidy"},       {0x2b, "ntidz"},       {0x2c, "gridid"},
    {0x2d, "nctaidx"},     {0x2e, "nctaidy"},     {0x2f, "nctaidz"},     {0x30, "swinbase"},
    {0x31, "swinsz"},      {0x32, "smemsz"},      {0x33, "smembanks"},   {0x34, "lwinbase"},
    {0x35, "lwinsz"},      {0x36, "lpossz"},      {0x37, "lnegstart"},   {0x38, "lanemask_eq"},
    {0x39, "lanemask_lt"}, {0x3a, "lanemask_le"}, {0x3b, "lanemask_gt"}, {0x3c, "lanemask_ge"},
    {0x40, "trapstat"},    {0x42, "warperr"},     {0x50, "clock"},       {0x51, "clockhi"},
}};

}  // namespace

std::string special_register_text(std::uint8_t number) {
  for (const named_register& r : named_registers)
    if (r.number == number) return std::string("$") + r.name;
  return "$sr" + std::to_string(number);
}

std::optional<std::uint8_t> parse_special_register(std::string_view text) {
  if (text.empty() || text[0] != '$') return std::nullopt;
  text.remove_prefix(1);
  for (const named_register& r : named_registers)
    if (text == r.name) return r.number;
  if (text.substr(0, 2) != "sr") return std::nullopt;
  const auto number = parse_number(text.substr(2));
  if (!number || *number < 0 || *number > 255) return std::nullopt;
  return static_cast<std::uint8_t>(*number);
}

}  // namespace gt200::isa::fermi
