#include "toolchain/isa/volta/lint.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/dependency_state.h"

namespace gt200::isa::volta {
namespace {

constexpr unsigned longest_staying_stall = 11;

// Possible content of the reuse cache at one bank and operand slot, on any path: registers as they are, and
// registers that have been written since.
constexpr unsigned reuse_banks = 2;
constexpr unsigned reuse_slots = 3;
struct reuse_entry {
  std::bitset<max_gpr> kept;
  std::bitset<max_gpr> written_since;

  bool operator==(const reuse_entry& o) const { return kept == o.kept && written_since == o.written_since; }
};
using reuse_cache = std::array<std::array<reuse_entry, reuse_slots>, reuse_banks>;

// Barriers awaited by DEPBARs that do not hold the warp yet.
class pending_depbars {
 public:
  bool operator==(const pending_depbars& o) const { return awaited_ == o.awaited_; }
  // One issues.
  void add(const instruction& depbar) {
    awaited_.back() |= depbar.dependency_list;
    if (depbar.dependency_count == 0) awaited_.back() |= static_cast<std::uint8_t>(1u << depbar.dependency_barrier);
  }
  // Returns the barriers of those that hold the warp after that time.
  std::uint8_t pass(unsigned cycles) {
    std::uint8_t now = 0;
    for (unsigned n = 0; n < awaited_.size(); ++n) {
      const std::uint8_t barriers = std::exchange(awaited_[n], std::uint8_t{0});
      if (n < cycles)
        now |= barriers;
      else
        awaited_[n - cycles] = barriers;
    }
    return now;
  }
  // Keeps what is awaited on both paths, at the later time.
  void meet(const pending_depbars& other) {
    std::uint8_t mine = 0, others = 0;
    for (unsigned n = 0; n < awaited_.size(); ++n) {
      const auto before = static_cast<std::uint8_t>(mine & others);
      mine |= awaited_[n];
      others |= other.awaited_[n];
      awaited_[n] = static_cast<std::uint8_t>(mine & others & ~before);
    }
  }

 private:
  static constexpr unsigned cycles_until_one_holds = 4;
  std::array<std::uint8_t, cycles_until_one_holds> awaited_{};  // [n]: holds after n + 1 cycles
};

struct machine_state : dependency_state {
  reuse_cache reuse{};
  std::uint8_t fresh = 0;  // barriers that the last instruction has set so late that the next one does not see them
  pending_depbars depbars;

  bool operator==(const machine_state& o) const {
    return of == o.of && reuse == o.reuse && fresh == o.fresh && depbars == o.depbars;
  }
};

// The worse of both. True if `into` changes.
bool merge(machine_state& into, const machine_state& other) {
  machine_state before = into;
  into.dependency_state::merge(other);
  for (unsigned b = 0; b < reuse_banks; ++b)
    for (unsigned s = 0; s < reuse_slots; ++s) {
      into.reuse[b][s].kept |= other.reuse[b][s].kept;
      into.reuse[b][s].written_since |= other.reuse[b][s].written_since;
    }
  into.fresh |= other.fresh;
  into.depbars.meet(other.depbars);
  return !(into == before);
}

std::string name_of(unsigned resource) {
  return resource < max_gpr ? "R" + std::to_string(resource) : "P" + std::to_string(resource - max_gpr);
}

std::string barriers_text(std::uint8_t mask) {
  std::string text;
  for (unsigned b = 0; b < dependency_barriers; ++b)
    if ((mask >> b & 1) != 0) text += (text.empty() ? "SB" : ", SB") + std::to_string(b);
  return text;
}

class kernel_lint {
 public:
  explicit kernel_lint(const std::vector<std::uint32_t>& code) : code_(code) {}

  // Once. Findings in the order of their addresses.
  std::vector<lint_finding> run() {
    arrive(0, machine_state());
    while (!open_.empty()) {
      const code_address at = *open_.begin();
      open_.erase(open_.begin());
      follow(at);
    }
    std::vector<lint_finding> findings;
    for (const auto& [at, reasons] : findings_)
      for (const std::string& reason : reasons) findings.push_back({at, reason});
    return findings;
  }
  // Instructions that a path reaches; after run().
  const std::map<code_address, instruction>& reached() const { return reached_; }

 private:
  void report(code_address at, std::string reason) { findings_[at].insert(std::move(reason)); }

  std::optional<instruction> at(code_address address) {
    const std::size_t word = address / 4;
    if (address % instruction_bytes != 0 || word + 4 > code_.size()) {
      report(address, "the code ends here");
      return std::nullopt;
    }
    decode_error error;
    auto i = decode(words_of({code_[word], code_[word + 1], code_[word + 2], code_[word + 3]}), error);
    if (!i) report(address, error.reason);
    return i;
  }

  void arrive(code_address address, const machine_state& state) {
    const auto [place, is_new] = states_.try_emplace(address, state);
    if (is_new || merge(place->second, state)) open_.insert(address);
  }

  // Follows the code from a place where paths may meet to the next one.
  void follow(code_address address) {
    machine_state state = states_.at(address);
    for (;;) {
      const std::optional<instruction> i = at(address);
      if (!i) return;
      reached_.try_emplace(address, *i);
      execute(address, *i, state);
      const code_address behind = address + instruction_bytes;
      const bool always = i->guard.index == true_predicate && !i->guard.negate &&
                          ((i->predicates_used & 1) == 0 || !i->concerns_divergence() ||
                           (i->predicate_source[0].index == true_predicate && !i->predicate_source[0].negate));
      switch (i->control) {
        case control_kind::bra:
          arrive(target_of(*i, address), state);
          if (!always || i->branch == branch_mode::divergent || i->branch == branch_mode::convergent)
            arrive(behind, state);
          return;
        case control_kind::call:
          if (i->source[0].kind == operand_kind::none) arrive(target_of(*i, address), state);
          return arrive(behind, machine_state());
        case control_kind::exit:
        case control_kind::brx:
        case control_kind::ret:
        case control_kind::trap:
          if (!always) arrive(behind, state);
          return;
        default: break;
      }
      address = behind;
      if (states_.count(address) != 0) return arrive(address, state);
    }
  }

  // -- one instruction --

  void execute(code_address address, const instruction& i, machine_state& state) {
    wait(address, i, state);
    const bool never = i.guard.index == true_predicate && i.guard.negate;
    if (!never) read_sources(address, i, state);
    use_reuse_cache(address, i, state);
    if (!never) write_results(address, i, state);
    issue(address, i, state);
  }

  void wait(code_address address, const instruction& i, machine_state& state) {
    const std::uint8_t waits = i.codes.wait_mask;
    if (const auto late = static_cast<std::uint8_t>(waits & state.fresh); late != 0)
      report(address, "waits for " + barriers_text(late) +
                          ", which the instruction before it sets: that needs a stall of 2 or a yield");
    state.wait(waits);
  }

  void read(code_address address, const machine_state& state, unsigned resource, reader_class reader,
            bool as_guard) {
    const pending_result& p = state.of[resource];
    if ((p.writing & no_dependency_barrier) != 0)
      report(address, "reads " + name_of(resource) + ", whose writer sets no write barrier");
    else if (p.writing != 0)
      report(address, "reads " + name_of(resource) + " without waiting for " + barriers_text(p.writing));
    const unsigned short_by = state.cycles_short(resource, reader, as_guard);
    if (short_by != 0)
      report(address, "reads " + name_of(resource) + " " + std::to_string(short_by) +
                          (short_by == 1 ? " cycle" : " cycles") + " too early");
  }

  // Instructions of fixed time with single registers use it, whether a lane executes them or not.
  void use_reuse_cache(code_address address, const instruction& i, machine_state& state) {
    const bool uses = !has_variable_latency(i) && i.unit != unit_class::control;
    for (unsigned slot = 0; uses && slot < reuse_slots; ++slot) {
      const operand& o = i.source[slot];
      if (o.kind != operand_kind::gpr || o.index == zero_register || o.words != 1) continue;
      reuse_entry& entry = state.reuse[o.index % reuse_banks][slot];
      if (entry.written_since[o.index])
        report(address, "reads " + name_of(o.index) +
                            " in the slot where an instruction has kept it for reuse before "
                            "it was written");
      entry = {};
      entry.kept[o.index] = (i.codes.reuse >> slot & 1) != 0;
    }
    if (i.codes.yield) state.reuse = {};
  }

  void read_sources(code_address address, const instruction& i, const machine_state& state) {
    for_each_read(i, [&](unsigned resource, reader_class reader, bool as_guard) {
      read(address, state, resource, reader, as_guard);
    });
  }

  void write_results(code_address address, const instruction& i, machine_state& state) {
    for_each_write(i, [&](unsigned resource, unsigned) { write(address, state, resource); });
    state.issue(i);
  }

  void write(code_address address, machine_state& state, unsigned resource) {
    const pending_result& p = state.of[resource];
    if (resource < max_gpr)
      for (reuse_entry& entry : state.reuse[resource % reuse_banks]) {
        if (entry.kept[resource]) entry.written_since.set(resource);
        entry.kept.reset(resource);
      }
    if ((p.writing & no_dependency_barrier) != 0)
      report(address, "writes " + name_of(resource) + ", whose last writer sets no write barrier");
    else if (p.writing != 0)
      report(address,
             "writes " + name_of(resource) + " without waiting for its last writer, " + barriers_text(p.writing));
    if ((p.reading & no_dependency_barrier) != 0)
      report(address, "writes " + name_of(resource) + ", which an instruction without a read barrier reads");
    else if (p.reading != 0)
      report(address,
             "writes " + name_of(resource) + " without waiting for its reader, " + barriers_text(p.reading));
  }

  void issue(code_address address, const instruction& i, machine_state& state) {
    if (i.codes.stall_cycles > longest_staying_stall && !i.codes.yield)
      report(address, "stalls " + std::to_string(i.codes.stall_cycles) +
                          " cycles without yield: above 11 the hardware does not");
    const unsigned cycles = issue_cycles(i.codes);
    state.pass(cycles);
    state.fresh = 0;
    if (cycles < 2 && !i.codes.yield)
      for (const std::uint8_t b : {i.codes.write_barrier, i.codes.read_barrier})
        if (b != control_codes::no_barrier) state.fresh |= static_cast<std::uint8_t>(1u << b);
    if (i.op == opcode::depbar) state.depbars.add(i);
    state.wait(static_cast<std::uint8_t>(state.depbars.pass(cycles) & ~state.fresh));
  }

  const std::vector<std::uint32_t>& code_;
  std::map<code_address, machine_state> states_;  // where paths begin or meet
  std::set<code_address> open_;
  std::map<code_address, std::set<std::string>> findings_;
  std::map<code_address, instruction> reached_;
};

// Tries shorter codes, one at a time, in a copy of the code.
class shortener {
 public:
  explicit shortener(const std::vector<std::uint32_t>& code) : code_(code) {
    kernel_lint original(code);
    for (const lint_finding& f : original.run()) known_.insert({f.at, f.reason});
    reached_ = original.reached();
  }

  std::vector<lint_finding> run() {
    for (const auto& [at, i] : reached_) {
      if (i.concerns_divergence() || i.unit == unit_class::control || i.unit == unit_class::barrier) continue;
      try_stalls(at, i.codes);
      try_waits(at, i.codes);
      try_barriers(at, i.codes);
    }
    return std::move(found_);
  }

 private:
  static constexpr unsigned codes_in_word = 9;  // bits 105 to 125 of the instruction lie in its last word

  // True if lint finds nothing with these codes that it did not find before.
  bool will_do(code_address at, const control_codes& codes) {
    std::uint32_t& word = code_[at / 4 + 3];
    const std::uint32_t before = word;
    word = (word & ~(((1u << control_bits) - 1) << codes_in_word)) | encode_control(codes) << codes_in_word;
    const std::vector<lint_finding> findings = lint(code_);
    word = before;
    return std::all_of(findings.begin(), findings.end(), [this](const lint_finding& f) {
      return known_.count({f.at, f.reason}) != 0;
    });
  }

  // A longer stall never breaks what a shorter one keeps, so that the least one is sought downwards.
  void try_stalls(code_address at, control_codes codes) {
    const unsigned given = codes.stall_cycles;
    unsigned least = given;
    while (least > 1) {
      codes.stall_cycles = static_cast<std::uint8_t>(least - 1);
      if (!will_do(at, codes)) break;
      --least;
    }
    if (least < given)
      found_.push_back({at, "stalls " + std::to_string(given) + " cycles, " + std::to_string(least) + " would do"});
  }

  void try_waits(code_address at, const control_codes& codes) {
    for (unsigned b = 0; b < dependency_barriers; ++b) {
      if ((codes.wait_mask >> b & 1) == 0) continue;
      control_codes without = codes;
      without.wait_mask &= static_cast<std::uint8_t>(~(1u << b));
      if (will_do(at, without)) found_.push_back({at, "waits for SB" + std::to_string(b) + " without need"});
    }
  }

  void try_barriers(code_address at, const control_codes& codes) {
    const auto attempt = [&](std::uint8_t control_codes::*barrier, const char* name) {
      if (codes.*barrier == control_codes::no_barrier) return;
      control_codes without = codes;
      without.*barrier = control_codes::no_barrier;
      if (will_do(at, without))
        found_.push_back(
            {at, std::string("sets ") + name + " barrier SB" + std::to_string(codes.*barrier) + " without need"});
    };
    attempt(&control_codes::write_barrier, "write");
    attempt(&control_codes::read_barrier, "read");
  }

  std::vector<std::uint32_t> code_;
  std::set<std::pair<code_address, std::string>> known_;
  std::map<code_address, instruction> reached_;
  std::vector<lint_finding> found_;
};

}  // namespace

std::vector<lint_finding> lint(const std::vector<std::uint32_t>& code) { return kernel_lint(code).run(); }

std::vector<lint_finding> longer_than_needed(const std::vector<std::uint32_t>& code) {
  return shortener(code).run();
}

}  // namespace gt200::isa::volta
