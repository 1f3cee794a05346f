#include "PNGErrors.h"

#include <string.h>

void shim_keep_message(png_structp png, png_const_charp message) {
    shim_failure *failure = png_get_error_ptr(png);
    strncpy(failure->message, message, sizeof failure->message - 1);
    // The library has no code for it, only these words.
    if (strstr(message, "memory") != NULL) failure->is_out_of_memory = 1;
    png_longjmp(png, 1);
}

// Warnings are about chunks that are skipped; the pixels do not depend on them.
void shim_ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

cpng_status shim_status(const shim_failure *failure) {
    if (failure->is_truncated) return CPNG_TRUNCATED;
    return failure->is_out_of_memory ? CPNG_NO_MEMORY : CPNG_FAILED;
}
