// What a copy over PCI Express takes on its link. Plain C++.
#pragma once

#include <cstdint>

#include "sc_models/config/host_config.h"

namespace gt200::model {

// 1 MB/s is 1 byte per microsecond.
constexpr std::uint64_t femtoseconds_per_us = 1'000'000'000;

// Of the data and of what full packets and a last one with the rest take besides.
inline std::uint64_t bytes_on_link(const config::host_config& config, std::uint64_t bytes) {
  const std::uint64_t packets = (bytes + config.pcie_packet_bytes - 1) / config.pcie_packet_bytes;
  return bytes + packets * config.pcie_packet_overhead_bytes;
}

// Femtoseconds of `bytes` at a rate in MB/s, rounded down.
inline std::uint64_t time_at_rate(std::uint64_t bytes, std::uint64_t mb_per_s) {
  return bytes / mb_per_s * femtoseconds_per_us + bytes % mb_per_s * femtoseconds_per_us / mb_per_s;
}

// Femtoseconds of a copy that has the link for itself, as long as memory keeps up: what copy_link simulates packet
// by packet, but for the way of the last one to memory.
inline std::uint64_t time_on_link(const config::host_config& config, std::uint64_t bytes) {
  return time_at_rate(bytes_on_link(config, bytes), config.pcie_mb_per_s);
}

}  // namespace gt200::model
