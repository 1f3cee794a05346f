#include "CControls.h"

#include <libheif/heif.h>
#include <string.h>

int ctl_heif_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int stride) {
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    int status = -1;
    if (context != NULL &&
        heif_context_read_from_memory_without_copy(context, bytes, count, NULL).code == heif_error_Ok &&
        heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok &&
        heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, NULL).code ==
            heif_error_Ok) {
        int from = 0;
        int height = heif_image_get_height(image, heif_channel_interleaved);
        const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &from);
        if (rows != NULL && (size_t)stride * (size_t)height <= capacity) {
            for (int y = 0; y < height; y++)
                memcpy(pixels + (size_t)y * (size_t)stride, rows + (size_t)y * (size_t)from, (size_t)stride);
            status = 0;
        }
    }
    heif_image_release(image);
    heif_image_handle_release(handle);
    heif_context_free(context);
    return status;
}
