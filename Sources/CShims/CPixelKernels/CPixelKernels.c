#include "CPixelKernels.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// The dynamic loader picks the clone before sanitizers are ready, and only glibc's loader can: elsewhere there is one.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !__has_feature(address_sanitizer) \
    && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define CLONED __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CLONED
#endif

typedef float f4 __attribute__((vector_size(16), aligned(4)));
typedef float f8 __attribute__((vector_size(32), aligned(4)));
typedef int32_t i4 __attribute__((vector_size(16), aligned(4)));
typedef uint32_t u4 __attribute__((vector_size(16), aligned(4)));
typedef double d4 __attribute__((vector_size(32), aligned(8)));
typedef int32_t i8 __attribute__((vector_size(32), aligned(4)));
typedef uint8_t b4 __attribute__((vector_size(4), aligned(1)));
typedef uint8_t b8 __attribute__((vector_size(8), aligned(1)));
typedef uint64_t ul4 __attribute__((vector_size(32), aligned(8)));

CLONED static void accumulate_rows(
    const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, const cpk_row_sum *targets,
    size_t target_count)
{
    // A tile of all rows as floats stays in the first cache while every target takes from it.
    _Alignas(64) float tile[CPK_MAX_ROWS][CPK_TILE];
    for (size_t x = 0; x < sample_count; x += CPK_TILE) {
        size_t width = sample_count - x < CPK_TILE ? sample_count - x : CPK_TILE;
        for (size_t r = 0; r < row_count; r++) {
            const uint8_t *row = rows + r * bytes_per_row + x;
            if (width == CPK_TILE) {
                for (size_t i = 0; i < CPK_TILE; i++) tile[r][i] = row[i];
            } else {
                memset(tile[r], 0, sizeof tile[r]);
                for (size_t i = 0; i < width; i++) tile[r][i] = row[i];
            }
        }
        for (size_t t = 0; t < target_count; t++) {
            const cpk_row_sum target = targets[t];
            for (size_t i = 0; i < width; i += 32) {
                float *sums = target.sums + x + i;
                f8 a = {0}, b = {0}, c = {0}, d = {0};
                if (!target.fresh) {
                    a = *(const f8 *)sums;
                    b = *(const f8 *)(sums + 8);
                    c = *(const f8 *)(sums + 16);
                    d = *(const f8 *)(sums + 24);
                }
                for (size_t r = 0; r < target.row_count; r++) {
                    const float w = target.weights[r];
                    const float *from = tile[target.first_row + r] + i;
                    a += w * *(const f8 *)from;
                    b += w * *(const f8 *)(from + 8);
                    c += w * *(const f8 *)(from + 16);
                    d += w * *(const f8 *)(from + 24);
                }
                *(f8 *)sums = a;
                *(f8 *)(sums + 8) = b;
                *(f8 *)(sums + 16) = c;
                *(f8 *)(sums + 24) = d;
            }
        }
    }
}

CLONED static void filter_row(
    uint8_t *out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights)
{
    for (size_t x = 0; x < pixel_count; x++) {
        const cpk_window window = windows[x];
        const float *from = sums + window.start * 4;
        const float *w = weights + window.offset * 4;
        size_t i = 0;
        f8 even = {0}, odd = {0};
        for (; i + 4 <= window.count; i += 4) {
            even += *(const f8 *)(w + i * 4) * *(const f8 *)(from + i * 4);
            odd += *(const f8 *)(w + i * 4 + 8) * *(const f8 *)(from + i * 4 + 8);
        }
        even += odd;
        f4 sum = __builtin_shufflevector(even, even, 0, 1, 2, 3) + __builtin_shufflevector(even, even, 4, 5, 6, 7);
        for (; i < window.count; i++) sum += *(const f4 *)(w + i * 4) * *(const f4 *)(from + i * 4);

        const f4 zero = {0}, most = {255, 255, 255, 255}, half = {0.5f, 0.5f, 0.5f, 0.5f};
        sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, zero), most) + half;
        i4 level = __builtin_convertvector(sum, i4);
        const i4 alpha = {level[3], level[3], level[3], level[3]};
        level = __builtin_elementwise_min(level, alpha);
        const b4 bytes = __builtin_convertvector(level, b4);
        memcpy(out + x * 4, &bytes, sizeof bytes);
    }
}

CLONED static void box_accumulate(
    uint32_t *sums, const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, int fresh)
{
    enum { lanes = 64, group = 257 };  // 257 * 255 is the largest sum of bytes that 16 bits hold.
    for (size_t top = 0; top < row_count; top += group) {
        size_t bottom = row_count - top < group ? row_count : top + group;
        size_t x = 0;
        for (; x + lanes <= sample_count; x += lanes) {
            uint16_t partial[lanes] = {0};
            for (size_t r = top; r < bottom; r++) {
                const uint8_t *row = rows + r * bytes_per_row + x;
                for (size_t i = 0; i < lanes; i++) partial[i] = (uint16_t)(partial[i] + row[i]);
            }
            if (fresh)
                for (size_t i = 0; i < lanes; i++) sums[x + i] = partial[i];
            else
                for (size_t i = 0; i < lanes; i++) sums[x + i] += partial[i];
        }
        for (; x < sample_count; x++) {
            uint32_t sum = fresh ? 0 : sums[x];
            for (size_t r = top; r < bottom; r++) sum += rows[r * bytes_per_row + x];
            sums[x] = sum;
        }
        fresh = 0;
    }
}

/// Stores `sum / area`, rounded, as `(sum + area / 2) * ceil(2^32 / area) / 2^32`.
static inline __attribute__((always_inline)) void store_average(uint8_t *out, u4 sum, uint32_t half, uint64_t inverse)
{
    const u4 halves = {half, half, half, half};
    // Both factors fit in 32 bits, which the processor multiplies fastest; only the inverse of 1 does not.
    const ul4 scaled = (__builtin_convertvector(sum + halves, ul4) * (uint32_t)inverse) >> 32;
    const b4 bytes = __builtin_convertvector(inverse >> 32 ? __builtin_convertvector(sum, ul4) : scaled, b4);
    memcpy(out, &bytes, sizeof bytes);
}

CLONED static void box_finish(uint8_t *out, const uint32_t *sums, size_t pixel_count, size_t factor, size_t row_count)
{
    for (size_t x = 0; x < pixel_count; x += factor, out += 4) {
        const size_t width = pixel_count - x < factor ? pixel_count - x : factor;
        const uint32_t area = (uint32_t)(width * row_count);
        const uint32_t *from = sums + x * 4;
        u4 sum = {0};
        for (size_t i = 0; i < width; i++) sum += *(const u4 *)(from + i * 4);
        store_average(out, sum, area / 2, (UINT64_C(0xFFFFFFFF) + area) / area);
    }
}

CLONED static void load_rgba8(float *restrict out, const uint8_t *restrict pixels, size_t pixel_count)
{
    for (size_t i = 0; i < pixel_count * 4; i++) out[i] = (float)pixels[i] * (1.0f / 255);
}

/// Two pixels at once: rounded, clamped, no colour above its alpha.
static inline __attribute__((always_inline)) void store_two(b8 *bytes, const f8 *two)
{
    const f8 zero = {0}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    f8 pixels = __builtin_elementwise_min(__builtin_elementwise_max(*two, zero), one);
    const f8 alpha = __builtin_shufflevector(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7);
    pixels = __builtin_elementwise_min(pixels, alpha) * 255 + 0.5f;
    *bytes = __builtin_convertvector(__builtin_convertvector(pixels, i8), b8);
}

CLONED static void store_rgba8(uint8_t *restrict out, const float *restrict pixels, size_t pixel_count, int opaque)
{
    const f8 added = opaque ? (f8){0, 0, 0, INFINITY, 0, 0, 0, INFINITY} : (f8){0};
    size_t i = 0;
    for (; i + 2 <= pixel_count; i += 2) {
        const f8 two = *(const f8 *)(pixels + i * 4) + added;
        store_two((b8 *)(out + i * 4), &two);
    }
    if (i < pixel_count) {
        f8 last = {0};
        memcpy(&last, pixels + i * 4, 16);
        last += added;
        b8 bytes;
        store_two(&bytes, &last);
        memcpy(out + i * 4, &bytes, 4);
    }
}

CLONED static void accumulate_floats(
    const float *rows, size_t samples_per_row, const cpk_row_sum *targets, size_t target_count)
{
    for (size_t t = 0; t < target_count; t++) {
        const cpk_row_sum target = targets[t];
        float *restrict sums = target.sums;
        if (target.fresh) memset(sums, 0, samples_per_row * sizeof(float));
        for (size_t r = 0; r < target.row_count; r++) {
            const float w = target.weights[r];
            const float *from = rows + (target.first_row + r) * samples_per_row;
            for (size_t i = 0; i < samples_per_row; i++) sums[i] += w * from[i];
        }
    }
}

CLONED static void filter_floats(
    float *restrict out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights)
{
    for (size_t x = 0; x < pixel_count; x++) {
        const cpk_window window = windows[x];
        const float *from = sums + window.start * 4;
        const float *w = weights + window.offset * 4;
        f4 sum = {0};
        for (size_t i = 0; i < window.count; i++) sum += *(const f4 *)(w + i * 4) * *(const f4 *)(from + i * 4);
        *(f4 *)(out + x * 4) = sum;
    }
}

CLONED static void porter_duff(
    float *restrict backdrop, const float *restrict source, size_t source_step, size_t pixel_count, const float m[4])
{
    const f4 most = {INFINITY, INFINITY, INFINITY, 1};
    for (size_t i = 0; i < pixel_count; i++) {
        const f4 s = *(const f4 *)(source + i * source_step * 4), b = *(const f4 *)(backdrop + i * 4);
        const f4 out = s * (m[0] + m[1] * b[3]) + b * (m[2] + m[3] * s[3]);
        *(f4 *)(backdrop + i * 4) = __builtin_elementwise_min(out, most);
    }
}

CLONED static void box_row(
    float *restrict out, const float *restrict padded, size_t pixel_count, size_t radius, float edge, float scale)
{
    const f4 *in = (const f4 *)padded;
    f4 *to = (f4 *)out;
    d4 sum = {0};
    for (size_t i = 1; i < radius * 2 + 2; i++) sum += __builtin_convertvector(in[i], d4);
    for (size_t x = 0; x < pixel_count; x++) {
        const f4 before = in[x], after = in[x + radius * 2 + 2];
        to[x] = (__builtin_convertvector(sum, f4) + edge * (before + after)) * scale;
        sum += __builtin_convertvector(after, d4) - __builtin_convertvector(in[x + 1], d4);
    }
}

CLONED static void box_column(
    float *restrict out, double *restrict sums, const float *before, const float *leaving, const float *after,
    size_t sample_count, float edge, float scale)
{
    for (size_t i = 0; i < sample_count; i++) {
        const double sum = sums[i];
        out[i] = ((float)sum + edge * (before[i] + after[i])) * scale;
        sums[i] = sum + ((double)after[i] - (double)leaving[i]);
    }
}

// The calls that Swift sees: a declaration in the header can't carry the clones.

void cpk_accumulate_rows(
    const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, const cpk_row_sum *targets,
    size_t target_count)
{
    accumulate_rows(rows, bytes_per_row, row_count, sample_count, targets, target_count);
}

void cpk_filter_row(
    uint8_t *out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights)
{
    filter_row(out, pixel_count, sums, windows, weights);
}

void cpk_box_accumulate(
    uint32_t *sums, const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, int fresh)
{
    box_accumulate(sums, rows, bytes_per_row, row_count, sample_count, fresh);
}

void cpk_box_finish(uint8_t *out, const uint32_t *sums, size_t pixel_count, size_t factor, size_t row_count)
{
    box_finish(out, sums, pixel_count, factor, row_count);
}

void cpk_load_rgba8(float *out, const uint8_t *pixels, size_t pixel_count) { load_rgba8(out, pixels, pixel_count); }

void cpk_store_rgba8(uint8_t *out, const float *pixels, size_t pixel_count, int opaque)
{
    store_rgba8(out, pixels, pixel_count, opaque);
}

void cpk_accumulate_floats(
    const float *rows, size_t samples_per_row, const cpk_row_sum *targets, size_t target_count)
{
    accumulate_floats(rows, samples_per_row, targets, target_count);
}

void cpk_filter_floats(
    float *out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights)
{
    filter_floats(out, pixel_count, sums, windows, weights);
}

void cpk_porter_duff(float *backdrop, const float *source, size_t source_step, size_t pixel_count, const float m[4])
{
    porter_duff(backdrop, source, source_step, pixel_count, m);
}

void cpk_box_row(float *out, const float *padded, size_t pixel_count, size_t radius, float edge, float scale)
{
    box_row(out, padded, pixel_count, radius, edge, scale);
}

void cpk_box_column(
    float *out, double *sums, const float *before, const float *leaving, const float *after, size_t sample_count,
    float edge, float scale)
{
    box_column(out, sums, before, leaving, after, sample_count, edge, scale);
}
