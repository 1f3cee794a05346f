#include "CAllocations.h"

#ifdef __linux__
#include <features.h>
#endif

#ifdef __GLIBC__
#include <errno.h>
#include <stddef.h>

// A program's own malloc takes the place of the C library's in every library that the program loads (glibc manual,
// "Replacing malloc"). Ours adds one to a number of the thread and goes on to the C library's under its other name.
// The number is the thread's own, so that counting costs about a nanosecond and other threads do not disturb it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// In the initial block of thread memory: the general model would call malloc to make room for it.
static __thread uint64_t allocations __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations++;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    allocations++;
    void *block = __libc_memalign(alignment, size);
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

uint64_t alloc_count(void) { return allocations; }
int alloc_is_counted(void) { return 1; }
#else
uint64_t alloc_count(void) { return 0; }
int alloc_is_counted(void) { return 0; }
#endif
