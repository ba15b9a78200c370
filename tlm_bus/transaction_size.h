// The maximum size of a memory transaction. Plain C++.
#pragma once

namespace gt200::tlm_bus {

inline constexpr unsigned max_transaction_bytes = 256;

}  // namespace gt200::tlm_bus
