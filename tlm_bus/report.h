// How an error in the middle of a simulation reaches the user: as a report of SystemC, with an id that a platform
// can give actions of its own (sc_report_handler::set_actions). No exception of this library leaves a process or a
// call from a foreign component; what leaves them by SystemC's own default actions is the sc_report.
//
// | id | severity | |
// |---|---|---|
// | /gt200/protocol | SC_ERROR | a call at a memory port breaks the base protocol, or lacks what the port needs |
// | /gt200/lockstep | SC_ERROR | RTL and model differ, and nobody has said what to do then |
// | /gt200/defect | SC_ERROR | a part of the model is used wrongly, or is wrong itself |
// | /gt200/foreign | SC_ERROR | code that a user has given throws, or what it has called does |
// | /gt200/reset | SC_WARNING | a platform asks for a reset, and the chip has a part that cannot be reset |
//
// Errors before the simulation are exceptions: input_error, std::invalid_argument, std::logic_error.
#pragma once

#include <stdexcept>
#include <string>

namespace gt200::tlm_bus {

class stage;

inline constexpr const char* protocol_report = "/gt200/protocol";
inline constexpr const char* lockstep_report = "/gt200/lockstep";
inline constexpr const char* defect_report = "/gt200/defect";
inline constexpr const char* foreign_report = "/gt200/foreign";
inline constexpr const char* reset_report = "/gt200/reset";

// An error that is not reported as a defect.
class reported_error : public std::logic_error {
 public:
  // `id` must outlive the error.
  reported_error(const char* id, const std::string& text) : std::logic_error(text), id_(id) {}
  const char* id() const { return id_; }

 private:
  const char* id_;
};

// Who has thrown an exception, if it comes from code that a user has given: "fault of plug-in mine (libmine.so)",
// otherwise empty. `thrown`: where the whole exception lies; null if only its thread is known. The bus does not
// know such code; whoever loads it sets this once.
using name_of_thrower = std::string (*)(const void* thrown);
void set_name_of_thrower(name_of_thrower name);

// All are called while an exception is handled. Passes it on with the stage that has thrown it, and the cycle. An
// error that has an id names its place itself, and stays as it is, unless it comes from code that a user has given:
// that is named in front.
[[noreturn]] void throw_with_place(const stage& thrower);
// The report of a process: returns if the actions for its id do not
// throw; the process must not go on then. A report of SystemC, and its way to end a process, are passed on.
void report_exception();
// The report of a call at a port of `owner`. If the call comes from the clock of its own chip, the exception is
// passed on: the process of that clock reports it.
void report_exception_of_call(const stage& owner);

}  // namespace gt200::tlm_bus
