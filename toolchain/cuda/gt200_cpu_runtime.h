// Calls of device code that is compiled for the host's processor to the engine that runs it (cuda/worker/cpu).
// Both sides include this.
#pragma once

// The place of a thread. Of the thread that runs; all threads of a block run on one thread of the host, in turn.
struct gt200_cpu_index {
  unsigned x, y, z;
};
struct gt200_cpu_place {
  gt200_cpu_index tid, ctaid, ntid, nctaid;
  unsigned atomics;  // atomic operations that this block has executed
};

// Places at which threads wait for each other: the block at a barrier, the warp at a vote.
enum gt200_cpu_meeting {
  gt200_cpu_barrier,        // and the barriers that combine a value of all threads
  gt200_cpu_barrier_count,  // how many are not 0
  gt200_cpu_barrier_and,    // 1 if none is 0
  gt200_cpu_barrier_or,     // 1 if one is not 0
  gt200_cpu_vote_all,
  gt200_cpu_vote_any,
  gt200_cpu_ballot,  // bit k: thread k of the warp
  gt200_cpu_warp     // no value
};

enum gt200_cpu_special {
  gt200_cpu_rcp,
  gt200_cpu_rsqrt,
  gt200_cpu_sqrt,
  gt200_cpu_lg2,
  gt200_cpu_ex2,
  gt200_cpu_sin,
  gt200_cpu_cos
};

struct gt200_cpu_runtime {
  // Returns when the others have come; the place of the call tells one vote from another.
  unsigned (*meet)(enum gt200_cpu_meeting what, int value);
  void (*yield)();  // the other threads of the block run first
  unsigned long long (*clock)();
  void (*trap)();  // does not return
  // The approximations of the chip's special function unit.
  float (*special)(enum gt200_cpu_special function, float x);
  // Sets the rounding of sums, products and conversions: 'n' nearest, 'z' to zero, 'm' down, 'p' up.
  void (*round)(char mode);
  // `words`: four words. `coordinates`: integers, texel numbers, or floats. `texture`: its variable.
  void (*fetch)(const void* texture, int texel_numbers, unsigned dimensions, const unsigned* coordinates,
                void* words);
  unsigned short (*to_half)(float x);
  float (*from_half)(unsigned short x);
};
