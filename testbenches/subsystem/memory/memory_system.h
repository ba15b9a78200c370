// Crossbar and partitions with traffic generators in place of the TPCs, and a reference memory that follows the
// order the arbiters fix.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "sc_models/partition/atomic_operation.h"
#include "testbenches/subsystem/memory/memory_path.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::support {

// Memory with all accesses performed so far, and the expected result of each load and atomic.
class reference_memory : public model::order_observer {
 public:
  explicit reference_memory(const model::address_map& map) : map_(map) {}

  void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds) override {
    const auto* extension = access.get_extension<model::memory_extension>();
    const std::uint64_t address = access.get_address();
    EXPECT_EQ(map_.locate(address).partition, partition);
    EXPECT_TRUE(performed_.insert(extension->transaction_id).second) << "performed twice";
    const unsigned bytes = access.get_data_length();
    if (extension->kind == model::memory_kind::atomic) {
      model::atomic_request request{extension->atomic, extension->atomic_signed, extension->wide, 0, 0};
      std::memcpy(&request.value, access.get_data_ptr(), request.width());
      std::memcpy(&request.swap, access.get_data_ptr() + request.width(), request.width());
      std::uint64_t old = 0;
      expected_[extension->transaction_id] = read(address, request.width());
      std::memcpy(&old, expected_[extension->transaction_id].data(), request.width());
      const std::uint64_t result = model::atomic_result(request, old);
      for (unsigned i = 0; i < request.width(); ++i)
        bytes_[address + i] = static_cast<std::uint8_t>(result >> (8 * i));
    } else if (access.is_read()) {
      expected_[extension->transaction_id] = read(address, bytes);
    } else {
      const std::uint8_t* enables = access.get_byte_enable_ptr();
      for (unsigned i = 0; i < bytes; ++i)
        if (enables == nullptr || enables[i] != 0) bytes_[address + i] = access.get_data_ptr()[i];
    }
  }

  void check(model::memory_payload& answer) {
    const std::uint64_t id = answer.extension().transaction_id;
    EXPECT_EQ(answer.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(performed_.count(id), 1u) << "answered before it was performed";
    if (answer.extension().kind == model::memory_kind::store) return;
    const auto& expected = expected_[id];
    EXPECT_EQ(expected, std::vector<std::uint8_t>(answer.bytes(), answer.bytes() + expected.size()))
        << "transaction " << id << " at " << answer.get_address();
    ++checked;
  }

  std::vector<std::uint8_t> read(std::uint64_t address, unsigned bytes) const {
    std::vector<std::uint8_t> v;
    for (unsigned i = 0; i < bytes; ++i) {
      const auto found = bytes_.find(address + i);
      v.push_back(found == bytes_.end() ? 0 : found->second);
    }
    return v;
  }
  const std::map<std::uint64_t, std::uint8_t>& contents() const { return bytes_; }

  unsigned checked = 0;

 private:
  const model::address_map& map_;
  std::map<std::uint64_t, std::uint8_t> bytes_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> expected_;
  std::set<std::uint64_t> performed_;
};

// With a source of scripted transactions per TPC, their answers checked against the reference.
struct memory_system {
  using source = memory_source<model::gpu_memory_protocol>;

  memory_system(const std::string& name, clocks& clock, const config::gpu_config& config, unsigned source_count)
      : path(name, clock.uncore, clock.memory, config, source_count), reference(path.map) {
    for (auto& p : path.partitions) p.arbiter.observers().attach(reference);
    for (unsigned i = 0; i < source_count; ++i) {
      sources.emplace_back((name + "_source_" + std::to_string(i)).c_str(), clock.uncore, 1 + i * 1'000'000);
      sources[i].out.bind(path.crossbar.sources[i]);
      sources[i].on_answer = [this](model::memory_payload& p) { reference.check(p); };
    }
  }
  std::size_t outstanding() const {
    std::size_t sum = path.outstanding();
    for (const auto& s : sources) sum += s.pool.outstanding();
    return sum;
  }

  memory_path path;
  reference_memory reference;
  std::deque<source> sources;
};

// `count` random accesses per source to a few addresses, so that they conflict: loads of 4 to 128 bytes, stores
// with and without byte enables, 32- and 64-bit atomics.
inline void add_random_traffic(memory_system& system, unsigned count, unsigned blocks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (auto& source : system.sources) {
    tlm_bus::cycle_t cycle = 1;
    for (unsigned i = 0; i < count; ++i) {
      cycle += random() % 4 == 0 ? random() % 40 : 1;
      const std::uint64_t block = 0x10000 + (random() % blocks) * 256;
      const unsigned bytes = 32u << (random() % 3);
      const std::uint64_t address = block + (random() % (256 / bytes)) * bytes;
      const unsigned what = random() % 10;
      if (what < 4) {
        source.load_at(cycle, address, bytes);
      } else if (what < 8) {
        std::vector<std::uint8_t> data(bytes);
        for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
        auto& p = source.store_at(cycle, address, data);
        if (random() % 2 == 0) {
          p.use_byte_enables();
          for (unsigned b = 0; b < bytes; b += 4)
            if (random() % 2 == 0) std::memset(p.enables() + b, 0xff, 4);
        }
      } else {
        static constexpr model::atomic_operation wide_operations[] = {
            model::atomic_operation::add, model::atomic_operation::exch, model::atomic_operation::cas};
        const bool wide = random() % 4 == 0;
        const auto operation =
            wide ? wide_operations[random() % 3] : static_cast<model::atomic_operation>(random() % 10);
        auto& p = source.atomic_at(cycle, block + (random() % 8) * 8, operation,
                                   static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()));
        p.extension().atomic_signed = random() % 2 == 0;
        if (!wide) continue;
        p.prepare(tlm::TLM_WRITE_COMMAND, p.get_address(), 16);
        for (unsigned b = 0; b < 16; ++b) p.bytes()[b] = static_cast<std::uint8_t>(random());
        p.extension().wide = true;
      }
    }
  }
}

}  // namespace gt200::support
