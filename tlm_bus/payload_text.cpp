#include "tlm_bus/payload_text.h"

#include <cstdio>

namespace gt200::tlm_bus {

std::string text_of(const tlm::tlm_generic_payload& payload) {
  const char* const kind = payload.is_read() ? "a read" : payload.is_write() ? "a write" : "an access";
  char text[80];
  std::snprintf(text, sizeof(text), "%s of %u bytes at 0x%llx", kind, payload.get_data_length(),
                static_cast<unsigned long long>(payload.get_address()));
  return text;
}

}  // namespace gt200::tlm_bus
