#include "rtl_ref/coalescer/coalescer.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

// made by CMake
extern const char* const coalescer_interface;
extern const char* const coalescer_digest;

request coalescer_rtl(coalescer_rule rule, const std::string& description) {
  return {{"coalescer", "coalescer_pins", "rtl_ref/coalescer/pins.h", coalescer_interface, coalescer_digest},
          {{"rule", static_cast<std::uint64_t>(rule)}},
          name_of(rule),
          description};
}

std::unique_ptr<coalescer_pins> make_coalescer(coalescer_rule rule, const std::string& description) {
  return make<coalescer_pins>(coalescer_rtl(rule, description));
}

}  // namespace gt200::rtl
