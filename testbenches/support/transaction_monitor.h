// A foreign module between the two ends of a transaction socket (tlm_bus/transaction.h): it forwards every
// transaction and records it with its answer. It uses plain TLM sockets, as a monitor of another team would.
#pragma once

#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm_bus/time.h"
#include "tlm_bus/transaction.h"

namespace gt200::support {

template <class T>
class transaction_monitor : public sc_core::sc_module,
                            private tlm::tlm_fw_transport_if<tlm_bus::transaction_traits<T>>,
                            private tlm::tlm_bw_transport_if<tlm_bus::transaction_traits<T>> {
  using traits = tlm_bus::transaction_traits<T>;

 public:
  tlm::tlm_target_socket<32, traits> in;
  tlm::tlm_initiator_socket<32, traits> out;

  explicit transaction_monitor(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<traits>&>(*this));
    out.bind(static_cast<tlm::tlm_bw_transport_if<traits>&>(*this));
  }

  // What is done with a transaction that has been answered. Default: it is copied to `seen`. Memory to which its
  // fields point is gone after the call.
  std::function<void(const T&)> record = [this](const T& transaction) { seen.push_back(transaction); };
  std::vector<T> seen;
  std::vector<tlm_bus::femtoseconds> times;  // of all transactions

 private:
  void b_transport(T& transaction, sc_core::sc_time& delay) override {
    out->b_transport(transaction, delay);
    times.push_back(sc_core::sc_time_stamp().value());
    record(transaction);
  }
  tlm::tlm_sync_enum nb_transport_fw(T& transaction, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return out->nb_transport_fw(transaction, phase, delay);
  }
  bool get_direct_mem_ptr(T& transaction, tlm::tlm_dmi& memory) override {
    return out->get_direct_mem_ptr(transaction, memory);
  }
  unsigned transport_dbg(T& transaction) override { return out->transport_dbg(transaction); }
  tlm::tlm_sync_enum nb_transport_bw(T& transaction, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return in->nb_transport_bw(transaction, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    in->invalidate_direct_mem_ptr(first, last);
  }
};

}  // namespace gt200::support
