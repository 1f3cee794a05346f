#include "CPNGStream.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "Unfilter.h"

struct cpng_stream {
    struct inflate_state inflate;
    const uint8_t *bytes;
    size_t count;
    size_t next_chunk;
    size_t width;
    int channels;
    size_t row_bytes;  // with the filter's byte
    size_t batch;  // rows that are unpacked at once
    size_t ready;  // rows of them that were not handed out
    uint64_t rows_left;  // rows that were not unpacked
    int is_open;  // a batch is being unpacked, for want of input not to its end
    uint8_t *prior;
    uint8_t *packed;
};

static uint32_t number(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Makes the next chunk the input. It must be an IDAT chunk, whole, with the right check sum.
static int feed(cpng_stream *s) {
    size_t left = s->count - s->next_chunk;
    if (left < 12) return 0;
    const uint8_t *chunk = s->bytes + s->next_chunk;
    uint32_t length = number(chunk);
    if (length > left - 12 || memcmp(chunk + 4, "IDAT", 4) != 0) return 0;
    // The sum covers the chunk's name too.
    if (crc32_gzip_refl(0, chunk + 4, (uint64_t)length + 4) != number(chunk + 8 + length)) return 0;
    s->inflate.next_in = (uint8_t *)chunk + 8;  // only read
    s->inflate.avail_in = length;
    s->next_chunk += (size_t)length + 12;
    return 1;
}

// The library does not keep to a window that the header makes smaller, as zlib does; it makes no difference to a stream
// that fits into the window.
static int takes_header(const uint8_t *header, uint64_t unpacked) {
    uint32_t method = header[0];
    uint32_t flags = header[1];
    uint32_t window_bits = (method >> 4) + 8;
    if ((method & 15) != 8 || window_bits > 15 || (flags & 0x20) != 0 || (method << 8 | flags) % 31 != 0) return 0;
    return window_bits == 15 || unpacked <= (uint64_t)1 << window_bits;
}

static cpng_stream *create(uint32_t width, uint32_t height, int channels) {
    if (width == 0 || height == 0 || (channels != 3 && channels != 4)) return NULL;
    if (width > 1u << 26) return NULL;  // so that no product below passes 32 bits
    cpng_stream *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->width = width;
    s->channels = channels;
    s->row_bytes = (size_t)width * (size_t)channels + 1;
    // Few enough to stay in the processor's second cache.
    s->batch = (192 << 10) / s->row_bytes;
    if (s->batch < 1) s->batch = 1;
    if (s->batch > height) s->batch = height;
    s->rows_left = height;
    isal_inflate_init(&s->inflate);
    s->inflate.crc_flag = ISAL_ZLIB;
    s->prior = calloc(width, 4);
    s->packed = malloc(s->batch * s->row_bytes + 1);
    if (s->prior == NULL || s->packed == NULL) {
        cpng_stream_destroy(s);
        return NULL;
    }
    s->packed[s->batch * s->row_bytes] = 0;  // a row's last pixel is read with the byte behind it
    return s;
}

cpng_stream *cpng_stream_create(
    const void *bytes, size_t count, size_t first_chunk, uint32_t width, uint32_t height, int channels) {
    cpng_stream *s = first_chunk > count ? NULL : create(width, height, channels);
    if (s == NULL) return NULL;
    s->bytes = bytes;
    s->count = count;
    s->next_chunk = first_chunk;
    uint64_t unpacked = (uint64_t)s->row_bytes * height;
    if (!feed(s) || s->inflate.avail_in < 2 || !takes_header(s->inflate.next_in, unpacked)) {
        cpng_stream_destroy(s);
        return NULL;
    }
    return s;
}

void cpng_stream_destroy(cpng_stream *s) {
    free(s->prior);
    free(s->packed);
    free(s);
}

// Unpacks until the output is full or the stream has ended. 0 when neither comes about.
static int unpack(cpng_stream *s, uint8_t *out, size_t count) {
    struct inflate_state *z = &s->inflate;
    z->next_out = out;
    z->avail_out = (uint32_t)count;
    while (z->avail_out > 0 && z->block_state != ISAL_BLOCK_FINISH) {
        uint32_t before = z->avail_out;
        if (isal_inflate(z) != ISAL_DECOMP_OK) return 0;
        if (z->avail_out == 0 || z->block_state == ISAL_BLOCK_FINISH) break;
        // It stopped early: for want of input, or for good.
        if (z->avail_in > 0 && z->avail_out == before) return 0;
        if (z->avail_in == 0 && !feed(s)) return 0;
    }
    return 1;
}

static int refill(cpng_stream *s) {
    size_t rows = s->rows_left < s->batch ? (size_t)s->rows_left : s->batch;
    if (rows == 0 || !unpack(s, s->packed + (s->batch - rows) * s->row_bytes, rows * s->row_bytes)) return 0;
    if (s->inflate.avail_out > 0) return 0;
    s->ready = rows;
    s->rows_left -= rows;
    return 1;
}

int cpng_stream_read_rows(cpng_stream *s, void *base, size_t bytes_per_row, uint32_t rows) {
    for (uint32_t y = 0; y < rows; y++) {
        if (s->ready == 0 && !refill(s)) return 0;
        // A batch ends where its memory does.
        const uint8_t *packed = s->packed + (s->batch - s->ready) * s->row_bytes;
        uint8_t *out = (uint8_t *)base + y * bytes_per_row;
        if (!unfilter_row(out, s->prior, packed + 1, s->width, s->channels, packed[0])) return 0;
        s->ready--;
    }
    return 1;
}

int cpng_stream_finish(cpng_stream *s) {
    uint8_t surplus;
    if (s->ready > 0 || s->rows_left > 0 || !unpack(s, &surplus, 1)) return 0;
    return s->inflate.block_state == ISAL_BLOCK_FINISH && s->inflate.avail_out == 1 && s->inflate.avail_in == 0;
}

// MARK: Bytes that are still coming

cpng_stream *cpng_stream_create_empty(const uint8_t *header, uint32_t width, uint32_t height, int channels) {
    if (!takes_header(header, ((uint64_t)width * (uint64_t)channels + 1) * height)) return NULL;
    return create(width, height, channels);
}

void cpng_stream_push(cpng_stream *s, const void *bytes, uint32_t count) {
    s->inflate.next_in = (uint8_t *)bytes;  // only read
    s->inflate.avail_in = count;
}

// Goes on with the batch that is open. 1 when it is whole, 0 for want of input, -1 when something is irregular.
static int unpack_pushed(cpng_stream *s) {
    struct inflate_state *z = &s->inflate;
    size_t rows = s->rows_left < s->batch ? (size_t)s->rows_left : s->batch;
    if (rows == 0) return 0;
    if (!s->is_open) {
        s->is_open = 1;
        z->next_out = s->packed + (s->batch - rows) * s->row_bytes;
        z->avail_out = (uint32_t)(rows * s->row_bytes);
    }
    while (z->avail_out > 0) {
        uint32_t before_in = z->avail_in;
        uint32_t before_out = z->avail_out;
        if (z->block_state == ISAL_BLOCK_FINISH) return -1;
        int result = isal_inflate(z);
        if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) return -1;
        if (z->avail_in == before_in && z->avail_out == before_out) return before_in > 0 ? -1 : 0;
    }
    s->is_open = 0;
    s->ready = rows;
    s->rows_left -= rows;
    return 1;
}

int cpng_stream_read_pushed(cpng_stream *s, void *base, size_t bytes_per_row, uint32_t rows, uint32_t *made) {
    for (*made = 0; *made < rows; ++*made) {
        if (s->ready == 0) {
            int state = unpack_pushed(s);
            if (state <= 0) return state == 0;
        }
        const uint8_t *packed = s->packed + (s->batch - s->ready) * s->row_bytes;
        uint8_t *out = (uint8_t *)base + *made * bytes_per_row;
        if (!unfilter_row(out, s->prior, packed + 1, s->width, s->channels, packed[0])) return 0;
        s->ready--;
    }
    return 1;
}

uint32_t cpng_stream_checksum(uint32_t before, const void *bytes, size_t count) {
    return crc32_gzip_refl(before, bytes, count);
}
