// Generic payloads with data, byte enables and an extension, recycled without allocation.
//
// Usage follows TLM-2.0 memory management. get() returns a payload with one reference, which the initiator owns.
// Every component that keeps the payload acquires and releases it. At the last release it returns to its pool.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "tlm_bus/state_image.h"
#include "tlm_bus/transaction_size.h"

namespace gt200::tlm_bus {

// One recyclable transaction with its data.
class pooled_payload : public tlm::tlm_generic_payload {
 public:
  explicit pooled_payload(tlm::tlm_mm_interface& pool);
  ~pooled_payload() override;

  // Prepares a transaction of `bytes` (1..256) at `address`; all byte enables absent, status incomplete.
  void prepare(tlm::tlm_command command, std::uint64_t address, unsigned bytes);
  // Enables byte enables and clears them all; set single ones with enables()[i] = 0xff.
  void use_byte_enables();

  // As after construction, for a reset: no data of its last use is left.
  void forget() {
    data_.fill(0);
    enables_.fill(0);
  }

  std::uint8_t* bytes() { return data_.data(); }
  std::uint8_t* enables() { return enables_.data(); }

 private:
  alignas(16) std::array<std::uint8_t, max_transaction_bytes> data_{};
  std::array<std::uint8_t, max_transaction_bytes> enables_{};
};

// The same with an extension for what its users need beyond address, data and command.
template <class Extension>
class extended_payload final : public pooled_payload {
 public:
  explicit extended_payload(tlm::tlm_mm_interface& pool) : pooled_payload(pool) {
    this->set_extension(&extension_);
  }
  // The extension is a member: the base class must not free it.
  ~extended_payload() override { this->clear_extension(&extension_); }

  Extension& extension() { return extension_; }

 private:
  Extension extension_;
};

template <class Extension>
class payload_pool : public tlm::tlm_mm_interface {
 public:
  using payload = extended_payload<Extension>;

  // Returns a payload with one reference. The extension is default-constructed; prepare() sets everything else.
  payload& get() {
    if (free_.empty()) grow();
    payload* p = free_.back();
    free_.pop_back();
    p->extension() = Extension();  // nothing may remain from the last use
    p->acquire();
    return *p;
  }
  void free(tlm::tlm_generic_payload* released) override {
    released->reset();  // removes extensions that foreign components attached with set_auto_extension()
    free_.push_back(static_cast<payload*>(released));
  }
  // A reset takes all payloads back, whoever still holds them. They are given out again in the order of a new pool.
  void visit_state(state_image& state) {
    state.at_reset([this] {
      for (const std::unique_ptr<payload>& p : all_) {
        while (p->get_ref_count() > 0) p->release();
        p->forget();
      }
      free_.clear();
      for (auto p = all_.rbegin(); p != all_.rend(); ++p) free_.push_back(p->get());
    });
  }
  // Payloads in flight; 0 if every transaction has been released.
  std::size_t outstanding() const { return all_.size() - free_.size(); }

 private:
  [[gnu::noinline]] void grow() {
    all_.push_back(std::make_unique<payload>(*this));
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }

  std::vector<std::unique_ptr<payload>> all_;
  std::vector<payload*> free_;
};

}  // namespace gt200::tlm_bus
