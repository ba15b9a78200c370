// The only file that knows the ports of round_robin.h: it follows the protocol of rtl_ref/issue_arbiter/pins.h.
#include "round_robin.h"

#include <stdexcept>

#include "gt200/rtl_issue_arbiter.h"
#include "rtl_ref/systemc_module.h"

namespace {

// The module with a signal at each port. What is assigned to a pin reaches the module with the next eval(), which
// waits until its outputs have settled.
struct arbiter_at_signals : gt200::rtl::systemc_module_pins {
  round_robin module{sc_core::sc_gen_unique_name("round_robin")};
  gt200::rtl::input_pin<bool> clk{*this, module.clk, "clk"};
  gt200::rtl::input_pin<bool> rst_n{*this, module.rst_n, "rst_n"};
  gt200::rtl::input_pin<sc_dt::sc_uint<round_robin::warps>> ready{*this, module.ready, "ready"};
  gt200::rtl::output_pin<sc_dt::sc_uint<round_robin::warps>> issue{module.issue, "issue"};
  gt200::rtl::input_pin<bool> issued{*this, module.issued, "issued"};
};

class round_robin_pins final : public gt200::rtl::arbiter_pins {
 public:
  explicit round_robin_pins(const gt200::rtl::library_values& size) {
    if (size["warps"] != round_robin::warps) throw std::invalid_argument("this module has 32 warps");
    if (size["order"] != 0) throw std::invalid_argument("this module has the policy lrr alone");
    wait_for_signals();
    top_.rst_n = true;
    top_.eval();
    top_.rst_n = false;
    top_.eval();
    top_.rst_n = true;
    top_.eval();
  }

  int grant(std::uint64_t requests) override {
    top_.ready = requests;
    top_.eval();
    const std::uint64_t issue = field(top_.issue, 0, round_robin::warps);
    return issue == 0 ? nobody : __builtin_ctzll(issue);
  }
  // Others may have looked at the order since the grant, so the pins may hold their requests.
  void accept(unsigned warp) override {
    grant(std::uint64_t{1} << warp);
    top_.issued = true;
  }
  void start(unsigned) override {}  // round robin has no ages
  void edge() override {
    gt200::rtl::rising_edge(top_, top_.clk);
    top_.issued = false;
  }

 private:
  arbiter_at_signals top_;
};

}  // namespace

GT200_RTL_ISSUE_ARBITER(round_robin_pins)
