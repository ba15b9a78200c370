// Operand collection: instructions get their operands from the register file and go on to their units.
//
// Each class of unit has its own collector units. Issue sends an instruction only if one is free; it is free again
// when the instruction leaves for its unit. Registers are read strictly in issue order, so no younger instruction
// can write a register before older ones have read it (this rule excludes WAR hazards). The bandwidth of the read
// ports and the banks of the register file (register_banks.h) limit the rate. Within a class instructions leave in
// order; classes do not wait for each other.
//
// c[] operands come from the constant cache while the instruction waits to leave (constant_reader.h). s[] operands
// are read later, in shared memory. Sources: operand collector patents (US 7,834,881 family); ports: Kanter.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/constant_reader.h"
#include "sc_models/sm/operands/register_banks.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/operands/register_transactions.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "sc_models/sm/value_latches.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class operand_collector : public core_stage, public tlm_bus::signal_source, public value_latches {
 public:
  // From issue, by collector class: from_sp, ..., from_shared, from_memory, from_control.
  sc_core::sc_vector<tlm_bus::pipe_in<issued_token>> from_issue;

  sc_core::sc_vector<tlm_bus::pipe_out<collected_token>> to_units;  // to_sp, ...
  tlm_bus::pipe_out<collected_token> to_shared_memory, to_memory_port, to_barrier;
  tlm_bus::pipe_out<control_token> to_branch;

  tlm_bus::transaction_out<constant_read> constant_reads;
  tlm_bus::transaction_out<constant_line_fetch> constant_line_fetches;
  tlm_bus::port<constant_cache_if> constant_cache;
  // From here on stands what every instruction needs, together for the host's cache.
  alignas(64) tlm_bus::transaction_out<register_read_request, gt200::model::register_file> register_file;

  tlm_bus::counter collected{"collected", "warp instructions", "instructions whose registers were read"};
  tlm_bus::counter register_reads{"register_reads", "lane words", "32-bit registers read, one per lane"};

  tlm_bus::counter port_waits{"port_waits", "core cycles",
                              "cycles in which the next instruction waited for read ports"};
  tlm_bus::counter bank_waits{"bank_waits", "core cycles",
                              "cycles in which the next instruction waited for a bank"};

  // `tpc`: number of the TPC, for special registers.
  operand_collector(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                    const config::sm_config& config, const unit_list& units,
                    const arch_state::generation& generation, unsigned tpc, bool no_bank_conflicts,
                    lane_share share = {});

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "operand_collector"; }

 private:
  struct class_state {
    tlm_bus::pipe_in<issued_token>* in = nullptr;
    tlm_bus::pipe_out<collected_token>* out = nullptr;  // where its instructions go, but for pure control
    unsigned collected = 0;                             // tokens at the head of `in` with collected registers
    unsigned with_constants = 0;                        // of these, the ones that read constants
    std::vector<constant_reader::progress> constants;   // of the collected tokens, by place
  };
  // The bandwidth of one kind of port, in lane words: cycle x ports.
  struct port_budget {
    std::uint64_t ports = 1;
    std::uint64_t busy_until = 0;
    bool free_in(core_cycle cycle) const { return busy_until < (cycle.number() + 1) * ports; }
    void take(core_cycle cycle, std::uint64_t words) {
      const std::uint64_t now = cycle.number() * ports;
      busy_until = (busy_until > now ? busy_until : now) + words;
    }
  };
  void end_of_elaboration() override;
  // The collector units of each class, with three operands of 32 bits. The operand that holds the address of an
  // access is the address, and only the low word of a wider operand is there.
  warp_instruction* held(unsigned group, unsigned place) const override;
  isa::lane_words* row_of(warp_instruction& operation, unsigned row) const override;
  // What every instruction passes is one function for the host.
  [[gnu::always_inline]] void collect_in_order();
  [[gnu::always_inline]] bool take_room(const warp_instruction& operation, port_budget& ports);
  [[gnu::noinline]] void await_room(bool ports_free);
  [[gnu::always_inline]] void collect(warp_instruction& operation);
  [[gnu::noinline]] void collect_others(warp_instruction& operation);
  [[gnu::always_inline]] void dispatch(unsigned which);
  [[gnu::noinline]] void forget_constants(class_state& state, const isa::instruction& instruction);
  [[gnu::noinline]] bool send_to_branch(warp_instruction& operation, tlm_bus::pipe_out<collected_token>* unit);
  [[gnu::noinline]] void read_ahead(class_state& state);
  bool older_control_pending(const warp_instruction& operation);

  constant_reader constants_;
  const arch_state::generation& generation_;
  // The members needed for every instruction are together, for the host's cache.
  alignas(64) std::uint64_t collected_ = 0;  // classes with collected instructions
  std::uint64_t next_sequence_ = 1;
  port_budget read_ports_;
  config::clock_ratio clocks_;
  lane_share share_;
  std::uint8_t tpc_;
  port_budget memory_read_ports_;
  unsigned memory_class_;
  unsigned control_class_;
  register_banks banks_;
  std::array<class_state, max_collector_classes> classes_;
  std::vector<std::string> signal_names_;  // by collector class
};

}  // namespace gt200::model
