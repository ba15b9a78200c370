// Walks of the two-level page table: number of reads and results, in exact cycles. Memory answers ten cycles after
// it has seen a read.
#include "sc_models/memory_path/page_walker.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "sc_models/ids.h"
#include "sc_models/memory_path/page_table.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

constexpr cycle_t memory_latency = 10;
// A read is seen by the memory a cycle after it was sent, its answer by the walker a cycle after that was sent.
constexpr cycle_t read_time = 1 + memory_latency + 1;
constexpr unsigned tpc = 4;
constexpr std::uint64_t mib512 = 512u << 20;

// Answers reads of the page table in place of the crossbar port and everything behind it.
class table_memory : public tlm_bus::stage {
 public:
  table_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const page_table& pages)
      : stage(name, domain), requests("requests", *this, 2), answers("answers", *this), pages_(pages) {}

  struct read {
    std::uint64_t address;
    unsigned bytes;
    memory_extension extension;
  };
  tlm_bus::pipe_in<payload_token> requests;
  tlm_bus::pipe_out<payload_token> answers;
  std::vector<read> reads;
  bool refuses = false;  // all reads, as addresses outside the memory

 private:
  void tick() override {
    if (const payload_token* token = requests.front()) {
      tlm::tlm_generic_payload& payload = *token->payload;
      reads.push_back({payload.get_address(), payload.get_data_length(), *extension_of(payload)});
      pending_.push_back({cycle() + memory_latency, &payload});
      wake_at(cycle() + memory_latency);
      requests.pop();
    }
    if (pending_.empty() || pending_.front().cycle > cycle()) return;
    tlm::tlm_generic_payload& payload = *pending_.front().value;
    pending_.pop_front();
    for (unsigned i = 0; i < payload.get_data_length(); i += 8) {
      const std::uint64_t word = pages_.word(payload.get_address() + i);
      std::memcpy(payload.get_data_ptr() + i, &word, 8);
    }
    payload.set_response_status(refuses ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    answers.send({&payload});
  }

  const page_table& pages_;
  std::deque<support::timed<tlm::tlm_generic_payload*>> pending_;
};

class page_walker_test : public support::systemc_test {
 protected:
  void build(unsigned kept_entries = 4) {
    source = std::make_unique<support::token_source<walk_request_token>>("source", uncore());
    walker = std::make_unique<page_walker>("walker", uncore(), pages.base(), kept_entries, tpc);
    sink = std::make_unique<support::token_sink<walk_result_token>>("sink", uncore(), 1);
    memory_side = std::make_unique<table_memory>("memory", uncore(), pages);
    source->out.bind(walker->requests);
    walker->results.bind(sink->in);
    walker->to_crossbar_port.bind(memory_side->requests);
    memory_side->answers.bind(walker->from_crossbar_port);
  }
  // Cycles from the sending of a request until its result was taken.
  cycle_t time_of(std::uint64_t address) {
    const cycle_t sent = uncore().cycle() + 5;
    source->send_at(sent, {address, 77, 1, warp_slot(9)});
    run_until_idle();
    return sink->taken.back().cycle - sent;
  }
  const walk_result_token& result() const { return sink->taken.back().value; }

  static constexpr cycle_t two_reads = 1 + 2 * read_time + 1;  // to the walker, two reads, from the walker
  static constexpr cycle_t one_read = 1 + read_time + 1;

  page_table pages{4096, 0x10000000};
  std::unique_ptr<support::token_source<walk_request_token>> source;
  std::unique_ptr<page_walker> walker;
  std::unique_ptr<support::token_sink<walk_result_token>> sink;
  std::unique_ptr<table_memory> memory_side;
};

TEST_F(page_walker_test, a_walk_reads_the_directory_then_the_page_table) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  EXPECT_EQ(time_of(0x1234), two_reads);
  EXPECT_TRUE(result().mapped);
  EXPECT_EQ(result().block.first, 0x1000u);
  EXPECT_EQ(result().block.bytes, 0x1000u);
  EXPECT_EQ(result().block.physical, 0x7000u);
  EXPECT_FALSE(result().block.read_only);
  EXPECT_EQ(walker->directory_reads.value(), 1u);
  EXPECT_EQ(walker->table_reads.value(), 1u);
  EXPECT_EQ(walker->latency.value().sum, 2 * read_time) << "from the request's arrival to its result";
  EXPECT_TRUE(walker->idle());
}

TEST_F(page_walker_test, reads_are_loads_of_32_bytes_that_say_for_whom_they_are) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  time_of(0x1234);
  ASSERT_EQ(memory_side->reads.size(), 2u);
  EXPECT_EQ(memory_side->reads[0].address, 0x10000000u);
  for (unsigned i = 0; i < 2; ++i) {
    const table_memory::read& r = memory_side->reads[i];
    EXPECT_EQ(r.bytes, 32u);
    EXPECT_EQ(r.address % 32, 0u);
    EXPECT_EQ(r.extension.space, memory_space::page_table);
    EXPECT_EQ(r.extension.kind, memory_kind::load);
    EXPECT_EQ(r.extension.instruction_id, 77u);
    EXPECT_EQ(r.extension.tpc, tpc);
    EXPECT_EQ(r.extension.sm, 1u);
    EXPECT_EQ(r.extension.warp, warp_slot(9));
    EXPECT_EQ(r.extension.transaction_id, id_base(id_kind::page_walk, tpc) + i + 1);
  }
}

TEST_F(page_walker_test, a_directory_entry_is_kept_a_page_entry_is_not) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  time_of(0x1000);
  EXPECT_EQ(time_of(0x1000), one_read);
  EXPECT_EQ(walker->directory_reads.value(), 1u);
  EXPECT_EQ(walker->table_reads.value(), 2u);
}

TEST_F(page_walker_test, the_directory_entry_used_longest_ago_is_given_up) {
  for (const std::uint64_t base : {std::uint64_t{0}, mib512, 2 * mib512}) pages.map(base + 0x1000, 0x1000, 0x7000);
  build(2);
  EXPECT_EQ(time_of(0x1000), two_reads);
  EXPECT_EQ(time_of(mib512 + 0x1000), two_reads);
  EXPECT_EQ(time_of(0x1000), one_read);
  EXPECT_EQ(time_of(2 * mib512 + 0x1000), two_reads) << "takes the place of the second one";
  EXPECT_EQ(time_of(0x1000), one_read);
  EXPECT_EQ(time_of(mib512 + 0x1000), two_reads);
}

TEST_F(page_walker_test, an_address_without_a_page_table_is_known_to_be_unmapped_after_one_read) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  EXPECT_EQ(time_of(mib512 + 0x5432), one_read);
  EXPECT_FALSE(result().mapped);
  EXPECT_EQ(result().block.first, mib512 + 0x5000) << "nothing is known beyond the page";
  EXPECT_EQ(result().block.bytes, 4096u);
  EXPECT_EQ(time_of(mib512 + 0x5432), one_read) << "an entry without a table is not kept";
  EXPECT_EQ(walker->directory_reads.value(), 2u);
}

TEST_F(page_walker_test, a_page_that_is_not_mapped_takes_both_reads) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  EXPECT_EQ(time_of(0x2000), two_reads);
  EXPECT_FALSE(result().mapped);
  EXPECT_EQ(result().block.first, 0x2000u);
  EXPECT_EQ(result().block.bytes, 4096u);
}

TEST_F(page_walker_test, a_page_of_a_contiguous_block_brings_the_whole_block) {
  pages.map(0x10000, 0x4000, 0x70000);
  build();
  time_of(0x12345);
  EXPECT_EQ(result().block.first, 0x10000u);
  EXPECT_EQ(result().block.bytes, 0x4000u);
  EXPECT_EQ(result().block.physical, 0x70000u);
}

TEST_F(page_walker_test, a_protected_page_is_read_only) {
  pages.map(0x1000, 0x1000, 0x7000);
  pages.protect(0x1000, 0x1000);
  build();
  time_of(0x1000);
  EXPECT_TRUE(result().mapped);
  EXPECT_TRUE(result().block.read_only);
}

TEST_F(page_walker_test, walks_are_made_one_at_a_time) {
  pages.map(0x1000, 0x2000, 0x7000);
  build();
  source->send_at(5, {0x1000, 1, 0, warp_slot(0)});
  source->send_at(6, {0x2000, 2, 0, warp_slot(0)});
  run_until_idle();
  ASSERT_EQ(sink->taken.size(), 2u);
  EXPECT_EQ(sink->taken[0].cycle, 5 + two_reads);
  // The second request enters the walker a cycle after the first has left it, and is seen there one later.
  EXPECT_EQ(sink->taken[1].cycle, 5 + two_reads - 1 + 1 + one_read);
}

TEST_F(page_walker_test, a_page_table_outside_the_memory_is_an_error) {
  pages.map(0x1000, 0x1000, 0x7000);
  build();
  memory_side->refuses = true;
  source->send_at(5, {0x1000, 1, 0, warp_slot(0)});
  EXPECT_NE(error_of_run_through(100).find("walker: the page table lies outside the memory"), std::string::npos);
}

}  // namespace
}  // namespace gt200::model
