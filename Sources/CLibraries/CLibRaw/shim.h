#include <libraw.h>

// LibRaw's state is one structure of many thousand numbers; these are the few that matter.

static inline int clibraw_flip(libraw_data_t *raw) { return raw->sizes.flip; }

/// The picture's sides in points of the sensor; known as soon as the header is read.
static inline int clibraw_width(libraw_data_t *raw) { return raw->sizes.width; }

static inline int clibraw_height(libraw_data_t *raw) { return raw->sizes.height; }

#if defined(__linux__)
// OpenMP's own, where LibRaw was built with it.
extern void omp_set_num_threads(int count) __attribute__((weak));
#endif

/// No threads beside the caller's.
static inline void clibraw_use_one_thread(void) {
#if defined(__linux__)
    if (omp_set_num_threads) omp_set_num_threads(1);
#endif
}

/// sRGB of 8 bits or, when it is deep, of 16, the camera's white balance, rows as they are stored.
static inline void clibraw_configure(
    libraw_data_t *raw, int is_half, int is_deep, unsigned int memory_megabytes) {
    raw->params.output_bps = is_deep ? 16 : 8;
    raw->params.output_color = 1;
    raw->params.use_camera_wb = 1;
    raw->params.user_flip = 0;
    raw->params.half_size = is_half;
    raw->params.max_raw_memory_mb = memory_megabytes;
}

static inline int clibraw_thumbnail_width(libraw_data_t *raw) { return raw->thumbnail.twidth; }

static inline int clibraw_thumbnail_height(libraw_data_t *raw) { return raw->thumbnail.theight; }

static inline const unsigned char *clibraw_image_bytes(libraw_processed_image_t *image) { return image->data; }
