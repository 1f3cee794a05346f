#include <stdlib.h>

#include <jerror.h>

#include "JPEGErrors.h"

enum { ROWS_PER_CALL = 16 };

struct cjpeg_partial {
    struct jpeg_decompress_struct library;
    shim_errors errors;
    struct jpeg_source_mgr source;
    /// How many bytes the library has taken, and how many more it wants to pass over unread.
    size_t taken;
    size_t to_skip;
    int max_scans;
    boolean is_started;
    boolean is_pass_open;
};

static cjpeg_partial *partial_of(j_decompress_ptr library) { return (cjpeg_partial *)library; }

// MARK: Source over bytes that grow

static void init_source(j_decompress_ptr library) { (void)library; }

/// There is no more for now: the library goes back to where it can begin again, and returns.
static boolean fill_input_buffer(j_decompress_ptr library) {
    (void)library;
    return FALSE;
}

static void skip_input_data(j_decompress_ptr library, long count) {
    struct jpeg_source_mgr *source = library->src;
    if (count <= 0) return;
    size_t wanted = (size_t)count;
    size_t now = wanted < source->bytes_in_buffer ? wanted : source->bytes_in_buffer;
    source->next_input_byte += now;
    source->bytes_in_buffer -= now;
    partial_of(library)->to_skip += wanted - now;
}

static void term_source(j_decompress_ptr library) { (void)library; }

/// Points the library at the same bytes, which may lie elsewhere now, and those that have come since.
static void enter(cjpeg_partial *partial, const uint8_t *bytes, size_t count) {
    size_t left = count > partial->taken ? count - partial->taken : 0;
    size_t skipped = partial->to_skip < left ? partial->to_skip : left;
    partial->to_skip -= skipped;
    partial->source.next_input_byte = bytes + (count - left) + skipped;
    partial->source.bytes_in_buffer = left - skipped;
}

/// Remembers how far the library has come. It never looks at the pointer again.
static void leave(cjpeg_partial *partial, size_t count) { partial->taken = count - partial->source.bytes_in_buffer; }

// MARK: The calls

cjpeg_partial *cjpeg_partial_create(void) {
    cjpeg_partial *partial = calloc(1, sizeof *partial);
    if (partial == NULL) return NULL;
    partial->library.err = shim_errors_init(&partial->errors);
    if (setjmp(partial->errors.escape)) {
        cjpeg_partial_destroy(partial);
        return NULL;
    }
    jpeg_create_decompress(&partial->library);
    partial->source = (struct jpeg_source_mgr){
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = term_source,
    };
    partial->library.src = &partial->source;
    return partial;
}

void cjpeg_partial_destroy(cjpeg_partial *partial) {
    if (partial == NULL) return;
    jpeg_destroy_decompress(&partial->library);
    free(partial);
}

const cjpeg_message *cjpeg_partial_message(const cjpeg_partial *partial) { return &partial->errors.message; }

cjpeg_status cjpeg_partial_read_header(
    cjpeg_partial *partial, const uint8_t *bytes, size_t count, int *is_there) {
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    enter(partial, bytes, count);
    *is_there = jpeg_read_header(&partial->library, TRUE) == JPEG_HEADER_OK;
    leave(partial, count);
    return CJPEG_OK;
}

cjpeg_status cjpeg_partial_start(cjpeg_partial *partial, const cjpeg_request *request, cjpeg_header *output) {
    j_decompress_ptr library = &partial->library;
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    boolean has_black = library->jpeg_color_space == JCS_CMYK || library->jpeg_color_space == JCS_YCCK;
    partial->max_scans = request->max_scans;
    library->out_color_space = has_black ? JCS_CMYK : request->is_gray ? JCS_GRAYSCALE : JCS_EXT_RGBA;
    library->scale_num = request->scale_eighths;
    library->scale_denom = 8;
    library->mem->max_memory_to_use = (long)request->max_memory;
    library->buffered_image = jpeg_has_multiple_scans(library);
    jpeg_calc_output_dimensions(library);
    *output = (cjpeg_header){library->output_width, library->output_height};
    return CJPEG_OK;
}

int cjpeg_partial_has_passes(const cjpeg_partial *partial) { return partial->library.buffered_image; }

/// Starts the library's work. The memory for coefficients is taken here, so only once there is something to put in it.
static boolean is_under_way(cjpeg_partial *partial) {
    if (!partial->is_started) partial->is_started = jpeg_start_decompress(&partial->library);
    return partial->is_started;
}

cjpeg_status cjpeg_partial_take_scans(cjpeg_partial *partial, const uint8_t *bytes, size_t count, int *scans) {
    j_decompress_ptr library = &partial->library;
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    enter(partial, bytes, count);
    if (is_under_way(partial)) {
        int result;
        do {
            result = jpeg_consume_input(library);
            if (library->input_scan_number > partial->max_scans)
                shim_fail((j_common_ptr)library, CJPEG_TOO_COMPLEX, "The picture has more scans than allowed.");
        } while (result != JPEG_SUSPENDED && result != JPEG_REACHED_EOI);
        *scans = jpeg_input_complete(library) ? library->input_scan_number : library->input_scan_number - 1;
    }
    leave(partial, count);
    return CJPEG_OK;
}

cjpeg_status cjpeg_partial_begin_pass(cjpeg_partial *partial, int scan) {
    j_decompress_ptr library = &partial->library;
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    // No bytes: a scan that has come whole is shown without any.
    partial->source.bytes_in_buffer = 0;
    if (partial->is_pass_open) jpeg_finish_output(library);
    if (!jpeg_start_output(library, scan))
        shim_fail((j_common_ptr)library, CJPEG_MALFORMED, "The library did not begin a pass.");
    partial->is_pass_open = TRUE;
    return CJPEG_OK;
}

cjpeg_status cjpeg_partial_read_pass(
    cjpeg_partial *partial, uint8_t *base, size_t bytes_per_row, uint32_t count, uint32_t *made) {
    j_decompress_ptr library = &partial->library;
    *made = 0;
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    while (*made < count) {
        JSAMPROW rows[ROWS_PER_CALL];
        uint32_t offered = count - *made < ROWS_PER_CALL ? count - *made : ROWS_PER_CALL;
        for (uint32_t row = 0; row < offered; row++) rows[row] = base + (size_t)(*made + row) * bytes_per_row;
        uint32_t got = jpeg_read_scanlines(library, rows, offered);
        if (got == 0) break;
        *made += got;
    }
    return CJPEG_OK;
}

cjpeg_status cjpeg_partial_read_band(
    cjpeg_partial *partial, const uint8_t *bytes, size_t count, uint8_t *base, size_t bytes_per_row,
    uint32_t row_count, uint32_t *made) {
    *made = 0;
    if (setjmp(partial->errors.escape)) return partial->errors.status;
    enter(partial, bytes, count);
    boolean is_ready = is_under_way(partial);
    leave(partial, count);
    if (!is_ready) return CJPEG_OK;
    enter(partial, bytes, count);
    cjpeg_status status = cjpeg_partial_read_pass(partial, base, bytes_per_row, row_count, made);
    leave(partial, count);
    return status;
}
