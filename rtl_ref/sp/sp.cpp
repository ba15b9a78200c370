#include "rtl_ref/sp/sp.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

extern const char* const sp_interface;  // made by CMake

request sp_rtl(unsigned depth, const std::string& description) {
  return {
      {"sp", "sp_pins", "rtl_ref/sp/pins.h", sp_interface}, {{"depth", depth}}, std::to_string(depth), description};
}

std::unique_ptr<sp_pins> make_sp(unsigned depth, const std::string& description) {
  return make<sp_pins>(sp_rtl(depth, description));
}

}  // namespace gt200::rtl
