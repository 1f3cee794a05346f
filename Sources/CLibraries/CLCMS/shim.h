#include <lcms2.h>

// Swift sees no macro that takes arguments, and lcms2 describes a pixel's layout by nothing else.

enum { CLCMS_GRAY = PT_GRAY, CLCMS_RGB = PT_RGB, CLCMS_CMYK = PT_CMYK };

/// How one pixel lies in memory, in lcms2's terms.
static inline cmsUInt32Number clcms_layout(
    int color_space, int channels, int extra, int bytes_per_channel, int is_float, int is_inverted) {
    return COLORSPACE_SH(color_space) | CHANNELS_SH(channels) | EXTRA_SH(extra) | BYTES_SH(bytes_per_channel)
        | FLOAT_SH(is_float) | FLAVOR_SH(is_inverted);
}
