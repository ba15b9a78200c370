#include "observe/trace/event_text.h"

#include <fmt/format.h>

#include "sc_models/ids.h"

namespace gt200::observe {

std::string details_text(const event& e, const log_reader& log) {
  if (e.kind == event_kind::transported || e.kind == event_kind::lanes) {
    std::string numbers;
    for (unsigned i = 0; i < e.details; ++i) numbers += fmt::format("{}{:#x}", i == 0 ? "" : ", ", e.detail[i]);
    return numbers;
  }
  if (is_transaction(e))
    return fmt::format("{}: {} of {} bytes at {:#x}", model::text_of_id(e.id), e.detail[2] != 0 ? "write" : "read",
                       e.detail[1], e.detail[0]);
  if (e.kind == event_kind::entered)
    return fmt::format("warp {}, pc {:#x}, {}, waits for entries {:#x}, takes {:#x}", e.detail[0], e.detail[1],
                       log.text(e.detail[4]), e.detail[2], e.detail[3]);
  if (e.kind == event_kind::completed)
    return fmt::format("warp {}, pc {:#x}, lanes {:#010x}{}", e.detail[0], e.detail[1], e.detail[2],
                       e.detail[3] != 0 ? ", fault" : "");
  if (e.details == 3) return fmt::format("warp {}, {} bytes at {:#x}", e.detail[0], e.detail[2], e.detail[1]);
  return fmt::format("warp {}, pc {:#x}", e.detail[0], e.detail[1]);
}

}  // namespace gt200::observe
