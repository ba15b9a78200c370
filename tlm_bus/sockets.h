// TLM sockets that consist of one half until somebody needs the other.
//
// A socket of the TLM library is a port and an export, both of them objects of SystemC with names of their own, and
// the name of the second is searched for. In a chip of thousands of sockets that is most of its construction. These
// sockets bind to any TLM socket of their traits, and in the same ways. Between two of them the backward path is a
// pointer. The second half is made, as a child of the same module and under the name that the library gives it,
// when something foreign asks for it. What is not bound or is bound twice gets the second half too, so SystemC
// complains as usual.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <typeinfo>

namespace gt200::tlm_bus {

// Width of the sockets, as a template argument. Most foreign components have this width (it is the default of the
// tlm_utils sockets) and could not be bound to sockets of another one. Transactions may be wider.
inline constexpr unsigned socket_bits = 32;

// Makes the object `<name of the socket>_<what>_0` as a sibling of the socket.
template <class HALF>
std::unique_ptr<HALF> make_second_half(const sc_core::sc_object& socket, const char* what) {
  auto* module = dynamic_cast<sc_core::sc_module*>(socket.get_parent_object());
  sc_core::sc_simcontext& simulation = *socket.simcontext();
  if (module != nullptr) simulation.hierarchy_push(module);
  auto half = std::make_unique<HALF>(sc_core::sc_gen_unique_name((std::string(socket.basename()) + what).c_str()));
  if (module != nullptr) simulation.hierarchy_pop();
  return half;
}

// As in the library, the ways to bind a socket hide those to bind its port.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"

template <class TRAITS>
class target_socket;

template <class TRAITS>
class initiator_socket : public tlm::tlm_base_initiator_socket_b<socket_bits, tlm::tlm_fw_transport_if<TRAITS>,
                                                                 tlm::tlm_bw_transport_if<TRAITS>>,
                         public sc_core::sc_port<tlm::tlm_fw_transport_if<TRAITS>> {
 public:
  using fw_interface_type = tlm::tlm_fw_transport_if<TRAITS>;
  using bw_interface_type = tlm::tlm_bw_transport_if<TRAITS>;
  using base_type = tlm::tlm_base_initiator_socket_b<socket_bits, fw_interface_type, bw_interface_type>;
  using base_target_socket_type = tlm::tlm_base_target_socket_b<socket_bits, fw_interface_type, bw_interface_type>;
  using port_type = sc_core::sc_port<fw_interface_type>;
  using export_type = sc_core::sc_export<bw_interface_type>;

  explicit initiator_socket(const char* name) : port_type(name) {}

  virtual void bind(base_target_socket_type& target) {
    get_base_port()(target.get_base_interface());
    if (auto* own = dynamic_cast<target_socket<TRAITS>*>(&target))
      own->bind_backward(get_base_interface());
    else
      target.get_base_port()(get_base_interface());
  }
  // To the socket of the enclosing module.
  virtual void bind(base_type& outer) {
    get_base_port()(outer.get_base_port());
    if (auto* own = dynamic_cast<initiator_socket*>(&outer))
      own->bind(get_base_interface());
    else
      outer.get_base_export()(get_base_export());
  }
  virtual void bind(bw_interface_type& interface) {
    if (backward_ != nullptr || export_ != nullptr) return get_base_export().bind(interface);
    backward_ = &interface;
  }
  template <class OTHER>
  void operator()(OTHER& other) {
    bind(other);
  }

  unsigned get_bus_width() const override { return socket_bits; }
  sc_core::sc_type_index get_protocol_types() const override { return typeid(TRAITS); }
  tlm::tlm_socket_category get_socket_category() const override { return tlm::TLM_INITIATOR_SOCKET; }
  sc_core::sc_port_b<fw_interface_type>& get_base_port() override { return *this; }
  const sc_core::sc_port_b<fw_interface_type>& get_base_port() const override { return *this; }
  export_type& get_base_export() override { return second_half(); }
  const export_type& get_base_export() const override { return second_half(); }
  bw_interface_type& get_base_interface() override { return backward(); }
  const bw_interface_type& get_base_interface() const override { return backward(); }

 protected:
  void before_end_of_elaboration() override {
    port_type::before_end_of_elaboration();
    if (backward_ == nullptr) second_half();
  }

 private:
  bw_interface_type& backward() const {
    if (export_ == nullptr && backward_ != nullptr) return *backward_;
    return second_half();
  }
  export_type& second_half() const {
    if (export_ == nullptr) {
      export_ = make_second_half<export_type>(*this, "_export");
      if (backward_ != nullptr) export_->bind(*backward_);
    }
    return *export_;
  }

  bw_interface_type* backward_ = nullptr;
  mutable std::unique_ptr<export_type> export_;  // null: nobody needs it
};

template <class TRAITS>
class target_socket : public tlm::tlm_base_target_socket_b<socket_bits, tlm::tlm_fw_transport_if<TRAITS>,
                                                           tlm::tlm_bw_transport_if<TRAITS>>,
                      public sc_core::sc_export<tlm::tlm_fw_transport_if<TRAITS>> {
 public:
  using fw_interface_type = tlm::tlm_fw_transport_if<TRAITS>;
  using bw_interface_type = tlm::tlm_bw_transport_if<TRAITS>;
  using base_type = tlm::tlm_base_target_socket_b<socket_bits, fw_interface_type, bw_interface_type>;
  using base_initiator_socket_type =
      tlm::tlm_base_initiator_socket_b<socket_bits, fw_interface_type, bw_interface_type>;
  using port_type = sc_core::sc_port<bw_interface_type>;
  using export_type = sc_core::sc_export<fw_interface_type>;

  explicit target_socket(const char* name) : export_type(name) {}

  virtual void bind(base_initiator_socket_type& initiator) {
    initiator.get_base_port()(get_base_interface());
    bind_backward(initiator.get_base_interface());
  }
  // To the socket of a module inside.
  virtual void bind(base_type& inner) {
    get_base_export()(inner.get_base_export());
    auto* own = dynamic_cast<target_socket*>(&inner);
    if (own != nullptr && own->is_open())
      own->outer_ = this;
    else
      inner.get_base_port()(get_base_port());
  }
  void bind(fw_interface_type& interface) override { export_type::bind(interface); }
  template <class OTHER>
  void operator()(OTHER& other) {
    bind(other);
  }
  // The interface of the initiator.
  void bind_backward(bw_interface_type& interface) {
    if (is_open())
      backward_ = &interface;
    else
      get_base_port()(interface);
  }

  // The interface of the initiator, once SystemC has bound the ports.
  bw_interface_type* operator->() {
    if (port_ == nullptr && backward_ != nullptr) return backward_;
    if (port_ == nullptr && outer_ != nullptr) return outer_->operator->();
    return second_half().operator->();
  }
  int size() const {
    if (port_ == nullptr && outer_ != nullptr) return outer_->size();
    return port_ == nullptr ? static_cast<int>(backward_ != nullptr) : port_->size();
  }

  unsigned get_bus_width() const override { return socket_bits; }
  sc_core::sc_type_index get_protocol_types() const override { return typeid(TRAITS); }
  tlm::tlm_socket_category get_socket_category() const override { return tlm::TLM_TARGET_SOCKET; }
  sc_core::sc_port_b<bw_interface_type>& get_base_port() override { return second_half(); }
  const sc_core::sc_port_b<bw_interface_type>& get_base_port() const override { return second_half(); }
  export_type& get_base_export() override { return *this; }
  const export_type& get_base_export() const override { return *this; }
  fw_interface_type& get_base_interface() override { return *this; }
  const fw_interface_type& get_base_interface() const override { return *this; }

 protected:
  void before_end_of_elaboration() override {
    export_type::before_end_of_elaboration();
    if (is_open()) second_half();
  }

 private:
  bool is_open() const { return port_ == nullptr && backward_ == nullptr && outer_ == nullptr; }
  port_type& second_half() const {
    if (port_ == nullptr) {
      port_ = make_second_half<port_type>(*this, "_port");
      if (backward_ != nullptr) port_->bind(*backward_);
      if (outer_ != nullptr) port_->bind(outer_->get_base_port());
    }
    return *port_;
  }

  bw_interface_type* backward_ = nullptr;
  target_socket* outer_ = nullptr;           // the socket of the enclosing module, to which this one is bound
  mutable std::unique_ptr<port_type> port_;  // null: nobody needs it
};

#pragma GCC diagnostic pop

}  // namespace gt200::tlm_bus
