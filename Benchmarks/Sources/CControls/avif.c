#include "CControls.h"

#include <avif/avif.h>

int ctl_avif_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride) {
    avifDecoder *decoder = avifDecoderCreate();
    if (decoder == NULL) return -1;
    decoder->maxThreads = 1;
    int status = -1;
    if (avifDecoderSetIOMemory(decoder, bytes, count) == AVIF_RESULT_OK &&
        avifDecoderParse(decoder) == AVIF_RESULT_OK && avifDecoderNextImage(decoder) == AVIF_RESULT_OK &&
        (size_t)stride * decoder->image->height <= capacity) {
        avifRGBImage target;
        avifRGBImageSetDefaults(&target, decoder->image);
        target.depth = 8;
        target.pixels = pixels;
        target.rowBytes = (uint32_t)stride;
        status = avifImageYUVToRGB(decoder->image, &target) == AVIF_RESULT_OK ? 0 : -1;
    }
    avifDecoderDestroy(decoder);
    return status;
}
