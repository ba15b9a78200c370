#include "toolchain/register_sharing/share_registers.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/cubin/limits.h"
#include "toolchain/register_sharing/insert_sections.h"
#include "toolchain/register_sharing/section_plan.h"

namespace gt200::register_sharing {
namespace {

// Warps that can proceed on average.
double proceeding(const residency& resident, double held_share) {
  const double warps = resident.warps;
  return held_share == 0 ? warps : std::min(warps, resident.sections / held_share);
}

// The base with most warps that proceed; among equals the largest.
std::optional<section_plan> best_plan(const analysed_code& code, const residency_of& resident,
                                      std::string& reason) {
  const residency unshared = resident(code.registers);
  std::optional<section_plan> best;
  double most = unshared.warps;
  std::string refused;
  bool more_warps = false;
  for (unsigned base = code.registers - 1; base >= 1; --base) {
    const residency with = resident(base);
    if (with.warps <= unshared.warps || with.sections == 0) continue;
    more_warps = true;
    try {
      section_plan plan = plan_sections(code, base);
      const double warps = proceeding(with, held_share(code, plan));
      if (warps <= most) continue;
      most = warps;
      best = std::move(plan);
    } catch (const refusal& why) {
      if (refused.empty()) refused = why.what();
      break;  // a smaller base needs the section there as well
    }
  }
  if (!best)
    reason = !more_warps       ? "no smaller number of registers lets more warps be resident"
             : refused.empty() ? "more warps would be resident, but would wait for each other"
                               : refused;
  return best;
}

}  // namespace

shared_kernel share_registers(const cubin::module& module, cubin::kernel& kernel, std::optional<unsigned> base,
                              const residency_of& resident) {
  shared_kernel result;
  try {
    if (module.capability >= cubin::fermi.first_sm)
      throw refusal(
          fmt::format("its code is for sm_{}; registers are shared in code of sm_10 to sm_13", module.capability));
    const analysed_code code(kernel);
    for (const code_node& node : code.graph.nodes)
      if (node.instruction.section.action != isa::section_action::none)
        throw refusal("its warps share registers already");
    if (base && (*base == 0 || *base >= code.registers))
      throw refusal(
          fmt::format("it has {} registers, of which a warp can keep 1 to {}", code.registers, code.registers - 1));
    const std::optional<section_plan> plan =
        base ? plan_sections(code, *base) : best_plan(code, resident, result.reason);
    if (!plan) return result;
    const inserted count = insert_sections(code, *plan, kernel);
    if (count.acquires == 0) {
      // Its code never needs the registers behind the base.
      result.reason = fmt::format("it needs no more than {} registers", plan->base);
      result.fits_base = true;
      kernel.registers = plan->base;
      return result;
    }
    result = {plan->base, "", false, count.acquires, count.releases, count.moves, held_share(code, *plan)};
  } catch (const refusal& why) {
    result.reason = why.what();
  }
  return result;
}

}  // namespace gt200::register_sharing
