// libsystemc refers to sc_main, so every program needs one. Depending on the order of libraries, the main() of
// GoogleTest or of libsystemc is linked; both end up running the tests.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
