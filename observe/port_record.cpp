#include "observe/port_record.h"

#include <fmt/format.h>

#include "rtl_ref/scoreboard/pin_layout.h"
#include "toolchain/error.h"

namespace gt200::observe {
namespace {

using pins = rtl::scoreboard_pin_layout;
using tlm_bus::cycle_t;

// The bits of one port in one cycle.
class port_value {
 public:
  explicit port_value(unsigned width) : words_((width + 63) / 64) {}

  void set(unsigned offset, unsigned width, std::uint64_t value) {
    for (unsigned bit = 0; bit < width; ++bit) {
      std::uint64_t& word = words_[(offset + bit) / 64];
      const std::uint64_t place = std::uint64_t{1} << (offset + bit) % 64;
      word = (value >> bit & 1) != 0 ? word | place : word & ~place;
    }
  }
  // Returns an empty text for 0.
  std::string hexadecimal() const {
    std::string text;
    for (std::size_t i = words_.size(); i-- > 0;)
      if (!text.empty())
        text += fmt::format("{:016x}", words_[i]);
      else if (words_[i] != 0)
        text = fmt::format("{:x}", words_[i]);
    return text;
  }
  void clear() { words_.assign(words_.size(), 0); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

// The ports of one module in the cycle that is being recorded.
class port_record::recorder {
 public:
  recorder(std::ostream& out, const std::string& module, const std::string& from) : out_(out) {
    out_ << "gt200 record 1\nmodule " << module << "\nfrom " << from << '\n';
  }
  virtual ~recorder() = default;

  void end_cycle() {
    if (cycle_ == tlm_bus::no_cycle) return;
    out_ << cycle_;
    for (recorded_port& p : ports_) {
      if (const std::string value = p.value.hexadecimal(); !value.empty()) out_ << ' ' << p.name << '=' << value;
      p.value.clear();
    }
    out_ << '\n';
    cycle_ = tlm_bus::no_cycle;
  }

 protected:
  void parameter(const char* name, unsigned value) { out_ << "parameter " << name << ' ' << value << '\n'; }
  std::size_t input(const char* name, unsigned width) { return add("input", name, width); }
  std::size_t output(const char* name, unsigned width) { return add("output", name, width); }

  // Returns true at the first event of the cycle.
  bool begin(cycle_t cycle) {
    if (cycle_ == cycle) return false;
    end_cycle();
    cycle_ = cycle;
    return true;
  }
  void set(std::size_t port, unsigned offset, unsigned width, std::uint64_t value) {
    ports_[port].value.set(offset, width, value);
  }

 private:
  struct recorded_port {
    const char* name;
    port_value value;
  };
  std::size_t add(const char* direction, const char* name, unsigned width) {
    out_ << direction << ' ' << name << ' ' << width << '\n';
    ports_.push_back({name, port_value(width)});
    return ports_.size() - 1;
  }

  std::ostream& out_;
  std::vector<recorded_port> ports_;
  cycle_t cycle_ = tlm_bus::no_cycle;
};

namespace {

class scoreboard_recorder final : public port_record::recorder, public model::scoreboard_observer {
 public:
  scoreboard_recorder(std::ostream& out, const model::module_tap<model::scoreboard_observer>& from,
                      const config::sm_config& config)
      : recorder(out, "scoreboard", from.module.name()),
        warps_(config.limits.warps),
        warp_bits_(rtl::bits_for(warps_)),
        entries_(config.scoreboard.entries_per_warp),
        tap_(from.tap) {
    parameter("WARPS", warps_);
    parameter("ENTRIES", entries_);
    enter_valid_ = input("enter_valid", pins::lookups);
    enter_warp_ = input("enter_warp", pins::lookups * warp_bits_);
    enter_count_ = input("enter_count", pins::lookups * pins::count_bits);
    enter_sources_ = input("enter_sources", pins::lookups * pins::sources * pins::operand_bits);
    enter_destinations_ = input("enter_destinations", pins::lookups * pins::destinations * pins::operand_bits);
    release_valid_ = input("release_valid", pins::releases);
    release_warp_ = input("release_warp", pins::releases * warp_bits_);
    release_entries_ = input("release_entries", pins::releases * entries_);
    // The chip never uses these ports: no instruction with entries is squashed.
    input("squash_valid", 1);
    input("squash_warp", warp_bits_);
    input("squash_entries", entries_);
    input("flush_valid", 1);
    input("flush_warp", warp_bits_);
    enter_accepted_ = output("enter_accepted", pins::lookups);
    enter_dependencies_ = output("enter_dependencies", pins::lookups * entries_);
    enter_allocated_ = output("enter_allocated", pins::lookups * entries_);
    clear_entries_ = output("clear_entries", (pins::releases + 2) * entries_);
    full_next_ = output("full_next", warps_);
    tap_.attach(*this);
  }
  ~scoreboard_recorder() override { tap_.detach(*this); }

  void entered(model::core_cycle cycle, model::warp_slot warp, const isa::instruction& instruction,
               const model::lookup_answer& answer, model::warp_mask full) override {
    next_cycle(cycle.number(), full);
    const unsigned port = entered_;
    set(enter_valid_, port, 1, 1);
    set(enter_warp_, port * warp_bits_, warp_bits_, warp.index());
    set(enter_count_, port * pins::count_bits, pins::count_bits, instruction.write_count);
    for (unsigned i = 0; i < pins::sources; ++i)
      set(enter_sources_, (port * pins::sources + i) * pins::operand_bits, pins::operand_bits,
          i < instruction.read_count ? pins::operand(instruction.reads[i]) : 0);
    for (unsigned i = 0; i < pins::destinations; ++i)
      set(enter_destinations_, (port * pins::destinations + i) * pins::operand_bits, pins::operand_bits,
          i < instruction.write_count ? pins::operand(instruction.writes[i]) : 0);
    set(enter_accepted_, port, 1, answer.entered ? 1 : 0);
    set(enter_dependencies_, port * entries_, entries_, answer.dependencies);
    set(enter_allocated_, port * entries_, entries_, answer.allocated);
    if (answer.entered) ++entered_;  // a refused look-up changes nothing: the next one uses its port
  }
  void released(model::core_cycle cycle, model::warp_slot warp, std::uint64_t entries,
                model::warp_mask full) override {
    next_cycle(cycle.number(), full);
    const unsigned port = released_++;
    set(release_valid_, port, 1, 1);
    set(release_warp_, port * warp_bits_, warp_bits_, warp.index());
    set(release_entries_, port * entries_, entries_, entries);
    set(clear_entries_, port * entries_, entries_, entries);
  }

 private:
  void next_cycle(cycle_t cycle, model::warp_mask full) {
    if (begin(cycle)) entered_ = released_ = 0;
    set(full_next_, 0, warps_, full);
  }

  unsigned warps_;
  unsigned warp_bits_;
  unsigned entries_;
  tlm_bus::tap<model::scoreboard_observer>& tap_;
  std::size_t enter_valid_, enter_warp_, enter_count_, enter_sources_, enter_destinations_;
  std::size_t release_valid_, release_warp_, release_entries_;
  std::size_t enter_accepted_, enter_dependencies_, enter_allocated_, clear_entries_, full_next_;
  unsigned entered_ = 0;
  unsigned released_ = 0;
};

class arbiter_recorder final : public port_record::recorder, public model::arbitration_observer {
 public:
  arbiter_recorder(std::ostream& out, const model::module_tap<model::arbitration_observer>& from,
                   const config::sm_config& config, config::warp_policy policy)
      : recorder(out, "issue_arbiter", from.module.name()), warps_(config.limits.warps), tap_(from.tap) {
    parameter("WARPS", warps_);
    parameter("ORDER", policy == "gto" ? 1 : 0);
    request_ = input("request", warps_);
    accept_ = input("accept", 1);
    start_ = input("start", warps_);
    grant_valid_ = output("grant_valid", 1);
    grant_warp_ = output("grant_warp", rtl::bits_for(warps_));
    tap_.attach(*this);
  }
  ~arbiter_recorder() override { tap_.detach(*this); }

  void went(model::core_cycle cycle, model::warp_mask candidates, model::warp_slot warp) override {
    begin(cycle.number());
    set(request_, 0, warps_, candidates);
    set(accept_, 0, 1, 1);
    set(grant_valid_, 0, 1, 1);
    set(grant_warp_, 0, rtl::bits_for(warps_), warp.index());
  }
  void started(model::core_cycle cycle, model::warp_slot warp) override {
    begin(cycle.number());
    set(start_, warp.index(), 1, 1);
  }

 private:
  unsigned warps_;
  tlm_bus::tap<model::arbitration_observer>& tap_;
  std::size_t request_, accept_, start_, grant_valid_, grant_warp_;
};

[[noreturn]] void refuse(const std::string& module, const std::string& reason) {
  throw input_error("cannot record " + module + ": " + reason);
}

std::unique_ptr<port_record::recorder> make_recorder(device& target, const std::string& module, std::ostream& out) {
  const config::sm_config& config = target.chip().config.tpc.sm;
  const std::string path = std::string(target.chip().name()) + "." + module;
  for (model::sm_if* sm : target.chip().sms()) {
    model::sm_probe& probe = sm->probe();
    if (path == probe.scoreboard_tap().module.name()) {
      if (config.scoreboard.mechanism != config::scoreboard_mechanism::coon ||
          config.scoreboard.allocate != config::scoreboard_allocation::with_lookup)
        refuse(module, "RTL exists for the Coon scoreboard that allocates with the look-up only");
      if (config.scoreboard.lookup_latency_cycles != timed::core_cycles(0))
        refuse(module, "the ports recorded are those of RTL that answers within a cycle");
      return std::make_unique<scoreboard_recorder>(out, probe.scoreboard_tap(), config);
    }
    for (unsigned i = 0; i < probe.schedulers(); ++i) {
      const model::module_tap<model::arbitration_observer> tap = probe.arbitration_tap(i);
      const std::string name = tap.module.name();
      if (path != name + "." + std::to_string(i) && !(probe.schedulers() == 1 && path == name)) continue;
      const config::warp_policy policy = i == 0 ? config.scheduler.policy : config.scheduler.second_policy;
      if (policy != "lrr" && policy != "gto") refuse(module, "RTL exists for the policies lrr and gto only");
      return std::make_unique<arbiter_recorder>(out, tap, config, policy);
    }
  }
  refuse(module, "only the scoreboard and issue of an SM are recorded, such as tpc_0.sm_0.scoreboard");
}

}  // namespace

port_record::port_record(device& target, const std::string& module, std::ostream& out)
    : recorder_(make_recorder(target, module, out)) {}
port_record::~port_record() = default;

void port_record::close() { recorder_->end_cycle(); }

}  // namespace gt200::observe
