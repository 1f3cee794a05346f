#ifndef UNFILTER_H
#define UNFILTER_H

#include <stddef.h>
#include <stdint.h>

/// Undoes a row's filter (PNG 3rd ed. §9.2) and widens its pixels to four bytes.
/// @param packed the filtered pixels; one byte behind them may be read
/// @param prior the row above as this function left it, zero for the first; becomes this row
/// @return 0 when there is no such filter
int unfilter_row(uint8_t *out, uint8_t *prior, const uint8_t *packed, size_t width, int channels, int filter);

#endif
