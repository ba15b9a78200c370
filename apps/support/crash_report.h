// Reports a crash in code that a user has given (plug-ins, RTL).
#pragma once

namespace gt200::apps {

// When a signal ends the program in such code, or in code that it has called, one line on stderr names it before
// the program dies as it would have. Signals that something else already handles are left alone.
void report_crashes_of_foreign_code();

}  // namespace gt200::apps
