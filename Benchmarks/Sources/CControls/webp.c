#include "CControls.h"

#include <webp/decode.h>

int ctl_webp_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride) {
    return WebPDecodeRGBAInto(bytes, count, pixels, capacity, stride) ? 0 : -1;
}
