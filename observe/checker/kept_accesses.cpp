#include "observe/checker/kept_accesses.h"

namespace gt200::observe {

void kept_accesses::keep(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at) {
  if (used_ == kept_.size()) kept_.emplace_back();
  kept& k = kept_[used_++];
  k.at = at;
  k.extension = *access.get_extension<model::memory_extension>();
  k.payload.set_command(access.get_command());
  k.payload.set_address(access.get_address());
  k.payload.set_data_length(access.get_data_length());
  k.payload.set_streaming_width(access.get_streaming_width());
  if (access.is_write()) k.data.assign(access.get_data_ptr(), access.get_data_ptr() + access.get_data_length());
  k.payload.set_data_ptr(access.is_write() ? k.data.data() : nullptr);
  const std::uint8_t* const enables = access.get_byte_enable_ptr();
  if (enables != nullptr) k.enables.assign(enables, enables + access.get_byte_enable_length());
  k.payload.set_byte_enable_ptr(enables != nullptr ? k.enables.data() : nullptr);
  k.payload.set_byte_enable_length(enables != nullptr ? access.get_byte_enable_length() : 0);
}

}  // namespace gt200::observe
