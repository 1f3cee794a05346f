#ifndef PNGLAYOUT_H
#define PNGLAYOUT_H

#include <png.h>

#include "CPNGShim.h"

/// Tells the library how rows are wanted, once it has read up to the pixels, and says what they are going to be.
/// `first_pixels` is left alone. Escapes as the library does.
void shim_lay_out(png_structp png, png_infop info, cpng_layout layout, cpng_header *header);

#endif
