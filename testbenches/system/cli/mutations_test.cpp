// For any mistake in a configuration or a launch description, the program prints one line with file, line and
// reason, and runs nothing. One mutation per row, applied to the file of a preset or of a kernel.
#include <algorithm>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

struct mutation {
  const char* before;  // its first occurrence in the file is replaced
  const char* after;
  const char* message;  // start of the line, after the folder; @: the mutated line, $: the folder
};
void PrintTo(const mutation& m, std::ostream* out) { *out << m.before << " -> " << m.after; }

// Mutations of configs/gt200.toml.
const mutation configurations[] = {
    {"tpcs = 10", "tpcs = 0", "m.toml:@: chip.tpcs: '0' is out of range"},
    {"tpcs = 10", "tpcs = 63", "m.toml:@: chip.tpcs: '63' is out of range"},
    {"tpcs = 10", "tpcs = -1", "m.toml:@: chip.tpcs: '-1' is out of range"},
    {"tpcs = 10", "tpcs = 10.5", "m.toml:@: chip.tpcs: '10.5' is not allowed"},
    {"tpcs = 10", "tpcs = ten", "m.toml:@: Error while parsing"},
    {"tpcs = 10", "tpcs = \"ten\"", "m.toml:@: chip.tpcs: 'ten' is not a number"},
    {"tpcs = 10", "tpcs = [10]", "m.toml:@: chip.tpcs: 'an array' is not allowed"},
    {"tpcs = 10", "tpcs = 99999999999999999999", "m.toml:@: Error while parsing"},
    {"tpcs = 10", "tpc = 10", "m.toml:@: unknown key 'chip.tpc'; did you mean 'chip.tpcs'?"},
    {"tpcs = 10", "tpcs = 10, 11", "m.toml:@: Error while parsing"},
    {"tpcs = 10", "tpcs = true", "m.toml:@: chip.tpcs: 'true' is not allowed"},
    {"tpcs = 10", "", "m.toml: missing key 'chip.tpcs'"},
    {"[clocks]", "[clock]",
     "m.toml:@: unknown group 'clock'; did you mean 'tpc.sm.rtl.clock' or the group 'clocks'?"},
    {"[clocks]", "[clocks", "m.toml:@: Error while parsing"},
    {"[clocks]", "[chip]", "m.toml:@: Error while parsing"},
    {"shader_mhz = 1296.0", "shader_mhz = 0.0", "m.toml:@: clocks.shader_mhz: '0.0' is out of range"},
    {"shader_mhz = 1296.0", "shader_mhz = -5.0", "m.toml:@: clocks.shader_mhz: '-5.0' is out of range"},
    {"shader_mhz = 1296.0", "shader_mhz = nan", "m.toml:@: clocks.shader_mhz: 'nan' is out of range"},
    {"shader_mhz = 1296.0", "shader_mhz = inf", "m.toml:@: clocks.shader_mhz: 'inf' is out of range"},
    {"shader_mhz = 1296.0", "shader_mhz = \"1296 MB\"",
     "m.toml:@: clocks.shader_mhz: '1296 MB' has an unknown unit"},
    {"shader_mhz = 1296.0", "shader_mhz = \"fast\"", "m.toml:@: clocks.shader_mhz: 'fast' is not a number"},
    {"uncore_tied_to_core = false", "uncore_tied_to_core = 0",
     "m.toml:@: clocks.uncore_tied_to_core: '0' is not allowed"},
    {"uncore_tied_to_core = false", "uncore_tied_to_core = \"no\"",
     "m.toml:@: clocks.uncore_tied_to_core: 'no' is not allowed"},
    {"compute_capability = \"1.3\"", "compute_capability = \"2.2\"",
     "m.toml:@: chip.compute_capability: '2.2' is not allowed"},
    {"order = \"tpc_first\"", "order = \"tpcs_first\"",
     "m.toml:@: distribution.order: 'tpcs_first' is not allowed"},
    {"order = \"tpc_first\"", "order = \"\"", "m.toml:@: distribution.order: '' is not allowed"},
    {"order = \"tpc_first\"", "order = tpc_first", "m.toml:@: Error while parsing"},
    {"threads_per_block = 512", "threads_per_block = 2048",
     "m.toml:@: contradiction: a block must fit into an SM: tpc.sm.limits.threads_per_block = "},
    {"threads = 1024", "threads = 2048",
     "m.toml:@: contradiction: threads need warps of 32: tpc.sm.limits.threads = 2048"},
    {"warps = 32", "warps = 65", "m.toml:@: tpc.sm.limits.warps: '65' is out of range"},
    {"registers = 16384", "registers = 16385",
     "m.toml:@: tpc.sm.limits.registers: '16385' is not a multiple of 256"},
    {"registers = 16384", "registers = 0x", "m.toml:@: Error while parsing"},
    {"register_granule = 512", "register_granule = 0",
     "m.toml:@: tpc.sm.limits.register_granule: '0' is out of range"},
    {"shared_bytes = 16384", "shared_bytes = \"16 KB\"",
     "m.toml:@: tpc.sm.limits.shared_bytes: '16 KB' has an unknown unit"},
    {"shared_bytes = 16384", "shared_bytes = \"16.0001 KiB\"",
     "m.toml:@: tpc.sm.limits.shared_bytes: '16.0001 KiB' is not a whole number"},
    {"policy = \"lrr\"", "policy = \"lru\"", "m.toml:@: tpc.sm.fetch.policy: 'lru' is not allowed"},
    {"granule_bytes = 64", "granule_bytes = 65",
     "m.toml:@: tpc.sm.fetch.granule_bytes: '65' is not a power of two"},
    {"line_bytes = 256", "line_bytes = 250", "m.toml:@: tpc.sm.icache.line_bytes: '250' is not a power of two"},
    {"bytes = 4096", "bytes = \"4 KiB", "m.toml:@: Error while parsing"},
    {"bytes = 4096", "bytes = { value = 4096 }", "m.toml:@: 'tpc.sm.icache.bytes' is a key, not a group of keys"},
    {"bytes = 4096", "bytes = 5152", "m.toml:@: contradiction: a cache holds a whole number of sets"},
    {"mechanism = \"coon\"", "mechanism = \"Coon\"",
     "m.toml:@: tpc.sm.scoreboard.mechanism: 'Coon' is not allowed"},
    {"mechanism = \"coon\"", "mechanism = 1", "m.toml:@: tpc.sm.scoreboard.mechanism: '1' is not allowed"},
    {"entries_per_warp = 2", "entries_per_warp = 1000000",
     "m.toml:@: tpc.sm.instruction_buffer.entries_per_warp: '1000000' is out of range"},
    {"[tpc.sm.icache]", "[tpc.sm.i_cache]",
     "m.toml:@: unknown group 'tpc.sm.i_cache'; did you mean the group 'tpc.sm.icache'?"},
    {"latency_cycles = 24", "latency_cycles = \"24 core cycles\"",
     "m.toml:@: tpc.sm.sp.latency_cycles: '24 core cycles' has the wrong unit"},
    {"latency_cycles = 24", "latency_cycles = 25",
     "m.toml:@: tpc.sm.sp.latency_cycles: '25' is not a multiple of 2"},
    {"[tpc.sm.sp]", "[[tpc.sm.sp]]", "m.toml:@: 'tpc.sm.sp' is a group of keys, not a key"},
    {"[host]", "base = \"nowhere.toml\"\n[host]", "m.toml:@: unknown key 'clocks.base'"},
    {"[host]", "\x01[host]", "m.toml:@: Error while parsing"},
    {"partitions = 8", "partitions = 8 # \xff", "m.toml:@: Encountered invalid utf-8 sequence"},
};

// Mutations of kernels/vector_add/launch.toml.
const mutation launches[] = {
    {"schema = 1", "schema = 2", "launch.toml:2: 'schema' is 2"},
    {"schema = 1", "schem = 1",
     "launch.toml:2: unknown key 'schem' in the launch description; did you mean 'schema'?"},
    {"schema = 1", "", "launch.toml:1: the launch description has no 'schema'"},
    {"source = \"vector_add.s\"", "source = \"vector.s\"", "vector.s: cannot open the file"},
    {"source = \"vector_add.s\"", "source = 3", "launch.toml:3: 'source' must be a string"},
    {"source = \"vector_add.s\"", "", "launch.toml:1: the launch description has no 'source'"},
    {"source = \"vector_add.s\"", "source = \"launch.toml\"",
     "launch.toml: no program: neither a cubin (text or ELF), nor a listing (SASS or hex), nor assembly source"},
    {"seed = 12345", "seed = -1", "launch.toml:4: 'seed' is -1"},
    {"seed = 12345", "seed = 99999999999999999999", "launch.toml:4: Error while parsing"},
    {"N = 65536", "N = 0", "launch.toml:12: 'count' is 0"},
    {"N = 65536", "N = -1", "launch.toml:12: 'count' is -1"},
    {"N = 65536", "N = 1.5", "launch.toml:7: parameter 'N' must be an integer"},
    {"N = 65536", "N = 1099511627776", "launch.toml:12: 'count' is 1099511627776"},
    {"N = 65536", "M = 65536", "launch.toml:12: 'count' in \"N\": there is no parameter 'N'"},
    {"[parameters]", "[parameter]",
     "launch.toml:6: unknown key 'parameter' in the launch description; did you mean 'parameters'?"},
    {"name = \"B\"", "name = \"A\"", "launch.toml:17: 'name' 'A' is given twice"},
    {"name = \"B\"", "name = \"\"", "launch.toml:17: 'name' must not be empty"},
    {"name = \"B\"", "", "launch.toml:16: [[buffer]] has no 'name'"},
    {"type = \"f32\"", "type = \"float\"", "launch.toml:11: 'type' is 'float'"},
    {"count = \"N\"", "count = \"N +\"", "launch.toml:12: 'count' in \"N +\": a value is missing"},
    {"count = \"N\"", "count = \"N / 0\"", "launch.toml:12: 'count' in \"N / 0\": division by zero"},
    {"count = \"N\"", "count = \"(N\"", "launch.toml:12: 'count' in \"(N\": ')' is missing"},
    {"count = \"N\"", "count = [1]", "launch.toml:12: 'count' must be an integer or an expression in a string"},
    {"init = \"random\"", "init = \"noise\"", "launch.toml:13: 'init' is 'noise'"},
    {"init = \"zeros\"", "file = \"no.bin\"", "launch.toml:23: $no.bin: cannot open the file"},
    {"init = \"zeros\"", "generator = \"nobody\"", "launch.toml:23: there is no generator 'nobody'"},
    {"init = \"random\"", "init = \"random\"\nvalues = [1]",
     "launch.toml:9: buffer 'A' needs exactly one of init, values, file, generator"},
    {"random_group = \"operands\"", "random_grup = \"operands\"",
     "launch.toml:14: unknown key 'random_grup' in [[buffer]]; did you mean 'random_group'?"},
    {"launch = \"VecAdd\"", "launch = \"VecSub\"",
     "launch.toml:29: $vector_add.s has no kernel 'VecSub'; did you mean 'VecAdd'?"},
    {"grid = [\"(N + 255) / 256\"]", "grid = [0]", "launch.toml:31: 'grid' has 0"},
    {"grid = [\"(N + 255) / 256\"]", "grid = [65536]", "launch.toml:31: 'grid' has 65536"},
    {"grid = [\"(N + 255) / 256\"]", "grid = [1, 1, 1, 1]", "launch.toml:31: 'grid' must have 1 to 3 elements"},
    {"grid = [\"(N + 255) / 256\"]", "grid = [1, 1, 2]", "launch.toml:29: grids have two dimensions, grid.z is 2"},
    {"block = [256]", "block = [513]", "launch.toml:29: the block has 513 threads, at most 512 are possible"},
    {"block = [256]", "block = []", "launch.toml:32: 'block' must have 1 to 3 elements"},
    {"arguments = [\"A\"", "arguments = [\"D\"",
     "launch.toml:33: 'arguments' names the unknown buffer 'D'; did you mean 'A'?"},
    {"arguments = [\"A\", ", "arguments = [",
     "launch.toml:29: kernel 'VecAdd' has 4 parameters, 3 arguments are given"},
    {"{ type = \"s32\", value = \"N\" }", "{ type = \"s8\", value = \"N\" }",
     "launch.toml:33: 'value': 65536 does not fit the type s8"},
    {"{ type = \"s32\", value = \"N\" }", "{ type = \"s32\" }", "launch.toml:33: an argument has no 'value'"},
    {"reference = \"vector_add\"", "reference = \"vector_sub\"",
     "launch.toml:35: there is no reference 'vector_sub'; did you mean 'vector_add'?"},
    {"crc32 = \"f12868ad\"", "crc32 = \"f12868a\"",
     "launch.toml:41: 'crc32' must be a string of 8 hexadecimal digits"},
    {"when = { N = 65536", "when = { M = 65536",
     "launch.toml:42: 'when' names the unknown parameter 'M'; did you mean 'N'?"},
    {"[[step]]", "[[stp]]", "launch.toml:29: unknown key 'stp' in the launch description; did you mean 'step'?"},
    {"[[step]]", "[[step]", "launch.toml:29: Error while parsing"},
};

class mutations : public cli_test {
 protected:
  // Runs the command with the mutation of `original` in the file k/`name`.
  void expect_refusal(const arguments& command, const std::string& name, const std::string& original,
                      const mutation& m) const {
    SCOPED_TRACE(testing::PrintToString(m));
    const std::size_t at = original.find(m.before);
    ASSERT_NE(at, std::string::npos) << "does not occur";
    file("k/" + name, std::string(original).replace(at, std::string(m.before).size(), m.after));
    const outcome result = gt200_run(command);
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(is_one_clear_line(result.err));
    std::string begin = "gt200: " + path("k") + "/" + m.message;
    if (const std::size_t folder = begin.find('$'); folder != std::string::npos)
      begin.replace(folder, 1, path("k") + "/");
    const auto line = 1 + std::count(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    if (const std::size_t number = begin.find(":@:"); number != std::string::npos)
      begin.replace(number + 1, 1, std::to_string(line));
    EXPECT_EQ(result.err.substr(0, begin.size()), begin);
    EXPECT_EQ(result.out, "");
  }
};

TEST_F(mutations, of_a_configuration_give_one_line_each) {
  const std::string original = content_of(source_path("configs/gt200.toml"));
  for (const mutation& m : configurations)
    expect_refusal({"config", "check", path("k/m.toml")}, "m.toml", original, m);
}

TEST_F(mutations, of_a_launch_description_give_one_line_each) {
  const std::string original = content_of(source_path("kernels/vector_add/launch.toml"));
  file("k/vector_add.s", content_of(source_path("kernels/vector_add/vector_add.s")));
  for (const mutation& m : launches) expect_refusal({"launch", "check", path("k")}, "launch.toml", original, m);
}

}  // namespace
}  // namespace gt200::cli
