#include "sc_models/partition/dram/schedulers/first_ready.h"

#include <algorithm>
#include <array>

namespace gt200::model {

using tlm_bus::cycle_t;
using step = next_dram_command::command;

void consider_first_ready(const dram_state& s, unsigned candidates, next_dram_command& best) {
  std::uint64_t seen = 0;         // banks of requests before this one
  std::uint64_t rows_in_use = 0;  // banks whose open row a candidate uses
  std::array<std::uint32_t, 64> row_wanted;
  unsigned rows_wanted = 0;  // number of banks whose oldest request finds another row open, or none
  for (unsigned i = 0; i < s.queue.size(); ++i) {
    const dram_request& r = s.queue[i];
    const std::uint64_t bank_bit = std::uint64_t{1} << r.at.bank;
    if (s.timing.open_row(r.at.bank) != r.at.row) {
      if ((seen & bank_bit) == 0) row_wanted[rows_wanted++] = i;
    } else if (i < candidates) {
      rows_in_use |= bank_bit;
      if (r.older_conflicts == 0 && !s.answers_full)
        best.consider(step::column, std::max(s.now, s.column_from(r)), i);
      if (best.at == s.now) return;  // no command can be earlier
    }
    seen |= bank_bit;
  }
  for (unsigned w = 0; w < rows_wanted; ++w) {
    const unsigned bank = s.queue[row_wanted[w]].at.bank;
    if (s.timing.open_row(bank) == bank_timing::no_row)
      best.consider(step::activate, std::max(s.now, s.timing.activate_from(bank)), row_wanted[w]);
    else if (((rows_in_use >> bank) & 1) == 0)
      best.consider(step::precharge, std::max(s.now, s.timing.precharge_from(bank)), bank);
  }
}

void consider_newest_first_ready(const dram_state& s, unsigned candidates, next_dram_command& best) {
  const dram_request& r = s.queue.newest();
  const unsigned index = s.queue.size() - 1;
  const std::uint32_t open = s.timing.open_row(r.at.bank);
  if (open == r.at.row) {
    if (index >= candidates || r.older_conflicts != 0 || s.answers_full) return;
    const cycle_t at = s.timing.bus_free(std::max(s.now, s.column_from(r)));
    if (at < best.at || (at == best.at && best.kind != step::column)) best = {step::column, at, index};
  } else if (s.queue.waiting_for(r.at.bank) == 1) {
    if (open == bank_timing::no_row)
      best.consider(step::activate, s.timing.bus_free(std::max(s.now, s.timing.activate_from(r.at.bank))), index);
    else
      best.consider(step::precharge, s.timing.bus_free(std::max(s.now, s.timing.precharge_from(r.at.bank))),
                    r.at.bank);
  }
}

}  // namespace gt200::model
