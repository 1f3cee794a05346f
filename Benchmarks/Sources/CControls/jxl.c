#include "CControls.h"

#include <jxl/decode.h>

int ctl_jxl_decode(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    int status = -1;
    if (decoder != NULL && JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, count) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        for (;;) {
            JxlDecoderStatus event = JxlDecoderProcessInput(decoder);
            if (event == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
                size_t needed = 0;
                if (JxlDecoderImageOutBufferSize(decoder, &format, &needed) != JXL_DEC_SUCCESS || needed > capacity ||
                    JxlDecoderSetImageOutBuffer(decoder, &format, pixels, needed) != JXL_DEC_SUCCESS)
                    break;
            } else {
                if (event == JXL_DEC_FULL_IMAGE) status = 0;
                break;
            }
        }
    }
    if (decoder != NULL) JxlDecoderDestroy(decoder);
    return status;
}
