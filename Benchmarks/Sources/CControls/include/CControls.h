#ifndef C_CONTROLS_H
#define C_CONTROLS_H

#include <stddef.h>
#include <stdint.h>

// What a C programmer would write for one purpose, without a cache, without checks of outside input beyond what the
// libraries do themselves, without cancellation. Functions return 0 for success and -1 for failure unless they say
// otherwise. Pixels are RGBA, 8 bits each.

/// A table of 128-bit keys behind one pthread mutex: open addressing, linear probing, no removal.
typedef struct ctl_table ctl_table;
ctl_table *ctl_table_create(size_t capacity);
void ctl_table_destroy(ctl_table *table);
void ctl_table_insert(ctl_table *table, uint64_t high, uint64_t low, const void *value);
/// The value under the key, null when there is none.
const void *ctl_table_find(ctl_table *table, uint64_t high, uint64_t low);

/// Opens and reads a whole file. Returns how many bytes were read, -1 for failure.
ptrdiff_t ctl_file_read(const char *path, void *room, size_t capacity);
/// Writes a temporary file and renames it.
int ctl_file_store(const char *temporary, const char *path, const void *bytes, size_t count);

/// Entries as blobs in one SQLite database, by a whole number, with a write-ahead log and without a wait for the disk.
typedef struct ctl_database ctl_database;
ctl_database *ctl_database_open(const char *path);
void ctl_database_close(ctl_database *database);
int ctl_database_store(ctl_database *database, int64_t key, const void *bytes, size_t count);
/// Returns how many bytes were read, -1 for failure.
ptrdiff_t ctl_database_read(ctl_database *database, int64_t key, void *room, size_t capacity);

/// Decodes at 1/denominator (1, 2, 4 or 8) of the size into `pixels`, whose rows are width * 4 bytes apart.
int ctl_jpeg_decode(const uint8_t *bytes, size_t count, unsigned denominator, uint8_t *pixels, size_t capacity,
                    unsigned *width, unsigned *height);
/// Encodes 4:2:0. The result is the caller's to free.
int ctl_jpeg_encode(const uint8_t *pixels, unsigned width, unsigned height, int quality, uint8_t **bytes,
                    unsigned long *count);
/// Decodes at 1/8, reduces to the given size, encodes. The result is the caller's to free.
int ctl_jpeg_thumbnail(const uint8_t *bytes, size_t count, unsigned width, unsigned height, int quality,
                       uint8_t **result, unsigned long *result_count);
/// The same coefficients in the library's usual progressive order. The result is the caller's to free.
int ctl_jpeg_make_progressive(const uint8_t *bytes, size_t count, uint8_t **result, unsigned long *result_count);

/// A JPEG of `columns` by `rows` times the picture, quality 80, made row by row. The result is the caller's to free.
int ctl_jpeg_tile(const uint8_t *pixels, unsigned width, unsigned height, unsigned columns, unsigned rows,
                  uint8_t **bytes, unsigned long *count);

/// Decodes row by row into `pixels`, whose rows are width * 4 bytes apart.
int ctl_png_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// Decodes into `pixels`, whose rows are `stride` bytes apart.
int ctl_webp_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride);

/// Decode into `pixels`, whose rows are `stride` bytes apart, in one thread.
int ctl_avif_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride);
int ctl_heif_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride);

/// Decode into `pixels`, whose rows are width * 4 bytes apart, in one thread.
int ctl_jxl_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity);
int ctl_tiff_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity);

/// Draw a picture or a document's first page into a square of so many pixels.
int ctl_svg_decode(const uint8_t *bytes, size_t count, unsigned side, uint8_t *pixels, size_t capacity);
int ctl_pdf_decode(const uint8_t *bytes, size_t count, unsigned side, uint8_t *pixels, size_t capacity);

/// Composes all frames, one after the other, in one canvas of the library's.
/// @param frames how many there have to be
int ctl_webp_play(const uint8_t *bytes, size_t count, unsigned frames);

/// Lays all pictures of a GIF over each other on one canvas, `width` pixels a row; disposal is not looked at.
/// @param frames how many there have to be
int ctl_gif_play(const uint8_t *bytes, size_t count, unsigned frames, uint32_t *canvas, unsigned width, unsigned height);

/// Starts a server on the loopback interface that answers every request with a body of zeros, until the process ends.
int ctl_origin_start(size_t body_count, uint16_t *port);
/// Fetches one address again and again over libcurl's multi interface, in the calling thread.
int ctl_fetch_all(const char *url, unsigned count, unsigned concurrency, size_t body_count);

typedef enum { CTL_BOX, CTL_LANCZOS3 } ctl_filter;
/// Filters rows, then columns, in plain float loops. `support` of the filter is stretched on reduction.
int ctl_resample(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, unsigned target_width,
                 unsigned target_height, ctl_filter filter);
/// Three moving averages of bytes along rows and columns.
int ctl_blur(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, double sigma);
/// A copy with its corners multiplied by how far each pixel's middle lies within.
int ctl_round(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, unsigned radius);

#endif
