// The second half of a socket exists only if somebody needs it, and what is bound wrongly is reported as SystemC
// reports it.
#include "tlm_bus/sockets.h"

#include <string>
#include <vector>

#include "testbenches/support/systemc_test.h"

namespace gt200::tlm_bus {
namespace {

struct word_traits {
  using tlm_payload_type = int;
  using tlm_phase_type = tlm::tlm_phase;
};

class answers final : public tlm::tlm_bw_transport_if<word_traits> {
 public:
  std::vector<int> heard;

 private:
  tlm::tlm_sync_enum nb_transport_bw(int& word, tlm::tlm_phase&, sc_core::sc_time&) override {
    heard.push_back(word);
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};
class requests final : public tlm::tlm_fw_transport_if<word_traits> {
 public:
  std::vector<int> heard;

 private:
  void b_transport(int& word, sc_core::sc_time&) override { heard.push_back(word); }
  tlm::tlm_sync_enum nb_transport_fw(int&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  bool get_direct_mem_ptr(int&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(int&) override { return 0; }
};

// The sockets are those of this project or of the library.
template <template <class> class INITIATOR>
struct sender : sc_core::sc_module {
  explicit sender(const sc_core::sc_module_name& name) : sc_module(name), out("out") {
    out.bind(static_cast<tlm::tlm_bw_transport_if<word_traits>&>(backward));
  }
  answers backward;
  INITIATOR<word_traits> out;
};
template <template <class> class TARGET>
struct receiver : sc_core::sc_module {
  explicit receiver(const sc_core::sc_module_name& name) : sc_module(name), in("in") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<word_traits>&>(forward));
  }
  requests forward;
  TARGET<word_traits> in;
};
template <template <class> class TARGET, class INNER>
struct shell : sc_core::sc_module {
  explicit shell(const sc_core::sc_module_name& name) : sc_module(name), inner("inner"), in("in") {
    in.bind(inner.in);
  }
  INNER inner;
  TARGET<word_traits> in;
};
template <template <class> class INITIATOR, class INNER>
struct sending_shell : sc_core::sc_module {
  explicit sending_shell(const sc_core::sc_module_name& name) : sc_module(name), inner("inner"), out("out") {
    inner.out.bind(out);
  }
  INNER inner;
  INITIATOR<word_traits> out;
};

template <class TRAITS>
using library_initiator = tlm::tlm_initiator_socket<socket_bits, TRAITS>;
template <class TRAITS>
using library_target = tlm::tlm_target_socket<socket_bits, TRAITS>;

class sockets_test : public support::systemc_test {
 protected:
  // A word in each direction.
  template <class SENDER, class RECEIVER>
  void exchange(SENDER& from, RECEIVER& to) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    int word = 7;
    int answer = 8;
    sc_core::sc_time delay;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    from.out->b_transport(word, delay);
    to.in->nb_transport_bw(answer, phase, delay);
    EXPECT_EQ(to.forward.heard, std::vector<int>{7});
    EXPECT_EQ(from.backward.heard, std::vector<int>{8});
    EXPECT_EQ(to.in.size(), 1);
  }
  static std::vector<std::string> children_of(const sc_core::sc_object& module) {
    std::vector<std::string> names;
    for (const sc_core::sc_object* child : module.get_child_objects()) names.emplace_back(child->name());
    return names;
  }
};

using names = std::vector<std::string>;
using own_sender = sender<initiator_socket>;
using own_receiver = receiver<target_socket>;
using foreign_sender = sender<library_initiator>;
using foreign_receiver = receiver<library_target>;

TEST_F(sockets_test, between_two_of_them_there_are_no_second_halves) {
  own_sender from("from");
  own_receiver to("to");
  from.out.bind(to.in);
  exchange(from, to);
  EXPECT_EQ(children_of(from), names{"from.out"});
  EXPECT_EQ(children_of(to), names{"to.in"});
}

TEST_F(sockets_test, the_target_may_bind_as_well) {
  own_sender from("from");
  own_receiver to("to");
  to.in.bind(from.out);
  exchange(from, to);
  EXPECT_EQ(children_of(to), names{"to.in"});
}

TEST_F(sockets_test, a_foreign_initiator_gets_the_port_of_the_target_under_the_name_of_the_library) {
  foreign_sender from("from");
  own_receiver to("to");
  from.out.bind(to.in);
  exchange(from, to);
  EXPECT_EQ(children_of(to), (names{"to.in", "to.in_port_0"}));
}

TEST_F(sockets_test, a_foreign_target_hears_the_initiator) {
  own_sender from("from");
  foreign_receiver to("to");
  from.out.bind(to.in);
  exchange(from, to);
}

TEST_F(sockets_test, they_pass_through_the_borders_of_modules) {
  sending_shell<initiator_socket, own_sender> from("from");
  shell<target_socket, own_receiver> to("to");
  from.out.bind(to.in);
  struct {
    initiator_socket<word_traits>& out;
    answers& backward;
  } first{from.inner.out, from.inner.backward};
  struct {
    target_socket<word_traits>& in;
    requests& forward;
  } last{to.inner.in, to.inner.forward};
  exchange(first, last);
  EXPECT_EQ(children_of(to.inner), names{"to.inner.in"});
}

TEST_F(sockets_test, a_foreign_initiator_reaches_a_target_inside_another) {
  foreign_sender from("from");
  shell<target_socket, own_receiver> to("to");
  from.out.bind(to.in);
  struct {
    target_socket<word_traits>& in;
    requests& forward;
  } last{to.inner.in, to.inner.forward};
  exchange(from, last);
}

TEST_F(sockets_test, foreign_borders_around_them) {
  sending_shell<library_initiator, own_sender> from("from");
  shell<library_target, own_receiver> to("to");
  from.out.bind(to.in);
  struct {
    initiator_socket<word_traits>& out;
    answers& backward;
  } first{from.inner.out, from.inner.backward};
  struct {
    target_socket<word_traits>& in;
    requests& forward;
  } last{to.inner.in, to.inner.forward};
  exchange(first, last);
}

TEST_F(sockets_test, a_foreign_target_inside_one_of_them) {
  own_sender from("from");
  shell<target_socket, foreign_receiver> to("to");
  from.out.bind(to.in);
  struct {
    target_socket<word_traits>& out;
    library_target<word_traits>& in;
    requests& forward;
  } last{to.in, to.inner.in, to.inner.forward};
  exchange(from, last);
}

TEST_F(sockets_test, an_open_target_is_an_error_that_names_its_port) {
  own_receiver to("to");
  const std::string error = error_of_run_through(1);
  EXPECT_NE(error.find("to.in_port_0"), std::string::npos) << error;
}

TEST_F(sockets_test, an_open_initiator_is_an_error_that_names_it) {
  own_sender from("from");
  const std::string error = error_of_run_through(1);
  EXPECT_NE(error.find("from.out"), std::string::npos) << error;
}

TEST_F(sockets_test, two_initiators_at_one_target_are_an_error_that_names_its_port) {
  own_sender first("first");
  own_sender second("second");
  own_receiver to("to");
  first.out.bind(to.in);
  second.out.bind(to.in);
  const std::string error = error_of_run_through(1);
  EXPECT_NE(error.find("to.in_port_0"), std::string::npos) << error;
}

TEST_F(sockets_test, a_second_backward_interface_is_an_error_that_names_its_export) {
  own_sender from("from");
  answers another;
  sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler);  // the error is expected
  std::string error;
  try {
    from.out.bind(static_cast<tlm::tlm_bw_transport_if<word_traits>&>(another));
  } catch (const std::exception& e) {
    error = e.what();
  }
  EXPECT_NE(error.find("from.out_export_0"), std::string::npos) << error;
}

}  // namespace
}  // namespace gt200::tlm_bus
