// Chosen words of the shared memory of block slots. They are read when an instruction stores to shared memory, and
// when a block starts.
#include <fmt/format.h>

#include <cstring>

#include "observe/trace/values/values.h"

namespace gt200::observe {
namespace {

constexpr unsigned word_bytes = 4;

class shared_words final : public tlm_bus::signal_source {
 public:
  shared_words(const model::sm_probe& sm, model::block_slot block) : sm_(sm), block_(block) {}
  // Shows the word at this address, as bits or as a number.
  void add(std::uint32_t address, const std::string& name, bool real) { words_.push_back({address, real, name}); }
  bool empty() const { return words_.empty(); }
  void publish(tlm_bus::signal_writer& to) override {
    const std::uint8_t* bytes = sm_.shared_bytes_of(block_);
    const unsigned size = sm_.shared_size_of(block_);
    for (const word& w : words_) {
      std::uint32_t value = 0;
      if (w.address + word_bytes <= size) std::memcpy(&value, bytes + w.address, word_bytes);
      if (w.real)
        to.real(w.name.c_str(), value);
      else
        to.word(w.name.c_str(), 8 * word_bytes, value);
    }
  }

 private:
  struct word {
    std::uint32_t address;
    bool real;
    std::string name;
  };
  const model::sm_probe& sm_;
  model::block_slot block_;
  std::vector<word> words_;
};

// Touches the words of the block that an instruction stores to.
class store_watch final : public probe, private model::shared_memory_observer {
 public:
  store_watch(tlm_bus::tap<model::shared_memory_observer>& memory, probe_listener& listener, unsigned blocks)
      : memory_(memory), listener_(listener), sources_(blocks, catalog::no_source) {}
  ~store_watch() override { detach(); }
  void add(model::block_slot block, std::uint32_t source) { sources_[block.index()] = source; }
  void attach() override { memory_.attach(*this); }
  void detach() override { memory_.detach(*this); }

 private:
  void performed(const sc_core::sc_object&, const model::warp_instruction& operation) override {
    if (!operation.instruction->access.stores()) return;
    const auto touch = [&](model::block_slot block, isa::lane_mask) {
      const std::uint32_t source = sources_[block.index()];
      if (source != catalog::no_source) listener_.touched(source);
    };
    if (operation.formed)
      model::for_each_block(operation.threads, operation.executed, touch);
    else
      touch(operation.block_slot, operation.executed);
  }
  tlm_bus::tap<model::shared_memory_observer>& memory_;
  probe_listener& listener_;
  std::vector<std::uint32_t> sources_;  // by block slot
};

}  // namespace

void add_shared_words(catalog& to, model::sm_if& sm) {
  const std::string memory = std::string(sm.name()) + ".shared_memory";
  if (!to.chosen(memory + ".block_").possible()) return;
  const model::sm_sizes sizes = sm.probe().sizes();
  auto watch = std::make_unique<store_watch>(sm.probe().shared_memory_tap().tap, to.listener(), sizes.blocks);
  bool watches = false;
  for (unsigned b = 0; b < sizes.blocks; ++b) {
    const model::block_slot block(b);
    const std::string path = fmt::format("{}.block_{}", memory, b);
    const partial_match patterns = to.chosen(path + ".");
    auto words = std::make_unique<shared_words>(sm.probe(), block);
    for (std::uint32_t address = 0; address < sizes.shared_bytes && patterns.possible(); address += word_bytes)
      for (const bool real : {false, true}) {
        const std::string name = fmt::format("{}_{:#06x}", real ? "float" : "word", address);
        if (patterns.matches(name)) words->add(address, name, real);
      }
    if (words->empty()) continue;
    watch->add(block, to.add_values(path, std::move(words), starter_of(to, sm.probe().shared_memory_tap().module)));
    watches = true;
  }
  if (watches) to.add_watch(std::move(watch));
}

}  // namespace gt200::observe
