#ifndef CTHREADSHIM_H
#define CTHREADSHIM_H

/// Names the calling thread for debuggers and `top`. The call is a GNU extension that Swift's Glibc module leaves out.
/// Names longer than 15 bytes are cut.
void webimage_name_this_thread(const char *name);

/// Does nothing `count` times in the way that suits a processor waiting for another one.
static inline void webimage_pause(int count) {
    for (int i = 0; i < count; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
        __asm__ volatile("yield");
#else
        __asm__ volatile("");
#endif
    }
}

#endif
