// The published figures of the SM hold on every run, and the records of scripts/validate are those of the preset.
#include <gtest/gtest.h>

#include "testbenches/timing/sm_figures.h"
#include "testbenches/validation/records/record.h"

namespace gt200 {
namespace {

class sm_figure : public ::testing::TestWithParam<validation::figure> {};

TEST_P(sm_figure, holds) {
  const validation::figure& f = GetParam();
  const double value = f.measure(configuration_of(timing::sm_figures(), f));
  EXPECT_TRUE(validation::holds(f, value)) << f.what << ": measured " << value << ", published "
                                           << f.published_value << " with tolerance " << f.tolerance;
}

std::vector<validation::figure> quick_figures() {
  std::vector<validation::figure> result;
  for (const validation::figure& f : timing::sm_figures().figures)
    if (f.quick && f.is != validation::relation::reported) result.push_back(f);
  return result;
}

INSTANTIATE_TEST_SUITE_P(published, sm_figure, ::testing::ValuesIn(quick_figures()),
                         [](const auto& of) { return of.param.id; });

TEST(sm_records, are_those_of_the_preset) {
  const validation::figure_set set = timing::sm_figures();
  const auto wrong = complaints(set, folder_of(GT200_SOURCE_DIR "/docs/validation", set),
                                [&](const validation::figure& f) { return configuration_of(set, f); });
  for (const std::string& line : wrong) ADD_FAILURE() << line << "; scripts/validate sm measures again";
}

}  // namespace
}  // namespace gt200
