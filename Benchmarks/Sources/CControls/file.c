#include "CControls.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ptrdiff_t ctl_file_read(const char *path, void *room, size_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    size_t done = 0;
    for (;;) {
        ssize_t count = done < capacity ? read(file, (char *)room + done, capacity - done) : 0;
        if (count < 0) {
            close(file);
            return -1;
        }
        if (count == 0) break;
        done += (size_t)count;
    }
    close(file);
    return (ptrdiff_t)done;
}

int ctl_file_store(const char *temporary, const char *path, const void *bytes, size_t count) {
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    size_t done = 0;
    while (done < count) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written < 0) {
            close(file);
            unlink(temporary);
            return -1;
        }
        done += (size_t)written;
    }
    if (close(file) != 0) return -1;
    return rename(temporary, path);
}
