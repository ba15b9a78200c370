// Everything in a chip that can be observed by name: signals of modules, counters, pipes, memory and transaction
// sockets, and the places where events occur. It is found by walking the hierarchy of an elaborated chip, so no
// module needs to know about it.
//
// Values on request (values/values.h, and modules whose signal_source is on request) are in it only as far as
// patterns choose them. Nothing observes the others.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "observe/trace/call_graph.h"
#include "observe/trace/glob.h"
#include "observe/trace/log_format.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/time.h"
#include "tlm_bus/transaction.h"

namespace gt200::observe {

// The receiver of the reports from the probes of a catalogue.
class probe_listener {
 public:
  virtual void on_event(const event& e) = 0;
  // The signals of source `number` may have changed.
  virtual void touched(std::uint32_t number) = 0;

 protected:
  ~probe_listener() = default;
};

// Observes one place. Initially detached.
class probe {
 public:
  virtual ~probe() = default;
  virtual void attach() = 0;
  virtual void detach() = 0;
};

// The signals of a source that change at times at which the chip does nothing.
class self_timed {
 public:
  // When its signals change next; tlm_bus::no_time: not before its source is touched.
  virtual tlm_bus::femtoseconds changes_at() const = 0;
  // From now on it shows its signals as of `t`.
  virtual void show_at(tlm_bus::femtoseconds t) = 0;

 protected:
  ~self_timed() = default;
};

// A module, pipe or socket that shows signals. Its signals change only while one of `callers` is being called or
// when its probe reports a change; those of a pipe only then.
struct source {
  std::string path;
  tlm_bus::signal_source* publisher = nullptr;
  std::uint32_t first = 0;  // index of its first signal in the catalogue
  std::uint32_t count = 0;
  tlm_bus::signal_layout layout;
  std::vector<const tlm_bus::stage*> callers;
  bool on_request = false;
  self_timed* timed = nullptr;  // null: its signals change only when the chip acts
};

struct catalogued_signal {
  std::string path;
  tlm_bus::signal_description about;
};

class catalog {
 public:
  // `root` is the chip or a part of it. `listener` must outlive the catalogue. `values`: patterns of the values on
  // request. Throws input_error if they choose more than max_values.
  catalog(sc_core::sc_object& root, probe_listener& listener, const std::vector<std::string>& values = {});
  static constexpr std::size_t max_values = std::size_t{1} << 18;
  ~catalog();
  catalog(const catalog&) = delete;
  catalog& operator=(const catalog&) = delete;

  const std::vector<source>& sources() const { return sources_; }
  const std::vector<catalogued_signal>& signals() const { return signals_; }
  const std::vector<std::string>& places() const { return places_; }
  // By place. The probe of a pipe or socket also reports changes of its source, if it has one.
  const std::vector<std::unique_ptr<probe>>& probes() const { return probes_; }
  // The source of each place; no_source if it has none.
  const std::vector<std::uint32_t>& source_of_place() const { return source_of_place_; }
  static constexpr std::uint32_t no_source = ~std::uint32_t{0};
  // Touch the sources of values on request.
  const std::vector<std::unique_ptr<probe>>& watches() const { return watches_; }

  // -- called by values/ while the catalogue is made --

  // The patterns of values, compared with the beginning of a path.
  partial_match chosen(const std::string& begin) const { return values_.after(begin); }
  // Adds the source if a pattern chooses one of its signals. Returns its number, or no_source.
  std::uint32_t add_values(const std::string& path, std::unique_ptr<tlm_bus::signal_source> publisher,
                           std::vector<const tlm_bus::stage*> callers = {});
  void set_timed(std::uint32_t number, self_timed& timed) { sources_[number].timed = &timed; }
  void add_watch(std::unique_ptr<probe> watch) { watches_.push_back(std::move(watch)); }
  probe_listener& listener() { return listener_; }
  const call_graph& calls() const { return calls_; }

 private:
  void walk(sc_core::sc_object& object);
  void walk_for_values(sc_core::sc_object& object);
  void add_values_at(sc_core::sc_object& object, const std::string& path);
  std::uint32_t add_source(source s, std::vector<tlm_bus::signal_description> names);
  void add_probe(const std::string& path, std::unique_ptr<probe> p, std::uint32_t source_number);
  std::uint32_t add_source(const sc_core::sc_object& object, tlm_bus::signal_source& publisher);
  void add_pipe(const sc_core::sc_object& object, tlm_bus::pipe_state& pipe);
  void add_transactions(const sc_core::sc_object& object, tlm_bus::transaction_state& socket);
  template <class TRAITS>
  bool add_target(sc_core::sc_object& object);

  probe_listener& listener_;
  partial_match values_;
  std::vector<source> sources_;
  call_graph calls_;
  std::vector<catalogued_signal> signals_;
  std::vector<std::string> places_;
  std::vector<std::unique_ptr<probe>> probes_;
  std::vector<std::uint32_t> source_of_place_;
  std::vector<std::unique_ptr<tlm_bus::signal_source>> counters_;
  std::vector<std::unique_ptr<tlm_bus::signal_source>> publishers_;  // of values on request
  std::vector<std::unique_ptr<probe>> watches_;
  std::size_t chosen_ = 0;                  // signals of sources on request
  std::vector<partial_match> chose_no_sm_;  // after the name of an SM below which they have chosen nothing
};

}  // namespace gt200::observe
