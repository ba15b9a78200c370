// Keeps a copy of every transaction of a socket, with its answer. Memory to which its fields point may be gone.
#pragma once

#include <vector>

#include "tlm_bus/transaction.h"

namespace gt200::support {

template <class T>
class transaction_log final : public tlm_bus::transaction_observer<T> {
 public:
  explicit transaction_log(tlm_bus::transaction_in<T>& socket) : socket_(socket) {
    socket_.observers().attach(*this);
  }
  ~transaction_log() override { socket_.observers().detach(*this); }
  transaction_log(const transaction_log&) = delete;
  transaction_log& operator=(const transaction_log&) = delete;

  std::vector<T> seen;

 private:
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const T& transaction) override {
    seen.push_back(transaction);
  }

  tlm_bus::transaction_in<T>& socket_;
};

}  // namespace gt200::support
