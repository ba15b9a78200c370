// The bits of Volta's storage that can be flipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/device.h"
#include "sc_models/sm/volta/sm.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

// Runs block_sums with 12 blocks of 8 warps; `prepare` gets the first SM before, and `then` afterwards.
std::string run(const std::function<void(model::volta_sm&)>& prepare,
                const std::function<std::string(model::volta_sm&)>& then) {
  return in_own_process([&] {
    const cubin::module module = assembler::assemble(block_sums, "block_sums.s");
    device board(configuration("v100_small", {}), {});
    board.load(module, {});
    const std::uint32_t out = board.allocate(16);
    const std::uint32_t in = board.allocate(4 * 256 * 12);
    auto& sm = dynamic_cast<model::volta_sm&>(*board.chip().sms().front());
    prepare(sm);
    launch::launch_parameters parameters;
    parameters.kernel = &module.kernels.front();
    parameters.grid = {12};
    parameters.block = {256, 1, 1};
    parameters.parameter_bytes = launch::pack_parameters(std::uint64_t{out}, std::uint64_t{in});
    if (board.launch(parameters).reason != end_reason::done) return std::string("the launch did not end well");
    return then(sm);
  });
}

// Looks at a processing block whenever it issues.
class visitor final : public model::arbitration_observer {
 public:
  using look = std::function<void(model::processing_block&, model::warp_slot)>;
  explicit visitor(look what) : what_(std::move(what)) {}
  void visit(model::processing_block& block) {
    block_ = &block;
    block.issue.observers().attach(*this);
  }
  void started(model::core_cycle, model::warp_slot) override {}
  void went(model::core_cycle, model::warp_mask, model::warp_slot warp) override { what_(*block_, warp); }

 private:
  look what_;
  model::processing_block* block_ = nullptr;
};

std::uint64_t occupied(const tlm_bus::injectable& storage) {
  std::vector<tlm_bus::bit_range> ranges;
  storage.add_occupied(ranges);
  std::uint64_t bits = 0;
  for (const tlm_bus::bit_range& r : ranges) {
    EXPECT_LE(r.first + r.count, storage.bits());
    bits += r.count;
  }
  return bits;
}

// Flips a predicate bit of the warp that issues: it must be the one that the text names.
TEST(volta_injection, a_predicate_is_a_bit_of_a_warp_of_the_block) {
  std::string wrong;
  std::set<std::string> seen;
  const auto flip = [&](model::volta_sm& sm, model::processing_block& block, model::warp_slot warp) {
    model::register_file& file = block.register_file;
    const model::sm_sizes sizes = sm.sizes();
    const std::uint64_t general =
        file.bits() - std::uint64_t{32} * sizes.predicates * sizes.predicate_bits * sizes.warps / 4;
    const std::uint64_t of_warp = std::uint64_t{32} * sizes.predicates * sizes.predicate_bits;
    const std::uint64_t number = 1 + warp.index() % 3, lane = warp.index() % 32;
    const std::uint64_t bit = general + warp.index() / 4 * of_warp + (number * 32 + lane) * sizes.predicate_bits;
    const auto value = [&] { return sm.probe().registers_of(warp).condition(static_cast<unsigned>(number))[lane]; };
    const unsigned before = value();
    file.flip(bit);
    if (value() != (before ^ 1u)) wrong += file.text_of_bit(bit) + "\n";
    file.flip(bit);
    if (value() != before) wrong += file.text_of_bit(bit) + " again\n";
    seen.insert(file.text_of_bit(bit));
  };
  model::volta_sm* first = nullptr;
  visitor all([&](model::processing_block& block, model::warp_slot warp) { flip(*first, block, warp); });
  const std::string result = run(
      [&](model::volta_sm& sm) {
        first = &sm;
        all.visit(sm.blocks[1]);
      },
      [&](model::volta_sm&) { return wrong + std::to_string(seen.size()) + " " + *seen.begin(); });
  EXPECT_EQ(result.substr(result.find(' ')), " warp 1 $c2 lane 1 bit 0");
}

TEST(volta_injection, an_instruction_has_128_bits_and_is_decoded_again) {
  std::string wrong;
  unsigned tried = 0;
  visitor all([&](model::processing_block& block, model::warp_slot) {
    model::instruction_buffer& buffer = block.instruction_buffer;
    std::vector<tlm_bus::bit_range> ranges;
    buffer.add_occupied(ranges);
    for (const tlm_bus::bit_range& slot : ranges) {
      if (slot.count != 128 + 22) wrong += "bits of a slot: " + std::to_string(slot.count) + "\n";
      const std::uint64_t bit = slot.first + tried++ % 128;
      const std::string before = buffer.text_of_bit(bit);
      const bool value = buffer.bit(bit);
      buffer.flip(bit);
      if (buffer.bit(bit) == value) wrong += "not flipped: " + before + "\n";
      buffer.flip(bit);
      if (buffer.bit(bit) != value || buffer.text_of_bit(bit) != before) wrong += "not restored: " + before + "\n";
    }
  });
  const std::string result = run([&](model::volta_sm& sm) { all.visit(sm.blocks[2]); },
                                 [&](model::volta_sm&) { return wrong + (tried > 1000 ? "tried" : "too few"); });
  EXPECT_EQ(result, "tried");
}

TEST(volta_injection, warps_and_blocks_that_have_ended_occupy_nothing) {
  std::uint64_t most_registers = 0, most_shared = 0, most_paths = 0;
  model::volta_sm* first = nullptr;
  visitor all([&](model::processing_block& block, model::warp_slot) {
    most_registers = std::max(most_registers, occupied(block.register_file));
    most_shared = std::max(most_shared, occupied(first->shared_memory));
    most_paths = std::max(most_paths, occupied(first->simt_stack));
  });
  const std::string result = run(
      [&](model::volta_sm& sm) {
        first = &sm;
        all.visit(sm.blocks[3]);
      },
      [&](model::volta_sm& sm) {
        std::string text;
        for (const auto& [during, after] :
             {std::pair{most_registers, occupied(sm.blocks[3].register_file)},
              std::pair{most_shared, occupied(sm.shared_memory)}, std::pair{most_paths, occupied(sm.simt_stack)}})
          text += std::string(during != 0 ? "used" : "unused") + " " + std::to_string(after) + ", ";
        return text;
      });
  EXPECT_EQ(result, "used 0, used 0, unused 0, ");
}

}  // namespace
}  // namespace gt200::support
