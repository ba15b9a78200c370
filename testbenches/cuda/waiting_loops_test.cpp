// In which loops of device code branches are kept (toolchain/cuda/waiting_loops.h).
#include "toolchain/cuda/waiting_loops.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gt200::cuda {
namespace {

// A loop with this body, and a function that exchanges a word.
std::string code_with(const std::string& body) {
  return "define i32 @exchange(ptr %0, i32 %1) {\n"
         "  %3 = atomicrmw xchg ptr %0, i32 %1 seq_cst\n"
         "  ret i32 %3\n"
         "}\n"
         "define void @k(ptr %0, ptr %1, i1 %2) {\n"
         "  %4 = alloca i32\n"
         "  br label %5\n"
         "\n"
         "5:                                                ; preds = %5, %3\n" +
         body +
         "\n"
         "9:                                                ; preds = %5\n"
         "  br i1 %2, label %10, label %10\n"
         "\n"
         "10:\n"
         "  ret void\n"
         "}\n";
}

// Lines with the operation that keeps a branch.
std::ptrdiff_t kept_in(const std::string& body) {
  const std::optional<std::string> kept = with_kept_loops(code_with(body));
  if (!kept) return 0;
  std::ptrdiff_t count = 0;
  for (std::size_t at = 0; (at = kept->find("call void asm sideeffect", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(waiting_loops, are_those_with_a_branch_on_an_atomic_operation) {
  EXPECT_EQ(kept_in("  %6 = cmpxchg ptr %0, i32 0, i32 1 seq_cst seq_cst\n"
                    "  %7 = extractvalue { i32, i1 } %6, 0\n"
                    "  %8 = icmp eq i32 %7, 0\n"
                    "  br i1 %8, label %5, label %9\n"),
            1);
}

// The way of the one that has the lock comes back to the end of the loop if it writes what others see. %5 is the
// loop, %12 the branch within its braces, %9 what follows.
TEST(waiting_loops, are_left_from_their_end_by_what_others_wait_for) {
  const auto kept = [](const std::string& within_branch, const std::string& branch_first = "%12, label %13") {
    return with_kept_loops(code_with("  %6 = cmpxchg ptr %0, i32 0, i32 1 seq_cst seq_cst\n"
                                     "  %7 = extractvalue { i32, i1 } %6, 0\n"
                                     "  %8 = icmp eq i32 %7, 0\n"
                                     "  br i1 %8, label " +
                                     branch_first +
                                     "\n"
                                     "\n"
                                     "12:\n" +
                                     within_branch +
                                     "  br label %9\n"
                                     "\n"
                                     "13:\n"
                                     "  br label %5\n"))
        .value_or("");
  };
  const std::string release = "  %14 = atomicrmw xchg ptr %0, i32 0 seq_cst\n";
  const std::string pulled = kept(release);
  EXPECT_NE(pulled.find("  br label %gt200.edge.0.1\n"), std::string::npos) << pulled;
  EXPECT_NE(pulled.find("13:\n  br label %gt200.latch.0\n"), std::string::npos) << pulled;
  EXPECT_NE(pulled.find("label %5 [ i32 1, label %9 ]"), std::string::npos) << pulled;
  // Nothing that others see.
  EXPECT_EQ(kept("  store i32 1, ptr %4\n").find("gt200.latch"), std::string::npos);
  // A barrier's word that is loaded alone, and no way out of the braces.
  EXPECT_EQ(kept(release, "%13, label %13").find("gt200.latch"), std::string::npos);
}

TEST(waiting_loops, are_found_through_calls_and_variables) {
  EXPECT_EQ(kept_in("  %6 = call i32 @exchange(ptr %0, i32 1)\n"
                    "  store i32 %6, ptr %4\n"
                    "  %7 = load i32, ptr %4\n"
                    "  %8 = icmp eq i32 %7, 0\n"
                    "  br i1 %8, label %5, label %9\n"),
            1);
}

TEST(waiting_loops, are_those_with_a_branch_on_a_volatile_load_of_what_others_have) {
  const std::string rest =
      "  %7 = icmp eq i32 %6, 0\n"
      "  br i1 %7, label %5, label %9\n";
  EXPECT_EQ(kept_in("  %6 = load volatile i32, ptr %0, align 4\n" + rest), 1);
  EXPECT_EQ(kept_in("  %6 = load volatile i32, ptr %4, align 4\n" + rest), 0) << "a variable of the function";
}

TEST(waiting_loops, are_not_those_that_only_count) {
  EXPECT_EQ(kept_in("  %6 = call i32 @exchange(ptr %0, i32 1)\n"
                    "  %7 = load i32, ptr %1\n"
                    "  %8 = icmp eq i32 %7, 0\n"
                    "  br i1 %8, label %5, label %9\n"),
            0);
}

TEST(waiting_loops, have_every_branch_kept) {
  EXPECT_EQ(kept_in("  br i1 %2, label %6, label %9\n"
                    "\n"
                    "6:\n"
                    "  %7 = atomicrmw add ptr %0, i32 1 seq_cst\n"
                    "  %8 = icmp eq i32 %7, 0\n"
                    "  br i1 %8, label %5, label %9\n"),
            2);
}

TEST(waiting_loops, need_no_second_look_in_code_without_such_operations) {
  EXPECT_FALSE(may_wait("ld.global.u32 %r1, [%rd1];"));
  EXPECT_TRUE(may_wait("ld.volatile.global.u32 %r1, [%rd1];"));
  EXPECT_TRUE(may_wait("atom.global.cas.b32 %r1, [%rd2], 0, 1;"));
}

TEST(version, of_ptx_is_that_of_the_first_pass) {
  EXPECT_EQ(with_version_of("//\n.version 3.2\n.target sm_20\n", "//\n.version 8.5\n.target sm_20\ncode\n"),
            "//\n.version 3.2\n.target sm_20\ncode\n");
}

}  // namespace
}  // namespace gt200::cuda
