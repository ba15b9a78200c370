// An issue arbiter as a team of SystemC writers has it: ports, a clock, and two processes. It knows nothing of
// gt200. It grants the first requesting warp behind the one that issued last; the grant is combinational.
#pragma once

#include <systemc>

class round_robin : public sc_core::sc_module {
 public:
  static constexpr int warps = 32;

  sc_core::sc_in<bool> clk, rst_n;
  sc_core::sc_in<sc_dt::sc_uint<warps>> ready;
  sc_core::sc_out<sc_dt::sc_uint<warps>> issue;  // one hot; 0 without a ready warp
  sc_core::sc_in<bool> issued;                   // the warp of `issue` leaves in this cycle

  explicit round_robin(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_HAS_PROCESS(round_robin);
    SC_METHOD(grant);
    sensitive << ready << mask_;
    SC_METHOD(advance);
    sensitive << clk.pos() << rst_n.neg();
    dont_initialize();
  }

 private:
  using warp_set = sc_dt::sc_uint<warps>;

  static warp_set lowest(warp_set of) { return of & (~of + 1); }
  void grant() {
    const warp_set behind = ready.read() & mask_.read();
    issue.write(lowest(behind != 0 ? behind : ready.read()));
  }
  void advance() {
    if (!rst_n.read())
      mask_.write(~warp_set(0));
    else if (issued.read() && issue.read() != 0)
      mask_.write(~(issue.read() | (issue.read() - 1)));
  }

  sc_core::sc_signal<warp_set> mask_{"mask"};  // of the warps behind the one that issued last
};
