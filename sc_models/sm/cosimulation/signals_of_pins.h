// The pins of RTL as signals of a module: rtl.<pin>, or rtl.<port>_<number>.<pin>.
#pragma once

#include <string>

#include "rtl_ref/pin_viewer.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class signals_of_pins final : public rtl::pin_viewer {
 public:
  explicit signals_of_pins(tlm_bus::signal_writer& to) : to_(to) {}
  void port(const char* name, unsigned number) override {
    in_port_ = true;
    to_.enter(("rtl." + std::string(name)).c_str(), number);
  }
  void no_port() override {
    in_port_ = false;
    to_.leave();
  }
  void pin(const char* name, unsigned bits, std::uint64_t value) override {
    to_.mask(((in_port_ ? "" : "rtl.") + std::string(name)).c_str(), bits, value);
  }

 private:
  tlm_bus::signal_writer& to_;
  bool in_port_ = false;
};

}  // namespace gt200::model
