// The sending end of a transaction socket in a test, in a module of its own; with a foreign monitor between it and
// the receiver, if the test asks for one.
#pragma once

#include <string>
#include <vector>

#include "testbenches/support/transaction_monitor.h"

namespace gt200::support {

template <class T>
class sender : public sc_core::sc_module {
 public:
  tlm_bus::transaction_out<T> out{"out"};

  explicit sender(const sc_core::sc_module_name& name) : sc_module(name) {}
  sender(const sc_core::sc_module_name& name, tlm_bus::transaction_in<T>& to) : sc_module(name) { out.bind(to); }
};

template <class T>
class monitored_socket {
 public:
  // Creates the modules `name` and `name`_monitor.
  monitored_socket(const std::string& name, tlm_bus::transaction_in<T>& to)
      : sender_(name.c_str()), monitor_((name + "_monitor").c_str()) {
    sender_.out.bind(monitor_.in);
    monitor_.out.bind(to);
  }
  void send(T& transaction) { sender_.out.send(transaction); }
  // What the monitor has seen, with the answers.
  const std::vector<T>& seen() const { return monitor_.seen; }

 private:
  sender<T> sender_;
  transaction_monitor<T> monitor_;
};

}  // namespace gt200::support
