// An event of a log as text for reports.
#pragma once

#include <string>

#include "observe/trace/log_reader.h"

namespace gt200::observe {

// The details of the event; see log_format.h. `log` has been read up to it.
std::string details_text(const event& e, const log_reader& log);

// An access to memory; the details of a transaction over a socket are numbers of its payload.
inline bool is_transaction(const event& e) { return e.kind != event_kind::transported && e.details == 6; }

}  // namespace gt200::observe
