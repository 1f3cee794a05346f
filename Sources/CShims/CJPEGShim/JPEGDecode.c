#include <stdlib.h>

#include <jerror.h>

#include "JPEGErrors.h"

/// Rows that the library is offered at once; it makes no more than 16 at a time.
enum { ROWS_PER_CALL = 16 };

struct cjpeg_decoder {
    struct jpeg_decompress_struct library;
    shim_errors errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    /// What of the caller's bytes the source has not been given yet.
    const cjpeg_segment *next_segment;
    size_t segments_left;
    cjpeg_request request;
};

static cjpeg_decoder *decoder_of(j_decompress_ptr library) { return (cjpeg_decoder *)library; }

// MARK: Source over the caller's segments

static void init_source(j_decompress_ptr library) { (void)library; }

static boolean fill_input_buffer(j_decompress_ptr library) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    cjpeg_decoder *decoder = decoder_of(library);
    while (decoder->segments_left > 0) {
        const cjpeg_segment *segment = decoder->next_segment++;
        decoder->segments_left -= 1;
        if (segment->count == 0) continue;
        decoder->source.next_input_byte = segment->base;
        decoder->source.bytes_in_buffer = segment->count;
        return TRUE;
    }
    // Arithmetic coding takes any end for zeros: without the end marker nobody knows whether data is missing.
    if (library->arith_code)
        shim_fail((j_common_ptr)library, CJPEG_TRUNCATED, "There is no end marker after arithmetic-coded data.");
    // An end that was made up is harmless if it is where the end has to be: the library warns when it still needs bits.
    decoder->errors.exhausted = TRUE;
    decoder->source.next_input_byte = end_of_image;
    decoder->source.bytes_in_buffer = sizeof end_of_image;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr library, long count) {
    struct jpeg_source_mgr *source = library->src;
    if (count <= 0) return;
    size_t left = (size_t)count;
    while (left > source->bytes_in_buffer) {
        left -= source->bytes_in_buffer;
        fill_input_buffer(library);
        if (decoder_of(library)->errors.exhausted) return;
    }
    source->next_input_byte += left;
    source->bytes_in_buffer -= left;
}

static void term_source(j_decompress_ptr library) { (void)library; }

// MARK: Watching over the collection of scans

static void watch(j_common_ptr common) {
    j_decompress_ptr library = (j_decompress_ptr)common;
    const cjpeg_request *request = &decoder_of(library)->request;
    if (library->input_scan_number > request->max_scans)
        shim_fail(common, CJPEG_TOO_COMPLEX, "The picture has more scans than allowed.");
    if (!request->should_continue(request->context)) shim_fail(common, CJPEG_CANCELLED, "Stopped.");
}

/// After all scans have come: does every component have its coefficients?
static void check_components(j_decompress_ptr library) {
    boolean exhausted = decoder_of(library)->errors.exhausted;
    for (int index = 0; index < library->num_components; index++) {
        // The table is latched by a component's first scan.
        if (library->comp_info[index].quant_table == NULL)
            shim_fail(
                (j_common_ptr)library, exhausted ? CJPEG_TRUNCATED : CJPEG_MALFORMED,
                "A colour component has no scan.");
        if (!exhausted || library->coef_bits == NULL) continue;
        // Without an end marker only full precision shows that no scan is missing.
        for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++)
            if (library->coef_bits[index][coefficient] != 0)
                shim_fail((j_common_ptr)library, CJPEG_TRUNCATED, "The last scans are missing.");
    }
}

// MARK: The calls

cjpeg_decoder *cjpeg_decoder_create(void) {
    cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->library.err = shim_errors_init(&decoder->errors);
    if (setjmp(decoder->errors.escape)) {
        cjpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->library);
    decoder->source = (struct jpeg_source_mgr){
        .init_source = init_source,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = term_source,
    };
    decoder->library.src = &decoder->source;
    return decoder;
}

void cjpeg_decoder_destroy(cjpeg_decoder *decoder) {
    if (decoder == NULL) return;
    jpeg_destroy_decompress(&decoder->library);
    free(decoder);
}

const cjpeg_message *cjpeg_decoder_message(const cjpeg_decoder *decoder) { return &decoder->errors.message; }

cjpeg_status cjpeg_decoder_read_header(
    cjpeg_decoder *decoder, const cjpeg_segment *segments, size_t count, cjpeg_header *header) {
    decoder->next_segment = segments;
    decoder->segments_left = count;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    jpeg_read_header(&decoder->library, TRUE);
    *header = (cjpeg_header){decoder->library.image_width, decoder->library.image_height};
    return CJPEG_OK;
}

cjpeg_status cjpeg_decoder_start(cjpeg_decoder *decoder, const cjpeg_request *request, cjpeg_header *output) {
    j_decompress_ptr library = &decoder->library;
    decoder->request = *request;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;

    boolean has_black = library->jpeg_color_space == JCS_CMYK || library->jpeg_color_space == JCS_YCCK;
    // RGBA and not RGBX: only there is the fourth byte promised to be 255.
    library->out_color_space = has_black ? JCS_CMYK : request->is_gray ? JCS_GRAYSCALE : JCS_EXT_RGBA;
    library->scale_num = request->scale_eighths;
    library->scale_denom = 8;
    library->do_block_smoothing = request->smooths_blocks ? TRUE : FALSE;
    library->mem->max_memory_to_use = (long)request->max_memory;
    decoder->progress.progress_monitor = watch;
    library->progress = &decoder->progress;

    jpeg_start_decompress(library);
    if (jpeg_has_multiple_scans(library)) check_components(library);
    library->progress = NULL;
    *output = (cjpeg_header){library->output_width, library->output_height};
    return CJPEG_OK;
}

cjpeg_status cjpeg_decoder_read_rows(cjpeg_decoder *decoder, uint8_t *base, size_t bytes_per_row, uint32_t count) {
    j_decompress_ptr library = &decoder->library;
    if (setjmp(decoder->errors.escape)) return decoder->errors.status;
    for (uint32_t done = 0; done < count;) {
        JSAMPROW rows[ROWS_PER_CALL];
        uint32_t offered = count - done < ROWS_PER_CALL ? count - done : ROWS_PER_CALL;
        for (uint32_t row = 0; row < offered; row++) rows[row] = base + (size_t)(done + row) * bytes_per_row;
        uint32_t made = jpeg_read_scanlines(library, rows, offered);
        if (made == 0) shim_fail((j_common_ptr)library, CJPEG_MALFORMED, "The library made no rows.");
        done += made;
    }
    return CJPEG_OK;
}
