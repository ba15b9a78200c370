// The memory of flat_memory.h behind every partition. This file is all that joins it to gt200.
#include <memory>

#include "flat_memory.h"
#include "sc_models/plugin.h"

namespace {

using namespace gt200;

class flat_dram final : public model::dram_model {
 public:
  explicit flat_dram(const model::dram_context& context)
      : memory_("memory", context.dram.capacity_bytes(),
                sc_core::sc_time(static_cast<double>(context.keys.number("latency_ns")), sc_core::SC_NS),
                context.keys.real("bytes_per_ns")) {}

  model::dram_socket& requests() override { return memory_.socket; }
  std::uint64_t bytes_moved() const override { return memory_.bytes_moved(); }

 private:
  flat_memory memory_;
};

const added<model::dram_models> here(
    {"flat",
     "a memory with one latency and one rate, over the TLM-2.0 base protocol",
     {config::number_key("latency_ns", 40, config::unit::nanoseconds, config::between(0, 100000),
                         "request until data"),
      config::real_key("bytes_per_ns", 16, config::unit::none, {0.001, 1000}, "rate of the data")}},
    [](const model::dram_context& context) { return std::make_unique<flat_dram>(context); });

}  // namespace

GT200_PLUGIN("flat")
