// A SystemC module with signals at its ports, used as a class made by Verilator is: its ports are members that one
// assigns and reads, and eval() lets the outputs follow. So the same class around the pins serves both forms of
// RTL. rtl_ref/library derives a class from this one for each module that Verilator makes with --sc.
//
// The module is built with the chip, before the simulation. An eval() there cannot run it: its inputs are kept, and
// follow one after the other in front of the first eval() of the simulation. A reset in a constructor works so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

#include "rtl_ref/pin_fields.h"
#include "rtl_ref/settle.h"

namespace gt200::rtl {

template <class T>
std::uint64_t field_of(const T& value, unsigned offset, unsigned width) {
  if constexpr (std::is_integral_v<T>)
    return std::uint64_t{value} >> offset & ones(width);
  else
    return value.range(static_cast<int>(offset + width - 1), static_cast<int>(offset)).to_uint64();
}
template <class T>
void set_field_of(T& value, unsigned offset, unsigned width, std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>)
    value = static_cast<T>((std::uint64_t{value} & ~(ones(width) << offset)) | (bits & ones(width)) << offset);
  else
    value.range(static_cast<int>(offset + width - 1), static_cast<int>(offset)) = bits & ones(width);
}

// The signals stand beside the module, below the block of the chip that holds the RTL, which may have several.
inline std::string signal_name(const char* pin) {
  return sc_core::sc_gen_unique_name((std::string("rtl_") + pin).c_str());
}

class systemc_module_pins {
 public:
  systemc_module_pins() = default;
  systemc_module_pins(const systemc_module_pins&) = delete;
  systemc_module_pins& operator=(const systemc_module_pins&) = delete;

  void eval() {
    if (sc_core::sc_get_status() < sc_core::SC_RUNNING) {
      for (any_input* input : inputs_) input->keep();
      ++kept_;
      return;
    }
    for (std::size_t n = 0; n < kept_; ++n) {
      for (any_input* input : inputs_) input->drive_kept(n);
      settle();
    }
    kept_ = 0;
    for (any_input* input : inputs_) input->drive();
    settle();
  }

 private:
  template <class T>
  friend class input_pin;
  class any_input {
   public:
    virtual void keep() = 0;
    virtual void drive_kept(std::size_t n) = 0;
    virtual void drive() = 0;

   protected:
    ~any_input() = default;
  };

  std::vector<any_input*> inputs_;
  std::size_t kept_ = 0;  // evaluations before the simulation
};

// An input of the module. What is assigned reaches it with the next eval().
template <class T>
class input_pin final : private systemc_module_pins::any_input {
 public:
  input_pin(systemc_module_pins& owner, sc_core::sc_in<T>& port, const char* name)
      : signal_(signal_name(name).c_str()) {
    port(signal_);
    owner.inputs_.push_back(this);
  }
  template <class Value>
  input_pin& operator=(Value value) {
    if constexpr (std::is_integral_v<T>)
      value_ = static_cast<T>(value);
    else
      value_ = value;
    return *this;
  }
  operator const T&() const { return value_; }
  T& next() { return value_; }  // what the next eval() gives to the module

 private:
  void keep() override { kept_.push_back(value_); }
  void drive_kept(std::size_t n) override { signal_.write(kept_[n]); }
  void drive() override {
    kept_.clear();
    signal_.write(value_);
  }

  T value_{};
  std::vector<T> kept_;
  sc_core::sc_signal<T> signal_;
};

// An output, as of the last eval().
template <class T>
class output_pin {
 public:
  output_pin(sc_core::sc_out<T>& port, const char* name) : signal_(signal_name(name).c_str()) { port(signal_); }
  operator const T&() const { return signal_.read(); }

 private:
  sc_core::sc_signal<T> signal_;
};

template <class T>
std::uint64_t field(const input_pin<T>& pin, unsigned offset, unsigned width) {
  return field_of(static_cast<const T&>(pin), offset, width);
}
template <class T>
void set_field(input_pin<T>& pin, unsigned offset, unsigned width, std::uint64_t value) {
  set_field_of(pin.next(), offset, width, value);
}
template <class T>
std::uint64_t field(const output_pin<T>& pin, unsigned offset, unsigned width) {
  return field_of(static_cast<const T&>(pin), offset, width);
}

}  // namespace gt200::rtl
