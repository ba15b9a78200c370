// Through a port a module calls an interface of its neighbour.
//
// It binds, elaborates and appears in the hierarchy like the sc_port inside it. That sc_port is large and is stored
// elsewhere. The module itself holds only the resolved interface, so a call costs one load, and ports that a module
// declares one after the other share one or two cache lines of the host.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <type_traits>

namespace gt200::tlm_bus {

// Base of an interface whose calls change nothing on the other side.
class question_if : public virtual sc_core::sc_interface {};

// The interface of all ports, for observers that walk the hierarchy.
class port_state {
 public:
  virtual ~port_state() = default;
  virtual bool only_asks() const = 0;
};

template <class IF>
class port {
 public:
  // Creates the child `name` of the module under construction. Exactly one interface must be bound: a second one
  // throws std::logic_error.
  explicit port(const char* name) : binding_(std::make_unique<binding>(name, interface_)) {}
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  void bind(IF& interface) { unbound().bind(interface); }
  // Binds to the interface to which the port of the enclosing module is bound.
  void bind(port& parent) { unbound().bind(*parent.binding_); }

  // Null until SystemC has bound the ports: usable from end_of_elaboration() on.
  IF* operator->() const { return interface_; }
  IF& operator*() const { return *interface_; }

 private:
  // SystemC would complain only when the elaboration ends.
  sc_core::sc_port<IF>& unbound() {
    if (binding_->bind_count() != 0)
      throw std::logic_error(std::string(binding_->name()) +
                             ": is bound a second time, and has room for one interface");
    return *binding_;
  }

  class binding final : public sc_core::sc_port<IF>, public port_state {
   public:
    binding(const char* name, IF*& resolved) : sc_core::sc_port<IF>(name), resolved_(resolved) {}
    bool only_asks() const override { return std::is_base_of_v<question_if, IF>; }

   private:
    void end_of_elaboration() override { resolved_ = this->operator->(); }
    IF*& resolved_;
  };

  IF* interface_ = nullptr;
  std::unique_ptr<binding> binding_;
};

}  // namespace gt200::tlm_bus
