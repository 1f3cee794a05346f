#ifndef JPEGERRORS_H
#define JPEGERRORS_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEGShim.h"

/// libjpeg's error manager, which comes first, and where to go when something is wrong.
typedef struct {
    struct jpeg_error_mgr library;
    jmp_buf escape;
    cjpeg_status status;
    cjpeg_message message;
    /// The source had to make up bytes: whatever fails from here on fails because the input ended.
    boolean exhausted;
} shim_errors;

/// Fills the manager in; the result goes into `cinfo->err`.
struct jpeg_error_mgr *shim_errors_init(shim_errors *errors);

/// Leaves the library with a status and a text of our own.
_Noreturn void shim_fail(j_common_ptr cinfo, cjpeg_status status, const char *text);

#endif
