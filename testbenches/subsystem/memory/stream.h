// A TPC that streams through memory: 128-byte transactions, a limited number of them outstanding.
#pragma once

#include <functional>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/memory_port.h"

namespace gt200::support {

class stream_source : public tlm_bus::stage {
 public:
  static constexpr unsigned transaction_bytes = 128;

  struct access {
    bool store;
    std::uint64_t address;
  };

  // The n-th transaction is `next(n)`, for n below `count`.
  stream_source(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned count, unsigned window,
                std::function<access(unsigned)> next)
      : stage(name, domain), out("out", *this), count_(count), window_(window), next_(std::move(next)) {
    wake_at(1);
  }

  tlm_bus::memory_initiator<model::gpu_memory_protocol> out;
  model::payload_pool pool;
  unsigned answered = 0;
  tlm_bus::cycle_t last_answer_at = 0;

 private:
  void tick() override {
    if (out.response() != nullptr) {
      out.take_response().release();
      ++answered;
      last_answer_at = cycle();
    }
    if (sent_ == count_ || sent_ - answered == window_ || !out.can_request()) return;
    const access a = next_(sent_);
    model::memory_payload& p = pool.get();
    p.prepare(a.store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, a.address, transaction_bytes);
    p.extension() = model::memory_extension{};
    p.extension().kind = a.store ? model::memory_kind::store : model::memory_kind::load;
    out.request(p);
    ++sent_;
    wake_next();
  }

  unsigned count_;
  unsigned window_;
  std::function<access(unsigned)> next_;
  unsigned sent_ = 0;
};

}  // namespace gt200::support
