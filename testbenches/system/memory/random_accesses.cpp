#include <fmt/format.h>

#include <initializer_list>
#include <unordered_map>

#include "testbenches/support/protocol_checks.h"
#include "testbenches/system/memory/memory_board.h"
#include "testbenches/system/memory/memory_programs.h"

namespace gt200::support {
namespace {

using model::memory_extension;
using model::memory_kind;
using model::memory_space;

constexpr unsigned data_bytes = 256 * 1024;
constexpr unsigned threads = 128;

constexpr const char* program = R"(
.target sm_13
.entry random_accesses
.param u32 data
.param u32 out
.param u32 rounds
.literal words u32 0x3fffc
.literal wide u32 0xfffffff8
.literal minus u32 0xffffffff
.literal k0 u32 0
.literal k1 u32 1
.literal k2 u32 2
.literal k3 u32 3
.literal k4 u32 4
.literal k5 u32 5
.literal k6 u32 6
.literal k7 u32 7
.literal seed u32 0x9e3779b9
  mov b16 $r0h u16 s[%ntid.x]
  cvt u32 $r1 u16 $r0l
  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
  shl b32 $r2 $r0 0x8
  add b32 $r2 $r2 c1[seed]
  mov b32 $r3 b32 s[rounds]
  mov b32 $r10 $r124
again:
  shl b32 $r4 $r2 0xd
  xor b32 $r2 $r2 $r4
  shr u32 $r4 $r2 0x11
  xor b32 $r2 $r2 $r4
  shl b32 $r4 $r2 0x5
  xor b32 $r2 $r2 $r4
  and b32 $r5 $r2 c1[words]
  and b32 $r6 $r5 c1[wide]
  add b32 $r5 b32 s[data] $r5
  add b32 $r6 b32 s[data] $r6
  shr u32 $r7 $r2 0x1d
  set $c0 # e u32 $r7 c1[k0]
  (lg $c0) ld b32 $r8 g14[$r5]
  set $c0 # e u32 $r7 c1[k1]
  (lg $c0) ld u8 $r8 g14[$r5]
  set $c0 # e u32 $r7 c1[k2]
  (lg $c0) ld b64 $r8d g14[$r6]
  set $c0 # e u32 $r7 c1[k3]
  (lg $c0) st b32 g14[$r5] $r2
  set $c0 # e u32 $r7 c1[k4]
  (lg $c0) st u8 g14[$r5] $r2
  set $c0 # e u32 $r7 c1[k5]
  (lg $c0) st b64 g14[$r6] $r2d
  set $c0 # e u32 $r7 c1[k6]
  (lg $c0) ld add u32 $r8 g14[$r5] $r2
  set $c0 # e u32 $r7 c1[k7]
  (lg $c0) exch b64 $r8d g14[$r6] $r4d
  xor b32 $r10 $r10 $r8
  add b32 $r3 $r3 c1[minus]
  set $c1 # lg u32 $r3 $r124
  (lg $c1) bra again
  shl b32 $r0 $r0 0x2
  add b32 $r0 b32 s[out] $r0
  exit st b32 g14[$r0] $r10
.end
)";

// Follows every transaction from its TPC to its partition and back.
class ledger : public model::order_observer, public tlm_bus::memory_observer {
 public:
  ledger(std::uint64_t first, std::vector<std::uint8_t> content) : first_(first), memory_(std::move(content)) {}

  // -- at the TPCs' ports of the crossbar --
  void phase(const sc_core::sc_object&, tlm_bus::femtoseconds, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override {
    const auto* extension = payload.get_extension<memory_extension>();
    if (phase == tlm::BEGIN_REQ) {
      if (!open_.try_emplace(extension->transaction_id).second) fail(*extension, "sent twice");
      ++sent;
    } else if (phase == tlm::BEGIN_RESP) {
      const auto found = open_.find(extension->transaction_id);
      if (found == open_.end()) return fail(*extension, "answered though it is not open");
      if (!found->second.performed) fail(*extension, "answered before it was performed");
      if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) fail(*extension, "refused");
      const std::vector<std::uint8_t>& expected = found->second.expected;
      if (std::memcmp(expected.data(), payload.get_data_ptr(), expected.size()) != 0)
        fail(*extension, "returns another value than memory held");
      open_.erase(found);
      ++answered;
    }
  }

  // -- at the partitions --
  void performed(const tlm::tlm_generic_payload& access, unsigned, tlm_bus::femtoseconds) override {
    const auto* extension = access.get_extension<memory_extension>();
    if (extension->space == memory_space::instruction || extension->space == memory_space::constant) return;
    const auto found = open_.find(extension->transaction_id);
    if (found == open_.end()) return fail(*extension, "performed though it is not open");
    if (found->second.performed) fail(*extension, "performed twice");
    found->second.performed = true;
    ++performed_transactions;
    if (extension->space == memory_space::page_table) {
      ++page_table_reads;
      return;
    }
    const std::uint64_t offset = access.get_address() - first_;
    const unsigned bytes = access.get_data_length();
    if (offset >= memory_.size()) return;  // the sums at the end
    std::uint8_t* const here = &memory_[offset];
    if (extension->kind == memory_kind::atomic) {
      ++atomics;
      perform_atomic(access, *extension, here, found->second.expected);
    } else if (access.is_read()) {
      ++loads;
      found->second.expected.assign(here, here + bytes);
    } else {
      ++stores;
      const std::uint8_t* enables = access.get_byte_enable_ptr();
      for (unsigned i = 0; i < bytes; ++i)
        if (enables == nullptr || enables[i] != 0) here[i] = access.get_data_ptr()[i];
    }
  }

  std::string trouble() const {
    if (!trouble_.empty()) return trouble_;
    if (!open_.empty()) return fmt::format("{} transactions were lost", open_.size());
    if (sent != answered || sent != performed_transactions)
      return fmt::format("{} sent, {} performed, {} answered", sent, performed_transactions, answered);
    return "";
  }
  const std::vector<std::uint8_t>& memory() const { return memory_; }

  std::uint64_t sent = 0, answered = 0, performed_transactions = 0;
  std::uint64_t loads = 0, stores = 0, atomics = 0, page_table_reads = 0;

 private:
  struct transaction {
    bool performed = false;
    std::vector<std::uint8_t> expected;
  };

  void perform_atomic(const tlm::tlm_generic_payload& access, const memory_extension& extension, std::uint8_t* here,
                      std::vector<std::uint8_t>& expected) {
    if (extension.atomic == model::atomic_operation::add && !extension.wide) {
      std::uint32_t old, operand;
      std::memcpy(&old, here, 4);
      std::memcpy(&operand, access.get_data_ptr(), 4);
      expected.assign(here, here + 4);
      operand += old;
      std::memcpy(here, &operand, 4);
    } else if (extension.atomic == model::atomic_operation::exch && extension.wide) {
      expected.assign(here, here + 8);
      std::memcpy(here, access.get_data_ptr(), 8);
    } else {
      fail(extension, "another operation than the program has");
    }
  }
  void fail(const memory_extension& extension, const char* what) {
    if (trouble_.empty()) trouble_ = fmt::format("transaction {:#x}: {}", extension.transaction_id, what);
  }

  std::uint64_t first_;
  std::vector<std::uint8_t> memory_;
  std::unordered_map<std::uint64_t, transaction> open_;
  std::string trouble_;
};

}  // namespace

random_accesses_result random_accesses(const config::gpu_config& config, unsigned blocks, unsigned rounds) {
  memory_board board(config, program);
  std::vector<std::uint8_t> pattern(data_bytes);
  for (unsigned i = 0; i < data_bytes; ++i) pattern[i] = static_cast<std::uint8_t>(i * 2654435761u >> 24);
  const std::uint32_t data = board.buffer(pattern);
  const std::uint32_t out = board.buffer(std::vector<std::uint32_t>(std::size_t{blocks} * threads));
  model::chip& chip = board.chip.chip();

  ledger transactions(chip.pages.find(data)->translate(data), pattern);
  // Fetches of instructions may be under way when the launch ends, accesses of the program may not.
  const protocol_checks checks(chip);
  protocol_checks ended;
  for (unsigned i = 0; i < chip.tpcs.size(); ++i) {
    chip.crossbar.sources[i].observers().attach(transactions);
    ended.watch(chip.tpcs[i].crossbar());
  }
  for (auto& p : chip.partitions) {
    p.arbiter.observers().attach(transactions);
    for (sc_core::sc_object* port : std::initializer_list<sc_core::sc_object*>{&p.arbiter.requests, &p.arbiter.dram,
                                                                               &p.arbiter.rop, &p.rop.memory})
      ended.watch(*port);
  }

  random_accesses_result result;
  result.trouble = board.run(blocks, threads, {data, out, rounds});
  if (result.trouble.empty()) result.trouble = transactions.trouble();
  if (result.trouble.empty()) result.trouble = checks.violation();
  if (result.trouble.empty()) result.trouble = ended.trouble();
  result.port_transactions = checks.transactions();
  if (result.trouble.empty() && board.content<std::uint8_t>(data, data_bytes) != transactions.memory())
    result.trouble = "memory differs from the reference in the end";
  result.lane_accesses = std::uint64_t{blocks} * threads * rounds;
  result.loads = transactions.loads;
  result.stores = transactions.stores;
  result.atomics = transactions.atomics;
  result.page_table_reads = transactions.page_table_reads;
  return result;
}

}  // namespace gt200::support
