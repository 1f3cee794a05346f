#include "TIFFMemory.h"

#include <stdlib.h>
#include <string.h>

static tmsize_t memory_read(thandle_t handle, void *target, tmsize_t count) {
    tiff_memory *memory = handle;
    if (count <= 0 || memory->position >= memory->count) return 0;
    size_t left = memory->count - (size_t)memory->position;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(target, memory->bytes + memory->position, taken);
    memory->position += taken;
    return (tmsize_t)taken;
}

static tmsize_t memory_write(thandle_t handle, void *source, tmsize_t count) {
    tiff_memory *memory = handle;
    if (!memory->is_writable || count < 0 || memory->position > SIZE_MAX / 4) return -1;
    size_t end = (size_t)memory->position + (size_t)count;
    if (end > memory->capacity) {
        size_t capacity = end + end / 2 + 4096;
        unsigned char *grown = realloc(memory->bytes, capacity);
        if (!grown) return -1;
        memory->bytes = grown;
        memory->capacity = capacity;
    }
    // What was jumped over has to hold something.
    if (memory->position > memory->count)
        memset(memory->bytes + memory->count, 0, (size_t)memory->position - memory->count);
    memcpy(memory->bytes + memory->position, source, (size_t)count);
    memory->position = end;
    if (end > memory->count) memory->count = end;
    return count;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int whence) {
    tiff_memory *memory = handle;
    uint64_t base = whence == SEEK_CUR ? memory->position : whence == SEEK_END ? memory->count : 0;
    memory->position = base + offset;
    return memory->position;
}

static int memory_close(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t memory_size(thandle_t handle) { return ((tiff_memory *)handle)->count; }

static int memory_map(thandle_t handle, void **base, toff_t *size) {
    tiff_memory *memory = handle;
    if (memory->is_writable) return 0;
    *base = memory->bytes;
    *size = memory->count;
    return 1;
}

static void memory_unmap(thandle_t handle, void *base, toff_t size) {
    (void)handle, (void)base, (void)size;
}

static int keep_error(TIFF *tiff, void *message, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    if (((char *)message)[0] == 0) vsnprintf(message, 256, format, arguments);
    return 1;
}

static int drop_warning(TIFF *tiff, void *message, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)message, (void)module, (void)format, (void)arguments;
    return 1;
}

TIFF *tiff_memory_open(tiff_memory *memory, const char *mode, size_t largest_allocation, char message[256]) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)largest_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, message);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, NULL);
    TIFF *tiff = TIFFClientOpenExt(
        "memory", mode, memory, memory_read, memory_write, memory_seek, memory_close, memory_size, memory_map,
        memory_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
