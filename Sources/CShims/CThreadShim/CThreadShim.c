#define _GNU_SOURCE
#include "CThreadShim.h"

#include <pthread.h>
#include <string.h>

void webimage_name_this_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof cut - 1);
#if defined(__APPLE__)
    pthread_setname_np(cut);
#else
    pthread_setname_np(pthread_self(), cut);
#endif
}
