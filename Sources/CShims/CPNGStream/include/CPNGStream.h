#ifndef CPNGSTREAM_H
#define CPNGSTREAM_H

#include <stddef.h>
#include <stdint.h>

// Unpacks the rows of a plain PNG: not interlaced, 8-bit RGB or RGBA. It knows no kinds of errors: whatever is not as it
// should be is "irregular", and libpng finds out why.

typedef struct cpng_stream cpng_stream;

/// A stream over a file of `count` bytes that stay where they are until it is destroyed.
/// @param first_chunk where the first IDAT chunk starts, at its length
/// @param channels 3 or 4
/// @return NULL without memory or when the stream's header is not one that this reader takes
cpng_stream *cpng_stream_create(
    const void *bytes, size_t count, size_t first_chunk, uint32_t width, uint32_t height, int channels);
void cpng_stream_destroy(cpng_stream *stream);

/// Reads the next rows as RGBA with straight alpha, or with 255 where the picture has no alpha. The check sum of each
/// chunk is compared before its bytes are used.
/// @return 0 when something is irregular; the stream cannot go on then
int cpng_stream_read_rows(cpng_stream *stream, void *base, size_t bytes_per_row, uint32_t rows);

/// Whether the packed bytes end, with the right check sum, where the last row does.
int cpng_stream_finish(cpng_stream *stream);

/// Unpacks the content of a chunk, a profile or a text.
/// @param limit the most bytes that it may unpack to, below 4 GiB
/// @return memory that the caller frees, at least as large as `unpacked`; NULL when the content is damaged, too large, or
/// there is no memory
void *cpng_unpack(const void *bytes, size_t count, size_t limit, size_t *unpacked);

#endif
