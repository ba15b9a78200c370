// What loading refuses, it refuses again: the library stays in the program, so its objects do not add a second
// time.
#include "sc_models/load_plugin.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "sc_models/cache/replacement/policy.h"
#include "sc_models/config/added_policy.h"
#include "sc_models/plugin.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string error_of(const std::string& file) {
  try {
    load_plugin(file);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(load_plugin_test, a_plugin_that_adds_a_name_which_is_taken_is_refused_each_time) {
  ASSERT_NE(model::make_replacement("cache", 1), nullptr);  // so that the program has what the plug-in needs
  const std::string first = error_of(ADDS_TAKEN_NAME);
  EXPECT_THAT(first, HasSubstr(ADDS_TAKEN_NAME));
  EXPECT_THAT(first, HasSubstr("'lru' cannot be added"));
  EXPECT_EQ(error_of(ADDS_TAKEN_NAME), first);
  EXPECT_EQ(error_of(ADDS_TAKEN_NAME), first);
  EXPECT_THAT(loaded_plugins(), IsEmpty());
}

TEST(load_plugin_test, a_library_that_is_no_plugin_is_refused_each_time) {
  const std::string first = error_of(NO_PLUGIN);
  EXPECT_THAT(first, HasSubstr("is no plug-in of gt200"));
  EXPECT_EQ(error_of(NO_PLUGIN), first);
  EXPECT_THAT(loaded_plugins(), IsEmpty());
}

TEST(load_plugin_test, what_is_linked_and_was_built_for_another_interface_is_an_error_of_the_next_configuration) {
  EXPECT_TRUE(gt200_accepts_plugin_interface(GT200_PLUGIN_INTERFACE));
  EXPECT_THAT(config::take_registration_errors(), IsEmpty());
  EXPECT_FALSE(gt200_accepts_plugin_interface(GT200_PLUGIN_INTERFACE + 1));
  EXPECT_THAT(config::take_registration_errors(),
              ElementsAre(HasSubstr("was built for plug-in interface 3; this is interface 2")));
}

TEST(load_plugin_test, a_plugin_that_is_cut_short_is_refused_before_it_is_mapped) {
  std::ifstream from(NO_PLUGIN, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(from), {});
  const std::string cut = testing::TempDir() + "cut.so";
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{20}}) {
    std::ofstream(cut, std::ios::binary) << whole.substr(0, bytes);
    EXPECT_THAT(error_of(cut), HasSubstr("cut.so: is no shared object")) << bytes;
  }
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{1000}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(cut, std::ios::binary) << whole.substr(0, bytes);
    EXPECT_THAT(error_of(cut), HasSubstr("cut.so: is cut short: ")) << bytes;
  }
}

TEST(load_plugin_test, a_folder_is_no_plugin) {
  EXPECT_THAT(error_of(testing::TempDir()), HasSubstr("is a folder"));
}

TEST(load_plugin_test, a_file_that_is_not_there_may_come_later) {
  EXPECT_THAT(error_of("/nowhere/libmine.so"), HasSubstr("no such file"));
}

}  // namespace
}  // namespace gt200
