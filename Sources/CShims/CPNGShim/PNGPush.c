#include <stdlib.h>

#include "PNGErrors.h"
#include "PNGLayout.h"

struct cpng_push {
    shim_failure failure;
    png_structp png;
    png_infop info;
    cpng_layout layout;
    cpng_header header;
    int has_header;
    cpng_row_taker take;
    void *context;
};

static void begin_pixels(png_structp png, png_infop info) {
    cpng_push *push = png_get_progressive_ptr(png);
    // Without interlace handling the rows of a pass have that pass's pixels only, each of them once.
    shim_lay_out(png, info, push->layout, &push->header);
    push->has_header = 1;
}

static void take_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
    cpng_push *push = png_get_progressive_ptr(png);
    if (row != NULL && !push->take(push->context, row, number, pass)) png_error(png, "the row was refused");
}

static void end(png_structp png, png_infop info) {
    (void)png;
    (void)info;
}

cpng_push *cpng_push_create(uint32_t longest_side, cpng_layout layout) {
    cpng_push *push = calloc(1, sizeof *push);
    if (push == NULL) return NULL;
    push->layout = layout;
    push->png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, &push->failure, shim_keep_message, shim_ignore_warning);
    if (push->png != NULL) push->info = png_create_info_struct(push->png);
    if (push->info == NULL) {
        cpng_push_destroy(push);
        return NULL;
    }
    png_set_user_limits(push->png, longest_side, longest_side);
    png_set_progressive_read_fn(push->png, push, begin_pixels, take_row, end);
    return push;
}

void cpng_push_destroy(cpng_push *push) {
    if (push->png != NULL) png_destroy_read_struct(&push->png, &push->info, NULL);
    free(push);
}

const char *cpng_push_message(const cpng_push *push) { return push->failure.message; }

const cpng_header *cpng_push_header(const cpng_push *push) { return push->has_header ? &push->header : NULL; }

cpng_status cpng_push_feed(cpng_push *push, const void *bytes, size_t count, cpng_row_taker take, void *context) {
    if (setjmp(png_jmpbuf(push->png))) return shim_status(&push->failure);
    push->take = take;
    push->context = context;
    png_process_data(push->png, push->info, (png_bytep)bytes, count);  // only read
    return CPNG_OK;
}
