// Every atomic operation of gt200_cuda.h by one thread: the word before and after, in global and in shared memory;
// and sums by all threads.
template <class word>
static __device__ void all_on(word* at, word* out) {
  int k = 0;
#define RECORD(CALL) out[k++] = CALL, out[k++] = *static_cast<volatile word*>(at)
  *at = 100;
  RECORD(atomicAdd(at, static_cast<word>(5)));
  RECORD(atomicSub(at, static_cast<word>(6)));
  RECORD(atomicExch(at, static_cast<word>(-8)));
  RECORD(atomicMin(at, static_cast<word>(7)));
  RECORD(atomicMax(at, static_cast<word>(-3)));
  RECORD(atomicAnd(at, static_cast<word>(0xff)));
  RECORD(atomicOr(at, static_cast<word>(0x100)));
  RECORD(atomicXor(at, static_cast<word>(3)));
  RECORD(atomicCAS(at, static_cast<word>(1), static_cast<word>(9)));
  RECORD(atomicCAS(at, static_cast<word>(out[k - 1]), static_cast<word>(10)));
}

extern "C" __global__ void atomics_of_words(int* global_word, int* of_int, unsigned* of_unsigned) {
  __shared__ int shared_word;
  all_on(global_word, of_int);
  all_on(&shared_word, of_int + 20);
  all_on(reinterpret_cast<unsigned*>(global_word), of_unsigned);
  all_on(reinterpret_cast<unsigned*>(&shared_word), of_unsigned + 20);
  unsigned* const word = reinterpret_cast<unsigned*>(global_word);
  of_unsigned[40] = atomicInc(word, 10);
  of_unsigned[41] = atomicDec(word, 4);
  of_unsigned[42] = atomicDec(word, 20);
  of_unsigned[43] = *static_cast<volatile unsigned*>(word);
  float* const number = reinterpret_cast<float*>(global_word);
  *number = 1.5f;
  of_unsigned[44] = static_cast<unsigned>(atomicExch(number, 2.5f) * 2);
  of_unsigned[45] = static_cast<unsigned>(*static_cast<volatile float*>(number) * 2);
}

extern "C" __global__ void atomics_of_pairs(unsigned long long* at, unsigned long long* out) {
  atomicAdd(at, 0x100000001ull);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = atomicAdd(at, 0xffffffffull);
  out[1] = atomicExch(at, 1ull << 40);
  out[2] = atomicCAS(at, 0, 5);
  out[3] = atomicCAS(at, 1ull << 40, 6);
  out[4] = *static_cast<volatile unsigned long long*>(at);
}
