// Sends transactions to a socket from the code of a test, and takes transactions in a function of the test. Both
// act when they are called; they have no clock.
#pragma once

#include <functional>
#include <systemc>

#include "tlm_bus/transaction.h"

namespace gt200::support {

template <class T>
class transaction_generator : public sc_core::sc_module {
 public:
  tlm_bus::transaction_out<T> out;
  explicit transaction_generator(const sc_core::sc_module_name& name) : sc_module(name), out("out") {}
  // Returns the transaction with its answer.
  T send(T transaction) {
    out.send(transaction);
    return transaction;
  }
};

template <class T>
class transaction_taker : public sc_core::sc_module, private tlm_bus::transaction_target<T> {
 public:
  tlm_bus::transaction_in<T> in;
  std::function<void(T&)> answer = [](T&) {};
  explicit transaction_taker(const sc_core::sc_module_name& name) : sc_module(name), in("in", *this) {}

 private:
  void transport(T& transaction) override { answer(transaction); }
};

}  // namespace gt200::support
