#include "CControls.h"

#include <setjmp.h>
#include <string.h>

#include <png.h>

typedef struct {
    const uint8_t *next;
    size_t left;
} input;

static void take(png_structp codec, png_bytep room, size_t count) {
    input *input = png_get_io_ptr(codec);
    if (count > input->left) png_error(codec, "short");
    memcpy(room, input->next, count);
    input->next += count;
    input->left -= count;
}

int ctl_png_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    png_structp codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = codec ? png_create_info_struct(codec) : NULL;
    if (!info || setjmp(png_jmpbuf(codec))) {
        png_destroy_read_struct(&codec, &info, NULL);
        return -1;
    }
    input input = {bytes, count};
    png_set_read_fn(codec, &input, take);
    png_read_info(codec, info);
    png_set_expand(codec);
    png_set_strip_16(codec);
    png_set_gray_to_rgb(codec);
    png_set_add_alpha(codec, 255, PNG_FILLER_AFTER);
    png_read_update_info(codec, info);
    size_t row = png_get_rowbytes(codec, info);
    unsigned height = png_get_image_height(codec, info);
    if (row * height > capacity) png_error(codec, "large");
    for (unsigned y = 0; y < height; y++) png_read_row(codec, pixels + y * row, NULL);
    png_read_end(codec, NULL);
    png_destroy_read_struct(&codec, &info, NULL);
    return 0;
}
