// A memory as any TLM-2.0 project has one: a simple_target_socket of the base protocol, blocking transport, debug
// access. It knows nothing of gt200.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

class flat_memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<flat_memory> socket;

  // Every access takes `latency` and the time of its bytes at `bytes_per_ns`.
  flat_memory(const sc_core::sc_module_name& name, std::uint64_t bytes, const sc_core::sc_time& latency,
              double bytes_per_ns);

  std::uint64_t bytes_moved() const { return bytes_moved_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  std::vector<unsigned char> content_;
  sc_core::sc_time latency_;
  double bytes_per_ns_;
  std::uint64_t bytes_moved_ = 0;
};
