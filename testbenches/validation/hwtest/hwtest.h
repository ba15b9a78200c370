// Replaces the header of the same name of envytools: what its per-instruction tests of G80 and GT200 need.
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct hwtest_ctx {
  int cnum;
  struct {
    int chipset;
    int card_type;
  } chipset;
  unsigned short rand48[3];
};

enum hwtest_res { HWTEST_RES_NA, HWTEST_RES_PASS, HWTEST_RES_UNPREP, HWTEST_RES_FAIL };

struct hwtest_test {
  const char* name;
  int (*run)(hwtest_ctx* ctx);
};

struct hwtest_group {
  const char* name;
  const hwtest_test* tests;
  int count;
};

#define HWTEST_TEST(function, slow) \
  { #function, function }
#define HWTEST_DEF_GROUP(group, ...)                        \
  static const hwtest_test group##_tests[] = {__VA_ARGS__}; \
  extern const hwtest_group group##_group;                  \
  const hwtest_group group##_group = {#group, group##_tests, sizeof group##_tests / sizeof *group##_tests};

// How often a test repeats with other operands, and whether the last launch was skipped because its instruction is
// refused. The build makes the tests use both.
extern const int hwtest_repeats;
bool hwtest_skipped();
