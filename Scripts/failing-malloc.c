// Preloaded into a program, makes every FAIL_EVERY-th request for FAIL_SIZE bytes or more fail, as if the system had no
// memory: 65,536 bytes and every third unless the environment says otherwise.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

static atomic_ulong count;

static unsigned long setting(const char *name, unsigned long standard) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : standard;
}

static int fails(size_t size) {
    static unsigned long every, least;
    if (!every) {
        least = setting("FAIL_SIZE", 65536);
        every = setting("FAIL_EVERY", 3);
    }
    if (size < least || !every) return 0;
    if (atomic_fetch_add(&count, 1) % every != every - 1) return 0;
    errno = ENOMEM;
    return 1;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t items, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(items, size, &total) || fails(total)) return NULL;
    return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) { return fails(size) ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (fails(size)) return ENOMEM;
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real) real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    // Threads' stacks and files are not pixels.
    int pixels = MAP_PRIVATE | MAP_ANONYMOUS;
    if (flags == pixels && protection == (PROT_READ | PROT_WRITE) && fails(size)) return MAP_FAILED;
    return real(place, size, protection, flags, file, offset);
}
