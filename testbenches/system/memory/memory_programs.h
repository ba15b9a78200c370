// Programs that stress the memory system of a whole chip, with results known without the model.
//
// Each function simulates a chip of its own: one call per process. `trouble` is empty on success; otherwise it says
// what is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::support {

// -- random accesses --

struct random_accesses_result {
  std::string trouble;
  std::uint64_t lane_accesses = 0;
  std::uint64_t loads = 0;  // transactions
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;
  std::uint64_t page_table_reads = 0;
  std::uint64_t port_transactions = 0;  // that have ended at a memory port, all ports of the chip together
};

// Every thread makes loads and stores of 8, 32 and 64 bits, 32-bit additions and 64-bit exchanges at random
// addresses of 256 KB. The test follows every transaction from its TPC to the partition and back: it is performed
// once and answered once, in that order. Loads and atomics must return what a reference memory holds that follows
// the order of the partitions' arbiters. At the end memory must equal the reference, and no port may have violated
// the protocol.
random_accesses_result random_accesses(const config::gpu_config& config, unsigned blocks, unsigned rounds);

// -- atomics --

struct atomic_kind {
  const char* name;  // as in assembly, "add u32"
  bool wide;         // 64 bits
  bool reduction;    // exists without result too
};
inline constexpr atomic_kind atomic_kinds[] = {
    {"add u32", false, true}, {"max u32", false, true},  {"max s32", false, true},   {"min u32", false, true},
    {"min s32", false, true}, {"inc u32", false, true},  {"dec u32", false, true},   {"and b32", false, true},
    {"or b32", false, true},  {"xor b32", false, true},  {"exch b32", false, false}, {"cas b32", false, false},
    {"add u64", true, true},  {"exch b64", true, false}, {"cas b64", true, false}};

// 128 threads of each block perform two operations `rounds` times, with and, if the operation has that form,
// without result, on one cell or on 4096 cells. The final cells, and the results of all operations together, must
// be those of some order of the operations.
std::string atomic_totals(const config::gpu_config& config, const atomic_kind& kind, bool contended,
                          unsigned blocks, unsigned rounds);

// -- order of memory --

enum class litmus_test : std::uint8_t {
  // One block stores x, then y; another one waits for y and loads x. Relaxed outcome: it finds the old x.
  message_passing,
  // The same, but the first block loads x back before it stores y.
  message_passing_after_reading_back,
  // Each of two blocks stores its own one of x and y, then loads the other's. Relaxed outcome: both find the old
  // value.
  store_buffering
};

struct litmus_result {
  std::string trouble;
  unsigned rounds = 0;
  unsigned relaxed = 0;  // rounds with the outcome that memory in program order could not have
};

// `distance`: bytes from x to y. Stores of other blocks keep the partition of x busy, also from the TPC of the
// first block; for store buffering also the next partition, with stores from the TPC of the second block.
// litmus_overrides() of the configuration let stores wait long: deep queues, and stalls at every port.
inline std::vector<std::string> litmus_overrides() {
  return {"interconnect.crossbar.request_queue_flits=256", "tpc.memory.load_store_queue.store_entries=256",
          "simulation.stalls_per_1024=100"};
}
litmus_result litmus(const config::gpu_config& config, litmus_test test, unsigned distance, unsigned rounds);

}  // namespace gt200::support
