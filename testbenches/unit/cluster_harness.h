// Memory and texture path of one TPC between scripted SMs and a memory that answers after a given time.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "sc_models/memory_path/memory_path.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/texture/texture_unit.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model::testing {

// One request as it arrived.
struct seen_request {
  tlm_bus::cycle_t cycle = 0;
  tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
  std::uint64_t address = 0;
  unsigned bytes = 0;
  memory_extension extension;
  std::vector<std::uint8_t> data;
  std::vector<bool> enabled;  // empty: all bytes
};

// Performs requests as they arrive and answers each after a latency of its own; at most one answer per cycle. The
// page table lies outside its bytes; reads of it are counted, not listed.
class test_memory : public tlm_bus::stage {
 public:
  test_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, std::size_t bytes,
              const page_table& pages)
      : stage(name, domain), port("port", *this), memory(bytes), pages_(pages) {}

  tlm_bus::memory_target<gpu_memory_protocol> port;
  std::vector<std::uint8_t> memory;
  std::vector<seen_request> seen;
  static constexpr unsigned page_table_latency = 10;
  unsigned page_table_reads = 0;
  // Cycles from arrival to answer, by number of the request; at least 1.
  std::function<unsigned(std::size_t)> latency = [](std::size_t) { return 10u; };
  // Whether the request may be taken in a cycle.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };

  std::uint32_t word(std::uint64_t address) const {
    std::uint32_t value;
    std::memcpy(&value, &memory[address], 4);
    return value;
  }
  void set_word(std::uint64_t address, std::uint32_t value) { std::memcpy(&memory[address], &value, 4); }

 private:
  struct answer {
    tlm_bus::cycle_t at;
    tlm::tlm_generic_payload* payload;
  };

  void tick() override {
    if (port.request() != nullptr) {
      if (takes(cycle()))
        take(port.take_request());
      else
        wake_next();
    }
    const auto due =
        std::find_if(answers_.begin(), answers_.end(), [&](const answer& a) { return a.at <= cycle(); });
    if (due == answers_.end() || !port.can_respond()) return;
    tlm::tlm_generic_payload& payload = *due->payload;
    answers_.erase(due);
    if (!answers_.empty()) wake_next();
    port.respond(payload);
  }

  void take(tlm::tlm_generic_payload& payload) {
    const unsigned bytes = payload.get_data_length();
    if (extension_of(payload)->space == memory_space::page_table) {
      for (unsigned i = 0; i < bytes; i += 8) {
        const std::uint64_t word = pages_.word(payload.get_address() + i);
        std::memcpy(payload.get_data_ptr() + i, &word, 8);
      }
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      ++page_table_reads;
      answer_at(cycle() + page_table_latency, payload);
      return;
    }
    seen_request s;
    s.cycle = cycle();
    s.command = payload.get_command();
    s.address = payload.get_address();
    s.bytes = bytes;
    s.extension = *extension_of(payload);
    s.data.assign(payload.get_data_ptr(), payload.get_data_ptr() + bytes);
    for (unsigned i = 0; payload.get_byte_enable_ptr() != nullptr && i < bytes; ++i)
      s.enabled.push_back(payload.get_byte_enable_ptr()[i] != 0);
    perform(payload, s);
    answer_at(cycle() + latency(seen.size()), payload);
    seen.push_back(s);
  }

  void answer_at(tlm_bus::cycle_t at, tlm::tlm_generic_payload& payload) {
    answers_.push_back({at, &payload});
    wake_at(at);
  }

  void perform(tlm::tlm_generic_payload& payload, const seen_request& s) {
    if (s.address + s.bytes > memory.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::uint8_t* const here = &memory[s.address];
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (s.extension.kind == memory_kind::atomic) {
      // Enough of an atomic unit for these tests: 32-bit add, and the old value.
      const std::uint32_t old = word(s.address);
      std::uint32_t operand;
      std::memcpy(&operand, s.data.data(), 4);
      set_word(s.address, old + operand);
      if (s.extension.returns_value) std::memcpy(payload.get_data_ptr(), &old, 4);
    } else if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), here, s.bytes);
    } else {
      for (unsigned i = 0; i < s.bytes; ++i)
        if (s.enabled.empty() || s.enabled[i]) here[i] = s.data[i];
    }
  }

  const page_table& pages_;
  std::deque<answer> answers_;
};

// The preset with short, distinct latencies, so that timing tests can be read.
inline std::vector<std::string> short_latencies() {
  return {"tpc.memory.sm_controller.latency_cycles=2",
          "tpc.memory.address_generation.latency_cycles=3",
          "tpc.memory.tlb.l1_hit_latency_cycles=2",
          "tpc.memory.coalescer.latency_cycles=4",
          "tpc.memory.load_store_queue.reply_latency_cycles=3",
          "tpc.memory.tlb.l2_hit_latency_cycles=20",
          "tpc.texture.address.latency_cycles=2",
          "tpc.texture.l1.hit_latency_cycles=5",
          "tpc.texture.l1.lookups_per_cycle=1",
          "tpc.texture.filter.latency_cycles=3"};
}

inline config::gpu_config test_config(std::vector<std::string> more = {}) {
  std::vector<std::string> overrides = short_latencies();
  overrides.insert(overrides.end(), more.begin(), more.end());
  return config::load(GT200_SOURCE_DIR "/configs/gt200.toml", overrides).values;
}

struct tpc_harness : warp_operations {
  static constexpr unsigned sms = 3;
  static constexpr unsigned tpc = 2;
  static constexpr std::size_t memory_bytes = 1 << 20;

  // Everything on the uncore clock, so that cycles of tests add up.
  tpc_harness(const std::string& name, support::clocks& clocks, const config::gpu_config& c = test_config())
      : config(c),
        memory((name + "_memory").c_str(), clocks.uncore, config.tpc.memory, tpc, sms, config.tpc.sm.limits.warps,
               pages),
        texture((name + "_texture").c_str(), clocks.uncore, config.tpc.texture, tpc, pages),
        dram((name + "_dram").c_str(), clocks.uncore, memory_bytes, pages) {
    pages.map(0x1000, memory_bytes - 0x1000, 0x1000);
    memory.crossbar().bind(dram.port);
    memory.to_texture().bind(texture.from_sm_controller());
    texture.to_sm_controller().bind(memory.from_texture());
    texture.fills().bind(memory.texture_fills());
    for (unsigned sm = 0; sm < sms; ++sm) {
      const std::string n = name + "_sm" + std::to_string(sm);
      source.push_back(
          std::make_unique<support::token_source<memory_operation_token>>((n + "_out").c_str(), clocks.uncore));
      sink.push_back(
          std::make_unique<support::token_sink<memory_completion_token>>((n + "_in").c_str(), clocks.uncore, 2));
      source.back()->out.bind(memory.from_sm(sm));
      memory.to_sm(sm).bind(sink.back()->in);
    }
  }

  void send(warp_instruction& o, tlm_bus::cycle_t at) { source[o.sm]->send_at(at, {&o}); }

  // When the SM took the completion of `o`; no_cycle if it has not.
  tlm_bus::cycle_t completed_at(const warp_instruction& o) const {
    for (const auto& t : sink[o.sm]->taken)
      if (t.value.operation == &o) return t.cycle;
    return tlm_bus::no_cycle;
  }
  bool idle() const { return memory.idle() && texture.idle(); }

  config::gpu_config config;
  page_table pages{4096, 0x10000000};
  memory_path memory;
  texture_unit texture;
  test_memory dram;
  std::vector<std::unique_ptr<support::token_source<memory_operation_token>>> source;
  std::vector<std::unique_ptr<support::token_sink<memory_completion_token>>> sink;
};

}  // namespace gt200::model::testing
