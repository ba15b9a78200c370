#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/support/scratch_folder.h"
#include "cuda/protocol/commands.h"
#include "cuda/protocol/message.h"
#include "observe/trace/log_format.h"
#include "testbenches/fuzz/seeds.h"
#include "toolchain/cubin/load.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/npy.h"

namespace gt200::fuzz {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// The folders of a traced run, a sweep and a campaign by the program, made once.
class made_folders {
 public:
  explicit made_folders(const std::string& program) {
    const std::string kernel = std::string(GT200_SOURCE_DIR) + "/kernels/vector_add --config gt200_small ";
    run(program + " run " + kernel +
        "--param N=32 --trace --wave-scope 'gt200.tpc_0.sm_0.*' --wave-window 0:900 --out " + folder_.path() +
        "/run");
    run(program + " sweep " + kernel + "--param N=32,64 --no-cache --where 'N > 0' --out " + folder_.path() +
        "/sweep");
    run("GT200_RESULT_CACHE=" + folder_.path() + "/cache " + program + " campaign " + kernel +
        "--param N=32 --count 4 --batch 2 --out " + folder_.path() + "/campaign");
  }

  std::string content(const std::string& name) const { return cubin::read_file(folder_.path() + "/" + name); }
  // The same file of any one point.
  std::string of_a_point(const std::string& folder, const std::string& name) const {
    return cubin::read_file(fs::directory_iterator(folder_.path() + "/" + folder + "/points")->path().string() +
                            "/" + name);
  }

 private:
  static void run(const std::string& command) {
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error(command + " failed");
  }
  apps::scratch_folder folder_{""};
};

const made_folders& made(const std::string& program) {
  static const made_folders once(program);
  return once;
}

// The chunks of a log without their heads, as trace_log() takes them.
std::string chunks_of(const std::string& log) {
  std::string result;
  observe::chunk_header head;
  for (std::size_t at = 0; at + sizeof head <= log.size(); at += head.bytes) {
    std::memcpy(&head, log.data() + at, sizeof head);
    at += sizeof head;
    result.append(reinterpret_cast<const char*>(&head.bytes), sizeof head.bytes);
    result.append(log, at, head.bytes);
  }
  return result;
}

// The same figures of fewer instructions, counters and modules: what is left is more often changed.
json shortened(const json& whole) {
  constexpr std::size_t most = 3, large = 40;
  if (!whole.is_structured()) return whole;
  json result = whole.is_array() ? json::array() : json::object();
  const std::size_t left = whole.is_array() || whole.size() > large ? most : whole.size();
  for (const auto& [name, value] : whole.items()) {
    if (result.size() == left) break;
    if (whole.is_array())
      result.push_back(shortened(value));
    else
      result[name] = shortened(value);
  }
  return result;
}

class messages {
 public:
  explicit messages(char chip) : text_(1, chip) {}
  messages& add(cudart::command kind, const cudart::message_writer& content) {
    cudart::message_writer whole;
    whole.put(cudart::call_context());
    std::vector<std::uint8_t> bytes = whole.content();
    bytes.insert(bytes.end(), content.content().begin(), content.content().end());
    const auto size = static_cast<std::uint16_t>(bytes.size());
    text_ += {static_cast<char>(kind), '\0', static_cast<char>(size & 0xff), static_cast<char>(size >> 8)};
    text_.append(bytes.begin(), bytes.end());
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr const char* kernel =
    ".version 2.3\n.target sm_10\n.const .u32 c[4];\n.global .u32 v[4];\n.tex .u32 t;\n"
    ".entry k(.param .u32 p)\n{ .reg .u32 %r<4>;\nld.param.u32 %r1, [p];\nst.global.u32 [%r1], %r1;\nexit;\n}\n";

std::string session(char chip, std::uint32_t channels = 1) {
  using cudart::command;
  using cudart::message_writer;
  // Behind the memory of the driver and the variable of the module.
  constexpr std::uint64_t first = launch::first_device_address + 0x10000 + launch::allocation_alignment;
  const std::uint32_t module = 0;
  const cudart::memory_rows rows{first, 8, 4, 2};
  cudart::texture_description texture = {};
  texture.memory = cudart::texture_memory::linear;
  texture.channels = channels;
  texture.channel_bits = 32;
  texture.address = first;
  texture.bytes = 64;
  const cudart::array_box box{{0, 0, 0}, {8, 2, 1}};
  messages all(chip);
  all.add(command::describe, {})
      .add(command::load_module, message_writer().put(cudart::image_options{16}).text(kernel))
      .add(command::allocate, message_writer().put<std::uint64_t>(256))
      .add(command::write, message_writer().put(rows).text("abcdefgh"))
      .add(command::read, message_writer().put(rows))
      .add(command::copy, message_writer().put(rows).put<std::uint64_t>(first + 64).put<std::uint64_t>(4))
      .add(command::fill, message_writer().put(rows).put<std::uint32_t>(7).put<std::uint32_t>(2))
      .add(command::hold, message_writer().put(rows))
      .add(command::write_symbol, message_writer().put(module).text("c").put<std::uint64_t>(4).text("abcd"))
      .add(command::read_symbol, message_writer().put(module).text("c").put<std::uint64_t>(0).put<std::uint64_t>(8))
      .add(command::symbol_address, message_writer().put(module).text("v"))
      .add(command::allocate_array, message_writer().put(cudart::array_description{{8, 8, 0}, channels, 32}))
      .add(command::write_array, message_writer().put<std::uint64_t>(1).put(box).text("abcdefghabcdefgh"))
      .add(command::read_array, message_writer().put<std::uint64_t>(1).put(box))
      .add(command::bind_texture, message_writer().put(module).text("t").put(texture))
      .add(command::make_texture, message_writer().put(texture))
      .add(command::drop_texture, message_writer().put<std::uint64_t>(1))
      .add(command::occupancy, message_writer().put(module).text("k").put<std::uint32_t>(64).put<std::uint64_t>(16))
      .add(command::limit, message_writer().put(cudart::limit_kind::printf_bytes))
      .add(command::set_limit, message_writer().put(cudart::limit_kind::heap_bytes).put<std::uint64_t>(4096))
      .add(command::launch, message_writer()
                                .put(module)
                                .text("k")
                                .put(cudart::launch_description{{2, 1, 1}, {32, 1, 1}, 0, 0})
                                .text(std::string("\0\1\x11\0", 4)))
      .add(command::wait, {})
      .add(command::time, {})
      .add(command::hold_back, message_writer().put<std::uint64_t>(1000))
      .add(command::memory, {})
      .add(command::printed, {})
      .add(command::release_array, message_writer().put<std::uint64_t>(1))
      .add(command::release, message_writer().put(first));
  return all.text();
}

}  // namespace

std::vector<seed> npy_seeds() {
  const std::string elements(64, 'e');
  std::vector<seed> result;
  for (const auto type : {launch::element_type::u8, launch::element_type::s16, launch::element_type::f64}) {
    const std::uint64_t count = elements.size() / launch::size_of(type);
    result.push_back({"type_" + std::to_string(static_cast<int>(type)),
                      launch::to_npy(type, reinterpret_cast<const std::uint8_t*>(elements.data()), count)});
  }
  result.push_back({"later", std::string("\x93NUMPY\x03\0\x40\0\0\0", 12) +
                                 "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }    \n" + "abcdefgh"});
  return result;
}

std::vector<seed> study_seeds() {
  const std::string kernels = "kernels = [\"" + std::string(GT200_SOURCE_DIR) + "/kernels/vector_add\"]\n";
  return {
      {"ranges",
       kernels +
           "out = \"o\"\ncounters = [\"tpc.sm.icache.misses\"]\nconstraints = [\"N * 2 < 200 || N % 3 == 1\"]\n"
           "keep = [\"figures\"]\n[axes]\ntpc.sm.scheduler.policy = [\"lrr\", \"gto\"]\n"
           "tpc.sm.scoreboard.entries_per_warp = \"1..8\"\nclocks.shader_mhz = { from = 1000, to = 1400, "
           "step = 100 }\n[parameters]\nN = { from = 4, to = 64, factor = 2 }\n"},
      {"sample",
       kernels +
           "configs = [\"gt200_small\", \"gtx480\"]\n[parameters]\nN = { from = 1, to = 9.5, count = 4 }\n"
           "[sampling]\nmethod = \"sobol\"\npoints = 5\nseed = 3\n[replicates]\nseeds = 2\njitter = 2\n"
           "[baseline]\nN = 1\n[options]\ncheck = true\nmax_cycles = 100\n[engine]\nname = \"local\"\njobs = 2\n"}};
}

std::vector<seed> statistics_seeds(const std::string& program) {
  const std::string whole = made(program).content("run/stats.json");
  return {{"run", whole}, {"short", shortened(json::parse(whole)).dump()}};
}

std::vector<seed> trace_log_seeds(const std::string& program) {
  return {{"run", chunks_of(made(program).content("run/trace.log"))}};
}

std::vector<seed> rtl_description_seeds() {
  std::vector<seed> result = {
      {"all_keys",
       "sources = [\"block.sv\"]\nmodule = \"m\"\npins = \"pins.h\"\nclass = \"a::b\"\narguments = [\"warps\", 3]\n"
       "include = [\".\"]\nflags = [\"-DX\"]\nsystemc = true\n[parameters]\nN = \"entries * 2 + 1\"\nM = 4\n"}};
  for (const auto& entry : fs::recursive_directory_iterator(std::string(GT200_SOURCE_DIR) + "/rtl_ref"))
    if (entry.path().extension() == ".toml")
      result.push_back({entry.path().stem().string(), cubin::read_file(entry.path().string())});
  return result;
}

std::vector<seed> study_state_seeds(const std::string& program) {
  const made_folders& in = made(program);
  const std::string end(1, '\0');
  return {{"sweep", "s" + in.content("sweep/study.json") + end + in.content("sweep/sweep.json")},
          {"ending", "e" + in.of_a_point("sweep", "ending.json") + end + in.of_a_point("sweep", "figures.json")},
          {"campaign", "c" + in.content("campaign/plan.json") + end + in.content("campaign/golden.bin")},
          {"figures", "f" + in.of_a_point("sweep", "figures.json")},
          {"results", "r" + in.of_a_point("campaign", "results.json")},
          {"messages", std::string("\6\0\0\0a\0bc\0d\1\0\0\0\0", 15)}};
}

std::vector<seed> worker_message_seeds() {
  return {{"tesla", session('\0')},
          {"fermi", session('\1')},
          {"volta", session('\2')},
          {"no_texels", session('\0', 0)}};
}

}  // namespace gt200::fuzz
