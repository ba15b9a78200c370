// The quick published figures hold in every run, and the records of scripts/validate belong to the preset.
#include <gtest/gtest.h>

#include "testbenches/timing/memory_figures.h"
#include "testbenches/timing/sm_figures.h"
#include "testbenches/validation/records/record.h"

namespace gt200 {
namespace {

void expect_to_hold(const validation::figure_set& set, const validation::figure& f) {
  const double value = f.measure(configuration_of(set, f));
  EXPECT_TRUE(validation::holds(f, value)) << f.what << ": measured " << value << ", published "
                                           << f.published_value << " with tolerance " << f.tolerance;
}

std::vector<validation::figure> quick_figures(const validation::figure_set& set) {
  std::vector<validation::figure> result;
  for (const validation::figure& f : set.figures)
    if (f.quick && f.is != validation::relation::reported) result.push_back(f);
  return result;
}

void expect_no_complaints(const validation::figure_set& set) {
  const auto wrong = complaints(set, folder_of(GT200_SOURCE_DIR "/docs/validation", set),
                                [&](const validation::figure& f) { return configuration_of(set, f); });
  for (const std::string& line : wrong)
    ADD_FAILURE() << line << "; scripts/validate " << set.name << " measures again";
}

const auto name_of_figure = [](const auto& of) { return of.param.id; };

class sm_figure : public ::testing::TestWithParam<validation::figure> {};
TEST_P(sm_figure, holds) { expect_to_hold(timing::sm_figures(), GetParam()); }
INSTANTIATE_TEST_SUITE_P(published, sm_figure, ::testing::ValuesIn(quick_figures(timing::sm_figures())),
                         name_of_figure);
TEST(sm_records, are_those_of_the_preset) { expect_no_complaints(timing::sm_figures()); }

class memory_figure : public ::testing::TestWithParam<validation::figure> {};
TEST_P(memory_figure, holds) { expect_to_hold(timing::memory_figures(), GetParam()); }
INSTANTIATE_TEST_SUITE_P(published, memory_figure, ::testing::ValuesIn(quick_figures(timing::memory_figures())),
                         name_of_figure);
TEST(memory_records, are_those_of_the_preset) { expect_no_complaints(timing::memory_figures()); }

}  // namespace
}  // namespace gt200
