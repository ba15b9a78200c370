// What has no effect changes nothing: for every value of every choice and flag, a kernel takes the same cycles,
// with the same counters, when all quantities that have no effect then have their least or their largest values.
#include <nlohmann/json.hpp>

#include "sc_models/config/load.h"
#include "testbenches/system/cli/program.h"
#include "testbenches/system/keys/probes.h"
#include "testbenches/unit/config/extremes.h"

namespace gt200::keys {
namespace {

using config::test::settings;

class quantities_without_effect : public cli::cli_test, public testing::WithParamInterface<const char*> {
 protected:
  // The figures of a run without what names its configuration and host; the error of one that is refused.
  std::string figures(const std::string& probe, const settings& overrides) const {
    cli::arguments args = {"run", path(probe), "--config", GetParam(), "--json", "--max-cycles", "100000"};
    for (const std::string& setting : overrides) args.insert(args.end(), {"--set", setting});
    const cli::outcome outcome = cli::gt200_run(args);
    if (outcome.code != 0)
      return std::to_string(outcome.code) + ": " + outcome.err.substr(0, outcome.err.find('\n'));
    auto all = nlohmann::ordered_json::parse(outcome.out);
    for (const char* other :
         {"host", "command_line", "configuration_hash", "program", "provenance", "hints", "trust"})
      all.erase(other);
    return all.dump();
  }
};

TEST_P(quantities_without_effect, change_no_figure) {
  const std::string file = cli::source_path(std::string("configs/") + GetParam() + ".toml");
  config::gpu_config preset = config::load(file).values;
  const std::string name = preset.chip.is_volta() ? "volta" : "arithmetic";
  const probe what = make_probe(name);
  this->file(name + "/probe.s", what.program);
  this->file(name + "/launch.toml", what.launch);
  std::size_t compared = 0;
  for (const config::key_info& chosen : config::schema(preset).keys)
    for (const std::string& choice : config::test::values_of(chosen)) {
      const std::string as_it_is = figures(name, {choice});
      if (as_it_is.front() != '{') continue;  // contradicts something that is used, or this program
      for (const bool largest : {false, true}) {
        settings overrides = config::test::extremes_without_effect(config::load(file, {choice}).values, largest);
        overrides.insert(overrides.begin(), choice);
        const std::string changed = figures(name, overrides);
        if (changed.front() != '{')
          ADD_FAILURE() << choice << (largest ? ", largest: " : ", least: ") << changed;
        else
          EXPECT_TRUE(changed == as_it_is) << choice << (largest ? ", largest" : ", least");
        ++compared;
      }
    }
  EXPECT_GT(compared, 100u);
}

INSTANTIATE_TEST_SUITE_P(configuration, quantities_without_effect, testing::Values("gt200_small", "v100_small"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace gt200::keys
