#ifndef CTIFFSHIM_H
#define CTIFFSHIM_H

#include <stddef.h>
#include <stdint.h>

// libtiff reads tags through variable arguments, prints what it has to say, and wants a file. Here tags come as numbers,
// messages are kept in the handle, and files are memory.

typedef struct ctiff_file ctiff_file;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t tile_width;  // 0 for strips
    uint32_t tile_height;
    uint16_t bits;
    uint16_t samples;
    uint16_t sample_format;  // 1 unsigned, 3 float
    uint16_t photometric;
    uint16_t orientation;  // EXIF's numbers
    uint16_t extra_samples;
    uint16_t first_extra;  // 1 alpha that colours were multiplied by, 2 straight alpha
    uint16_t ink_set;  // 1 cyan, magenta, yellow, black
    int is_contiguous;
} ctiff_header;

typedef enum {
    CTIFF_OK = 0,
    CTIFF_NO_MEMORY,
    CTIFF_END,  // there is no further page
    CTIFF_FAILED,  // see the message
} ctiff_status;

const char *ctiff_version(void);

/// A reader of `count` bytes that stay where they are until it is closed; NULL without memory. It stands at the first page:
/// neither a smaller copy of a page nor a mask, unless there is nothing else.
/// @param largest_allocation the most bytes that libtiff may ask for in one piece
ctiff_file *ctiff_open(const void *bytes, size_t count, size_t largest_allocation);
void ctiff_close(ctiff_file *file);

/// libtiff's first error, "" without one.
const char *ctiff_message(const ctiff_file *file);

/// Goes to the page behind this one.
ctiff_status ctiff_next_page(ctiff_file *file);

/// Where the page's directory is in the file, and going there again.
uint64_t ctiff_page_offset(ctiff_file *file);
ctiff_status ctiff_go_to_page(ctiff_file *file, uint64_t offset);

/// The page's header. Fails when the file could not be opened.
ctiff_status ctiff_read_header(ctiff_file *file, ctiff_header *header);

/// How many pages there are from this one on, at most `limit`. The reader is done for afterwards.
uint32_t ctiff_count_pages(ctiff_file *file, uint32_t limit);

/// The page's colour profile, in libtiff's memory; 0 bytes without one.
size_t ctiff_profile(ctiff_file *file, const void **bytes);

/// Bytes of one row of samples, 0 when that cannot be.
size_t ctiff_row_length(ctiff_file *file);

/// The next row of samples as they are stored. Rows have to be read from the first to the last.
ctiff_status ctiff_read_row(ctiff_file *file, uint32_t row, void *samples);

/// Bytes of a whole strip of rows, 0 when that cannot be, and how many rows it has.
size_t ctiff_strip_length(ctiff_file *file, uint32_t *rows);

/// The samples of the strip that begins with a row, as they are stored; the last strip may have fewer rows.
/// @param length how many bytes have to come
ctiff_status ctiff_read_strip(ctiff_file *file, uint32_t row, void *samples, size_t length);

/// One tile of samples as they are stored, rows of `tile_width` pixels.
size_t ctiff_tile_length(ctiff_file *file);
ctiff_status ctiff_read_tile(ctiff_file *file, uint32_t x, uint32_t y, void *samples, size_t length);

/// The whole page as RGBA of 8 bits, stored rows, colours multiplied by alpha, whatever the samples are.
/// @param pixels room for width × height × 4 bytes, aligned to 4
ctiff_status ctiff_read_rgba(ctiff_file *file, uint32_t width, uint32_t height, void *pixels);

/// Writes one page of 8-bit RGB, or of RGBA with straight alpha, deflated without loss.
/// @param level deflate's, from 1 to 9; 0 for libtiff's own choice
/// @param output memory from malloc on success, the caller's to free
ctiff_status ctiff_write(
    const void *pixels, uint32_t width, uint32_t height, int channels, int level, void **output, size_t *count,
    char message[256]);

#endif
