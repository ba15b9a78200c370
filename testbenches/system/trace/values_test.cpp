// Values on request show the state of the model: random samples of registers, shared memory, divergence stacks,
// operands and results, and what banks, scoreboard entries and memory transactions carry, compared with the model
// in both file formats.
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "observe/trace/recorder.h"
#include "observe/trace/waves.h"
#include "sc_models/ids.h"
#include "sc_models/sm/bank_steps.h"
#include "testbenches/support/fst_file.h"
#include "testbenches/support/vcd_file.h"
#include "testbenches/system/checked/checked_board.h"
#include "testbenches/system/checked/random_program.h"
#include "testbenches/system/checked/test_textures.h"
#include "tlm_bus/clocking.h"
#include "toolchain/arch_state/tesla/simt_stack.h"

namespace gt200::support {
namespace {

constexpr const char* sm_path = "gt200.tpc_0.sm_0";

std::string binary(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + (value & 1)));
    value >>= 1;
  } while (value != 0);
  return digits;
}

struct sample {
  std::string path;  // below the SM
  tlm_bus::femtoseconds at;
  std::string value;
};

// True if the text of the instruction names a value for this source: a register, a number, a word of c[] or s[].
bool is_operand(const isa::tesla::instruction& i, unsigned source) {
  using kind = isa::tesla::operand_kind;
  const kind k = i.source[source].kind;
  return k == kind::gpr || k == kind::immediate || k == kind::constant || k == kind::special ||
         (k == kind::shared && i.access.kind == isa::access_kind::operand);
}

// Reads random places of an SM at the end of every instant, straight from its modules; and of every instruction
// that completes, operands and results, which its datapath must have had when the instruction started there.
class sampler final : private tlm_bus::instant_observer,
                      private tlm_bus::transaction_observer<model::warp_operation>,
                      private model::write_back_observer {
 public:
  sampler(device& target, model::tesla_sm& sm, unsigned per_instant, std::uint64_t seed)
      : clocks_(target.chip().clocks), sm_(sm), per_instant_(per_instant), random_(seed) {
    clocks_.observers().attach(*this);
    sm_.write_back.observers().attach(*this);
    for (model::unit_group& group : sm_.execution_units.groups)
      group.datapath().operations.observers().attach(*this);
  }
  ~sampler() override {
    clocks_.observers().detach(*this);
    sm_.write_back.observers().detach(*this);
    for (model::unit_group& group : sm_.execution_units.groups)
      group.datapath().operations.observers().detach(*this);
  }

  std::vector<sample> registers, shared, stack, operands, results;

  static std::vector<std::string> patterns() {
    return {"*.sm_0.register_file.warp_?.r?.lane_*", "*.sm_0.register_file.warp_?.c?.*",
            "*.sm_0.register_file.warp_?.a?.lane_*", "*.sm_0.shared_memory.block_?.word_0x00*",
            "*.sm_0.simt_stack.warp_?.entry_?.*",    "*.sm_0.execution_units.*.datapath.operations.data.lane_*"};
  }

 private:
  static constexpr unsigned warps = 10, gprs = 10, stack_entries = 10;

  void edge(const tlm_bus::clock_domain&, const std::uint64_t*) override {}
  void instant_ends(tlm_bus::femtoseconds now) override {
    for (unsigned i = 0; i < per_instant_; ++i) {
      sample_register(now);
      sample_shared(now);
      sample_stack(now);
    }
  }
  void transported(const sc_core::sc_object& socket, tlm_bus::femtoseconds at,
                   const model::warp_operation& o) override {
    const std::string path = socket.name();
    started_[o.id] = {path.substr(std::string(sm_path).size() + 1) + ".data.lane_", at};
  }
  void completed(const sc_core::sc_object&, const model::warp_instruction& o) override {
    const auto found = started_.find(o.id);
    if (found == started_.end()) return;
    for (unsigned i = 0; i < 4 * per_instant_; ++i) {  // fewer instructions complete than instants pass
      const unsigned lane = any(isa::warp_size);
      const std::string path = found->second.first + std::to_string(lane);
      const bool executed = (o.executed >> lane & 1) != 0;
      for (unsigned source = 0; source < 3; ++source) {
        const bool has_value = executed && is_operand(isa::tesla::as_tesla(*o.instruction), source);
        operands.push_back({path + ".source_" + std::to_string(source), found->second.second,
                            binary(has_value ? o.values.source[source][0].lane[lane] : 0)});
      }
      for (unsigned r = 0; r < o.instruction->result_count; ++r)
        if (o.instruction->results[r].place == offsetof(isa::lane_bundle, destination))
          results.push_back(
              {path + ".result", found->second.second, binary(executed ? o.values.destination[0].lane[lane] : 0)});
    }
    started_.erase(found);
  }
  unsigned any(unsigned count) { return static_cast<unsigned>(random_() % count); }
  void sample_register(tlm_bus::femtoseconds now) {
    const unsigned warp = any(warps), lane = any(isa::warp_size);
    const arch_state::register_rows& rows = sm_.register_file.rows(model::warp_slot(warp));
    const std::string begin = "register_file.warp_" + std::to_string(warp) + ".";
    const std::string end = ".lane_" + std::to_string(lane);
    const unsigned which = any(8);
    if (which == 0) {
      const unsigned c = any(4), flag = any(4);
      std::uint32_t lanes = 0;
      for (unsigned l = 0; l < isa::warp_size; ++l) lanes |= (rows.condition(c)[l] >> flag & 1u) << l;
      static constexpr const char* flags[] = {"zero", "sign", "carry", "overflow"};
      registers.push_back({begin + "c" + std::to_string(c) + "." + flags[flag], now, binary(lanes)});
      registers.push_back({begin + "c" + std::to_string(c) + end, now, binary(rows.condition(c)[lane])});
    } else if (which == 1) {
      const unsigned a = any(5);
      registers.push_back({begin + "a" + std::to_string(a) + end, now, binary(rows.address(a)[lane])});
    } else {
      const unsigned r = any(gprs);
      registers.push_back({begin + "r" + std::to_string(r) + end, now, binary(rows.gpr(r)[lane])});
    }
  }
  void sample_shared(tlm_bus::femtoseconds now) {
    const model::block_slot block(any(4));
    const unsigned address = 4 * any(64);
    std::uint32_t word = 0;
    if (address < sm_.shared_memory.size_of(block))
      std::memcpy(&word, sm_.shared_memory.bytes_of(block) + address, 4);
    char name[40];
    std::snprintf(name, sizeof name, "shared_memory.block_%u.word_0x%04x", unsigned{block.index()}, address);
    shared.push_back({name, now, binary(word)});
  }
  void sample_stack(tlm_bus::femtoseconds now) {
    using arch_state::tesla::token_type;
    const unsigned warp = any(warps), entry = any(stack_entries);
    const auto& stack_of_warp =
        dynamic_cast<const arch_state::tesla::simt_stack&>(sm_.simt_stack.state(model::warp_slot(warp)));
    const bool there = entry < stack_of_warp.depth();
    const std::string path = "simt_stack.warp_" + std::to_string(warp) + ".entry_" + std::to_string(entry);
    std::string kind;
    std::uint32_t pc = 0, mask = 0;
    if (const auto* tokens = stack_of_warp.tokens(); tokens != nullptr && there) {
      static const std::map<token_type, std::string> kinds = {{token_type::branch, "branch"},
                                                              {token_type::call, "call"},
                                                              {token_type::limited_call, "limited_call"},
                                                              {token_type::prebreak, "prebreak"},
                                                              {token_type::quadon, "quadon"},
                                                              {token_type::joinat, "joinat"}};
      kind = kinds.at(tokens->token(entry).type);
      pc = tokens->token(entry).pc;
      mask = tokens->token(entry).mask;
    }
    if (const auto* entries = stack_of_warp.pdom(); entries != nullptr && there) {
      static constexpr const char* kinds[] = {"start", "branch", "joinat", "loop", "call", "limited_call", "quad"};
      kind = kinds[static_cast<std::size_t>(entries->entry(entry).region)];
      pc = entries->entry(entry).pc;
      mask = entries->entry(entry).mask;
    }
    switch (any(3)) {
      case 0: stack.push_back({path + ".kind", now, kind}); break;
      case 1: stack.push_back({path + ".pc", now, binary(pc)}); break;
      default: stack.push_back({path + ".mask", now, binary(mask)});
    }
  }

  tlm_bus::clocking& clocks_;
  model::tesla_sm& sm_;
  unsigned per_instant_;
  std::mt19937_64 random_;
  std::map<std::uint64_t, std::pair<std::string, tlm_bus::femtoseconds>> started_;  // by instruction: lanes, when
};

class values : public checked_board {
 protected:
  values() { std::filesystem::create_directories(folder_); }
  ~values() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  void start_recording(const std::vector<std::string>& patterns) {
    board->start();
    observe::trace_settings settings;
    settings.path = path("trace.log");
    settings.events = {};
    settings.values = patterns;
    recording = std::make_unique<observe::recorder>(*board, settings);
  }
  vcd_file waves(bool fst = false) {
    if (recording) recording->close();
    recording.reset();
    observe::log_reader log(path("trace.log"));
    const std::string file = path(fst ? "out.fst" : "out.vcd");
    const auto to = fst ? observe::make_fst_writer(file) : observe::make_vcd_writer(file);
    observe::write_waves(log, *to, {"*"});
    return fst ? read_fst(file) : read_vcd(file);
  }
  void TearDown() override { recording.reset(); }

  // Fails unless the file shows what was sampled.
  static void expect_in(const vcd_file& file, const std::vector<sample>& samples, std::size_t at_least) {
    EXPECT_GE(samples.size(), at_least);
    std::size_t wrong = 0, set = 0;
    for (const sample& s : samples) {
      const auto found = file.signals.find(std::string(sm_path) + "." + s.path);
      ASSERT_NE(found, file.signals.end()) << s.path;
      const std::string& shown = found->second.at(s.at);
      set += s.value != "0" && !s.value.empty() ? 1 : 0;
      if (shown == s.value) continue;
      if (++wrong <= 10)
        ADD_FAILURE() << s.path << " at " << s.at << ": '" << shown << "', not '" << s.value << "'";
    }
    EXPECT_EQ(wrong, 0u) << "of " << samples.size();
    EXPECT_GT(set, samples.size() / 50) << "most values must be more than 0";
  }

  std::unique_ptr<observe::recorder> recording;

 private:
  std::string folder_ = testing::TempDir() + "gt200_values_" + std::to_string(::getpid());
};

// -- contents --

// The number of samples of each kind; scripts/validate wave_values asks for more.
std::size_t samples_asked_for() {
  const char* asked = std::getenv("GT200_WAVE_SAMPLES");
  return asked == nullptr ? 1000 : static_cast<std::size_t>(std::strtoull(asked, nullptr, 10));
}

class values_of_random_program : public values, public ::testing::WithParamInterface<unsigned> {};

TEST_P(values_of_random_program, equal_the_state_of_the_model_in_both_formats) {
  const random_program p = make_random_program(GetParam());
  build(p.text, front_end_combinations(GetParam() + 1).back().overrides());
  const test_textures textures(*board, p.race_free ? in : out);
  start_recording(sampler::patterns());
  sampler samples(*board, sm(), static_cast<unsigned>(1 + samples_asked_for() / 2000), GetParam());
  run(p.blocks, p.threads);
  EXPECT_EQ(difference(), "no difference");
  const vcd_file vcd = waves();
  expect_in(vcd, samples.registers, samples_asked_for());
  expect_in(vcd, samples.shared, samples_asked_for());
  expect_in(vcd, samples.stack, samples_asked_for());
  expect_in(vcd, samples.operands, samples_asked_for());
  expect_in(vcd, samples.results, samples_asked_for());
  if (!observe::can_write_fst() || !can_read_fst()) return;
  const vcd_file fst = waves(true);
  expect_in(fst, samples.registers, samples_asked_for());
  expect_in(fst, samples.shared, samples_asked_for());
  expect_in(fst, samples.stack, samples_asked_for());
  expect_in(fst, samples.operands, samples_asked_for());
  expect_in(fst, samples.results, samples_asked_for());
}
INSTANTIATE_TEST_SUITE_P(number, values_of_random_program, ::testing::Range(0u, 4u));

TEST_F(values, of_floats_are_those_of_the_lanes) {
  build(checked_program("  cvt rn f32 $r5 u32 $r1\n  st b32 g14[$r4] $r5\n  exit nop\n"));
  start_recording({"*.sm_0.register_file.warp_1.r5.*"});
  run(1, 64);
  const vcd_file file = waves();
  EXPECT_EQ(file.signals.size(), 64u + 8u) << "and the clocks";
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const std::string begin = std::string(sm_path) + ".register_file.warp_1.r5.";
    EXPECT_EQ(file.signals.at(begin + "float_" + std::to_string(lane)).changes.back().second,
              std::to_string(32 + lane));
    EXPECT_EQ(file.signals.at(begin + "lane_" + std::to_string(lane)).type, "reg");
  }
}

TEST_F(values, that_nobody_chose_are_not_in_the_log) {
  build(checked_program("  mov b32 $r5 0x3\n  exit nop\n"));
  start_recording({"*.sm_0.block_control.slot_0.state"});
  run(1, 32);
  const vcd_file file = waves();
  EXPECT_EQ(file.signals.size(), 1u + 8u);
  std::vector<std::string> states;
  for (const auto& [at, state] : file.signals.at(std::string(sm_path) + ".block_control.slot_0.state").changes)
    if (states.empty() || states.back() != state) states.push_back(state);
  EXPECT_EQ(states, (std::vector<std::string>{"", "free", "starting", "running", "drained", "free"}));
}

// -- banks --

// What each bank serves when, from the accesses as they are performed.
class expected_banks final : private model::shared_memory_observer {
 public:
  explicit expected_banks(model::tesla_sm& sm) : sm_(sm) { sm_.shared_memory.observers().attach(*this); }
  ~expected_banks() override { sm_.shared_memory.observers().detach(*this); }
  std::map<std::pair<tlm_bus::femtoseconds, unsigned>, std::uint32_t> served;  // time and bank: address
  std::size_t longest = 0;                                                     // access, in cycles

 private:
  void performed(const sc_core::sc_object&, const model::warp_instruction& access) override {
    const tlm_bus::clock_domain& core = sm_.shared_memory.domain();
    unsigned step = 0;
    for (unsigned half = 0; half < 2; ++half)
      step += std::max(
          1u, model::serve_half_warp(access.values.address.lane, access.executed, half,
                                     static_cast<unsigned>(isa::bytes_of(access.instruction->access.type)), 16,
                                     [&](unsigned s, std::uint32_t word) {
                                       served[{core.now() + (step + s) * core.period(), word % 16}] = 4 * word;
                                     }));
    longest = std::max<std::size_t>(longest, step);
  }
  model::tesla_sm& sm_;
};

TEST_F(values, of_banks_follow_the_steps_of_an_access_even_while_nothing_else_happens) {
  // Every lane in bank 0, then neighbouring words, then two lanes per bank.
  build(checked_program(R"(
  shl $a1 $r1 0x6
  shl $a2 $r1 0x2
  shl $a3 $r1 0x3
  st b32 s[$a1+tile] $r1
  mov b32 $r8 b32 s[$a2+tile]
  mov b32 $r8 b32 s[$a3+tile]
  mov b32 $r8 b32 s[$a1+tile]
  exit nop
)",
                        ".shared tile 2048\n"));
  start_recording({"*.sm_0.shared_memory.bank_*"});
  expected_banks expected(sm());
  run(1, 32);
  EXPECT_EQ(expected.longest, 32u) << "sixteen conflicts in each half-warp";
  const vcd_file file = waves();
  std::size_t busy_cycles = 0;
  const tlm_bus::femtoseconds period = sm().shared_memory.domain().period();
  for (unsigned bank = 0; bank < 16; ++bank) {
    const std::string begin = std::string(sm_path) + ".shared_memory.bank_" + std::to_string(bank) + ".";
    const vcd_signal& busy = file.signals.at(begin + "busy");
    for (tlm_bus::femtoseconds t = file.first_time; t <= file.last_time; t += period) {
      const auto found = expected.served.find({t / period * period, bank});
      EXPECT_EQ(busy.at(t / period * period), found == expected.served.end() ? "0" : "1") << bank << " " << t;
      if (found == expected.served.end()) continue;
      ++busy_cycles;
      EXPECT_EQ(file.signals.at(begin + "address").at(t / period * period), binary(found->second));
    }
  }
  EXPECT_EQ(busy_cycles, expected.served.size());
}

// -- dependencies --

TEST_F(values, of_scoreboard_entries_name_the_instruction_that_holds_them) {
  struct watcher final : model::instruction_buffer_observer, model::write_back_observer {
    struct seen {
      tlm_bus::femtoseconds at;
      unsigned warp;
      std::uint64_t entries;
      std::uint64_t id;
    };
    explicit watcher(model::tesla_sm& observed) : sm(observed) {
      sm.instruction_buffer.observers().attach(*this);
      sm.write_back.observers().attach(*this);
    }
    ~watcher() override {
      sm.instruction_buffer.observers().detach(*this);
      sm.write_back.observers().detach(*this);
    }
    void entered(const sc_core::sc_object&, model::warp_slot warp, const model::buffered_instruction& b) override {
      taken.push_back({sm.write_back.domain().now(), warp.index(), b.allocated, b.id});
    }
    void completed(const sc_core::sc_object&, const model::warp_instruction& o) override {
      released.push_back({sm.write_back.domain().now(), o.warp.index(), o.dependency_entries, o.id});
    }
    model::tesla_sm& sm;
    std::vector<seen> taken, released;
  };
  const random_program p = make_random_program(1);
  build(p.text);
  const test_textures textures(*board, p.race_free ? in : out);
  start_recording({"*.sm_0.scoreboard.warp_*.owner_*", "*.sm_0.instruction_buffer.warp_*.slot_0.id"});
  watcher seen(sm());
  run(p.blocks, p.threads);
  const vcd_file file = waves();
  const auto owner = [&](const watcher::seen& s, unsigned entry) {
    return file.signals
        .at(std::string(sm_path) + ".scoreboard.warp_" + std::to_string(s.warp) + ".owner_" + std::to_string(entry))
        .at(s.at);
  };
  std::size_t compared = 0;
  for (const auto& s : seen.taken)
    for (unsigned entry = 0; entry < 6; ++entry)
      if ((s.entries >> entry & 1) != 0 && ++compared != 0) {
        ASSERT_EQ(owner(s, entry), model::text_of_id(s.id));
      }
  for (const auto& s : seen.released)
    for (unsigned entry = 0; entry < 6; ++entry)
      if ((s.entries >> entry & 1) != 0) {
        ASSERT_NE(owner(s, entry), model::text_of_id(s.id));
      }
  EXPECT_GT(compared, 500u);
}

// -- memory --

TEST_F(values, of_transactions_are_what_the_program_stores) {
  build(checked_program("  shl b32 $r5 $r1 0x8\n  add b32 $r5 $r5 $r1\n  st b32 g14[$r4] $r5\n  exit nop\n"));
  start_recording({"*.arbiter.requests.request.*", "*.memory.sm_controller.from_sm*.data.*"});
  run(1, 64);
  const vcd_file file = waves();
  std::set<std::uint32_t> stored;
  std::set<std::string> lanes;
  for (const auto& [name, signal] : file.signals) {
    if (name.find(".data.data_0.lane_5") != std::string::npos && name.size() - name.rfind("lane_5") == 6)
      for (const auto& [at, value] : signal.changes) lanes.insert(value);
    const std::size_t end = name.find(".request.id");
    if (end == std::string::npos) continue;
    const std::string begin = name.substr(0, end) + ".request.";
    for (const auto& [at, id] : signal.changes) {
      if (id.empty() || file.signals.at(begin + "write").at(at) != "1") continue;
      const std::uint64_t enabled = std::stoull(file.signals.at(begin + "enabled_0").at(at), nullptr, 2);
      for (unsigned word = 0; word < 16; ++word)
        if ((enabled >> 4 * word & 0xf) == 0xf)
          stored.insert(static_cast<std::uint32_t>(
              std::stoul(file.signals.at(begin + "word_" + std::to_string(word)).at(at), nullptr, 2)));
    }
  }
  std::set<std::uint32_t> expected;
  for (unsigned thread = 0; thread < 64; ++thread) expected.insert(thread * 0x101);
  EXPECT_EQ(stored, expected);
  EXPECT_TRUE(lanes.count(binary(5 * 0x101)) && lanes.count(binary(37 * 0x101)));
}

}  // namespace
}  // namespace gt200::support
