#include "CControls.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf leave;
} failure;

static void leave(j_common_ptr codec) { longjmp(((failure *)codec->err)->leave, 1); }
static void say_nothing(j_common_ptr codec) { (void)codec; }

static struct jpeg_error_mgr *watch(failure *failure) {
    struct jpeg_error_mgr *base = jpeg_std_error(&failure->base);
    base->error_exit = leave;
    base->output_message = say_nothing;
    return base;
}

int ctl_jpeg_decode(const uint8_t *bytes, size_t count, unsigned denominator, uint8_t *pixels, size_t capacity,
                    unsigned *width, unsigned *height) {
    struct jpeg_decompress_struct codec;
    failure failure;
    codec.err = watch(&failure);
    if (setjmp(failure.leave)) {
        jpeg_destroy_decompress(&codec);
        return -1;
    }
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, bytes, count);
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = JCS_EXT_RGBA;
    codec.scale_num = 1;
    codec.scale_denom = denominator;
    jpeg_start_decompress(&codec);
    size_t row = (size_t)codec.output_width * 4;
    if (row * codec.output_height > capacity) {
        jpeg_destroy_decompress(&codec);
        return -1;
    }
    while (codec.output_scanline < codec.output_height) {
        JSAMPROW rows[16];
        unsigned room = codec.output_height - codec.output_scanline;
        if (room > 16) room = 16;
        for (unsigned i = 0; i < room; i++) rows[i] = pixels + (codec.output_scanline + i) * row;
        jpeg_read_scanlines(&codec, rows, room);
    }
    *width = codec.output_width;
    *height = codec.output_height;
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return 0;
}

int ctl_jpeg_encode(const uint8_t *pixels, unsigned width, unsigned height, int quality, uint8_t **bytes,
                    unsigned long *count) {
    struct jpeg_compress_struct codec;
    failure failure;
    *bytes = NULL;
    *count = 0;
    codec.err = watch(&failure);
    if (setjmp(failure.leave)) {
        jpeg_destroy_compress(&codec);
        free(*bytes);
        return -1;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, bytes, count);
    codec.image_width = width;
    codec.image_height = height;
    codec.input_components = 4;
    codec.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)pixels + (size_t)codec.next_scanline * width * 4;
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    return 0;
}

int ctl_jpeg_tile(const uint8_t *pixels, unsigned width, unsigned height, unsigned columns, unsigned rows,
                  uint8_t **bytes, unsigned long *count) {
    struct jpeg_compress_struct codec;
    failure failure;
    size_t stride = (size_t)width * 4;
    uint8_t *line = malloc(stride * columns);
    *bytes = NULL;
    *count = 0;
    if (line == NULL) return -1;
    codec.err = watch(&failure);
    if (setjmp(failure.leave)) {
        jpeg_destroy_compress(&codec);
        free(*bytes);
        free(line);
        return -1;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, bytes, count);
    codec.image_width = width * columns;
    codec.image_height = height * rows;
    codec.input_components = 4;
    codec.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, 80, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        for (unsigned i = 0; i < columns; i++)
            memcpy(line + i * stride, pixels + codec.next_scanline % height * stride, stride);
        jpeg_write_scanlines(&codec, &line, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    free(line);
    return 0;
}

int ctl_jpeg_thumbnail(const uint8_t *bytes, size_t count, unsigned width, unsigned height, int quality,
                       uint8_t **result, unsigned long *result_count) {
    size_t capacity = 1 << 20;
    uint8_t *decoded = malloc(capacity);
    uint8_t *reduced = malloc((size_t)width * height * 4);
    unsigned decoded_width, decoded_height;
    int status = -1;
    if (decoded && reduced &&
        ctl_jpeg_decode(bytes, count, 8, decoded, capacity, &decoded_width, &decoded_height) == 0 &&
        ctl_resample(decoded, decoded_width, decoded_height, reduced, width, height, CTL_LANCZOS3) == 0)
        status = ctl_jpeg_encode(reduced, width, height, quality, result, result_count);
    free(decoded);
    free(reduced);
    return status;
}

int ctl_jpeg_make_progressive(const uint8_t *bytes, size_t count, uint8_t **result, unsigned long *result_count) {
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
    failure failure;
    *result = NULL;
    *result_count = 0;
    source.err = target.err = watch(&failure);
    jpeg_create_decompress(&source);
    jpeg_create_compress(&target);
    if (setjmp(failure.leave)) {
        jpeg_destroy_compress(&target);
        jpeg_destroy_decompress(&source);
        free(*result);
        return -1;
    }
    jpeg_mem_src(&source, bytes, count);
    jpeg_read_header(&source, TRUE);
    jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&source);
    jpeg_copy_critical_parameters(&source, &target);
    jpeg_simple_progression(&target);
    jpeg_mem_dest(&target, result, result_count);
    jpeg_write_coefficients(&target, coefficients);
    jpeg_finish_compress(&target);
    jpeg_finish_decompress(&source);
    jpeg_destroy_compress(&target);
    jpeg_destroy_decompress(&source);
    return 0;
}
