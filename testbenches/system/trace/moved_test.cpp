// The recorder samples only sources that the stages called at an instant can have changed, and only the changed
// parts of their arrays. At every instant of random programs, under random options of the front end, that must give
// the same as sampling everything.
#include <algorithm>
#include <memory>
#include <unordered_set>

#include "observe/trace/catalog.h"
#include "testbenches/system/checked/checked_board.h"
#include "testbenches/system/checked/random_program.h"
#include "testbenches/system/checked/test_textures.h"
#include "tlm_bus/clocking.h"

namespace gt200::support {
namespace {

// Samples every source in both ways.
class comparison final : private tlm_bus::instant_observer, private observe::probe_listener {
 public:
  // `deaf`: notifications of changes from sources of this name are ignored.
  comparison(device& target, const std::string& deaf)
      : clocks_(target.chip().clocks), catalog_(target.chip(), *this) {
    for (const auto& p : catalog_.probes()) p->attach();
    touched_.resize(catalog_.sources().size(), true);  // the first sample is of everything
    for (const observe::source& s : catalog_.sources()) {
      auto both = std::make_unique<two_looks>();
      both->of = &s;
      both->known.assign(s.count, ~std::uint64_t{0});
      both->whole.resize(s.count);
      both->changes.resize(s.count);
      both->masks.resize(s.layout.masks);
      both->look = {both->known.data(), both->masks.data(), s.layout.part, s.publisher->parts() != nullptr, {}};
      if (auto* parts = s.publisher->parts(); parts != nullptr && s.path.substr(s.path.rfind('.') + 1) != deaf)
        parts->attach(both->look.moved);
      looks_.push_back(std::move(both));
    }
    clocks_.observers().attach(*this);
  }
  ~comparison() override {
    clocks_.observers().detach(*this);
    for (const auto& both : looks_)
      if (auto* parts = both->of->publisher->parts()) parts->detach(both->look.moved);
  }

  std::uint64_t changed() const { return changed_; }    // signals
  std::uint64_t compared() const { return compared_; }  // parts that could have been shown
  std::uint64_t shown() const { return shown_; }        // of these, sampled because of a change
  const std::string& first_difference() const { return first_difference_; }

 private:
  struct two_looks {
    const observe::source* of = nullptr;
    std::vector<std::uint64_t> known, whole, masks;
    std::vector<tlm_bus::signal_change> changes;
    tlm_bus::signal_look look;
  };

  void on_event(const observe::event&) override {}
  void touched(std::uint32_t number) override { touched_[number] = true; }
  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) override {
    const auto& order = domain.call_order();
    for (std::size_t i = 0; i < order.size(); ++i)
      if (due == nullptr || (due[i / 64] >> i % 64 & 1) != 0) called_.insert(order[i]);
  }
  void instant_ends(tlm_bus::femtoseconds now) override {
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const auto& callers = looks_[i]->of->callers;
      compare(*looks_[i], now,
              touched_[i] || std::any_of(callers.begin(), callers.end(),
                                         [this](const tlm_bus::stage* s) { return called_.count(s) != 0; }));
      touched_[i] = false;
    }
    called_.clear();
  }
  void compare(two_looks& both, tlm_bus::femtoseconds now, bool may_have_changed) {
    if (may_have_changed) look_again(both);
    tlm_bus::signal_writer whole(both.whole.data());
    both.of->publisher->publish(whole);
    if (both.known == both.whole || !first_difference_.empty()) return;
    for (std::uint32_t i = 0; i < both.of->count; ++i)
      if (both.known[i] != both.whole[i])
        first_difference_ = catalog_.signals()[both.of->first + i].path + " at " + std::to_string(now) + " fs";
  }
  void look_again(two_looks& both) {
    if (both.of->publisher->parts() != nullptr) {
      shown_ += static_cast<std::uint64_t>(__builtin_popcountll(both.look.moved.bits));
      compared_ += both.of->layout.parts;
    }
    tlm_bus::signal_writer again(both.look, both.changes.data());
    both.of->publisher->publish(again);
    both.look.moved.bits = 0;
    changed_ += static_cast<std::uint64_t>(again.end_of_changes() - both.changes.data());
  }

  tlm_bus::clocking& clocks_;
  observe::catalog catalog_;
  std::vector<std::unique_ptr<two_looks>> looks_;  // by source
  std::vector<bool> touched_;                      // at this instant, by source
  std::unordered_set<const tlm_bus::stage*> called_;
  std::uint64_t compared_ = 0;
  std::uint64_t shown_ = 0;
  std::uint64_t changed_ = 0;
  std::string first_difference_;
};

class parts_that_moved : public checked_board {
 protected:
  void simulate(unsigned seed, const std::string& deaf = "") {
    const random_program p = make_random_program(seed);
    const front_end_combination c = front_end_combinations(seed + 1).back();
    device_options options;
    options.clocking = c.clocking();
    build(p.text, c.overrides(), options);
    const test_textures textures(*board, p.race_free ? in : out);
    board->start();
    looks = std::make_unique<comparison>(*board, deaf);
    run(p.blocks, p.threads);
    EXPECT_EQ(difference(), "no difference") << c.text();
    if (deaf.empty()) {
      EXPECT_EQ(looks->first_difference(), "") << c.text();
    }
  }
  void TearDown() override { looks.reset(); }

  std::unique_ptr<comparison> looks;
};

class parts_that_moved_in_program : public parts_that_moved, public ::testing::WithParamInterface<unsigned> {};

TEST_P(parts_that_moved_in_program, are_all_that_differ_from_the_last_sample) {
  simulate(GetParam());
  EXPECT_GT(looks->compared(), 100'000u);
  EXPECT_GT(looks->changed(), 1'000u);
  EXPECT_LT(looks->shown(), looks->compared() / 10) << "what has not moved is not passed over";
}
INSTANTIATE_TEST_SUITE_P(number, parts_that_moved_in_program, ::testing::Range(0u, 12u));

class parts_that_moved_unheard : public parts_that_moved, public ::testing::WithParamInterface<const char*> {};

TEST_P(parts_that_moved_unheard, are_missed) {
  simulate(3, GetParam());
  EXPECT_NE(looks->first_difference().find(std::string(".") + GetParam() + "."), std::string::npos)
      << looks->first_difference();
}
INSTANTIATE_TEST_SUITE_P(from, parts_that_moved_unheard,
                         ::testing::Values("instruction_buffer", "scoreboard", "simt_stack", "fetch",
                                           "block_control"));

}  // namespace
}  // namespace gt200::support
