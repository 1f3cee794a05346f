#include <stdlib.h>

#include <jerror.h>

#include "JPEGErrors.h"

typedef struct {
    struct jpeg_compress_struct library;
    shim_errors errors;
    struct jpeg_destination_mgr destination;
    uint8_t *bytes;
    size_t capacity;
    uint8_t *row;
} encoder;

static encoder *encoder_of(j_compress_ptr library) { return (encoder *)library; }

// MARK: Destination that grows

static void grow(j_compress_ptr library, size_t capacity) {
    encoder *this = encoder_of(library);
    uint8_t *grown = capacity > this->capacity ? realloc(this->bytes, capacity) : NULL;
    if (grown == NULL) shim_fail((j_common_ptr)library, CJPEG_NO_MEMORY, "There is no memory for the encoded bytes.");
    this->destination.next_output_byte = grown + this->capacity;
    this->destination.free_in_buffer = capacity - this->capacity;
    this->bytes = grown;
    this->capacity = capacity;
}

static void init_destination(j_compress_ptr library) { grow(library, 64 << 10); }

static boolean empty_output_buffer(j_compress_ptr library) {
    // The library calls this when the buffer is full, whatever it has noted in the manager.
    grow(library, encoder_of(library)->capacity * 2);
    return TRUE;
}

static void term_destination(j_compress_ptr library) { (void)library; }

// MARK: The call

static void configure(j_compress_ptr library, const cjpeg_picture *picture, const cjpeg_encoding *encoding) {
    library->image_width = picture->width;
    library->image_height = picture->height;
    library->input_components = 4;
    library->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(library);
    jpeg_set_quality(library, encoding->quality, TRUE);
    int factor = encoding->halves_colour ? 2 : 1;
    library->comp_info[0].h_samp_factor = factor;
    library->comp_info[0].v_samp_factor = factor;
    if (encoding->is_progressive) jpeg_simple_progression(library);
    if (encoding->optimizes_codes) library->optimize_coding = TRUE;
}

/// Colours are multiplied already: the background shows through by what alpha lacks.
static void lay_over(const uint8_t background[3], const uint8_t *from, uint8_t *to, size_t width) {
    for (size_t byte = 0; byte < 4 * width; byte += 4) {
        unsigned missing = 255u - from[byte + 3];
        for (int channel = 0; channel < 3; channel++) {
            unsigned value = from[byte + channel] + (missing * background[channel] + 127) / 255;
            to[byte + channel] = value > 255 ? 255 : (uint8_t)value;
        }
        to[byte + 3] = 255;
    }
}

static void write_applications(encoder *this, const cjpeg_application *applications, size_t count) {
    for (size_t index = 0; index < count; index++) {
        const cjpeg_application *one = &applications[index];
        if (one->count > CJPEG_LONGEST_APPLICATION)
            shim_fail((j_common_ptr)&this->library, CJPEG_UNSUPPORTED, "An application segment is too long.");
        jpeg_write_marker(&this->library, one->marker, one->bytes, (unsigned)one->count);
    }
}

static void write_rows(encoder *this, const cjpeg_picture *picture, const uint8_t background[3]) {
    j_compress_ptr library = &this->library;
    while (library->next_scanline < picture->height) {
        const uint8_t *from = picture->base + (size_t)library->next_scanline * picture->bytes_per_row;
        if (picture->is_premultiplied) lay_over(background, from, this->row, picture->width);
        JSAMPROW row = picture->is_premultiplied ? this->row : (JSAMPROW)from;
        jpeg_write_scanlines(library, &row, 1);
    }
}

static cjpeg_status encode(
    encoder *this, const cjpeg_picture *picture, const cjpeg_encoding *encoding, const cjpeg_application *applications,
    size_t application_count) {
    j_compress_ptr library = &this->library;
    if (setjmp(this->errors.escape)) return this->errors.status;
    jpeg_create_compress(library);
    this->destination = (struct jpeg_destination_mgr){
        .init_destination = init_destination,
        .empty_output_buffer = empty_output_buffer,
        .term_destination = term_destination,
    };
    library->dest = &this->destination;
    configure(library, picture, encoding);
    if (picture->is_premultiplied) {
        this->row = malloc(4 * (size_t)picture->width);
        if (this->row == NULL) shim_fail((j_common_ptr)library, CJPEG_NO_MEMORY, "There is no memory for a row.");
    }
    jpeg_start_compress(library, TRUE);
    write_applications(this, applications, application_count);
    write_rows(this, picture, encoding->background);
    jpeg_finish_compress(library);
    return CJPEG_OK;
}

cjpeg_status cjpeg_encode(
    const cjpeg_picture *picture, const cjpeg_encoding *encoding, const cjpeg_application *applications,
    size_t application_count, uint8_t **bytes, size_t *count, cjpeg_message *message) {
    // Not a local of the function that calls setjmp: those are undefined after the jump.
    encoder this = {0};
    this.library.err = shim_errors_init(&this.errors);
    cjpeg_status status = encode(&this, picture, encoding, applications, application_count);
    jpeg_destroy_compress(&this.library);
    free(this.row);
    *bytes = NULL;
    *count = 0;
    if (status != CJPEG_OK) {
        *message = this.errors.message;
        free(this.bytes);
        return status;
    }
    *count = this.capacity - this.destination.free_in_buffer;
    // What was reserved too much goes back; the old block is as good if that fails.
    uint8_t *exact = realloc(this.bytes, *count);
    *bytes = exact != NULL ? exact : this.bytes;
    return CJPEG_OK;
}
