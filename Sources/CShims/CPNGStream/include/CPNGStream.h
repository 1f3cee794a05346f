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

/// A stream that is handed its packed bytes: the contents of the IDAT chunks, in any portions. Check sums are not compared.
/// @param header the first two of them
/// @return NULL without memory or when the header is not one that this reader takes
cpng_stream *cpng_stream_create_empty(const uint8_t *header, uint32_t width, uint32_t height, int channels);

/// Hands over the next packed bytes. They have to stay until rows have been read as long as there were any.
void cpng_stream_push(cpng_stream *stream, const void *bytes, uint32_t count);

/// Reads the next rows that the bytes so far hold, as `cpng_stream_read_rows` does. `*made` is fewer than asked for when
/// more bytes have to come.
/// @return 0 when something is irregular; the stream cannot go on then
int cpng_stream_read_pushed(
    cpng_stream *stream, void *base, size_t bytes_per_row, uint32_t rows, uint32_t *made);

/// Unpacks the content of a chunk, a profile or a text.
/// @param limit the most bytes that it may unpack to, below 4 GiB
/// @return memory that the caller frees, at least as large as `unpacked`; NULL when the content is damaged, too large, or
/// there is no memory
void *cpng_unpack(const void *bytes, size_t count, size_t limit, size_t *unpacked);

/// The check sum that stands behind a chunk, of its name and its content: goes on from that of the bytes before, 0 for none.
uint32_t cpng_stream_checksum(uint32_t before, const void *bytes, size_t count);

#endif
