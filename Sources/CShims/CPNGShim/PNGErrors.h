#ifndef PNGERRORS_H
#define PNGERRORS_H

#include <png.h>

#include "CPNGShim.h"

/// What the library's callbacks share between reading and writing; its address is what they get.
typedef struct {
    char message[160];
    int is_truncated;
    int is_out_of_memory;
} shim_failure;

void shim_keep_message(png_structp png, png_const_charp message);
void shim_ignore_warning(png_structp png, png_const_charp message);
cpng_status shim_status(const shim_failure *failure);

#endif
