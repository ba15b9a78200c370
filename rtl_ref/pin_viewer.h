// Receives the values of a block's pins, for waveforms. Always the same pins in the same order.
#pragma once

#include <cstdint>

namespace gt200::rtl {

class pin_viewer {
 public:
  virtual ~pin_viewer() = default;
  // The pins that follow belong to port `number`; after no_port() to none.
  virtual void port(const char* name, unsigned number) = 0;
  virtual void no_port() = 0;
  virtual void pin(const char* name, unsigned bits, std::uint64_t value) = 0;
};

}  // namespace gt200::rtl
