// A port: how a module calls the interface of a neighbour.
//
// It binds, elaborates and appears in the hierarchy as the sc_port it contains. That object is large and lies
// elsewhere; the module itself holds the resolved interface, so a call costs one load, and the ports that a module
// declares one after the other share a line or two of the host's cache.
#pragma once

#include <memory>
#include <systemc>
#include <type_traits>

namespace gt200::tlm_bus {

// Base of an interface through which nothing changes on the other side.
class question_if : public virtual sc_core::sc_interface {};

// What is the same for all interfaces, for observers that walk the hierarchy.
class port_state {
 public:
  virtual ~port_state() = default;
  virtual bool only_asks() const = 0;
};

template <class IF>
class port {
 public:
  // A child `name` of the module under construction. Exactly one interface is to be bound.
  explicit port(const char* name) : binding_(std::make_unique<binding>(name, interface_)) {}
  port(const port&) = delete;
  port& operator=(const port&) = delete;

  void bind(IF& interface) { binding_->bind(interface); }
  // Takes the interface that the port of the surrounding module is bound to.
  void bind(port& parent) { binding_->bind(*parent.binding_); }

  // Null until SystemC has bound the ports: usable from end_of_elaboration() of modules on.
  IF* operator->() const { return interface_; }
  IF& operator*() const { return *interface_; }

 private:
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
