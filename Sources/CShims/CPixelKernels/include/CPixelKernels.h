#ifndef CPIXELKERNELS_H
#define CPIXELKERNELS_H

#include <stddef.h>
#include <stdint.h>

/// The hottest pixel loops. Each is built twice on x86-64 Linux, for every processor and for those with AVX2 and FMA,
/// and the program picks one as it starts. Every kernel has a twin in Swift that serves as the oracle of its tests.

/// Rows of sums are padded to a multiple of this many samples; the padding is written too.
#define CPK_TILE 128

/// The most rows that one call of `cpk_accumulate_rows` takes.
#define CPK_MAX_ROWS 32

/// The source samples that make one output sample, and where their weights start.
typedef struct {
    size_t start;
    size_t count;
    size_t offset;
} cpk_window;

/// One output row that some source rows add to.
typedef struct {
    /// Padded to `CPK_TILE` samples.
    float *sums;
    /// One weight for each of the rows.
    const float *weights;
    /// The first row that counts, and how many.
    size_t first_row;
    size_t row_count;
    /// The sums hold nothing yet: they are set, not added to.
    int fresh;
} cpk_row_sum;

/// Adds weighted rows of bytes to rows of sums, in the rows' order.
void cpk_accumulate_rows(
    const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, const cpk_row_sum *targets,
    size_t target_count);

/// Filters a row of four-channel sums along x and stores it as bytes, rounded, clamped to 0...255, and no colour above
/// its alpha. `weights` holds each weight four times.
void cpk_filter_row(
    uint8_t *out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights);

/// Adds rows of bytes to a row of sums, which is set first when `fresh`.
void cpk_box_accumulate(
    uint32_t *sums, const uint8_t *rows, size_t bytes_per_row, size_t row_count, size_t sample_count, int fresh);

/// Averages groups of `factor` four-channel pixels over the `row_count` rows that were summed. The last group may be
/// short. `factor * row_count` is at most 2^22: beyond 2^23 the rounded average of white can be 256.
void cpk_box_finish(uint8_t *out, const uint32_t *sums, size_t pixel_count, size_t factor, size_t row_count);

/// Bytes to floats from 0 to 1.
void cpk_load_rgba8(float *out, const uint8_t *pixels, size_t pixel_count);

/// Floats to bytes: rounded, clamped to 0...1, no colour above its alpha; alpha is 255 when `opaque`.
void cpk_store_rgba8(uint8_t *out, const float *pixels, size_t pixel_count, int opaque);

/// As `cpk_accumulate_rows`, of rows of floats without a gap.
void cpk_accumulate_floats(
    const float *rows, size_t samples_per_row, const cpk_row_sum *targets, size_t target_count);

/// As `cpk_filter_row`, into floats that are neither rounded nor clamped.
void cpk_filter_floats(
    float *out, size_t pixel_count, const float *sums, const cpk_window *windows, const float *weights);

/// Lays pixels over others: `backdrop = source * (m[0] + m[1] * alpha of backdrop) + backdrop * (m[2] + m[3] * alpha of
/// source)`, alpha at most 1. `source` steps on by `source_step` pixels, 1 or 0.
void cpk_porter_duff(float *backdrop, const float *source, size_t source_step, size_t pixel_count, const float m[4]);

/// A moving average over a row: `radius` pixels on either side, and the next ones with the weight `edge`. `padded` has
/// `radius + 1` pixels more than `pixel_count` on either side. `scale` is one over the sum of all weights.
void cpk_box_row(float *out, const float *padded, size_t pixel_count, size_t radius, float edge, float scale);

/// One row of a moving average down the columns: `out = (sums + edge * (before + after)) * scale`. The sums move on then:
/// `after` comes in and `leaving` goes.
void cpk_box_column(
    float *out, double *sums, const float *before, const float *leaving, const float *after, size_t sample_count,
    float edge, float scale);

#endif
