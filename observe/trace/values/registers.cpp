// The registers of chosen warps. A row is read when an instruction that writes it completes, and when a block
// starts.
#include <array>
#include <map>

#include "observe/trace/values/values.h"
#include "tlm_bus/numbered_names.h"

namespace gt200::observe {
namespace {

using isa::register_file_kind;

const tlm_bus::numbered_names& lane_names() {
  static const tlm_bus::numbered_names names("lane_", isa::warp_size);
  return names;
}
const tlm_bus::numbered_names& float_names() {
  static const tlm_bus::numbered_names names("float_", isa::warp_size);
  return names;
}

// One register of a warp.
struct register_place {
  const model::sm_probe& sm;
  model::warp_slot warp;
  unsigned index;
  unsigned bits;  // of a lane

  const arch_state::register_rows& rows() const { return sm.registers_of(warp); }
};

class general_register final : public tlm_bus::signal_source {
 public:
  explicit general_register(const register_place& at) : at_(at) {}
  void publish(tlm_bus::signal_writer& to) override {
    const std::uint32_t* row = at_.rows().gpr(at_.index);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) to.word(lane_names()[lane], at_.bits, row[lane]);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) to.real(float_names()[lane], row[lane]);
  }

 private:
  register_place at_;
};

class predicate final : public tlm_bus::signal_source {
 public:
  explicit predicate(const register_place& at) : at_(at) {}
  void publish(tlm_bus::signal_writer& to) override {
    static constexpr std::array<const char*, 4> flags = {"zero", "sign", "carry", "overflow"};  // from bit 0 on
    const std::uint8_t* row = at_.rows().condition(at_.index);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) to.word(lane_names()[lane], at_.bits, row[lane]);
    for (unsigned bit = 0; bit < flags.size() && at_.bits == flags.size(); ++bit) {
      isa::lane_mask lanes = 0;
      for (unsigned lane = 0; lane < isa::warp_size; ++lane) lanes |= isa::lane_mask{row[lane] >> bit & 1u} << lane;
      to.mask(flags[bit], isa::warp_size, lanes);
    }
  }

 private:
  register_place at_;
};

class address_register final : public tlm_bus::signal_source {
 public:
  explicit address_register(const register_place& at) : at_(at) {}
  void publish(tlm_bus::signal_writer& to) override {
    const std::uint16_t* row = at_.rows().address(at_.index);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) to.word(lane_names()[lane], at_.bits, row[lane]);
  }

 private:
  register_place at_;
};

// Touches the rows that a completing instruction has written.
class register_watch final : public probe, private model::write_back_observer {
 public:
  using key = std::array<unsigned, 3>;  // warp, file, register
  register_watch(tlm_bus::tap<model::write_back_observer>& write_back, probe_listener& listener)
      : write_back_(write_back), listener_(listener) {}
  ~register_watch() override { detach(); }
  void add(const key& which, std::uint32_t source) { sources_[which] = source; }
  bool empty() const { return sources_.empty(); }
  void attach() override { write_back_.attach(*this); }
  void detach() override { write_back_.detach(*this); }

 private:
  void completed(const sc_core::sc_object&, const model::warp_instruction& operation) override {
    const isa::instruction& instruction = *operation.instruction;
    for (unsigned i = 0; i < instruction.write_count; ++i) {
      const isa::register_range& range = instruction.writes[i];
      for (unsigned r = 0; r < range.count; ++r) {
        const auto found =
            sources_.find({operation.warp.index(), static_cast<unsigned>(range.file), range.first + r});
        if (found != sources_.end()) listener_.touched(found->second);
      }
    }
  }
  tlm_bus::tap<model::write_back_observer>& write_back_;
  probe_listener& listener_;
  std::map<key, std::uint32_t> sources_;
};

// The registers of one file of a warp.
template <class Register>
void add_file(catalog& to, model::sm_if& sm, model::warp_slot warp, register_file_kind file, char letter,
              unsigned count, unsigned bits, register_watch& watch,
              const std::vector<const tlm_bus::stage*>& starter) {
  const std::string path = std::string(sm.probe().register_file_of(warp).name()) + ".warp_" +
                           std::to_string(warp.index()) + "." + letter;
  const partial_match patterns = to.chosen(path);
  if (!patterns.possible()) return;
  std::vector<tlm_bus::signal_description> names;
  tlm_bus::signal_writer list(names);
  Register({sm.probe(), warp, 0, bits}).publish(list);
  for (unsigned r = 0; r < count; ++r) {
    const partial_match of_row = patterns.after(std::to_string(r) + ".");
    bool chosen = false;
    for (std::size_t i = 0; i < names.size() && !chosen && of_row.possible(); ++i)
      chosen = of_row.matches(names[i].name);
    if (!chosen) continue;
    const std::uint32_t source = to.add_values(
        path + std::to_string(r), std::make_unique<Register>(register_place{sm.probe(), warp, r, bits}), starter);
    watch.add({warp.index(), static_cast<unsigned>(file), r}, source);
  }
}

}  // namespace

void add_registers(catalog& to, model::sm_if& sm) {
  const model::sm_sizes sizes = sm.probe().sizes();
  auto watch = std::make_unique<register_watch>(sm.probe().completions(), to.listener());
  for (unsigned w = 0; w < sizes.warps; ++w) {
    const model::warp_slot warp(w);
    const sc_core::sc_object& file = sm.probe().register_file_of(warp);
    if (!to.chosen(std::string(file.name()) + ".").possible()) continue;
    const auto starter = starter_of(to, file);
    add_file<general_register>(to, sm, warp, register_file_kind::gpr, 'r', sizes.registers, 32, *watch, starter);
    add_file<predicate>(to, sm, warp, register_file_kind::condition, 'c', sizes.predicates, sizes.predicate_bits,
                        *watch, starter);
    add_file<address_register>(to, sm, warp, register_file_kind::address, 'a', sizes.address_registers,
                               sizes.address_register_bits, *watch, starter);
  }
  if (!watch->empty()) to.add_watch(std::move(watch));
}

}  // namespace gt200::observe
