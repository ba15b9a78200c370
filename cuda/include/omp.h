// OpenMP for .cu files: the functions of gcc's library, which programs are linked with. gcc itself takes its own
// header.
#pragma once

#ifndef __clang__
#include_next <omp.h>
#else
#ifdef __cplusplus
extern "C" {
#endif
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int number);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
double omp_get_wtime(void);
double omp_get_wtick(void);
#ifdef __cplusplus
}
#endif
#endif
