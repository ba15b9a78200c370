#include "observe/checker/record_parts.h"

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::observe {
namespace {

using arch_state::fault_kind;
using arch_state::step_state;
using arch_state::write_row;

void merge_values(isa::lane_bundle& to, const isa::lane_bundle& from, isa::lane_mask lanes) {
  for (unsigned s = 0; s < 3; ++s)
    for (unsigned k = 0; k < 4; ++k) write_row(to.source[s][k].lane, from.source[s][k].lane, lanes);
  for (unsigned k = 0; k < 4; ++k) write_row(to.destination[k].lane, from.destination[k].lane, lanes);
  write_row(to.flags_in, from.flags_in, lanes);
  write_row(to.flags_out, from.flags_out, lanes);
  write_row(to.address_in, from.address_in, lanes);
  write_row(to.address_out, from.address_out, lanes);
  write_row(to.address_incremented, from.address_incremented, lanes);
  write_row(to.address.lane, from.address.lane, lanes);
  write_row(to.address_high.lane, from.address_high.lane, lanes);
  write_row(to.guard, from.guard, lanes);
  for (unsigned k = 0; k < 3; ++k) write_row(to.predicate_in[k], from.predicate_in[k], lanes);
  for (unsigned k = 0; k < 2; ++k) write_row(to.predicate_out[k], from.predicate_out[k], lanes);
}

}  // namespace

void keep_lanes(arch_state::step_record& record, isa::lane_mask lanes) {
  record.active &= lanes;
  record.executed &= lanes;
  record.performed &= lanes;
}

void merge_part(arch_state::step_record& record, const arch_state::step_record& part) {
  record.active |= part.active;
  record.executed |= part.executed;
  record.performed |= part.performed;
  merge_values(record.values, part.values, part.active);
  if (record.state != step_state::faulted) record.state = part.state;
  if (part.fault == fault_kind::none) return;
  if (record.fault == part.fault) {
    record.fault_lanes |= part.fault_lanes;
  } else if (record.fault == fault_kind::none) {
    record.fault = part.fault;
    record.fault_lanes = part.fault_lanes;
    record.fault_address = part.fault_address;
  }
}

}  // namespace gt200::observe
