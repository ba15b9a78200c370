// Generic payloads with data, byte enables and extension, recycled without allocation.
//
// Usage follows TLM-2.0 memory management: get() returns a payload with one reference, owned by the initiator;
// every component that keeps it acquires and releases; at the last release it returns to its pool.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "tlm_bus/memory_extension.h"
#include "tlm_bus/transaction_size.h"

namespace gt200::tlm_bus {

class payload_pool;

// One recyclable transaction.
class memory_payload : public tlm::tlm_generic_payload {
 public:
  explicit memory_payload(tlm::tlm_mm_interface& pool);
  ~memory_payload() override;

  // Prepares a transaction of `bytes` (1..256) at `address`; all byte enables absent, status incomplete.
  void prepare(tlm::tlm_command command, std::uint64_t address, unsigned bytes);
  // Switches byte enables on and clears them all; set single ones with enables()[i] = 0xff.
  void use_byte_enables();

  std::uint8_t* bytes() { return data_.data(); }
  std::uint8_t* enables() { return enables_.data(); }
  memory_extension& extension() { return extension_; }

 private:
  alignas(16) std::array<std::uint8_t, max_transaction_bytes> data_{};
  std::array<std::uint8_t, max_transaction_bytes> enables_{};
  memory_extension extension_;
};

class payload_pool : public tlm::tlm_mm_interface {
 public:
  payload_pool() = default;
  ~payload_pool() override;

  // One reference; the extension is as new, everything else is set by prepare().
  memory_payload& get();
  void free(tlm::tlm_generic_payload* payload) override;
  // Payloads in flight; 0 when every transaction has been released.
  std::size_t outstanding() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<memory_payload>> all_;
  std::vector<memory_payload*> free_;
};

// The extension of a payload, or null.
inline memory_extension* extension_of(tlm::tlm_generic_payload& payload) {
  memory_extension* extension = nullptr;
  payload.get_extension(extension);
  return extension;
}

}  // namespace gt200::tlm_bus
