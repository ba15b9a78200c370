// An access that does not name its state space gets that of its pointer, or one under a guard for each that it may
// be; it never gets another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

// %shared and %global point to memory, %number was loaded from it, %r1 is a value.
std::string kernel(const std::string& body, const std::string& functions = "") {
  return ".version 3.2\n.target sm_20\n.address_size 64\n" + functions +
         ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
         ".reg .b64 %d<10>;\n.reg .b64 %shared, %global, %number, %null;\n.reg .b32 %r<10>;\n.reg .pred %p<2>;\n"
         ".shared .align 8 .b8 s[64];\n"
         "mov.u64 %shared, s;\ncvta.shared.u64 %shared, %shared;\nld.param.u64 %global, [out];\n"
         "ld.global.u64 %number, [%global+8];\nld.global.u32 %r1, [%global];\nsetp.eq.u32 %p1, %r1, 7;\n"
         "mov.u64 %null, 0;\n" +
         body + "st.global.u32 [%global], %r2;\nret;\n}\n";
}

struct accesses {
  int shared_stores = 0;
  int global_stores = 0;
  int global_loads = 0;
};

accesses accesses_of(const std::string& text, bool optimise) {
  compile_options options;
  options.optimise = optimise;
  accesses found;
  for (const cubin::kernel& k : compile(text, "k.ptx", options).kernels)
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      const isa::tesla::opcode op = step.instruction.value().op;
      found.shared_stores += op == isa::tesla::opcode::st_shared;
      found.global_stores += op == isa::tesla::opcode::st_global;
      found.global_loads += op == isa::tesla::opcode::ld_global;
    });
  return found;
}

struct pointer_case {
  const char* name;
  const char* computes;  // %d1, to which %r1 is stored
};

class stores_to_shared : public testing::TestWithParam<pointer_case> {};
class stores_to_global : public testing::TestWithParam<pointer_case> {};
class stores_to_either : public testing::TestWithParam<pointer_case> {};
class is_refused : public testing::TestWithParam<pointer_case> {};

std::string stored_through(const pointer_case& c) {
  return kernel(std::string(c.computes) + "st.u32 [%d1], %r1;\nmov.u32 %r2, 1;\n");
}

TEST_P(stores_to_shared, however_the_pointer_is_derived) {
  for (const bool optimise : {false, true}) {
    EXPECT_EQ(accesses_of(stored_through(GetParam()), optimise).shared_stores, 1);
    EXPECT_EQ(accesses_of(stored_through(GetParam()), optimise).global_stores, 1);  // the one at the end
  }
}

TEST_P(stores_to_global, however_the_pointer_is_derived) {
  for (const bool optimise : {false, true}) {
    EXPECT_EQ(accesses_of(stored_through(GetParam()), optimise).shared_stores, 0);
    EXPECT_EQ(accesses_of(stored_through(GetParam()), optimise).global_stores, 2);
  }
}

TEST_P(stores_to_either, however_the_pointer_is_derived) {
  for (const bool optimise : {false, true}) {
    EXPECT_EQ(accesses_of(stored_through(GetParam()), optimise).shared_stores, 1);
    EXPECT_GE(accesses_of(stored_through(GetParam()), optimise).global_stores, 2);
  }
}

TEST_P(is_refused, in_one_line) {
  try {
    compile(stored_through(GetParam()), "k.ptx");
    FAIL() << "compiled";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("'%d1' points to more than one state space"), std::string::npos)
        << e.what();
  }
}

const auto name_of = [](const auto& test) { return std::string(test.param.name); };

INSTANTIATE_TEST_SUITE_P(ptx, stores_to_shared,
                         testing::Values(pointer_case{"itself", "mov.u64 %d1, %shared;\n"},
                                         pointer_case{"and_a_loaded_index", "add.s64 %d1, %number, %shared;\n"},
                                         pointer_case{"less_a_loaded_index", "sub.s64 %d1, %shared, %number;\n"},
                                         pointer_case{"and_a_product", "mad.wide.u32 %d1, %r1, 4, %shared;\n"},
                                         pointer_case{
                                             "and_the_distance_of_two_global_pointers",
                                             "sub.s64 %d2, %number, %global;\nadd.s64 %d1, %shared, %d2;\n"},
                                         pointer_case{"or_null", "selp.b64 %d1, %shared, %null, %p1;\n"},
                                         pointer_case{"aligned", "and.b64 %d1, %shared, -8;\n"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    ptx, stores_to_global,
    testing::Values(pointer_case{"a_parameter", "mov.u64 %d1, %global;\n"},
                    pointer_case{"a_loaded_pointer", "add.s64 %d1, %number, 4;\n"},
                    pointer_case{
                        "and_the_distance_of_two_shared_pointers",
                        "add.s64 %d3, %shared, 8;\nsub.s64 %d2, %d3, %shared;\nadd.s64 %d1, %number, %d2;\n"},
                    pointer_case{"and_lower_bits_of_a_shared_pointer",
                                 "and.b64 %d2, %shared, 7;\nadd.s64 %d1, %global, %d2;\n"},
                    pointer_case{"one_of_two", "selp.b64 %d1, %global, %number, %p1;\n"}),
    name_of);

// cvta has marked %shared: the store is made twice, each under the guard that the pointer is of that memory.
INSTANTIATE_TEST_SUITE_P(
    ptx, stores_to_either,
    testing::Values(
        pointer_case{"one_of_two_spaces", "selp.b64 %d1, %shared, %global, %p1;\n"},
        pointer_case{"one_of_two_spaces_by_guards", "@%p1 mov.u64 %d1, %shared;\n@!%p1 mov.u64 %d1, %number;\n"},
        pointer_case{"a_loop_that_changes_the_space",
                     "mov.u64 %d1, %shared;\nagain:\nst.global.u32 [%global], %r1;\nmov.u64 %d1, %number;\n"
                     "@%p1 bra again;\n"},
        pointer_case{"the_sum_of_two_pointers", "add.s64 %d1, %shared, %shared;\n"},
        pointer_case{"a_negated_pointer", "neg.s64 %d2, %shared;\nadd.s64 %d1, %number, %d2;\n"},
        pointer_case{"bits_of_a_pointer_as_an_index", "and.b64 %d2, %shared, %null;\nadd.s64 %d1, %number, %d2;\n"},
        pointer_case{"half_a_pointer_as_an_index", "cvt.u64.u16 %d2, %shared;\nadd.s64 %d1, %number, %d2;\n"},
        pointer_case{"words_of_a_pointer", "mov.b64 {%r3, %r4}, %shared;\nmov.b64 %d1, {%r3, %r4};\n"},
        pointer_case{"a_pointer_from_memory_where_one_was_kept",
                     "st.global.u64 [%global+16], %shared;\nld.global.u64 %d1, [%global+16];\n"},
        pointer_case{"the_distance_of_different_spaces",
                     "sub.s64 %d2, %number, %shared;\nadd.s64 %d1, %d2, %shared;\n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(ptx, is_refused,
                         testing::Values(pointer_case{"one_of_two_spaces_without_a_mark",
                                                      "mov.u64 %d2, s;\nselp.b64 %d1, %d2, %global, %p1;\n"}),
                         name_of);

// The function returns its argument. The parameters of each call are in a scope of their own, under the same names.
const char* const identity =
    ".func (.param .b64 result) same(.param .b64 given)\n{\n.reg .b64 %x;\nld.param.b64 %x, [given];\n"
    "st.param.b64 [result], %x;\nret;\n}\n";
std::string call_of_identity(const std::string& with, const std::string& gives) {
  return "{\n.param .b64 param0;\nst.param.b64 [param0], " + with + ";\n.param .b64 retval0;\n" +
         "call.uni (retval0), same, (param0);\nld.param.b64 " + gives + ", [retval0];\n}\n";
}

TEST(pointers_through_calls, keep_the_space_of_each_call) {
  const std::string text = kernel(call_of_identity("%shared", "%d1") + call_of_identity("%number", "%d2") +
                                      "st.u32 [%d1], %r1;\nst.u32 [%d2+4], %r1;\nmov.u32 %r2, 1;\n",
                                  identity);
  for (const bool optimise : {false, true}) {
    const accesses found = accesses_of(text, optimise);
    EXPECT_EQ(found.shared_stores, 1);
    EXPECT_EQ(found.global_stores, 2);
  }
}

TEST(pointers_through_calls, meet_as_others_do) {
  const std::string text = kernel(call_of_identity("%shared", "%d2") + call_of_identity("%number", "%d3") +
                                      "selp.b64 %d1, %d2, %d3, %p1;\nst.u32 [%d1], %r1;\nmov.u32 %r2, 1;\n",
                                  identity);
  EXPECT_EQ(accesses_of(text, true).shared_stores, 1);
  EXPECT_EQ(accesses_of(text, true).global_stores, 2);
}

}  // namespace
}  // namespace gt200::ptx
