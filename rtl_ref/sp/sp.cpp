#include "rtl_ref/sp/sp.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

// made by CMake
extern const char* const sp_interface;
extern const char* const sp_digest;

request sp_rtl(unsigned depth, const std::string& description) {
  return {{"sp", "sp_pins", "rtl_ref/sp/pins.h", sp_interface, sp_digest},
          {{"depth", depth}},
          std::to_string(depth),
          description};
}

std::unique_ptr<sp_pins> make_sp(unsigned depth, const std::string& description) {
  return make<sp_pins>(sp_rtl(depth, description));
}

}  // namespace gt200::rtl
