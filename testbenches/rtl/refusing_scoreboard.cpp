// A library for rtl_bench with a scoreboard that is wrong from the first look-up: it refuses everything.
#include "rtl_ref/scoreboard/pins.h"

namespace {

class refusing_scoreboard final : public gt200::rtl::scoreboard_pins {
  answer enter(unsigned, const gt200::isa::instruction&) override { return {}; }
  std::uint64_t release(unsigned, std::uint64_t) override { return 0; }
  std::uint64_t squash(unsigned, std::uint64_t) override { return 0; }
  std::uint64_t flush(unsigned) override { return 0; }
  bool full_next(unsigned) const override { return false; }
  void edge() override {}
  region inspect(unsigned) override { return {}; }
};

}  // namespace

extern "C" gt200::rtl::scoreboard_pins* gt200_make_scoreboard() { return new refusing_scoreboard; }
