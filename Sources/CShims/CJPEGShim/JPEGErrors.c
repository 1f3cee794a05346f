#include "JPEGErrors.h"

#include <string.h>

#include <jerror.h>

_Static_assert(sizeof(((cjpeg_message *)0)->text) >= JMSG_LENGTH_MAX, "the library's messages fit");

#define TEXT_OF(x) #x
#define EXPANDED_TEXT_OF(x) TEXT_OF(x)

static cjpeg_status status_of(const shim_errors *errors, int code) {
    switch (code) {
    case JERR_OUT_OF_MEMORY:
        return CJPEG_NO_MEMORY;
    case JERR_NO_BACKING_STORE:
        return CJPEG_TOO_COMPLEX;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
        return CJPEG_SIDE_TOO_LONG;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
        return CJPEG_UNSUPPORTED;
    default:
        return errors->exhausted ? CJPEG_TRUNCATED : CJPEG_MALFORMED;
    }
}

/// Warnings that leave every pixel as it was meant. All others mean that the library makes pixels up.
static boolean is_harmless(int code) {
    switch (code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
        return TRUE;
    default:
        return FALSE;
    }
}

static void leave(j_common_ptr cinfo) {
    shim_errors *errors = (shim_errors *)cinfo->err;
    errors->status = status_of(errors, errors->library.msg_code);
    errors->message.code = errors->library.msg_code;
    errors->library.format_message(cinfo, errors->message.text);
    longjmp(errors->escape, 1);
}

static void emit_message(j_common_ptr cinfo, int level) {
    // Levels from zero up are traces.
    if (level < 0 && !is_harmless(cinfo->err->msg_code)) leave(cinfo);
}

static void output_message(j_common_ptr cinfo) {
    // The library would print to the process's standard error.
    (void)cinfo;
}

struct jpeg_error_mgr *shim_errors_init(shim_errors *errors) {
    struct jpeg_error_mgr *library = jpeg_std_error(&errors->library);
    library->error_exit = leave;
    library->emit_message = emit_message;
    library->output_message = output_message;
    return library;
}

void shim_fail(j_common_ptr cinfo, cjpeg_status status, const char *text) {
    shim_errors *errors = (shim_errors *)cinfo->err;
    errors->status = status;
    errors->message.code = 0;
    strncpy(errors->message.text, text, sizeof errors->message.text - 1);
    errors->message.text[sizeof errors->message.text - 1] = 0;
    longjmp(errors->escape, 1);
}

const char *cjpeg_interface_version(void) {
    struct jpeg_error_mgr library;
    jpeg_std_error(&library);
    return library.jpeg_message_table[JMSG_VERSION];
}

const char *cjpeg_header_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
    return EXPANDED_TEXT_OF(LIBJPEG_TURBO_VERSION);
#else
    return "unknown";
#endif
}
