#include "sc_models/sm/units/execution_units.h"

#include <algorithm>
#include <string>

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

constexpr unsigned bits_per_group = 2;  // in execution_units::occupied_
constexpr std::uint64_t bits_of_group(unsigned group) { return std::uint64_t{3} << bits_per_group * group; }
// The group to which the lowest of these bits belongs.
unsigned group_of_lowest(std::uint64_t occupied) {
  return static_cast<unsigned>(__builtin_ctzll(occupied)) / bits_per_group;
}

}  // namespace

execution_units::execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                                 const config::sm_config& config, const unit_list& units, lane_share share,
                                 unsigned sm_in_chip, const tlm_bus::clock_domain* core)
    : shader_stage(name, shader), groups("groups") {
  groups.init(units.units().size(), [&](const char*, std::size_t i) {
    const unit_descriptor& unit = units.units()[i];
    const detail_window window(config.units, sm_in_chip, shader, config.clocks.shader_per_core());
    functional_unit::rtl_maker make_rtl;
    if (core != nullptr && may_be_watched(config, unit, sm_in_chip))
      make_rtl = [&](unsigned number, const std::string& of_unit) {
        return make_watched_sp(config, unit, number, of_unit, shader, *core, sm_in_chip);
      };
    return new unit_group(unit.name.c_str(), *this, unit, config.operand_collector, share,
                          unit.passes_by_lane ? window : detail_window(), make_rtl);
  });
  for (unsigned g = 0; g < groups.size(); ++g) {
    groups_[g] = &groups[g];
    groups[g].use(make_unit_arithmetic(groups[g].name(), config.units));
    groups[g].show_occupied(bits_per_group * g);
    const unsigned path = units.units()[g].data_path;
    paths_[path].occupied_bits |= bits_of_group(g);
    path_count_ = std::max(path_count_, path + 1);
  }
}

std::vector<std::string> execution_units::units_by_lane() const {
  std::vector<std::string> names;
  for (const unit_group& group : groups)
    for (unsigned u = 0; u < group.units(); ++u) names.emplace_back(group.unit(u).basename());
  return names;
}

// Starts this instruction, the next one of the group, if its result has a place.
inline bool execution_units::start(unsigned group, warp_instruction& operation, data_path& path) {
  unit_group& units = *groups_[group];
  if (!units.start(operation, cycle(), path.free_at)) return false;
  if (units.has_beats()) await_beat(group);
  return true;
}

void execution_units::await_beat(unsigned group) {
  beating_ |= std::uint64_t{1} << group;
  wake_at(groups_[group]->next_beat_at());
}

// The group whose next instruction was issued first goes first. `occupied`: of this path.
inline void execution_units::start_on(data_path& path, std::uint64_t occupied) {
  // Usually only one group has instructions.
  const unsigned first = group_of_lowest(occupied);
  if ((occupied & ~bits_of_group(first)) == 0) {
    const collected_token* token = groups_[first]->next(occupied >> bits_per_group * first);
    if (token == nullptr || !start(first, *token->operation, path)) return;
  } else if (!start_oldest(path, occupied)) {
    return;
  }
  if ((occupied_ & path.occupied_bits) != 0) wake_at(path.free_at);
}

bool execution_units::start_oldest(data_path& path, std::uint64_t occupied) {
  struct turn {
    unsigned group;
    warp_instruction* operation;
  };
  turn turns[max_units];
  unsigned count = 0;
  for (std::uint64_t left = occupied; left != 0; left &= ~bits_of_group(group_of_lowest(left))) {
    const unsigned group = group_of_lowest(left);
    const collected_token* token = groups_[group]->next(occupied >> bits_per_group * group);
    if (token == nullptr) continue;
    unsigned place = count++;
    for (; place > 0 && token->operation->sequence < turns[place - 1].operation->sequence; --place)
      turns[place] = turns[place - 1];
    turns[place] = {group, token->operation};
  }
  for (unsigned i = 0; i < count; ++i)
    if (start(turns[i].group, *turns[i].operation, path)) return true;
  return false;
}

// The next beat of each instruction whose lanes are entering.
void execution_units::enter_beats() {
  for (const unsigned g : set_bits(beating_)) {
    groups_[g]->enter_beat(cycle());
    if (groups_[g]->has_beats())
      wake_at(groups_[g]->next_beat_at());
    else
      beating_ &= ~(std::uint64_t{1} << g);
  }
}

void execution_units::tick() {
  if (beating_ != 0) enter_beats();
  for (unsigned p = path_count_; p-- > 0;) {
    const std::uint64_t occupied = occupied_ & paths_[p].occupied_bits;
    if (occupied == 0) continue;
    // An instruction starts when the previous one has made room.
    if (cycle() < paths_[p].free_at)
      wake_at(paths_[p].free_at);
    else
      start_on(paths_[p], occupied);
  }
}

void execution_units::visit_state(tlm_bus::state_image& state) {
  state.fixed(path_count_, groups_);
  state(occupied_, beating_, paths_);
}

}  // namespace gt200::model
