// A plug-in whose order of warps goes wrong, in the way that its key `way` says.
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/plugin.h"

namespace {

using namespace gt200;

enum way : std::uint64_t {
  exception,
  number,
  when_made,
  call_of_the_program,
  process,
  crash,
  no_warp,
  no_candidate,
  number_when_made,
  exits,
  aborts,
  overflows_the_stack,
  takes_all_memory,
  never_returns
};

// Deeper than any stack.
unsigned depth_of(volatile const char* outer, std::uint64_t depth) {
  volatile char here[4096] = {};
  here[depth % sizeof here] = outer == nullptr ? 'a' : outer[0];
  if (depth == std::uint64_t{1} << 40) return 0;
  return depth_of(here, depth + 1) + static_cast<unsigned char>(here[depth % sizeof here]);
}

[[noreturn]] void fail(const char* when) { throw std::runtime_error(std::string(when) + " went wrong"); }

class failing_module final : public sc_core::sc_module {
 public:
  explicit failing_module(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(failing_module);
    SC_METHOD(act);
    sensitive << due_;
    dont_initialize();
    due_.notify(1, sc_core::SC_NS);
  }

 private:
  void act() { fail("a process"); }
  sc_core::sc_event due_;
};

class throwing final : public model::scheduler {
 public:
  explicit throwing(const model::issue_policy_context& c) : keys_(c.keys), way_(c.keys.number("way")) {
    if (way_ == when_made) fail("making it");
    if (way_ == number_when_made) throw 42;
    if (way_ == process) module_ = std::make_unique<failing_module>(sc_core::sc_gen_unique_name("failing"));
  }
  model::warp_slot pick(model::warp_mask candidates) const override {
    if (picks_ == 50 && way_ == no_warp) return {};
    if (picks_ == 50 && way_ == no_candidate) return model::warp_slot(model::max_warps - 1);
    return model::lowest_warp(candidates);
  }
  void picked(model::warp_slot) override {
    if (++picks_ != 50) return;
    if (way_ == number) throw 42;
    if (way_ == exception) fail("pick no. 50");
    if (way_ == call_of_the_program) keys_.number("no_such_key");
    if (way_ == crash) *nowhere_ = 1;
    if (way_ == exits) std::exit(0);
    if (way_ == aborts) std::abort();
    if (way_ == overflows_the_stack) depth_ = depth_of(nullptr, 0);
    while (way_ == takes_all_memory) memory_.emplace_back(std::size_t{1} << 24, 'a');
    while (way_ == never_returns) depth_ = depth_ + 1;
  }
  void started(model::warp_slot) override {}

 private:
  config::policy_values keys_;
  std::uint64_t way_;
  unsigned picks_ = 0;
  volatile int* nowhere_ = nullptr;
  volatile unsigned depth_ = 0;
  std::vector<std::string> memory_;
  std::unique_ptr<failing_module> module_;
};

const added<model::issue_policies> here(
    {"throwing",
     "goes wrong",
     {config::number_key("way", 0, config::unit::none, config::between(0, 13), "how it goes wrong")}},
    [](const model::issue_policy_context& c) { return std::make_unique<throwing>(c); });

}  // namespace

GT200_PLUGIN("throwing")
