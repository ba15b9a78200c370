// RTL of your own as a shared object: what it exports, and what the program that loads it gives it.
//
// Include gt200/rtl_<block>.h, which has a macro for each block, and write in one file of the shared object
//   GT200_RTL_ISSUE_ARBITER(my_arbiter)
// `my_arbiter` derives from the block's pins (rtl_ref/<block>/pins.h) and is made from library_values, once for
// each block of the chip that is RTL, in reset. Its constructor throws std::exception for a size that it does not
// have. A shared object may hold several blocks. It needs neither Verilator nor the description of the RTL where it
// runs: any code that follows the protocol of the pins will do. docs/cosimulation.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gt200::rtl {

// The size that the configuration asks for, by the names that descriptions use: warps, entries, order, rule, depth.
class library_values {
 public:
  struct named {
    const char* name;
    std::uint64_t value;
  };
  library_values(const named* values, std::size_t count) : values_(values), count_(count) {}
  // Throws std::out_of_range for a name that the block does not have.
  std::uint64_t operator[](std::string_view name) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (name == values_[i].name) return values_[i].value;
    throw std::out_of_range("the block has no value '" + std::string(name) + "'");
  }

 private:
  const named* values_;
  std::size_t count_;
};

// The symbol gt200_rtl_<block> of a shared object.
struct exported_rtl {
  static constexpr std::uint32_t present_layout = 1;

  std::uint32_t layout;                  // of this structure
  const char* interface_digest;          // of the headers of the pins with which it was compiled
  void* (*make)(const library_values&);  // a new object, as a pointer to the class of the block's pins
};

}  // namespace gt200::rtl

#define GT200_EXPORT_RTL(symbol, pins, digest, own_class)                                          \
  extern "C" __attribute__((visibility("default"))) const gt200::rtl::exported_rtl symbol;         \
  const gt200::rtl::exported_rtl symbol = {gt200::rtl::exported_rtl::present_layout, digest,       \
                                           [](const gt200::rtl::library_values& values) -> void* { \
                                             return static_cast<pins*>(new own_class(values));     \
                                           }};
