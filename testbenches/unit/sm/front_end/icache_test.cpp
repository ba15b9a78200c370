// Misses of the instruction cache: which resources they reserve, which warps wait and which continue, in exact
// cycles. The memory behind answers ten cycles after it has taken a request.
#include "sc_models/sm/front_end/icache.h"

#include <gtest/gtest.h>

#include "testbenches/support/memory.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 120;
// Of a fetch sent at t: the look-up is at t + 2; its words are with decode a cycle later on a hit.
constexpr cycle_t look_up = 2;
constexpr cycle_t hit = 3;
// On a miss the line takes request, ten cycles and answer, and is there 13 cycles after the look-up.
constexpr cycle_t line_comes = 13;
constexpr cycle_t miss = look_up + line_comes + 1;
constexpr isa::code_address line = 256;

struct asked {
  cycle_t cycle;
  unsigned warp;
  isa::code_address pc;
};

struct got {
  cycle_t cycle;
  unsigned warp;
  isa::code_address pc;
  friend bool operator==(const got& a, const got& b) {
    return a.cycle == b.cycle && a.warp == b.warp && a.pc == b.pc;
  }
  friend std::ostream& operator<<(std::ostream& out, const got& g) {
    return out << g.cycle << ": warp " << g.warp << " pc " << g.pc;
  }
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const std::vector<asked>& fetches)
      : config_(config),
        instructions_(std::make_shared<arch_state::tesla::generation>(13, config_.simt_stack)),
        clocks_((name + "_clocks").c_str(), options),
        fetch_((name + "_fetch").c_str(), clocks_.core),
        cache_((name + "_icache").c_str(), clocks_.core, config_, instructions_, {}),
        decode_((name + "_decode").c_str(), clocks_.core, 4),
        memory_((name + "_memory").c_str(), clocks_.core, 10),
        watch_((name + "_watch").c_str(), clocks_.core) {
    fetch_.out.bind(cache_.requests);
    cache_.out.bind(decode_.in);
    cache_.fill.bind(memory_.port);
    grid_.code_bytes = 16 * line;
    for (isa::code_address address = 0; address < grid_.code_bytes; address += 4) {
      memory_.bytes[address] = static_cast<std::uint8_t>(address == 8 ? 1 : 0);  // a long instruction at 8
      memory_.bytes[address + 1] = static_cast<std::uint8_t>(address / 4);
    }
    for (const asked& a : fetches) {
      fetch_token token;
      token.warp = warp_slot(a.warp);
      token.grid = &grid_;
      token.pc = a.pc;
      token.count = static_cast<std::uint8_t>(config_.fetch.instructions_per_fetch);
      fetch_.send_at(a.cycle, token);
    }
    for (cycle_t n = 0; n < end; ++n) watch_.at(n, [this, n] { missing.push_back(cache_.missing().read(n)); });
  }
  std::vector<got> result() const {
    std::vector<got> all;
    for (const auto& t : decode_.taken) all.push_back({t.cycle, t.value.warp.index(), t.value.pc});
    return all;
  }
  const std::vector<support::timed<fetched_token>>& tokens() const { return decode_.taken; }
  const icache& cache() const { return cache_; }

  std::vector<warp_mask> missing;  // by cycle

 private:
  config::sm_config config_;
  decoded_instructions instructions_;
  grid_descriptor grid_;
  support::clocks clocks_;
  support::token_source<fetch_token> fetch_;
  icache cache_;
  support::token_sink<fetched_token> decode_;
  support::memory_responder<tlm_bus::base_protocol> memory_;
  support::script watch_;
};

class instruction_cache : public support::systemc_test {
 protected:
  // By every way of clocking; returns the first of benches that agree.
  const bench& run(const std::vector<asked>& fetches, const std::vector<std::string>& overrides = {}) {
    const config::sm_config config = testing::sm_config_with(overrides);
    tlm_bus::clocking_options options;
    const auto add = [&](const char* name) {
      benches_.push_back(std::make_unique<bench>(name, options, config, fetches));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    options.shuffle_seed = 1;
    add("shuffled");
    options.shuffle_seed = 0;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    run_through(end - 1);
    const bench& first = *benches_.front();
    for (const auto& b : benches_) {
      EXPECT_EQ(b->result(), first.result());
      EXPECT_EQ(b->missing, first.missing);
      EXPECT_EQ(b->cache().mshr_cycles.value(), first.cache().mshr_cycles.value());
    }
    return first;
  }

 private:
  std::vector<std::unique_ptr<bench>> benches_;
};

TEST_F(instruction_cache, a_miss_takes_an_mshr_until_its_line_is_there) {
  const bench& b = run({{1, 3, 0}});
  EXPECT_EQ(b.result(), (std::vector<got>{{1 + miss, 3, 0}}));
  EXPECT_EQ(b.cache().misses.value(), 1u);
  EXPECT_EQ(b.cache().fills.value(), 1u);
  EXPECT_EQ(b.cache().mshr_cycles.value(), line_comes);
}

TEST_F(instruction_cache, a_warp_is_known_to_miss_from_the_cycle_after_the_look_up_until_its_words_go) {
  const bench& b = run({{1, 3, 0}});
  for (cycle_t n = 0; n < end; ++n) {
    const bool waits = n > 1 + look_up && n <= 1 + look_up + line_comes;
    EXPECT_EQ(b.missing[n], waits ? warp_bit(warp_slot(3)) : 0) << "cycle " << n;
  }
}

TEST_F(instruction_cache, a_line_that_is_there_hits) {
  const bench& b = run({{1, 3, 0}, {40, 5, 4}});
  EXPECT_EQ(b.result().back(), (got{40 + hit, 5, 4}));
  EXPECT_EQ(b.cache().hits.value(), 1u);
}

TEST_F(instruction_cache, misses_of_several_warps_to_one_line_merge) {
  const bench& b = run({{1, 0, 0}, {2, 1, 8}, {3, 2, line - 8}});
  EXPECT_EQ(b.result(), (std::vector<got>{{1 + miss, 0, 0}, {2 + miss, 1, 8}, {3 + miss, 2, line - 8}}));
  EXPECT_EQ(b.cache().misses.value(), 1u);
  EXPECT_EQ(b.cache().merged.value(), 2u);
  EXPECT_EQ(b.cache().fills.value(), 1u);
  EXPECT_EQ(b.cache().mshr_cycles.value(), line_comes) << "one MSHR for all of them";
}

TEST_F(instruction_cache, other_warps_go_on_while_one_waits) {
  const bench& b = run({{1, 1, 0}, {40, 0, line}, {41, 1, 8}, {42, 2, 12}});
  EXPECT_EQ(b.result(),
            (std::vector<got>{{1 + miss, 1, 0}, {41 + hit, 1, 8}, {42 + hit, 2, 12}, {40 + miss, 0, line}}));
}

TEST_F(instruction_cache, fetches_of_one_warp_stay_in_order) {
  const bench& b = run({{1, 1, 0}, {40, 0, line}, {41, 0, 8}});
  EXPECT_EQ(b.result(), (std::vector<got>{{1 + miss, 1, 0}, {40 + miss, 0, line}, {41 + miss, 0, 8}}));
  EXPECT_EQ(b.cache().merged.value(), 1u) << "waits behind the older one although its line is there";
}

TEST_F(instruction_cache, misses_to_different_lines_have_an_mshr_each) {
  const bench& b = run({{1, 0, 0}, {2, 1, line}});
  EXPECT_EQ(b.result(), (std::vector<got>{{1 + miss, 0, 0}, {2 + miss, 1, line}}));
  EXPECT_EQ(b.cache().mshr_cycles.value(), 2 * line_comes);
  EXPECT_EQ(b.cache().mshr_full.value(), 0u);
}

TEST_F(instruction_cache, without_a_free_mshr_a_miss_waits_for_one) {
  const bench& b = run({{1, 0, 0}, {2, 1, line}}, {"tpc.sm.icache.mshrs=1"});
  EXPECT_EQ(b.cache().mshr_full.value(), 1u);
  EXPECT_EQ(b.cache().misses.value(), 2u);
  EXPECT_EQ(b.cache().mshr_cycles.value(), 2 * line_comes) << "one after the other";
  // The MSHR is free in the cycle in which the words of the first go.
  EXPECT_EQ(b.result(), (std::vector<got>{{1 + miss, 0, 0}, {1 + miss + line_comes + 1, 1, line}}));
}

TEST_F(instruction_cache, a_fetch_of_two_delivers_short_and_long_instructions) {
  const bench& b = run({{1, 0, 4}}, {"tpc.sm.fetch.instructions_per_fetch=2"});
  ASSERT_EQ(b.tokens().size(), 1u);
  const fetched_token& token = b.tokens()[0].value;
  EXPECT_EQ(token.count, 2u);
  EXPECT_EQ(token.instructions[0]->instruction->words[0], 0x100u) << "short, at 4";
  EXPECT_EQ(token.instructions[1]->instruction->words[0], 0x201u) << "first word of the long one at 8";
  EXPECT_EQ(token.instructions[1]->instruction->words[1], 0x300u) << "its second word";
}

}  // namespace
}  // namespace gt200::model
