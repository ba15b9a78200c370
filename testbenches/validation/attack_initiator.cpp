// An initiator that breaks the rules at the socket of a chip: payloads without data, lengths, byte enables and
// widths that do not fit, any address and command, phases out of turn, random values in all registers, launches of
// random code. Arguments: first seed, number of seeds. Each seed is a simulation in a process of its own, which
// must end within two minutes, by itself, and without a defect of the simulator. The result goes to standard
// output, a line per kind of end.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "testbenches/support/own_process.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

constexpr unsigned accesses = 400;
constexpr unsigned seconds = 120;

// Payloads stay: the other side may keep what it should have released.
class keeper final : public tlm::tlm_mm_interface {
  void free(tlm::tlm_generic_payload*) override {}
};

class attacker final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<32> socket{"socket"};

  attacker(const sc_core::sc_module_name& name, unsigned seed) : sc_module(name), random_(seed) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = attacker;
    SC_THREAD(run);
  }

  std::map<std::string, unsigned> answers;

 private:
  struct access {
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data, enables;
  };

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  // What ends the simulation, so that it must be seldom.
  bool seldom() { return below(300) == 0; }
  template <std::size_t N>
  std::uint64_t one_of(const std::array<std::uint64_t, N>& values) {
    return values[below(N)];
  }

  std::uint64_t address() {
    namespace r = model::registers;
    switch (below(5)) {
      case 0: return r::window_base + below(r::window_bytes + 8);
      case 1: return r::aperture + below(1 << 26);
      case 2: return random_();
      case 3: return one_of<4>({r::aperture - 1, r::aperture, ~std::uint64_t{0}, r::window_base - 4});
      default: return below(0x1000) * (below(8) == 0 ? 1 : 4);
    }
  }

  access& next() {
    access& a = all_.emplace_back();
    const auto bytes = static_cast<unsigned>(one_of<9>({0, 1, 3, 4, 4, 4, 8, 4096, 1 << 20}));
    a.data.resize(std::max(bytes, 1u));
    for (std::uint8_t& b : a.data) b = static_cast<std::uint8_t>(below(4) == 0 ? random_() : below(3));
    tlm::tlm_generic_payload& p = a.payload;
    if (!seldom()) {
      p.set_mm(&keeper_);
      p.acquire();
    }
    p.set_command(static_cast<tlm::tlm_command>(below(20) == 0 ? below(9) : below(2)));
    p.set_address(address());
    p.set_data_length(bytes);
    p.set_data_ptr(below(20) == 0 ? nullptr : a.data.data());
    p.set_streaming_width(below(8) == 0 ? static_cast<unsigned>(one_of<4>({0, 1, 3, 0xffffffff})) : bytes);
    if (below(5) == 0) {
      a.enables.resize(1 + below(9));
      for (std::uint8_t& b : a.enables) b = below(2) == 0 ? 0 : 0xff;
      p.set_byte_enable_ptr(a.enables.data());
      p.set_byte_enable_length(below(6) == 0 ? 0 : static_cast<unsigned>(a.enables.size()));
    }
    p.set_dmi_allowed(below(4) == 0);
    p.set_response_status(below(4) == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_INCOMPLETE_RESPONSE);
    return a;
  }

  void send(access& a) {
    sc_core::sc_time delay(static_cast<double>(below(50)), sc_core::SC_NS);
    switch (below(8)) {
      case 0: {
        tlm::tlm_dmi region;
        const bool given = socket->get_direct_mem_ptr(a.payload, region);
        ++answers[given ? "direct memory" : "no direct memory"];
        return;
      }
      case 1: {
        const unsigned moved = socket->transport_dbg(a.payload);
        if (moved > a.payload.get_data_length()) ++answers["DEFECT: more debug bytes than asked for"];
        ++answers[moved == 0 ? "debug: nothing" : "debug: bytes"];
        return;
      }
      case 2:
      case 3: {
        if ((is_requesting_ || !a.payload.has_mm()) && !seldom()) return;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        if (seldom()) phase = static_cast<unsigned>(below(7));
        is_requesting_ = true;
        const tlm::tlm_sync_enum answer = socket->nb_transport_fw(a.payload, phase, delay);
        if (answer != tlm::TLM_ACCEPTED) is_requesting_ = false;
        ++answers[answer == tlm::TLM_ACCEPTED ? "non-blocking: accepted" : "non-blocking: answered"];
        return;
      }
      default:
        socket->b_transport(a.payload, delay);
        ++answers[a.payload.get_response_string()];
        if (a.payload.is_dmi_allowed()) ++answers["DEFECT: direct memory is promised"];
    }
  }

  void run() {
    for (unsigned k = 0; k < accesses; ++k) {
      send(next());
      if (below(3) == 0) wait(sc_core::sc_time(static_cast<double>(1 + below(2000)), sc_core::SC_NS));
    }
    wait(sc_core::sc_time(20, sc_core::SC_US));
    sc_core::sc_stop();
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    is_requesting_ = false;
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++answers["non-blocking: response"];
    if (seldom()) return tlm::TLM_ACCEPTED;  // and never END_RESP
    phase = tlm::END_RESP;
    return below(2) == 0 ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::mt19937_64 random_;
  keeper keeper_;
  bool is_requesting_ = false;  // between BEGIN_REQ and END_REQ
  std::deque<access> all_;
};

// Lines "KIND\tNUMBER\n".
std::string simulate(unsigned seed) {
  alarm(seconds);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  static const std::array<const char*, 3> chips = {"gt200_small", "gtx480", "v100_small"};
  const config::gpu_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/" + chips[seed % chips.size()] + ".toml").values;
  model::chip chip("gt200", config, {}, model::chip_host::platform);
  attacker foreign("attacker", seed);
  sc_core::sc_signal<bool> line("line");
  foreign.socket.bind(chip.command_processor.host);
  chip.command_processor.interrupt_line.bind(line);
  std::string end = "runs to its end";
  try {
    sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    end = std::string("refused: ") + report.get_msg();
  } catch (const input_error& error) {
    end = std::string("refused: ") + error.what();
  }
  std::string lines = "run: " + end + "\t1\n";
  for (const auto& [answer, count] : foreign.answers) lines += fmt::format("access: {}\t{}\n", answer, count);
  return lines;
}

// Numbers in reports differ from run to run.
std::string without_numbers(std::string text) {
  std::string result;
  for (const char c : text)
    if (c < '0' || c > '9')
      result += c;
    else if (result.empty() || result.back() != '#')
      result += '#';
  return result;
}

int run(unsigned first, unsigned seeds) {
  std::map<std::string, std::uint64_t> ends;
  std::uint64_t defects = 0;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    const std::string lines = support::in_own_process([&] { return simulate(seed); });
    if (lines.rfind("error: ", 0) == 0) {
      ++defects;
      std::cout << fmt::format("DEFECT: seed {}: {}\n", seed, lines);
      continue;
    }
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t tab = lines.find('\t', at), end = lines.find('\n', tab);
      const std::string kind = without_numbers(lines.substr(at, tab - at));
      ends[kind] += std::strtoull(lines.c_str() + tab + 1, nullptr, 10);
      at = end + 1;
    }
  }
  for (const auto& [kind, count] : ends) {
    std::cout << fmt::format("{}\t{}\n", kind, count);
    if (kind.find("DEFECT") != std::string::npos) ++defects;
  }
  return defects == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gt200

int sc_main(int count, char** words) {
  const auto number = [&](int k, unsigned otherwise) {
    return count > k ? static_cast<unsigned>(std::strtoul(words[k], nullptr, 10)) : otherwise;
  };
  return gt200::run(number(1, 1), number(2, 100));
}
