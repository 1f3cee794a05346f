#include "CControls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A moving average along `count` pixels that lie `step` bytes apart; the outermost go on beyond the ends.
static void average(const uint8_t *from, uint8_t *to, size_t count, size_t step, int radius) {
    uint32_t sums[4] = {0}, area = (uint32_t)radius * 2 + 1;
    for (int i = -radius; i <= radius; i++) {
        size_t at = i < 0 ? 0 : (size_t)i < count ? (size_t)i : count - 1;
        for (int k = 0; k < 4; k++) sums[k] += from[at * step + k];
    }
    for (size_t i = 0; i < count; i++) {
        size_t next = i + radius + 1 < count ? i + radius + 1 : count - 1, last = i > (size_t)radius ? i - radius : 0;
        for (int k = 0; k < 4; k++) {
            to[i * step + k] = (uint8_t)((sums[k] + area / 2) / area);
            sums[k] += from[next * step + k];
            sums[k] -= from[last * step + k];
        }
    }
}

int ctl_blur(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, double sigma) {
    // Three averages spread as a bell does when their variances add up to its.
    int radius = (int)lround((sqrt(4 * sigma * sigma + 1) - 1) / 2);
    size_t row = (size_t)width * 4;
    uint8_t *other = malloc(row * height);
    if (!other) return -1;
    memcpy(other, source, row * height);
    for (int pass = 0; pass < 3; pass++) {
        for (unsigned y = 0; y < height; y++) average(other + y * row, target + y * row, width, 4, radius);
        for (unsigned x = 0; x < width; x++) average(target + x * 4, other + x * 4, height, row, radius);
    }
    memcpy(target, other, row * height);
    free(other);
    return 0;
}

int ctl_round(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, unsigned radius) {
    size_t row = (size_t)width * 4;
    memcpy(target, source, row * height);
    for (unsigned corner = 0; corner < 4; corner++) {
        for (unsigned y = 0; y < radius; y++) {
            for (unsigned x = 0; x < radius; x++) {
                double right = radius - x - 0.5, down = radius - y - 0.5;
                double inside = radius - sqrt(right * right + down * down) + 0.5;
                if (inside >= 1) break;
                uint8_t *pixel = target + (corner & 2 ? height - 1 - y : y) * row + (corner & 1 ? width - 1 - x : x) * 4;
                for (int k = 0; k < 4; k++) pixel[k] = (uint8_t)(inside <= 0 ? 0 : pixel[k] * inside + 0.5);
            }
        }
    }
    return 0;
}
