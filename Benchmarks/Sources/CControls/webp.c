#include "CControls.h"

#include <webp/decode.h>
#include <webp/demux.h>

int ctl_webp_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride) {
    return WebPDecodeRGBAInto(bytes, count, pixels, capacity, stride) ? 0 : -1;
}

int ctl_webp_play(const uint8_t *bytes, size_t count, unsigned frames) {
    WebPData data = {bytes, count};
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return -1;
    // Colours multiplied by alpha, as the library gives them.
    options.color_mode = MODE_rgbA;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    if (decoder == NULL) return -1;
    unsigned seen = 0;
    uint8_t *canvas;
    int time;
    while (WebPAnimDecoderHasMoreFrames(decoder) && WebPAnimDecoderGetNext(decoder, &canvas, &time)) seen++;
    WebPAnimDecoderDelete(decoder);
    return seen == frames ? 0 : -1;
}
