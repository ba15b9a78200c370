// The same scene by every way of clocking and in several orders of modules: all must give the same result.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testbenches/support/systemc_test.h"

namespace gt200::model::testing {

// `bench` is constructed from a name, clocking options and the arguments of build(). It has a function result().
template <class bench>
class every_way : public support::systemc_test {
 protected:
  // Makes one bench for each way of clocking.
  template <class... Arguments>
  void build(const Arguments&... arguments) {
    tlm_bus::clocking_options options;
    const auto add = [&](const char* name) {
      benches_.push_back(std::make_unique<bench>(std::string(name), options, arguments...));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    options.mode = tlm_bus::clocking_options::way::due;
    for (const char* name : {"shuffled_1", "shuffled_2"}) {
      ++options.shuffle_seed;
      add(name);
    }
  }
  // Simulates through core cycle `last`; the result of the first bench, which the others equal.
  auto run(tlm_bus::cycle_t last) {
    run_through(last);
    for (const auto& b : benches_) EXPECT_EQ(b->result(), benches_.front()->result());
    return benches_.front()->result();
  }
  bench& first() { return *benches_.front(); }

 private:
  std::vector<std::unique_ptr<bench>> benches_;
};

}  // namespace gt200::model::testing
