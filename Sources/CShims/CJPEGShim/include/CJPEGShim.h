/// libjpeg-turbo behind calls that return: libjpeg reports errors by longjmp, which must not cross Swift.
///
/// A handle serves one picture on one thread.
#ifndef CJPEGSHIM_H
#define CJPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

typedef enum cjpeg_status {
    CJPEG_OK = 0,
    /// The bytes end before the picture does.
    CJPEG_TRUNCATED,
    /// The bytes break the format's rules.
    CJPEG_MALFORMED,
    /// A feature that the library does not have.
    CJPEG_UNSUPPORTED,
    /// A side is longer than the library takes.
    CJPEG_SIDE_TOO_LONG,
    /// More scans or more memory for coefficients than allowed.
    CJPEG_TOO_COMPLEX,
    CJPEG_NO_MEMORY,
    /// The caller's own question was answered with "stop".
    CJPEG_CANCELLED,
} cjpeg_status;

/// The library's message and its number; zero when the shim itself speaks.
typedef struct cjpeg_message {
    int code;
    char text[200];
} cjpeg_message;

/// The revision of the libjpeg interface that the loaded library speaks, "6b  27-Mar-1998" for example.
const char *cjpeg_interface_version(void);

/// The release of libjpeg-turbo whose headers this was compiled with; "unknown" for another libjpeg.
const char *cjpeg_header_version(void);

/// A piece of the caller's bytes. Pieces are read in turn as if they stood in one row, and are never copied.
typedef struct cjpeg_segment {
    const uint8_t *base;
    size_t count;
} cjpeg_segment;

typedef struct cjpeg_header {
    uint32_t width;
    uint32_t height;
} cjpeg_header;

/// How the pixels are wanted, and what they may cost.
typedef struct cjpeg_request {
    /// 1, 2, 4 or 8 eighths of the stored size.
    uint32_t scale_eighths;
    /// Rows of one grey byte a pixel; only for pictures that have no colours.
    int is_gray;
    /// Smooths blocks whose finer coefficients have not come; off when they were left out on purpose.
    int smooths_blocks;
    int max_scans;
    /// Bytes that the library may use for coefficients.
    size_t max_memory;
    /// Asked once for every row of blocks while scans are collected; zero stops. May not be null.
    int (*should_continue)(const void *context);
    const void *context;
} cjpeg_request;

typedef struct cjpeg_decoder cjpeg_decoder;

/// Null when there is no memory.
cjpeg_decoder *cjpeg_decoder_create(void);

/// Takes null.
void cjpeg_decoder_destroy(cjpeg_decoder *decoder);

/// What the last call that did not return CJPEG_OK had to say. Valid as long as the decoder.
const cjpeg_message *cjpeg_decoder_message(const cjpeg_decoder *decoder);

/// Reads up to the first scan. The segments have to stay until the decoder is destroyed.
cjpeg_status cjpeg_decoder_read_header(
    cjpeg_decoder *decoder, const cjpeg_segment *segments, size_t count, cjpeg_header *header);

/// Prepares the output; a picture of several scans is collected as a whole. Tells the output's size.
cjpeg_status cjpeg_decoder_start(cjpeg_decoder *decoder, const cjpeg_request *request, cjpeg_header *output);

/// Writes the next `count` rows: red, green, blue, 255; or grey; or, of a picture in inks, its four inks as they are stored.
cjpeg_status cjpeg_decoder_read_rows(cjpeg_decoder *decoder, uint8_t *base, size_t bytes_per_row, uint32_t count);

/// A picture whose bytes are still coming. Wherever bytes are asked for, all that have come so far are given; they may lie
/// elsewhere every time. After a status other than CJPEG_OK nothing more can be read.
typedef struct cjpeg_partial cjpeg_partial;

/// Null when there is no memory.
cjpeg_partial *cjpeg_partial_create(void);

/// Takes null.
void cjpeg_partial_destroy(cjpeg_partial *partial);

/// What the last call that did not return CJPEG_OK had to say. Valid as long as the decoder.
const cjpeg_message *cjpeg_partial_message(const cjpeg_partial *partial);

/// Tells whether all of the header has come.
cjpeg_status cjpeg_partial_read_header(
    cjpeg_partial *partial, const uint8_t *bytes, size_t count, int *is_there);

/// Prepares the output, after the header. `should_continue` is not asked. Tells the output's size.
cjpeg_status cjpeg_partial_start(cjpeg_partial *partial, const cjpeg_request *request, cjpeg_header *output);

/// Whether it has several scans, and is read by take_scans, begin_pass and read_pass; else by read_band.
int cjpeg_partial_has_passes(const cjpeg_partial *partial);

/// Takes what has come and tells how many scans are whole.
cjpeg_status cjpeg_partial_take_scans(cjpeg_partial *partial, const uint8_t *bytes, size_t count, int *scans);

/// Goes to the first row of what can be seen after `scan` scans, which have come whole.
cjpeg_status cjpeg_partial_begin_pass(cjpeg_partial *partial, int scan);

/// Writes the pass's next `count` rows as the decoder's calls do, and tells how many there were.
cjpeg_status cjpeg_partial_read_pass(
    cjpeg_partial *partial, uint8_t *base, size_t bytes_per_row, uint32_t count, uint32_t *made);

/// Writes the next rows that have come, no more than `row_count`, and tells how many there were.
cjpeg_status cjpeg_partial_read_band(
    cjpeg_partial *partial, const uint8_t *bytes, size_t count, uint8_t *base, size_t bytes_per_row,
    uint32_t row_count, uint32_t *made);

typedef struct cjpeg_picture {
    const uint8_t *base;
    size_t bytes_per_row;
    uint32_t width;
    uint32_t height;
    /// The fourth byte is alpha, with which the colours are multiplied; else it is not looked at.
    int is_premultiplied;
} cjpeg_picture;

typedef struct cjpeg_encoding {
    /// 1 to 100.
    int quality;
    /// Colour at half the resolution on both axes (4:2:0), else at the full one (4:4:4).
    int halves_colour;
    int is_progressive;
    /// Huffman tables made for this picture: a few percent smaller, in two passes. Progressive files always have them.
    int optimizes_codes;
    /// Red, green and blue that transparent pixels are laid over.
    uint8_t background[3];
} cjpeg_encoding;

/// An application segment: what its marker's second byte is, and what follows the length.
typedef struct cjpeg_application {
    int marker;
    const uint8_t *bytes;
    size_t count;
} cjpeg_application;

/// The most bytes of one.
enum { CJPEG_LONGEST_APPLICATION = 65533 };

/// Encodes a picture, the segments before it in their order. On CJPEG_OK `*bytes` came from malloc and is the caller's; else it is null.
cjpeg_status cjpeg_encode(
    const cjpeg_picture *picture, const cjpeg_encoding *encoding, const cjpeg_application *applications,
    size_t application_count, uint8_t **bytes, size_t *count, cjpeg_message *message);

#endif
