#include "CControls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned first, count;
    float *weights;
} window;

static double weight(ctl_filter filter, double x) {
    if (filter == CTL_BOX) return x > -0.5 && x <= 0.5 ? 1 : 0;
    x = fabs(x);
    if (x >= 3) return 0;
    if (x == 0) return 1;
    double a = M_PI * x;
    return 3 * sin(a) * sin(a / 3) / (a * a);
}

/// One block: the windows and, after them, their weights.
static window *windows(unsigned source, unsigned target, ctl_filter filter) {
    double scale = (double)source / target, stretch = scale > 1 ? scale : 1;
    double support = (filter == CTL_BOX ? 0.5 : 3) * stretch;
    size_t room = (size_t)ceil(support * 2) + 2;
    window *all = malloc(target * (sizeof(window) + room * sizeof(float)));
    if (!all) return NULL;
    float *weights = (float *)(all + target);
    for (unsigned i = 0; i < target; i++, weights += room) {
        double centre = (i + 0.5) * scale, sum = 0;
        int first = (int)(centre - support + 0.5), end = (int)(centre + support + 0.5);
        if (first < 0) first = 0;
        if (end > (int)source) end = (int)source;
        all[i] = (window){(unsigned)first, (unsigned)(end - first), weights};
        for (int j = first; j < end; j++) sum += weights[j - first] = (float)weight(filter, (j + 0.5 - centre) / stretch);
        for (int j = first; j < end; j++) weights[j - first] /= (float)sum;
    }
    return all;
}

static uint8_t byte(float value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f); }

int ctl_resample(const uint8_t *source, unsigned width, unsigned height, uint8_t *target, unsigned target_width,
                 unsigned target_height, ctl_filter filter) {
    window *columns = windows(width, target_width, filter), *rows = windows(height, target_height, filter);
    float *sums = malloc((size_t)width * 4 * sizeof(float));
    int status = columns && rows && sums ? 0 : -1;
    for (unsigned y = 0; status == 0 && y < target_height; y++) {
        memset(sums, 0, (size_t)width * 4 * sizeof(float));
        for (unsigned k = 0; k < rows[y].count; k++) {
            const uint8_t *row = source + (size_t)(rows[y].first + k) * width * 4;
            float w = rows[y].weights[k];
            for (size_t i = 0; i < (size_t)width * 4; i++) sums[i] += w * row[i];
        }
        for (unsigned x = 0; x < target_width; x++) {
            float r = 0, g = 0, b = 0, a = 0;
            const float *pixel = sums + (size_t)columns[x].first * 4;
            for (unsigned k = 0; k < columns[x].count; k++, pixel += 4) {
                float w = columns[x].weights[k];
                r += w * pixel[0];
                g += w * pixel[1];
                b += w * pixel[2];
                a += w * pixel[3];
            }
            uint8_t *out = target + ((size_t)y * target_width + x) * 4;
            out[0] = byte(r);
            out[1] = byte(g);
            out[2] = byte(b);
            out[3] = byte(a);
        }
    }
    free(columns);
    free(rows);
    free(sums);
    return status;
}
