#ifndef CPNGSHIM_H
#define CPNGSHIM_H

#include <stddef.h>
#include <stdint.h>

// libpng reports errors by longjmp, which must not cross Swift frames. Every function here that calls the library sets
// its own return point and answers with a status; the library's message is kept in the handle.

typedef enum {
    CPNG_OK = 0,
    CPNG_TRUNCATED,  // the bytes ended
    CPNG_NO_MEMORY,
    CPNG_FAILED,  // see the message
} cpng_status;

typedef struct cpng_reader cpng_reader;

typedef struct {
    uint32_t width;
    uint32_t height;
    int has_alpha;
    int is_interlaced;
    int plain_channels;  // 3 for 8-bit RGB, 4 for 8-bit RGBA, 0 when the pixels need more than unfiltering
    size_t first_pixels;  // where the first IDAT chunk starts
} cpng_header;

/// What rows are wanted as.
typedef struct {
    int keeps_16;  // 16 bits a channel, in the machine's order, for pictures that have them; else 8
    int keeps_gray;  // one channel, or two with alpha, for pictures without colours; else four
} cpng_layout;

/// A reader of `count` bytes that stay where they are until it is destroyed; NULL without memory.
cpng_reader *cpng_reader_create(const void *bytes, size_t count);
void cpng_reader_destroy(cpng_reader *reader);
const char *cpng_reader_message(const cpng_reader *reader);

/// Reads up to the pixels. Rows come with straight alpha, or opaque where the picture has no alpha.
/// @param chunk_memory the most bytes that one chunk may be unpacked to
cpng_status cpng_reader_read_header(
    cpng_reader *reader, uint32_t longest_side, size_t chunk_memory, cpng_layout layout, cpng_header *header);

/// Reads the next rows. An interlaced picture has to be read seven times from its first row to its last, each time into
/// the same whole frame.
cpng_status cpng_reader_read_rows(cpng_reader *reader, void *base, size_t bytes_per_row, uint32_t rows);

// Reading what is still coming

typedef struct cpng_push cpng_push;

/// Takes one row. `pass` counts from 0; a row of an interlaced picture has the pixels of its pass only, and `number` counts
/// the rows of the pass.
/// @return 0 to stop
typedef int (*cpng_row_taker)(void *context, const void *row, uint32_t number, int pass);

cpng_push *cpng_push_create(uint32_t longest_side, cpng_layout layout);
void cpng_push_destroy(cpng_push *push);
const char *cpng_push_message(const cpng_push *push);

/// What rows are going to be; `first_pixels` says nothing. NULL before the name of the first IDAT chunk was fed.
const cpng_header *cpng_push_header(const cpng_push *push);

/// Takes the file's next bytes, which need not stay. Chunks other than IDAT are to be fed whole, since the library would keep
/// what there is of them, and those that pixels do not need not at all. Every byte is worked on once.
cpng_status cpng_push_feed(cpng_push *push, const void *bytes, size_t count, cpng_row_taker take, void *context);

// Writing

typedef struct cpng_writer cpng_writer;

/// How rows are filtered before they are compressed.
typedef enum {
    CPNG_FILTER_SUB,
    CPNG_FILTER_FAST,  // none, sub and up, chosen for each row
    CPNG_FILTER_ALL,  // all five, chosen for each row
} cpng_filter;

cpng_writer *cpng_writer_create(void);
void cpng_writer_destroy(cpng_writer *writer);
const char *cpng_writer_message(const cpng_writer *writer);

/// What a picture is written as.
typedef struct {
    uint32_t width;
    uint32_t height;
    int bits;  // 8, or 16 in the machine's order
    int has_alpha;  // else rows come with a fourth channel that is dropped
    int is_interlaced;
    int level;  // zlib's, 0 to 9
    cpng_filter filter;
} cpng_writing;

/// Bytes of the caller's; NULL for none.
typedef struct {
    const void *bytes;
    size_t count;
} cpng_piece;

/// What stands beside the pixels.
typedef struct {
    cpng_piece profile;  // as ICC has it; it gets packed
    cpng_piece code_points;  // the four bytes of cICP
    cpng_piece exif;  // from the byte order mark on
    cpng_piece xmp;  // text without a zero in it
} cpng_metadata;

/// Starts a picture. `*passes` is how often all rows have to be written, from the first to the last.
cpng_status cpng_writer_begin(
    cpng_writer *writer, const cpng_writing *writing, const cpng_metadata *metadata, int *passes);
cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row);
/// Ends the file and hands over its memory, which the caller frees.
cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count);

/// The version of the library that is loaded.
const char *cpng_version(void);

#endif
