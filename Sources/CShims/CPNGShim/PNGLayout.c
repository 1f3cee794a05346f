#include "PNGLayout.h"

void shim_lay_out(png_structp png, png_infop info, cpng_layout layout, cpng_header *header) {
    int color = png_get_color_type(png, info);
    int has_alpha = (color & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    int is_plain = png_get_bit_depth(png, info) == 8 && (color & PNG_COLOR_MASK_PALETTE) == 0
        && (color & PNG_COLOR_MASK_COLOR) != 0 && has_alpha == ((color & PNG_COLOR_MASK_ALPHA) != 0);
    header->plain_channels = is_plain ? png_get_channels(png, info) : 0;
    int keeps_gray = layout.keeps_gray && (color & PNG_COLOR_MASK_COLOR) == 0;
    int keeps_16 = layout.keeps_16 && png_get_bit_depth(png, info) == 16;
    if (keeps_16) png_set_swap(png);  // the file has the high byte first, every processor here the low one
    else png_set_scale_16(png);
    png_set_expand(png);
    if (!keeps_gray) png_set_gray_to_rgb(png);
    if (!has_alpha && !keeps_gray) png_set_filler(png, 0xFFFF, PNG_FILLER_AFTER);
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    png_read_update_info(png, info);

    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->has_alpha = has_alpha;
    // The rows are written into the caller's memory: they must be as long as it believes.
    size_t pixel = (size_t)(keeps_gray ? 1 + has_alpha : 4) << keeps_16;
    if (png_get_rowbytes(png, info) != header->width * pixel) png_error(png, "rows of an unexpected length");
}
