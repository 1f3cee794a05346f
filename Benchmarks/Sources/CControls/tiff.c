#include "CControls.h"

#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

typedef struct {
    const uint8_t *bytes;
    uint64_t count, place;
} source;

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t count) {
    source *s = handle;
    uint64_t left = s->place < s->count ? s->count - s->place : 0;
    if ((uint64_t)count > left) count = (tmsize_t)left;
    memcpy(target, s->bytes + s->place, (size_t)count);
    s->place += (uint64_t)count;
    return count;
}

static tmsize_t write_nothing(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle, (void)bytes, (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t place, int whence) {
    source *s = handle;
    s->place = whence == SEEK_SET ? place : whence == SEEK_CUR ? s->place + place : s->count + place;
    return s->place;
}

static int leave_open(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size(thandle_t handle) { return ((source *)handle)->count; }

static int map(thandle_t handle, void **start, toff_t *count) {
    source *s = handle;
    *start = (void *)s->bytes;
    *count = s->count;
    return 1;
}

static void forget(thandle_t handle, void *start, toff_t count) { (void)handle, (void)start, (void)count; }

/// Strips of 8-bit RGB become RGBA.
int ctl_tiff_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    source from = {bytes, count, 0};
    TIFF *file = TIFFClientOpen("memory", "r", &from, read_bytes, write_nothing, seek, leave_open, size, map, forget);
    if (file == NULL) return -1;
    uint32_t width = 0, height = 0, rows = 0;
    uint16_t samples = 0;
    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &rows);
    TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    int status = samples >= 3 && samples <= 4 && (size_t)width * height * 4 <= capacity ? 0 : -1;
    tmsize_t room = TIFFStripSize(file);
    uint8_t *strip = malloc((size_t)room);
    if (strip == NULL || rows == 0) status = -1;
    for (uint32_t y = 0; status == 0 && y < height; y += rows) {
        tmsize_t got = TIFFReadEncodedStrip(file, y / rows, strip, room);
        if (got < 0) status = -1;
        uint8_t *target = pixels + (size_t)y * width * 4;
        for (tmsize_t i = 0; i + samples <= got; i += samples, target += 4) {
            target[0] = strip[i];
            target[1] = strip[i + 1];
            target[2] = strip[i + 2];
            target[3] = samples == 4 ? strip[i + 3] : 255;
        }
    }
    free(strip);
    TIFFClose(file);
    return status;
}
