#include <stdlib.h>
#include <string.h>

#include "PNGErrors.h"
#include "PNGLayout.h"

// MARK: Reading

struct cpng_reader {
    shim_failure failure;  // first: the error callback gets its address
    png_structp png;
    png_infop info;
    const unsigned char *bytes;
    size_t left;
    size_t count;
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) {
        reader->failure.is_truncated = 1;
        png_error(png, "the file ends early");
    }
    memcpy(target, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

cpng_reader *cpng_reader_create(const void *bytes, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->bytes = bytes;
    reader->left = count;
    reader->count = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader->failure, shim_keep_message, shim_ignore_warning);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        cpng_reader_destroy(reader);
        return NULL;
    }
    return reader;
}

void cpng_reader_destroy(cpng_reader *reader) {
    if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->failure.message; }

cpng_status cpng_reader_read_header(
    cpng_reader *reader, uint32_t longest_side, size_t chunk_memory, cpng_layout layout, cpng_header *header) {
    png_structp png = reader->png;
    png_infop info = reader->info;
    if (setjmp(png_jmpbuf(png))) return shim_status(&reader->failure);

    png_set_read_fn(png, reader, read_bytes);
    png_set_user_limits(png, longest_side, longest_side);
    png_set_chunk_malloc_max(png, chunk_memory);
    // Nothing but IHDR, PLTE, tRNS and IDAT is looked at, so a packed text or profile is never unpacked.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, info);

    // The library has read the chunk's length and name.
    header->first_pixels = reader->count - reader->left - 8;
    png_set_interlace_handling(png);
    shim_lay_out(png, info, layout, header);
    return CPNG_OK;
}

cpng_status cpng_reader_read_rows(cpng_reader *reader, void *base, size_t bytes_per_row, uint32_t rows) {
    if (setjmp(png_jmpbuf(reader->png))) return shim_status(&reader->failure);
    for (uint32_t y = 0; y < rows; y++) {
        png_read_row(reader->png, (png_bytep)base + y * bytes_per_row, NULL);
    }
    return CPNG_OK;
}

// MARK: Writing

struct cpng_writer {
    shim_failure failure;
    png_structp png;
    png_infop info;
    unsigned char *bytes;
    size_t count;
    size_t capacity;
};

static void write_bytes(png_structp png, png_bytep source, size_t count) {
    cpng_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = writer->capacity < 4096 ? 4096 : writer->capacity;
        while (count > capacity - writer->count) {
            if (capacity > SIZE_MAX / 2) png_error(png, "out of memory");
            capacity *= 2;
        }
        unsigned char *grown = realloc(writer->bytes, capacity);
        if (grown == NULL) png_error(png, "out of memory");
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, source, count);
    writer->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

cpng_writer *cpng_writer_create(void) {
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer->failure, shim_keep_message, shim_ignore_warning);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL) {
        cpng_writer_destroy(writer);
        return NULL;
    }
    return writer;
}

void cpng_writer_destroy(cpng_writer *writer) {
    if (writer->png != NULL) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

const char *cpng_writer_message(const cpng_writer *writer) { return writer->failure.message; }

// An iTXt chunk of a fixed keyword and no language, unpacked (PNG 3rd ed. §11.3.3.4).
static void write_xmp(png_structp png, cpng_piece xmp) {
    static const char introduction[] = "XML:com.adobe.xmp\0\0\0\0";  // and the literal's own zero
    png_write_chunk_start(png, (png_const_bytep) "iTXt", (png_uint_32)(sizeof introduction + xmp.count));
    png_write_chunk_data(png, (png_const_bytep)introduction, sizeof introduction);
    png_write_chunk_data(png, xmp.bytes, xmp.count);
    png_write_chunk_end(png);
}

cpng_status cpng_writer_begin(
    cpng_writer *writer, const cpng_writing *writing, const cpng_metadata *metadata, int *passes) {
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png))) return shim_status(&writer->failure);
    png_set_write_fn(png, writer, write_bytes, flush_nothing);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    if (metadata->profile.count > PNG_UINT_31_MAX || metadata->exif.count > PNG_UINT_31_MAX
        || metadata->xmp.count > PNG_UINT_31_MAX / 2)
        png_error(png, "metadata is too long for a chunk");
    png_set_IHDR(
        png, writer->info, writing->width, writing->height, writing->bits,
        writing->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        writing->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, writing->level);
    int filters = PNG_ALL_FILTERS;
    if (writing->filter == CPNG_FILTER_SUB) filters = PNG_FILTER_SUB;
    if (writing->filter == CPNG_FILTER_FAST) filters = PNG_FAST_FILTERS;
    png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
    if (metadata->profile.bytes != NULL) {
        png_set_iCCP(
            png, writer->info, "icc", PNG_COMPRESSION_TYPE_BASE, metadata->profile.bytes,
            (png_uint_32)metadata->profile.count);
        // The library only warns of a profile that it does not like, and leaves it out.
        if (!png_get_valid(png, writer->info, PNG_INFO_iCCP)) png_error(png, "the colour profile is not valid");
    }
    png_write_info(png, writer->info);
    if (metadata->code_points.bytes != NULL)
        png_write_chunk(png, (png_const_bytep) "cICP", metadata->code_points.bytes, metadata->code_points.count);
    if (metadata->exif.bytes != NULL)
        png_write_chunk(png, (png_const_bytep) "eXIf", metadata->exif.bytes, metadata->exif.count);
    if (metadata->xmp.bytes != NULL) write_xmp(png, metadata->xmp);
    if (writing->bits == 16) png_set_swap(png);  // the file has the high byte first, every processor here the low one
    if (!writing->has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    *passes = png_set_interlace_handling(png);
    return CPNG_OK;
}

cpng_status cpng_writer_write_row(cpng_writer *writer, const void *row) {
    if (setjmp(png_jmpbuf(writer->png))) return shim_status(&writer->failure);
    png_write_row(writer->png, row);
    return CPNG_OK;
}

cpng_status cpng_writer_finish(cpng_writer *writer, void **bytes, size_t *count) {
    if (setjmp(png_jmpbuf(writer->png))) return shim_status(&writer->failure);
    png_write_end(writer->png, NULL);
    *bytes = writer->bytes;
    *count = writer->count;
    writer->bytes = NULL;
    writer->count = 0;
    writer->capacity = 0;
    return CPNG_OK;
}

const char *cpng_version(void) { return png_get_libpng_ver(NULL); }
