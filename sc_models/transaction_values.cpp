#include "sc_models/transaction_values.h"

#include <algorithm>
#include <cstring>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/numbered_names.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

transaction_values transaction_values::of(const tlm::tlm_generic_payload* payload) {
  transaction_values values;
  if (payload == nullptr) return values;
  if (const memory_extension* extension = extension_of(*payload)) values.id = extension->transaction_id;
  values.address = payload->get_address();
  values.bytes = std::min(payload->get_data_length(), tlm_bus::max_transaction_bytes);
  values.write = payload->is_write();
  if (!values.write && !payload->is_response_ok()) return values;
  const unsigned char* bytes = payload->get_data_ptr();
  const unsigned char* enables = payload->get_byte_enable_ptr();
  const unsigned enable_length = payload->get_byte_enable_length();
  std::array<std::uint8_t, tlm_bus::max_transaction_bytes> enabled{};
  for (unsigned i = 0; i < values.bytes; ++i) {
    if (enables != nullptr && enables[i % enable_length] == TLM_BYTE_DISABLED) continue;
    enabled[i] = bytes[i];
    values.enabled[i / 64] |= std::uint64_t{1} << i % 64;
  }
  std::memcpy(values.data.data(), enabled.data(), enabled.size());
  return values;
}

void show_values(tlm_bus::signal_writer& to, const transaction_values& values) {
  static const tlm_bus::numbered_names word("word_", transaction_values::words);
  static const tlm_bus::numbered_names number("float_", transaction_values::words);
  static const tlm_bus::numbered_names enabled("enabled_", transaction_values::words / 16);
  to.identifier("id", values.id);
  to.word("address", traced_address_bits, values.address);
  to.number("bytes", 16, values.bytes);
  to.flag("write", values.write);
  for (unsigned i = 0; i < transaction_values::words; ++i) to.word(word[i], 32, values.data[i]);
  for (unsigned i = 0; i < transaction_values::words; ++i) to.real(number[i], values.data[i]);
  for (unsigned i = 0; i < values.enabled.size(); ++i) to.mask(enabled[i], 64, values.enabled[i]);
}

}  // namespace gt200::model
