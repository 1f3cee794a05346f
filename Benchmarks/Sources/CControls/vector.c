#include "CControls.h"

#include <librsvg/rsvg.h>
#include <poppler.h>
#include <string.h>

/// ARGB in the machine's order becomes RGBA bytes.
static int keep(cairo_surface_t *surface, uint8_t *pixels, size_t capacity) {
    cairo_surface_flush(surface);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
    const uint8_t *rows = cairo_image_surface_get_data(surface);
    if (rows == NULL || (size_t)width * (size_t)height * 4 > capacity) return -1;
    for (int y = 0; y < height; y++) {
        const uint32_t *row = (const uint32_t *)(rows + (size_t)y * (size_t)cairo_image_surface_get_stride(surface));
        for (int x = 0; x < width; x++, pixels += 4) {
            pixels[0] = (uint8_t)(row[x] >> 16);
            pixels[1] = (uint8_t)(row[x] >> 8);
            pixels[2] = (uint8_t)row[x];
            pixels[3] = (uint8_t)(row[x] >> 24);
        }
    }
    return 0;
}

int ctl_svg_decode(const uint8_t *bytes, size_t count, unsigned side, uint8_t *pixels, size_t capacity) {
    RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, NULL);
    if (handle == NULL) return -1;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)side, (int)side);
    cairo_t *canvas = cairo_create(surface);
    RsvgRectangle place = {0, 0, side, side};
    int status = rsvg_handle_render_document(handle, canvas, &place, NULL) ? keep(surface, pixels, capacity) : -1;
    cairo_destroy(canvas);
    cairo_surface_destroy(surface);
    g_object_unref(handle);
    return status;
}

int ctl_pdf_decode(const uint8_t *bytes, size_t count, unsigned side, uint8_t *pixels, size_t capacity) {
    GBytes *data = g_bytes_new_static(bytes, count);
    PopplerDocument *document = poppler_document_new_from_bytes(data, NULL, NULL);
    PopplerPage *page = document == NULL ? NULL : poppler_document_get_page(document, 0);
    int status = -1;
    if (page != NULL) {
        double width, height;
        poppler_page_get_size(page, &width, &height);
        cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)side, (int)side);
        cairo_t *canvas = cairo_create(surface);
        cairo_set_source_rgb(canvas, 1, 1, 1);
        cairo_paint(canvas);
        cairo_scale(canvas, side / width, side / height);
        poppler_page_render(page, canvas);
        status = keep(surface, pixels, capacity);
        cairo_destroy(canvas);
        cairo_surface_destroy(surface);
        g_object_unref(page);
    }
    if (document != NULL) g_object_unref(document);
    g_bytes_unref(data);
    return status;
}
