#include "Unfilter.h"

#include <string.h>

// One pixel in the lanes of a vector: the compiler makes SSE2 or NEON of it.
typedef uint8_t pixel __attribute__((vector_size(4)));
typedef int16_t wide __attribute__((vector_size(8)));

static inline __attribute__((always_inline)) wide load(const uint8_t *at) {
    pixel p;
    memcpy(&p, at, sizeof p);
    return __builtin_convertvector(p, wide);
}

static inline __attribute__((always_inline)) wide magnitude(wide x) {
    wide sign = x >> 15;
    return (x ^ sign) - sign;
}

static inline __attribute__((always_inline)) wide choose(wide mask, wide yes, wide no) {
    return (mask & yes) | (~mask & no);
}

// The neighbour that is nearest to left + up - corner; left wins a tie, then up (PNG 3rd ed. §9.4).
static inline __attribute__((always_inline)) wide paeth(wide left, wide up, wide corner) {
    wide to_left = up - corner;
    wide to_up = left - corner;
    wide to_corner = magnitude(to_left + to_up);
    to_left = magnitude(to_left);
    to_up = magnitude(to_up);
    wide up_or_corner = choose(to_up <= to_corner, up, corner);
    return choose((to_left <= to_up) & (to_left <= to_corner), left, up_or_corner);
}

// Inlined for each filter and number of channels, so that neither is asked for in the loop.
static inline __attribute__((always_inline)) void row(
    uint8_t *out, uint8_t *prior, const uint8_t *packed, size_t width, int channels, int filter) {
    wide left = {0};
    wide corner = {0};
    const uint32_t opaque = channels == 3 ? 0xFF000000u : 0;
    for (size_t x = 0; x < width; x++) {
        wide value = load(packed + x * (size_t)channels);
        wide up = load(prior + x * 4);
        if (filter == 1) value += left;
        if (filter == 2) value += up;
        if (filter == 3) value += (left + up) >> 1;
        if (filter == 4) value += paeth(left, up, corner);
        value &= 0xFF;
        pixel narrow = __builtin_convertvector(value, pixel);
        uint32_t bits;
        memcpy(&bits, &narrow, 4);
        memcpy(prior + x * 4, &bits, 4);
        bits |= opaque;
        memcpy(out + x * 4, &bits, 4);
        left = value;
        corner = up;
    }
}

static inline __attribute__((always_inline)) int rows_of(
    uint8_t *out, uint8_t *prior, const uint8_t *packed, size_t width, int channels, int filter) {
    switch (filter) {
    case 0: row(out, prior, packed, width, channels, 0); return 1;
    case 1: row(out, prior, packed, width, channels, 1); return 1;
    case 2: row(out, prior, packed, width, channels, 2); return 1;
    case 3: row(out, prior, packed, width, channels, 3); return 1;
    case 4: row(out, prior, packed, width, channels, 4); return 1;
    default: return 0;
    }
}

int unfilter_row(uint8_t *out, uint8_t *prior, const uint8_t *packed, size_t width, int channels, int filter) {
    return channels == 3 ? rows_of(out, prior, packed, width, 3, filter)
                         : rows_of(out, prior, packed, width, 4, filter);
}
