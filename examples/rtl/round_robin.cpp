// The only file that knows the port names of round_robin.sv: it follows the protocol of
// rtl_ref/issue_arbiter/pins.h.
#include "Vround_robin.h"

#include <stdexcept>

#include "gt200/rtl_issue_arbiter.h"

namespace {

class round_robin final : public gt200::rtl::arbiter_pins {
 public:
  explicit round_robin(const gt200::rtl::library_values& size) {
    if (size["warps"] != 32) throw std::invalid_argument("this RTL has 32 warps");
    if (size["order"] != 0) throw std::invalid_argument("this RTL has the policy lrr alone");
    top_.rst_n = 0;
    top_.eval();
    top_.rst_n = 1;
    top_.eval();
  }

  int grant(std::uint64_t requests) override {
    top_.ready = static_cast<std::uint32_t>(requests);
    top_.eval();
    return top_.issue == 0 ? nobody : __builtin_ctz(top_.issue);
  }
  // Others may have looked at the order since the grant, so the pins may hold their requests.
  void accept(unsigned warp) override {
    grant(std::uint64_t{1} << warp);
    top_.issued = 1;
  }
  void start(unsigned) override {}  // round robin has no ages
  void edge() override {
    top_.clk = 1;
    top_.eval();
    top_.issued = 0;
    top_.clk = 0;
    top_.eval();
  }

 private:
  VerilatedContext context_;
  Vround_robin top_{&context_};
};

}  // namespace

GT200_RTL_ISSUE_ARBITER(round_robin)
