#include "CTIFFShim.h"

#include <stdlib.h>
#include <string.h>

#include "TIFFMemory.h"

// Each directory is compared with all before it, so their number is a matter of time.
enum { largest_directory_count = 65536 };

struct ctiff_file {
    TIFF *tiff;
    uint32_t directory_count;
    tiff_memory memory;
    char message[256];
};

const char *ctiff_version(void) { return TIFFGetVersion(); }

/// Neither the picture once more at another size nor a mask for it.
static int is_page(TIFF *tiff) {
    uint32_t kind = 0;
    TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind);
    return !(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
}

ctiff_file *ctiff_open(const void *bytes, size_t count, size_t largest_allocation) {
    ctiff_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    // Lent for reading: nothing writes to it.
    file->memory.bytes = (unsigned char *)bytes;
    file->memory.count = count;
    file->tiff = tiff_memory_open(&file->memory, "r", largest_allocation, file->message);
    // What is wrong behind it is said when the pages there are asked for.
    if (file->tiff && !is_page(file->tiff) && ctiff_next_page(file) != CTIFF_OK) {
        TIFFSetDirectory(file->tiff, 0);
        file->message[0] = 0;
    }
    return file;
}

void ctiff_close(ctiff_file *file) {
    if (!file) return;
    if (file->tiff) TIFFClose(file->tiff);
    free(file);
}

const char *ctiff_message(const ctiff_file *file) { return file->message; }

ctiff_status ctiff_next_page(ctiff_file *file) {
    do {
        if (!file->tiff || TIFFLastDirectory(file->tiff)) return CTIFF_END;
        if (++file->directory_count > largest_directory_count || !TIFFReadDirectory(file->tiff)) return CTIFF_FAILED;
    } while (!is_page(file->tiff));
    return CTIFF_OK;
}

uint64_t ctiff_page_offset(ctiff_file *file) { return file->tiff ? TIFFCurrentDirOffset(file->tiff) : 0; }

ctiff_status ctiff_go_to_page(ctiff_file *file, uint64_t offset) {
    if (!file->tiff) return CTIFF_FAILED;
    if (TIFFCurrentDirOffset(file->tiff) == offset) return CTIFF_OK;
    return TIFFSetSubDirectory(file->tiff, offset) ? CTIFF_OK : CTIFF_FAILED;
}

ctiff_status ctiff_read_header(ctiff_file *file, ctiff_header *header) {
    memset(header, 0, sizeof *header);
    TIFF *tiff = file->tiff;
    if (!tiff || !TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width) ||
        !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height))
        return CTIFF_FAILED;
    uint16_t planar = PLANARCONFIG_CONTIG, *extras = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &header->sample_format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &header->ink_set);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    header->is_contiguous = planar == PLANARCONFIG_CONTIG || header->samples == 1;
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric))
        header->photometric = header->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &header->extra_samples, &extras) && header->extra_samples)
        header->first_extra = extras[0];
    if (TIFFIsTiled(tiff)) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->tile_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->tile_height);
    }
    return CTIFF_OK;
}

uint32_t ctiff_count_pages(ctiff_file *file, uint32_t limit) {
    uint32_t count = file->tiff ? 1 : 0;
    while (count && count < limit && ctiff_next_page(file) == CTIFF_OK) count++;
    return count;
}

size_t ctiff_profile(ctiff_file *file, const void **bytes) {
    uint32_t count = 0;
    void *profile = NULL;
    if (!file->tiff || !TIFFGetField(file->tiff, TIFFTAG_ICCPROFILE, &count, &profile) || !profile) return 0;
    *bytes = profile;
    return count;
}

size_t ctiff_row_length(ctiff_file *file) {
    tmsize_t length = TIFFScanlineSize(file->tiff);
    return length > 0 ? (size_t)length : 0;
}

static ctiff_status failure(const ctiff_file *file) {
    return strstr(file->message, "emory") ? CTIFF_NO_MEMORY : CTIFF_FAILED;
}

ctiff_status ctiff_read_row(ctiff_file *file, uint32_t row, void *samples) {
    return TIFFReadScanline(file->tiff, samples, row, 0) >= 0 ? CTIFF_OK : failure(file);
}

size_t ctiff_strip_length(ctiff_file *file, uint32_t *rows) {
    uint32_t height = 0;
    TIFFGetFieldDefaulted(file->tiff, TIFFTAG_ROWSPERSTRIP, rows);
    if (TIFFGetField(file->tiff, TIFFTAG_IMAGELENGTH, &height) && *rows > height) *rows = height;
    tmsize_t length = TIFFStripSize(file->tiff);
    return length > 0 && *rows > 0 ? (size_t)length : 0;
}

ctiff_status ctiff_read_strip(ctiff_file *file, uint32_t row, void *samples, size_t length) {
    uint32_t strip = TIFFComputeStrip(file->tiff, row, 0);
    tmsize_t count = TIFFReadEncodedStrip(file->tiff, strip, samples, (tmsize_t)length);
    return count >= 0 && (size_t)count == length ? CTIFF_OK : failure(file);
}

size_t ctiff_tile_length(ctiff_file *file) {
    tmsize_t length = TIFFTileSize(file->tiff);
    return length > 0 ? (size_t)length : 0;
}

ctiff_status ctiff_read_tile(ctiff_file *file, uint32_t x, uint32_t y, void *samples, size_t length) {
    uint32_t tile = TIFFComputeTile(file->tiff, x, y, 0, 0);
    tmsize_t count = TIFFReadEncodedTile(file->tiff, tile, samples, (tmsize_t)length);
    return count >= 0 && (size_t)count == length ? CTIFF_OK : failure(file);
}

ctiff_status ctiff_read_rgba(ctiff_file *file, uint32_t width, uint32_t height, void *pixels) {
    TIFFRGBAImage image;
    char message[1024] = "";
    if (!TIFFRGBAImageBegin(&image, file->tiff, 1, message)) {
        if (!file->message[0]) snprintf(file->message, sizeof file->message, "%.255s", message);
        return failure(file);
    }
    // Stored rows are wanted: libtiff shall not turn them.
    image.orientation = image.req_orientation = ORIENTATION_TOPLEFT;
    int is_read = TIFFRGBAImageGet(&image, pixels, width, height);
    TIFFRGBAImageEnd(&image);
    return is_read ? CTIFF_OK : failure(file);
}

ctiff_status ctiff_write(
    const void *pixels, uint32_t width, uint32_t height, int channels, int level, void **output, size_t *count,
    char message[256]) {
    tiff_memory memory = {.is_writable = 1};
    message[0] = 0;
    // m: the file is memory, which libtiff must not map while it grows.
    TIFF *tiff = tiff_memory_open(&memory, "wm", 0, message);
    if (!tiff) return CTIFF_NO_MEMORY;
    uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    if (channels == 4) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    if (level > 0) TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, level);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
    size_t row_length = (size_t)width * (size_t)channels;
    // The predictor works in place.
    void *row = malloc(row_length);
    int is_written = row != NULL;
    for (uint32_t y = 0; is_written && y < height; y++) {
        memcpy(row, (const char *)pixels + y * row_length, row_length);
        is_written = TIFFWriteScanline(tiff, row, y, 0) >= 0;
    }
    is_written = is_written && TIFFFlush(tiff);
    int had_row = row != NULL;
    free(row);
    TIFFClose(tiff);
    if (!is_written || message[0]) {
        free(memory.bytes);
        return had_row ? CTIFF_FAILED : CTIFF_NO_MEMORY;
    }
    *output = memory.bytes;
    *count = memory.count;
    return CTIFF_OK;
}
