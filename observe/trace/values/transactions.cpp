// The data of accesses and transactions: of the oldest token of a pipe, of the last transaction of a transaction
// socket, and of the last request and response at the target side of a memory socket.
#include <tlm>

#include "observe/trace/values/values.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/transaction_values.h"
#include "tlm_bus/memory_port.h"

namespace gt200::observe {
namespace {

class pipe_values final : public tlm_bus::signal_source {
 public:
  explicit pipe_values(const tlm_bus::pipe_state& pipe) : pipe_(pipe) {}
  void publish(tlm_bus::signal_writer& to) override { pipe_.show_values_of_oldest(to); }

 private:
  const tlm_bus::pipe_state& pipe_;
};

class pipe_watch final : public probe, private tlm_bus::token_listener {
 public:
  pipe_watch(tlm_bus::pipe_state& pipe, probe_listener& listener, std::uint32_t source)
      : pipe_(pipe), listener_(listener), source_(source) {}
  void attach() override { tokens_ = pipe_.subscribe(*this); }
  void detach() override { tokens_.reset(); }

 private:
  void token_sent(const tlm_bus::event_details&) override { listener_.touched(source_); }
  void token_taken(const tlm_bus::event_details&) override { listener_.touched(source_); }
  tlm_bus::pipe_state& pipe_;
  probe_listener& listener_;
  std::uint32_t source_;
  std::unique_ptr<tlm_bus::token_subscription> tokens_;
};

class socket_watch final : public probe, private tlm_bus::transaction_listener {
 public:
  socket_watch(tlm_bus::transaction_state& socket, probe_listener& listener)
      : last_(socket.watch_values(*this)), listener_(listener) {}
  // Null: the payload carries no values.
  const tlm_bus::transaction_watch* last() const { return last_.get(); }
  void set_source(std::uint32_t source) { source_ = source; }
  void attach() override { last_->attach(); }
  void detach() override { last_->detach(); }

 private:
  void transported(const tlm_bus::event_details&) override { listener_.touched(source_); }
  std::unique_ptr<tlm_bus::transaction_watch> last_;
  probe_listener& listener_;
  std::uint32_t source_ = catalog::no_source;
};

class socket_values final : public tlm_bus::signal_source {
 public:
  explicit socket_values(const tlm_bus::transaction_watch& last) : last_(last) {}
  void publish(tlm_bus::signal_writer& to) override { last_.show_last(to); }

 private:
  const tlm_bus::transaction_watch& last_;
};

class last_transaction final : public tlm_bus::signal_source {
 public:
  void publish(tlm_bus::signal_writer& to) override { show_values(to, values); }
  model::transaction_values values;
};

// Copies the data when a phase begins: later it may belong to another transaction.
template <class TRAITS>
class target_watch final : public probe, private tlm_bus::memory_observer {
 public:
  target_watch(tlm_bus::memory_target<TRAITS>& port, probe_listener& listener) : port_(port), listener_(listener) {}
  ~target_watch() override { detach(); }
  void attach() override { port_.observers().attach(*this); }
  void detach() override { port_.observers().detach(*this); }
  struct shown {
    last_transaction* transaction = nullptr;  // null: not chosen
    std::uint32_t source = catalog::no_source;
  };
  shown request, response;

 private:
  void phase(const sc_core::sc_object&, tlm_bus::femtoseconds, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override {
    if (phase == tlm::BEGIN_REQ) take(request, payload);
    if (phase == tlm::BEGIN_RESP) take(response, payload);
  }
  void take(const shown& to, const tlm::tlm_generic_payload& payload) {
    if (to.transaction == nullptr) return;
    to.transaction->values = model::transaction_values::of(&payload);
    listener_.touched(to.source);
  }
  tlm_bus::memory_target<TRAITS>& port_;
  probe_listener& listener_;
};

template <class TRAITS>
bool add_target(catalog& to, sc_core::sc_object& object) {
  auto* port = dynamic_cast<tlm_bus::memory_target<TRAITS>*>(&object);
  if (port == nullptr) return false;
  auto watch = std::make_unique<target_watch<TRAITS>>(*port, to.listener());
  for (auto [name, part] : {std::pair{".request", &watch->request}, std::pair{".response", &watch->response}}) {
    auto transaction = std::make_unique<last_transaction>();
    last_transaction* const shown = transaction.get();
    const std::uint32_t source = to.add_values(object.name() + std::string(name), std::move(transaction));
    if (source != catalog::no_source) *part = {shown, source};
  }
  if (watch->request.transaction != nullptr || watch->response.transaction != nullptr)
    to.add_watch(std::move(watch));
  return true;
}

}  // namespace

void add_values_of_pipe(catalog& to, const std::string& path, tlm_bus::pipe_state& pipe) {
  const std::uint32_t source = to.add_values(path + ".data", std::make_unique<pipe_values>(pipe));
  if (source != catalog::no_source) to.add_watch(std::make_unique<pipe_watch>(pipe, to.listener(), source));
}

void add_values_of_socket(catalog& to, const std::string& path, tlm_bus::transaction_state& socket) {
  auto watch = std::make_unique<socket_watch>(socket, to.listener());
  if (watch->last() == nullptr) return;
  const std::uint32_t source = to.add_values(path + ".data", std::make_unique<socket_values>(*watch->last()));
  if (source == catalog::no_source) return;
  watch->set_source(source);
  to.add_watch(std::move(watch));
}

void add_values_of_target(catalog& to, sc_core::sc_object& target) {
  static_cast<void>(add_target<model::gpu_memory_protocol>(to, target) ||
                    add_target<tlm_bus::base_protocol>(to, target));
}

}  // namespace gt200::observe
