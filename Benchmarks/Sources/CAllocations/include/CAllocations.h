#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdint.h>

/// How many blocks the calling thread has asked malloc, calloc, realloc and their aligned kin for since it started.
/// Always zero where the counter does not exist: it needs glibc.
uint64_t alloc_count(void);

/// Whether there is a counter.
int alloc_is_counted(void);

#endif
