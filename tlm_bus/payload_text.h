// A transaction in a message.
#pragma once

#include <string>
#include <tlm>

namespace gt200::tlm_bus {

// Such as "a write of 64 bytes at 0x1f00".
std::string text_of(const tlm::tlm_generic_payload& payload);

}  // namespace gt200::tlm_bus
