// Legal AT sequences are accepted; each illegal one is reported with port, time and rule.
#include "tlm_bus/protocol_checker.h"

#include <gtest/gtest.h>

#include "sc_models/memory_transaction.h"

namespace gt200::tlm_bus {
namespace {

struct step {
  int transaction;  // 0..2
  tlm::tlm_phase_enum phase;
  femtoseconds at;
};

struct port_name : sc_core::sc_object {
  port_name() : sc_object("port") {}
};

// What the checker says after these steps. Status is set as a target would: before BEGIN_RESP.
std::string verdict(const std::vector<step>& steps, protocol_checker& checker, bool with_status = true) {
  static port_name port;
  model::payload_pool pool;
  std::vector<model::memory_payload*> payloads;
  for (int i = 0; i < 3; ++i) {
    payloads.push_back(&pool.get());
    payloads.back()->prepare(tlm::TLM_READ_COMMAND, 0, 4);
  }
  for (const auto& s : steps) {
    auto& p = *payloads[static_cast<std::size_t>(s.transaction)];
    if (s.phase == tlm::BEGIN_RESP && with_status) p.set_response_status(tlm::TLM_OK_RESPONSE);
    checker.phase(port, s.at, p, s.phase);
  }
  return checker.violation();
}
std::string verdict(const std::vector<step>& steps) {
  protocol_checker checker;
  return verdict(steps, checker);
}

using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;

TEST(protocol_checker_test, legal_sequences_are_accepted) {
  protocol_checker checker;
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 1}, {0, BEGIN_RESP, 5}, {0, END_RESP, 5}}, checker), "");
  EXPECT_EQ(checker.completed_transactions(), 1u);
  EXPECT_EQ(checker.open_transactions(), 0u);
  // END_REQ implied by BEGIN_RESP.
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, BEGIN_RESP, 5}, {1, BEGIN_REQ, 6}, {0, END_RESP, 7}}), "");
  // Pipelined, with responses out of order.
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1},
                     {0, END_REQ, 2},
                     {1, BEGIN_REQ, 2},
                     {1, END_REQ, 3},
                     {1, BEGIN_RESP, 4},
                     {1, END_RESP, 5},
                     {0, BEGIN_RESP, 5},
                     {0, END_RESP, 6},
                     {0, BEGIN_REQ, 7}}),
            "");
  // Completed in the call of its request, while the response of another one waits for its end.
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1},
                     {0, END_REQ, 1},
                     {0, BEGIN_RESP, 2},
                     {1, BEGIN_REQ, 3},
                     {1, BEGIN_RESP, 3},
                     {1, END_RESP, 3},
                     {0, END_RESP, 4},
                     {2, BEGIN_REQ, 5}}),
            "");
  // A transaction with annotated delay ends later than another one that begins after it.
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 100}, {1, BEGIN_REQ, 2}}), "");
}

TEST(protocol_checker_test, open_transactions_are_counted) {
  protocol_checker checker;
  verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 2}, {1, BEGIN_REQ, 3}}, checker);
  EXPECT_EQ(checker.open_transactions(), 2u);
  EXPECT_EQ(checker.completed_transactions(), 0u);
}

TEST(protocol_checker_test, each_illegal_sequence_is_reported) {
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 1}, {0, BEGIN_REQ, 9}}),
            "port at 9 fs: BEGIN_REQ of a transaction already begun");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {1, BEGIN_REQ, 2}}),
            "port at 2 fs: BEGIN_REQ before the END_REQ of the request before");
  EXPECT_EQ(verdict({{0, END_REQ, 3}}), "port at 3 fs: END_REQ without BEGIN_REQ");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 2}, {0, END_REQ, 3}}),
            "port at 3 fs: END_REQ without BEGIN_REQ");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, BEGIN_RESP, 2}, {0, END_REQ, 3}}),
            "port at 3 fs: END_REQ without BEGIN_REQ");
  EXPECT_EQ(verdict({{0, BEGIN_RESP, 4}}), "port at 4 fs: BEGIN_RESP without a request");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, BEGIN_RESP, 2}, {0, BEGIN_RESP, 3}}),
            "port at 3 fs: BEGIN_RESP without a request");
  EXPECT_EQ(
      verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 1}, {1, BEGIN_REQ, 2}, {0, BEGIN_RESP, 3}, {1, BEGIN_RESP, 4}}),
      "port at 4 fs: BEGIN_RESP before the END_RESP of the response before");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1},
                     {0, END_REQ, 1},
                     {1, BEGIN_REQ, 2},
                     {0, BEGIN_RESP, 3},
                     {1, BEGIN_RESP, 4},
                     {0, END_RESP, 5},
                     {1, END_RESP, 6}}),
            "port at 4 fs: BEGIN_RESP before the END_RESP of the response before");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, END_REQ, 2}, {0, END_RESP, 3}}),
            "port at 3 fs: END_RESP without BEGIN_RESP");
  EXPECT_EQ(verdict({{0, END_RESP, 3}}), "port at 3 fs: END_RESP without BEGIN_RESP");
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 5}, {0, END_REQ, 4}}), "port at 4 fs: time runs backwards");
  EXPECT_EQ(verdict({{0, tlm::UNINITIALIZED_PHASE, 1}}), "port at 1 fs: unknown phase");
}

TEST(protocol_checker_test, a_response_without_status_is_reported) {
  protocol_checker checker;
  EXPECT_EQ(verdict({{0, BEGIN_REQ, 1}, {0, BEGIN_RESP, 2}}, checker, false),
            "port at 2 fs: BEGIN_RESP without a response status");
}

TEST(protocol_checker_test, the_first_violation_is_kept) {
  EXPECT_EQ(verdict({{0, END_REQ, 1}, {1, END_RESP, 2}}), "port at 1 fs: END_REQ without BEGIN_REQ");
}

}  // namespace
}  // namespace gt200::tlm_bus
