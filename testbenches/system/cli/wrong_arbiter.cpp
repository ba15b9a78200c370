// RTL of an issue arbiter, as a shared object, that goes wrong in the way that the variable GT200_TEST_WAY says.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>

#include "gt200/rtl_issue_arbiter.h"
#include "rtl_ref/settle.h"

namespace {

// Waits for time to pass, and then oscillates without any; or is active in each femtosecond.
class oscillator final : public sc_core::sc_module {
 public:
  oscillator(const sc_core::sc_module_name& name, bool without_time)
      : sc_module(name), without_time_(without_time) {
    SC_HAS_PROCESS(oscillator);
    SC_METHOD(invert);
  }

 private:
  void invert() {
    wire_.write(!wire_.read());
    if (without_time_ && sc_core::sc_delta_count() > 1)
      next_trigger(wire_.value_changed_event());
    else
      next_trigger(sc_core::sc_time(without_time_ ? 100'000 : 1, sc_core::SC_FS));
  }
  bool without_time_;
  sc_core::sc_signal<bool> wire_{"wire"};
};

class wrong_arbiter final : public gt200::rtl::arbiter_pins {
 public:
  explicit wrong_arbiter(const gt200::rtl::library_values&) {
    const char* const way = std::getenv("GT200_TEST_WAY");
    way_ = way == nullptr ? "" : way;
    if (way_ == "oscillates between edges" || way_ == "is active in each femtosecond") {
      wait_for_signals();
      module_ = std::make_unique<oscillator>(sc_core::sc_gen_unique_name("oscillator"),
                                             way_ == "oscillates between edges");
    }
  }
  int grant(std::uint64_t requests) override {
    if (way_ == "throws") throw std::runtime_error("no grant");
    while (way_ == "never returns") ++turns_;
    return __builtin_ctzll(requests);
  }
  void accept(unsigned) override {}
  void start(unsigned) override {}
  void edge() override {}

 private:
  std::string way_;
  volatile unsigned turns_ = 0;
  std::unique_ptr<oscillator> module_;
};

}  // namespace

GT200_RTL_ISSUE_ARBITER(wrong_arbiter)
