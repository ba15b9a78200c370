// The small parts: counters, round robin, pools of objects and payloads, registered state, the decision to stall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <systemc>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"
#include "tlm_bus/numbered_names.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/registered.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::tlm_bus {
namespace {

// -- counter --

struct nested_counters {
  counter deep{"deep", "bytes", "A counter within a member"};
};
struct counting_module : sc_core::sc_module {
  explicit counting_module(const sc_core::sc_module_name& name)
      : sc_module(name), hits("hits", "accesses", "Accesses that hit"), child("child") {}
  counter hits;
  nested_counters nested;
  struct child_module : sc_core::sc_module {
    explicit child_module(const sc_core::sc_module_name& name)
        : sc_module(name), inner("inner", "cycles", "A counter of a child") {}
    counter inner;
  } child;
  counter last{"last", "cycles", "Declared behind a child"};
};

TEST(counter_test, registers_with_the_module_it_is_a_member_of) {
  counting_module m("m");
  std::vector<std::string> names;
  for (const auto* attribute : m.attr_cltn()) names.push_back(attribute->name());
  EXPECT_EQ(names, (std::vector<std::string>{"hits", "deep", "last"}));
  const auto* found = dynamic_cast<const counter::attribute*>(m.get_attribute("hits"));
  ASSERT_NE(found, nullptr);
  EXPECT_STREQ(found->unit(), "accesses");
  EXPECT_STREQ(found->description(), "Accesses that hit");
  EXPECT_NE(m.child.get_attribute("inner"), nullptr);
}

TEST(counter_test, the_sum_covers_one_module_and_not_its_children) {
  counting_module m("m");
  ++m.hits;
  m.hits += 10;
  ++m.nested.deep;
  m.child.inner += 100;
  EXPECT_EQ(m.hits.value(), 11u);
  EXPECT_EQ(counter::sum_of(m), 12u);
  EXPECT_EQ(counter::sum_of(m.child), 100u);
}

struct module_with_twins : sc_core::sc_module {
  explicit module_with_twins(const sc_core::sc_module_name& name) : sc_module(name) {}
  counter one{"same", "x", "x"};
  counter two{"same", "x", "x"};
};

TEST(counter_test, a_counter_without_module_or_with_a_name_taken_is_refused) {
  EXPECT_THROW(counter("stray", "x", "x"), std::logic_error);
  EXPECT_THROW(module_with_twins("twins"), std::logic_error);
}

// -- round robin --

TEST(round_robin_test, everyone_who_asks_is_served_in_turn) {
  for (unsigned n : {1u, 3u, 63u, 64u}) {
    round_robin arbiter(n);
    const std::uint64_t all = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    for (unsigned i = 0; i < 3 * n; ++i) {
      ASSERT_EQ(arbiter.choose(all), static_cast<int>(i % n));
      arbiter.granted(static_cast<int>(i % n));
    }
  }
}

TEST(round_robin_test, the_search_starts_behind_the_last_winner_and_wraps) {
  round_robin arbiter(8);
  arbiter.granted(4);
  EXPECT_EQ(arbiter.choose(0b0001'0010), 1) << "the last winner comes last";
  EXPECT_EQ(arbiter.choose(0b0101'0010), 6);
  EXPECT_EQ(arbiter.choose(0b0001'0000), 4);
  EXPECT_EQ(arbiter.choose(0), -1);
}

TEST(round_robin_test, a_choice_without_grant_changes_nothing) {
  round_robin arbiter(4);
  EXPECT_EQ(arbiter.choose(0b1111), 0);
  EXPECT_EQ(arbiter.choose(0b1111), 0);
  arbiter.granted(2);
  EXPECT_EQ(arbiter.choose(0b1111), 3);
}

TEST(round_robin_test, zero_or_more_than_64_requesters_are_refused) {
  EXPECT_THROW(round_robin(0), std::invalid_argument);
  EXPECT_THROW(round_robin(65), std::invalid_argument);
}

// -- pools --

TEST(pool_test, hands_out_distinct_objects_and_takes_them_back) {
  pool<int> p;
  std::set<int*> got;
  for (int i = 0; i < 200; ++i) got.insert(p.get());
  EXPECT_EQ(got.size(), 200u);
  EXPECT_EQ(p.outstanding(), 200u);
  for (int* i : got) p.put(i);
  EXPECT_EQ(p.outstanding(), 0u);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(got.count(p.get()), 1u) << "recycled, not allocated anew";
}

TEST(payload_pool_test, a_payload_returns_with_its_last_reference) {
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.acquire();
  EXPECT_EQ(pool.outstanding(), 1u);
  p.release();
  EXPECT_EQ(pool.outstanding(), 1u);
  p.release();
  EXPECT_EQ(pool.outstanding(), 0u);
  EXPECT_EQ(&pool.get(), &p) << "recycled, not allocated anew";
}

TEST(payload_pool_test, prepare_sets_all_that_the_standard_asks_for) {
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.use_byte_enables();
  p.prepare(tlm::TLM_WRITE_COMMAND, 0x1234, 128);
  EXPECT_TRUE(p.is_write());
  EXPECT_EQ(p.get_address(), 0x1234u);
  EXPECT_EQ(p.get_data_length(), 128u);
  EXPECT_EQ(p.get_streaming_width(), 128u);
  EXPECT_EQ(p.get_data_ptr(), p.bytes());
  EXPECT_EQ(p.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_FALSE(p.is_dmi_allowed());
  p.use_byte_enables();
  EXPECT_EQ(p.get_byte_enable_ptr(), p.enables());
  EXPECT_EQ(p.get_byte_enable_length(), 128u);
  EXPECT_EQ(std::count(p.enables(), p.enables() + 128, 0), 128);
  EXPECT_THROW(p.prepare(tlm::TLM_READ_COMMAND, 0, 0), std::logic_error);
  EXPECT_THROW(p.prepare(tlm::TLM_READ_COMMAND, 0, max_transaction_bytes + 1), std::logic_error);
}

// An extension of a foreign component that lasts for one transaction.
struct foreign_extension : tlm::tlm_extension<foreign_extension> {
  explicit foreign_extension(int& alive) : count(alive) { ++count; }
  foreign_extension(const foreign_extension& other) : tlm_extension(other), count(other.count) { ++count; }
  ~foreign_extension() override { --count; }
  tlm_extension_base* clone() const override { return new foreign_extension(*this); }
  void copy_from(const tlm_extension_base&) override {}
  int& count;
};

TEST(payload_pool_test, nothing_of_one_use_leaks_into_the_next) {
  int alive = 0;
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.extension().returns_value = false;
  p.extension().tag = 99;
  p.set_auto_extension(new foreign_extension(alive));
  p.release();
  EXPECT_EQ(alive, 0) << "the foreign extension is freed";
  model::memory_payload& again = pool.get();
  ASSERT_EQ(&again, &p);
  EXPECT_EQ(again.get_extension<foreign_extension>(), nullptr);
  EXPECT_EQ(model::extension_of(again), &again.extension());
  EXPECT_TRUE(again.extension().returns_value);
  EXPECT_EQ(again.extension().tag, 0u);
}

TEST(payload_pool_test, a_deep_copy_carries_the_extension) {
  model::payload_pool pool;
  model::memory_payload& p = pool.get();
  p.prepare(tlm::TLM_READ_COMMAND, 0, 4);
  p.extension().tag = 5;
  tlm::tlm_generic_payload copy;
  std::uint8_t data[4];
  copy.set_data_ptr(data);
  copy.deep_copy_from(p);
  ASSERT_NE(model::extension_of(copy), nullptr);
  EXPECT_NE(model::extension_of(copy), &p.extension());
  EXPECT_EQ(model::extension_of(copy)->tag, 5u);
}

// -- registered state --

TEST(registered_test, a_change_is_visible_from_the_next_cycle_on_whoever_asks_first) {
  registered<int> asked_first(7);
  registered<int> changed_first(7);
  EXPECT_EQ(asked_first.read(10), 7);
  asked_first.change(10) += 1;
  changed_first.change(10) += 1;
  for (auto* r : {&asked_first, &changed_first}) {
    EXPECT_EQ(r->read(10), 7);
    EXPECT_EQ(r->next(), 8);
    EXPECT_EQ(r->read(11), 8);
    EXPECT_EQ(r->read(500), 8);
  }
}

TEST(registered_test, changes_of_one_cycle_accumulate_and_those_of_the_next_start_from_their_sum) {
  registered<unsigned> mask(0b0001u);
  mask.change(3) |= 0b0010u;
  mask.change(3) |= 0b0100u;
  EXPECT_EQ(mask.read(3), 0b0001u);
  mask.change(4) |= 0b1000u;  // nobody has read in between
  EXPECT_EQ(mask.read(4), 0b0111u);
  EXPECT_EQ(mask.read(5), 0b1111u);
}

TEST(registered_test, a_change_in_the_first_cycle_waits_for_the_second) {
  registered<int> value(7);
  EXPECT_FALSE(value.changed_in(0));
  value.change(0) = 8;
  EXPECT_TRUE(value.changed_in(0));
  EXPECT_EQ(value.read(0), 7);
  EXPECT_EQ(value.read(1), 8);
  EXPECT_FALSE(value.changed_in(1));
}

// -- histograms and queues --

struct measuring_module : sc_core::sc_module {
  histogram latency{"latency", "cycles", "how long"};
  queue_counter queue{"queue", 2};
  explicit measuring_module(const sc_core::sc_module_name& name) : sc_module(name) {}
};

TEST(histogram_test, a_bin_ends_at_every_power_of_two) {
  EXPECT_EQ(histogram::bin_of(0), 0u);
  EXPECT_EQ(histogram::bin_of(1), 1u);
  EXPECT_EQ(histogram::bin_of(2), 2u);
  EXPECT_EQ(histogram::bin_of(3), 2u);
  for (unsigned bin = 0; bin + 1 < histogram::bins; ++bin) {
    EXPECT_EQ(histogram::bin_of(histogram::end_of(bin) - 1), bin);
    EXPECT_EQ(histogram::bin_of(histogram::end_of(bin)), bin + 1);
  }
  EXPECT_EQ(histogram::bin_of(~std::uint64_t{0}), histogram::bins - 1);
}

TEST(histogram_test, a_class_is_one_value_below_1024_and_at_most_0_2_percent_wide_above) {
  for (std::uint64_t value = 0; value < 1024; ++value) {
    EXPECT_EQ(histogram::class_of(value), value);
    EXPECT_EQ(histogram::last_of(histogram::class_of(value)), value);
  }
  std::uint64_t first = 1024;
  for (unsigned number = 1024; number < histogram::class_of(std::uint64_t{1} << 40); ++number) {
    const std::uint64_t last = histogram::last_of(number);
    EXPECT_EQ(histogram::class_of(first), number);
    EXPECT_EQ(histogram::class_of(last), number);
    EXPECT_EQ(histogram::class_of(last + 1), number + 1);
    EXPECT_LE(static_cast<double>(last - first), 0.002 * static_cast<double>(first));
    first = last + 1;
  }
  EXPECT_EQ(histogram::last_of(histogram::class_of(~std::uint64_t{0})), ~std::uint64_t{0});
}

// Against the sorted values themselves.
TEST(histogram_test, percentiles_are_exact_below_1024_and_at_most_0_2_percent_too_large_above) {
  measuring_module m("m");
  std::vector<std::uint64_t> sorted;
  std::uint64_t random = 1;
  for (unsigned i = 0; i < 4096; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    sorted.push_back((random >> 33) % (i % 2 == 0 ? 900u : 300000u));
    m.latency.add(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  const histogram::values v = m.latency.value();
  EXPECT_EQ(v.percentile(0), sorted.front());
  for (unsigned part = 1; part <= 1024; ++part) {
    const std::uint64_t right = sorted[part * sorted.size() / 1024 - 1];
    const std::uint64_t found = v.percentile(part / 1024.0);
    EXPECT_GE(found, right);
    EXPECT_LE(static_cast<double>(found - right), right < 1024 ? 0 : 0.002 * static_cast<double>(right));
  }
}

TEST(histogram_test, growth_between_two_moments_has_only_what_came_between) {
  measuring_module m("m");
  m.latency.add(7);
  m.latency.add(5000, 3);
  const histogram::values before = m.latency.value();
  m.latency.add(7);
  m.latency.add(100000);
  histogram::values growth = m.latency.value();
  growth -= before;
  EXPECT_EQ(growth.total(), 2u);
  EXPECT_EQ(growth.sum, 100007u);
  EXPECT_EQ(growth.percentile(0.5), 7u);
  growth += before;
  EXPECT_EQ(growth.counts, m.latency.value().counts);
  m.latency.clear();
  EXPECT_TRUE(m.latency.value().counts.empty());
}

TEST(histogram_test, knows_number_average_and_percentiles) {
  measuring_module m("m");
  EXPECT_EQ(m.latency.value().average(), 0);
  for (unsigned i = 0; i < 19; ++i) m.latency.add(100);
  m.latency.add(5000);
  const histogram::values v = m.latency.value();
  EXPECT_EQ(v.total(), 20u);
  EXPECT_DOUBLE_EQ(v.average(), 345);
  EXPECT_EQ(v.percentile(0.5), 100u);
  EXPECT_EQ(v.percentile(0.95), 100u);
  EXPECT_EQ(v.percentile(1), 5007u);  // the class of 5,000
  EXPECT_EQ(v.in_bins()[7], 19u);
  EXPECT_EQ(v.in_bins()[13], 1u);
  histogram::values twice = v;
  twice += v;
  EXPECT_EQ(twice.total(), 40u);
  twice -= v;
  EXPECT_EQ(twice.counts, v.counts);
  EXPECT_EQ(twice.sum, v.sum);
  const auto* found = dynamic_cast<const histogram::attribute*>(m.get_attribute("latency"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(&found->described(), &m.latency);
  EXPECT_STREQ(found->unit(), "cycles");
}

TEST(queue_counter_test, sums_up_entries_over_time_and_the_time_it_is_full) {
  measuring_module m("m");
  queue_counter& q = m.queue;
  q.entered(10);  // 1 from 10 on
  q.entered(13);  // 2 from 13 on
  q.left(17);     // 1
  q.left(17);     // 0
  q.entered(20);
  q.left(20);  // no time
  q.entered(30);
  q.left(31);
  EXPECT_EQ(q.entries.value(), 4u);
  EXPECT_EQ(q.occupancy.value(), 3u * 1 + 4u * 2 + 1u);
  EXPECT_EQ(q.full_cycles.value(), 4u);
  EXPECT_NE(m.get_attribute("queue.full_cycles"), nullptr);
  // The cycles with entries: 4 with one, 4 with two.
  EXPECT_EQ(q.used.value().total(), 8u);
  EXPECT_EQ(q.used.value().percentile(0.5), 1u);
  EXPECT_EQ(q.used.value().percentile(0.51), 2u);
}

TEST(queue_counter_test, an_entry_may_take_several_places) {
  measuring_module m("m");
  m.queue.entered(0, 5);
  m.queue.left(4, 5);
  EXPECT_EQ(m.queue.entries.value(), 1u);
  EXPECT_EQ(m.queue.occupancy.value(), 20u);
  EXPECT_EQ(m.queue.full_cycles.value(), 4u);
}

// -- signals --

struct queueing_module : signal_source {
  void publish(signal_writer& to) override {
    to.number("served", 8, 1);
    to.outstanding().number("queued", 8, 2);
    to.enter("port", 3);
    to.outstanding().mask("waiting", 4, 5);
    to.leave();
    to.flag("busy", true);
  }
};

TEST(signals_test, one_that_is_outstanding_says_so_and_the_next_one_does_not) {
  queueing_module m;
  std::vector<signal_description> names;
  signal_writer list(names);
  m.publish(list);
  std::vector<std::string> outstanding;
  for (const signal_description& s : names)
    if (s.outstanding) outstanding.push_back(s.name);
  EXPECT_EQ(outstanding, (std::vector<std::string>{"queued", "port_3.waiting"}));
  std::vector<std::uint64_t> values(names.size());
  signal_writer read(values.data());
  m.publish(read);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{1, 2, 5, 1}));
}

struct remembering_module : signal_source {
  bool on_request() const override { return true; }
  void publish(signal_writer& to) override {
    to.word("bits", 32, 0x3f800000);
    to.real("number", 0x3f800000);
  }
};

TEST(signals_test, a_word_and_a_real_have_the_same_bits) {
  remembering_module m;
  std::vector<signal_description> names;
  signal_writer list(names);
  m.publish(list);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0].kind, signal_kind::word);
  EXPECT_EQ(names[1].kind, signal_kind::real);
  EXPECT_EQ(names[1].bits, 32u);
  std::vector<std::uint64_t> values(names.size());
  signal_writer read(values.data());
  m.publish(read);
  EXPECT_EQ(values[0], values[1]);
}

TEST(signals_test, a_source_is_on_request_only_if_it_says_so) {
  EXPECT_FALSE(queueing_module().on_request());
  EXPECT_TRUE(remembering_module().on_request());
}

TEST(signals_test, equal_signals_are_numbered_from_zero_on) {
  const numbered_names lane("lane_", 12);
  EXPECT_STREQ(lane[0], "lane_0");
  EXPECT_STREQ(lane[11], "lane_11");
}

// -- stalls --

TEST(stall_injection_test, the_share_of_stalled_cycles_is_the_probability) {
  for (std::uint32_t per_1024 : {1u, 102u, 512u, 1000u}) {
    const stall_injection stalls{3, per_1024};
    unsigned stalled = 0;
    for (cycle_t c = 0; c < 102400; ++c) stalled += stalls.stalls(name_hash_of("gt200.pipe"), c);
    EXPECT_NEAR(stalled, per_1024 * 100.0, 5 * std::sqrt(per_1024 * 100.0));
  }
}

TEST(stall_injection_test, seed_name_and_cycle_decide_and_nothing_else) {
  const stall_injection stalls{3, 512};
  unsigned same_seed = 0;
  unsigned same_name = 0;
  for (cycle_t c = 0; c < 1000; ++c) {
    const bool first = stalls.stalls(name_hash_of("a"), c);
    EXPECT_EQ(stalls.stalls(name_hash_of("a"), c), first);
    same_name += stalls.stalls(name_hash_of("b"), c) == first;
    same_seed += stall_injection{4, 512}.stalls(name_hash_of("a"), c) == first;
  }
  EXPECT_NEAR(same_name, 500, 80);
  EXPECT_NEAR(same_seed, 500, 80);
  EXPECT_FALSE((stall_injection{3, 0}.stalls(1, 1)));
}

}  // namespace
}  // namespace gt200::tlm_bus
