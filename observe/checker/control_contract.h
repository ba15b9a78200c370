// The contract between compiler and hardware where the compiler schedules (isa::control_codes), judged from the
// stream of issued instructions alone: when each was issued, the latencies of the generation's table, and the
// dependency barriers that were set and awaited. It knows nothing of pipelines and write-back.
//
// A result of fixed time is kept if its reader issues late enough behind the writer. One of varying time is kept if
// the reader, and the next writer, await its write barrier. A source of an instruction of varying time is kept if
// its next writer awaits the read barrier, or the write barrier of the same instruction. A barrier is seen by an
// instruction that issues two cycles behind the one that sets it; what DEPBAR awaits, by one that issues four
// behind it. A source that the reuse cache may hold has not been written since.
//
// Paths of a warp have lanes of their own: what one path does is no matter to another.
//
// A broken contract may still give the right value. checker.h says what becomes of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/warp_instruction.h"
#include "toolchain/arch_state/forwarding.h"
#include "toolchain/isa/common/operand_slot.h"

namespace gt200::observe {

struct broken_contract {
  enum class kind : std::uint8_t {
    reads_too_early,  // a result of fixed time; `cycles` are missing
    reads_unawaited,  // a result of varying time
    overwrites_source,
    overwrites_result,
    stale_reuse,    // may get what the register held before, from the reuse cache
    unseen_barrier  // waits for a barrier that was set in the cycle before
  };
  kind what = kind::reads_too_early;
  isa::register_range where;   // one register; count 0: none
  std::uint64_t first_id = 0;  // the instruction that has to be awaited
  isa::code_address first_pc = 0;
  std::uint64_t second_id = 0;  // the one that does not
  isa::code_address second_pc = 0;
  unsigned cycles = 0;
};

// "R5, written at 0x0010, is read at 0x0020 1 cycle too early".
std::string describe(const broken_contract& b);

class control_contract {
 public:
  explicit control_contract(const arch_state::forwarding_table& table) : table_(table) {}

  // A new warp.
  void start();
  // The next instruction of the warp has issued; `executed` are the lanes whose guard holds. Appends what it
  // breaks.
  void issued(const model::warp_instruction& operation, isa::lane_mask executed,
              std::vector<broken_contract>& broken);

 private:
  static constexpr unsigned registers = 256;
  static constexpr unsigned predicates = 8;
  static constexpr unsigned classes = arch_state::forwarding_table::writer_classes;
  static constexpr std::uint8_t no_barrier_set = 0x80;  // beside the bits of the barriers

  struct place {
    std::uint64_t id = 0;
    isa::code_address pc = 0;
    isa::lane_mask lanes = 0;
  };
  struct resource {
    std::array<std::uint64_t, classes> written_at{};  // cycle + 1 by class; 0: never
    std::array<place, classes> writer{};
    std::uint8_t writing = 0;  // barriers of writers of varying time
    std::uint8_t reading = 0;
    place varying_writer;
    place varying_reader;
  };
  using kind = broken_contract::kind;
  static unsigned index_of(isa::register_file_kind file, unsigned n) {
    return file == isa::register_file_kind::condition ? registers + n : n;
  }
  static std::uint8_t bit_of(std::uint8_t barrier) {
    return barrier == isa::control_codes::no_barrier ? no_barrier_set : static_cast<std::uint8_t>(1u << barrier);
  }
  void await(const model::warp_instruction& operation);
  void forget(std::uint8_t awaited);
  void read(isa::register_file_kind file, unsigned n, std::uint8_t latency_class);
  void write(isa::register_file_kind file, unsigned n, std::uint8_t latency_class, isa::lane_mask lanes);
  void use_reuse_cache(const isa::instruction& i);
  void breaks(kind what, isa::register_file_kind file, unsigned n, const place& first, unsigned cycles = 0);

  const arch_state::forwarding_table& table_;
  std::vector<resource> resources_;
  // Possible content of the reuse cache, by slot; a register has its place in one bank of it.
  struct reused {
    bool valid = false;
    std::uint8_t index = 0;
    bool written_since = false;
    place reader;
  };
  static constexpr unsigned banks = 2;
  std::array<std::array<reused, isa::operand_slots>, banks> reuse_{};
  // Barriers that DEPBARs await, and from which cycle on.
  struct pending_wait {
    std::uint64_t from = 0;
    std::uint8_t barriers = 0;
  };
  std::vector<pending_wait> pending_waits_;
  std::uint64_t last_issue_ = 0;  // cycle of the last instruction
  std::uint8_t last_set_ = 0;     // barriers that it has set
  place last_;
  // The instruction that is looked at.
  const model::warp_instruction* operation_ = nullptr;
  std::vector<broken_contract>* broken_ = nullptr;
};

}  // namespace gt200::observe
