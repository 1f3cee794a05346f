#include "CControls.h"

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

typedef struct {
    CURL *easy;
    char *bytes;
    size_t count, capacity;
} transfer;

static size_t keep(char *piece, size_t one, size_t count, void *argument) {
    (void)one;
    transfer *transfer = argument;
    if (transfer->count + count > transfer->capacity) {
        size_t capacity = (transfer->count + count) * 2;
        char *bytes = realloc(transfer->bytes, capacity);
        if (!bytes) return 0;
        transfer->bytes = bytes;
        transfer->capacity = capacity;
    }
    memcpy(transfer->bytes + transfer->count, piece, count);
    transfer->count += count;
    return count;
}

int ctl_fetch_all(const char *url, unsigned count, unsigned concurrency, size_t body_count) {
    CURLM *multi = curl_multi_init();
    transfer *transfers = calloc(concurrency, sizeof *transfers);
    unsigned started = 0, finished = 0, failed = 0;
    if (!multi || !transfers) return -1;
    for (; started < concurrency && started < count; started++) {
        transfer *transfer = &transfers[started];
        transfer->easy = curl_easy_init();
        if (!transfer->easy) return -1;
        curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, keep);
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
        curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
        curl_multi_add_handle(multi, transfer->easy);
    }
    while (finished < count) {
        int running, left;
        if (curl_multi_perform(multi, &running) != CURLM_OK) return -1;
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            if (message->msg != CURLMSG_DONE) continue;
            transfer *transfer;
            CURL *easy = message->easy_handle;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
            if (message->data.result != CURLE_OK || transfer->count != body_count) failed++;
            finished++;
            // A body would be the caller's to keep, so each transfer has memory of its own.
            free(transfer->bytes);
            transfer->bytes = NULL;
            transfer->count = transfer->capacity = 0;
            curl_multi_remove_handle(multi, easy);
            if (started < count) {
                curl_multi_add_handle(multi, easy);
                started++;
            }
        }
        if (finished < count && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) return -1;
    }
    for (unsigned i = 0; i < concurrency; i++) {
        if (transfers[i].easy) curl_easy_cleanup(transfers[i].easy);
        free(transfers[i].bytes);
    }
    free(transfers);
    curl_multi_cleanup(multi);
    return failed == 0 ? 0 : -1;
}
