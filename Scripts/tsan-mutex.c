// Tells the thread sanitizer about the contended path of Swift's `Mutex` on Linux. Loaded by Scripts/tsan only.
//
// The fast path of `Mutex` is compiled into its users and seen by the sanitizer. When a lock is contended, the library
// libswiftSynchronization, which is not instrumented, hands it over inside the kernel (FUTEX_LOCK_PI), and the sanitizer
// reports a race in every protected access. These functions stand in front of the library's, call them, and say what
// has happened: taking the lock follows giving it up. They hide nothing else: an access outside of a lock is still seen.
//
// Swift passes `self` in the context register; clang's swiftcall convention does the same.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

// Absent in a program without the sanitizer: the compiler itself, which inherits the environment.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF) {
    ((SWIFT void (*)(uint32_t, SELF))next(LOCK))(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT bool try_lock_slow(SELF) {
    bool locked = ((SWIFT bool (*)(SELF))next(TRY_LOCK))(handle);
    if (locked && __tsan_acquire) __tsan_acquire(handle);
    return locked;
}

SWIFT void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF) {
    if (__tsan_release) __tsan_release(handle);
    ((SWIFT void (*)(SELF))next(UNLOCK))(handle);
}
