#include "CControls.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t left;
} source;

static int read_bytes(GifFileType *file, GifByteType *target, int count) {
    source *s = file->UserData;
    if ((size_t)count > s->left) count = (int)s->left;
    memcpy(target, s->bytes, (size_t)count);
    s->bytes += count;
    s->left -= (size_t)count;
    return count;
}

static void make_palette(const ColorMapObject *map, int transparent, uint32_t *palette) {
    for (int i = 0; i < 256; i++) {
        GifColorType c = {0, 0, 0};
        if (i < map->ColorCount) c = map->Colors[i];
        palette[i] = 0xFF000000u | (uint32_t)c.Blue << 16 | (uint32_t)c.Green << 8 | c.Red;
    }
    if (transparent >= 0) palette[transparent] = 0;
}

static int draw(GifFileType *file, int transparent, uint32_t *canvas, unsigned width, unsigned height, uint8_t *line) {
    GifImageDesc *image = &file->Image;
    ColorMapObject *map = image->ColorMap ? image->ColorMap : file->SColorMap;
    if (map == NULL || image->Left + image->Width > (int)width || image->Top + image->Height > (int)height) return -1;
    uint32_t palette[256];
    make_palette(map, transparent, palette);
    for (int y = 0; y < image->Height; y++) {
        if (DGifGetLine(file, line, image->Width) != GIF_OK) return -1;
        uint32_t *row = canvas + (size_t)(image->Top + y) * width + image->Left;
        if (transparent < 0) {
            for (int x = 0; x < image->Width; x++) row[x] = palette[line[x]];
        } else {
            for (int x = 0; x < image->Width; x++) {
                if (line[x] != transparent) row[x] = palette[line[x]];
            }
        }
    }
    return 0;
}

int ctl_gif_play(
    const uint8_t *bytes, size_t count, unsigned frames, uint32_t *canvas, unsigned width, unsigned height) {
    source from = {bytes, count};
    int error = 0;
    GifFileType *file = DGifOpen(&from, read_bytes, &error);
    if (file == NULL) return -1;
    uint8_t *line = malloc(width);
    unsigned seen = 0;
    int transparent = -1;
    int status = line == NULL ? -1 : 0;
    GifRecordType record;
    while (status == 0 && DGifGetRecordType(file, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
        if (record == IMAGE_DESC_RECORD_TYPE) {
            if (DGifGetImageDesc(file) != GIF_OK) break;
            status = draw(file, transparent, canvas, width, height, line);
            transparent = -1;
            seen++;
        } else if (record == EXTENSION_RECORD_TYPE) {
            int kind;
            GifByteType *block;
            if (DGifGetExtension(file, &kind, &block) != GIF_OK) break;
            if (kind == GRAPHICS_EXT_FUNC_CODE && block != NULL) transparent = block[1] & 1 ? block[4] : -1;
            while (block != NULL && DGifGetExtensionNext(file, &block) == GIF_OK) continue;
        }
    }
    free(line);
    DGifCloseFile(file, NULL);
    return status == 0 && seen == frames ? 0 : -1;
}
