#include "CPNGStream.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

/// What is allocated at first: most packed chunks hold a small profile.
enum { FIRST_CAPACITY = 4096 };

// Makes the output twice as large, but no larger than the limit allows. 0 when it cannot.
static int grow(struct inflate_state *z, uint8_t **out, size_t *capacity, size_t limit) {
    size_t filled = *capacity - z->avail_out;
    if (*capacity >= limit) return 0;
    size_t larger = *capacity > limit / 2 ? limit : *capacity * 2;
    uint8_t *grown = realloc(*out, larger);
    if (grown == NULL) return 0;
    *out = grown;
    *capacity = larger;
    z->next_out = grown + filled;
    z->avail_out = (uint32_t)(larger - filled);
    return 1;
}

void *cpng_unpack(const void *bytes, size_t count, size_t limit, size_t *unpacked) {
    *unpacked = 0;
    if (count > UINT32_MAX || limit > UINT32_MAX || limit == 0) return NULL;
    size_t capacity = limit < FIRST_CAPACITY ? limit : FIRST_CAPACITY;
    uint8_t *out = malloc(capacity);
    struct inflate_state *z = malloc(sizeof *z);
    int is_whole = 0;
    if (out != NULL && z != NULL) {
        isal_inflate_init(z);
        z->crc_flag = ISAL_ZLIB;
        z->next_in = (uint8_t *)bytes;  // only read
        z->avail_in = (uint32_t)count;
        z->next_out = out;
        z->avail_out = (uint32_t)capacity;
        while (isal_inflate(z) == ISAL_DECOMP_OK && z->block_state != ISAL_BLOCK_FINISH) {
            // With room left it stopped for want of input.
            if (z->avail_out > 0 || !grow(z, &out, &capacity, limit)) break;
        }
        is_whole = z->block_state == ISAL_BLOCK_FINISH;
        if (is_whole) *unpacked = capacity - z->avail_out;
    }
    free(z);
    if (is_whole) return out;
    free(out);
    return NULL;
}
