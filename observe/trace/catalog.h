// Everything in a chip that can be observed by name: signals of modules, counters, pipes, memory and transaction
// sockets, and the places where events occur. It is found by walking the hierarchy of an elaborated chip, so no
// module needs to know about it.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "observe/trace/call_graph.h"
#include "observe/trace/log_format.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
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

// A module, pipe or socket that shows signals. Its signals change only while one of `callers` is being called or
// when its probe reports a change; those of a pipe only then.
struct source {
  std::string path;
  tlm_bus::signal_source* publisher = nullptr;
  std::uint32_t first = 0;  // index of its first signal in the catalogue
  std::uint32_t count = 0;
  tlm_bus::signal_layout layout;
  std::vector<const tlm_bus::stage*> callers;
};

struct catalogued_signal {
  std::string path;
  tlm_bus::signal_description about;
};

class catalog {
 public:
  // `root` is the chip or a part of it. `listener` must outlive the catalogue.
  catalog(sc_core::sc_object& root, probe_listener& listener);
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

 private:
  void walk(sc_core::sc_object& object);
  void add_probe(const std::string& path, std::unique_ptr<probe> p, std::uint32_t source_number);
  std::uint32_t add_source(const sc_core::sc_object& object, tlm_bus::signal_source& publisher);
  void add_pipe(const sc_core::sc_object& object, tlm_bus::pipe_state& pipe);
  void add_transactions(const sc_core::sc_object& object, tlm_bus::transaction_state& socket);
  template <class TRAITS>
  bool add_target(sc_core::sc_object& object);

  probe_listener& listener_;
  std::vector<source> sources_;
  call_graph calls_;
  std::vector<catalogued_signal> signals_;
  std::vector<std::string> places_;
  std::vector<std::unique_ptr<probe>> probes_;
  std::vector<std::uint32_t> source_of_place_;
  std::vector<std::unique_ptr<tlm_bus::signal_source>> counters_;
};

}  // namespace gt200::observe
