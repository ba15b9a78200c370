#include "observe/checker/l1_contents.h"

#include <algorithm>

#include "sc_models/ids.h"
#include "sc_models/memory_transaction.h"

namespace gt200::observe {
namespace {

std::uint8_t tpc_of(const tlm::tlm_generic_payload& access) {
  return access.get_extension<model::memory_extension>()->tpc;
}

}  // namespace

l1_contents::fills& l1_contents::fills_of(const tlm::tlm_generic_payload& access) {
  return lines_[std::uint64_t{tpc_of(access)} << 56 | access.get_address() / line_bytes_];
}

// No fill of the line answers a load from now on; those that loads still wait for remain until they are performed.
void l1_contents::close(fills& of_line) {
  of_line.erase(std::remove_if(of_line.begin(), of_line.end(), [](const one_fill& f) { return f.performed; }),
                of_line.end());
  for (one_fill& f : of_line) f.closed = true;
}

const l1_contents::content* l1_contents::look_up(const tlm::tlm_generic_payload& load, std::uint64_t fill) {
  fills& of_line = fills_of(load);
  auto named = std::find_if(of_line.begin(), of_line.end(), [fill](const one_fill& f) { return f.id == fill; });
  if (named == of_line.end()) {
    std::uint64_t& last = last_begun_[tpc_of(load)];
    if (fill <= last)
      throw difference_found{-1, "line of an L1", "dropped, or not from this launch",
                             "answers from fill " + model::text_of_id(fill)};
    last = fill;
    close(of_line);
    of_line.emplace_back();
    named = of_line.end() - 1;
    named->id = fill;
  }
  if (named->closed)
    throw difference_found{-1, "line of an L1", "dropped by a store or atomic before this load",
                           "answers from fill " + model::text_of_id(fill)};
  if (named->performed) return &named->held;
  named->waiting.push_back(&load);
  return nullptr;
}

l1_contents::one_fill& l1_contents::begun(const tlm::tlm_generic_payload& fill) {
  const std::uint64_t id = fill.get_extension<model::memory_extension>()->transaction_id;
  fills& of_line = fills_of(fill);
  const auto found = std::find_if(of_line.begin(), of_line.end(), [id](const one_fill& f) { return f.id == id; });
  if (found == of_line.end() || found->performed)
    throw difference_found{-1, "fill of an L1", "one that a load began", model::text_of_id(id)};
  return *found;
}

void l1_contents::evicted(const tlm::tlm_generic_payload& access) { close(fills_of(access)); }

}  // namespace gt200::observe
