#ifndef CTIFFSHIM_TIFFMEMORY_H
#define CTIFFSHIM_TIFFMEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <tiffio.h>

/// A file in memory: lent for reading, grown by malloc for writing.
typedef struct {
    unsigned char *bytes;
    size_t count;
    size_t capacity;
    uint64_t position;
    int is_writable;
} tiff_memory;

/// Opens it. Errors go to `message`, the first one only; warnings go nowhere. NULL on failure.
TIFF *tiff_memory_open(tiff_memory *memory, const char *mode, size_t largest_allocation, char message[256]);

#endif
