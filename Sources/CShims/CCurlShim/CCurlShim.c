#ifdef __linux__
#define _GNU_SOURCE  // memfd_create
#endif
#include "CCurlShim.h"

#include "CCryptoShim.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVE_BUFFER = 64 * 1024 };

struct wi_curl_multi {
    CURLM *handle;
};

struct wi_curl_transfer {
    CURL *handle;
    struct curl_slist *headers;
    wi_curl_request request;
    char message[CURL_ERROR_SIZE];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode global_result;

static void initialise(void) {
    wi_crypto_prepare();
    global_result = curl_global_init(CURL_GLOBAL_DEFAULT);
#ifdef __GLIBC__
    // libcurl frees each transfer's receive buffer at its end. glibc gives such memory back to the system at once until
    // it has seen one larger block freed; from then on it keeps as much as twice that block for the next transfer.
    void *volatile block = malloc(16 * RECEIVE_BUFFER);
    free(block);
#endif
}

wi_curl_multi *wi_curl_open(long idle_connections) {
    pthread_once(&once, initialise);
    if (global_result != CURLE_OK) return NULL;
    wi_curl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->handle = curl_multi_init();
    if (!multi->handle || curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, idle_connections) != CURLM_OK) {
        wi_curl_close(multi);
        return NULL;
    }
    return multi;
}

void wi_curl_close(wi_curl_multi *multi) {
    if (!multi) return;
    if (multi->handle) curl_multi_cleanup(multi->handle);
    free(multi);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
    wi_curl_transfer *transfer = user;
    size_t length = size * count;
    // Any other count than the one given ends the transfer with CURLE_WRITE_ERROR.
    return transfer->request.on_header(transfer->request.context, bytes, length) ? length : length + 1;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    wi_curl_transfer *transfer = user;
    size_t length = size * count;
    switch (transfer->request.on_body(transfer->request.context, bytes, length)) {
    case WI_CURL_TAKEN: return length;
    case WI_CURL_PAUSE: return CURL_WRITEFUNC_PAUSE;
    case WI_CURL_STOP: break;
    }
    return length + 1;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *address) {
    wi_curl_transfer *transfer = user;
    (void)purpose;
    if (!transfer->request.allows_address(transfer->request.context, &address->addr, address->addrlen))
        return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    return socket(address->family, address->socktype, address->protocol);
#endif
}

#if LIBCURL_VERSION_NUM >= 0x075000
static int before_request(void *user, char *peer, char *local, int peer_port, int local_port) {
    wi_curl_transfer *transfer = user;
    (void)local;
    (void)local_port;
    bool allowed = transfer->request.allows_peer(transfer->request.context, peer, peer_port);
    return allowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

static CURLcode set_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static CURLcode set_certificates(CURL *handle, const wi_curl_request *request) {
    CURLcode code = CURLE_NOT_BUILT_IN;
    if (request->certificate_file) {
        code = curl_easy_setopt(handle, CURLOPT_CAINFO, request->certificate_file);
    } else {
#if LIBCURL_VERSION_NUM >= 0x074d00
        struct curl_blob blob = {
            .data = (void *)request->certificate_text,
            .len = request->certificate_text_length,
            .flags = CURL_BLOB_COPY};
        code = curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &blob);
#endif
    }
    if (code != CURLE_OK || request->keeps_certificate_folder) return code;
    return curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
}

/// The first option that is refused ends the set-up.
static CURLcode configure(wi_curl_transfer *transfer) {
    CURL *handle = transfer->handle;
    const wi_curl_request *request = &transfer->request;
    CURLcode code = CURLE_OK;
#define SET(option, value) do { \
        code = curl_easy_setopt(handle, option, value); \
        if (code != CURLE_OK) return code; \
    } while (0)
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->message);
    SET(CURLOPT_NOSIGNAL, 1L);
    if ((code = curl_easy_setopt(handle, CURLOPT_URL, request->url)) != CURLE_OK)
        return code == CURLE_OUT_OF_MEMORY ? code : CURLE_URL_MALFORMAT;
    if ((code = set_protocols(handle)) != CURLE_OK) return code;
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    // The bytes are kept as they came: nothing is unpacked.
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_SSL_VERIFYPEER, request->trusts_anyone ? 0L : 1L);
    SET(CURLOPT_SSL_VERIFYHOST, request->trusts_anyone ? 0L : 2L);
    SET(CURLOPT_BUFFERSIZE, (long)RECEIVE_BUFFER);
    // Longer than servers keep an idle connection, and as long as address translators do: the server decides, and a
    // connection that it has closed is found out before it is used.
    SET(CURLOPT_MAXAGE_CONN, 300L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    SET(CURLOPT_PIPEWAIT, request->waits_for_connection ? 1L : 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // Without it, removing a transfer waits for its name look-up.
    SET(CURLOPT_QUICK_EXIT, 1L);
#endif
    if (request->proxy) SET(CURLOPT_PROXY, request->proxy);
    bool has_certificates = request->certificate_file || request->certificate_text;
    if (has_certificates && (code = set_certificates(handle, request)) != CURLE_OK)
        return code == CURLE_OUT_OF_MEMORY ? code : CURLE_SSL_CACERT_BADFILE;
    if (transfer->headers) SET(CURLOPT_HTTPHEADER, transfer->headers);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, transfer);
    if (request->allows_address) {
        SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
        SET(CURLOPT_OPENSOCKETDATA, transfer);
    }
#if LIBCURL_VERSION_NUM >= 0x075000
    if (request->allows_peer) {
        SET(CURLOPT_PREREQFUNCTION, before_request);
        SET(CURLOPT_PREREQDATA, transfer);
    }
#endif
#undef SET
    return code;
}

static void destroy(wi_curl_transfer *transfer) {
    if (transfer->handle) curl_easy_cleanup(transfer->handle);
    curl_slist_free_all(transfer->headers);
    free(transfer);
}

static wi_curl_outcome outcome_of(CURLcode code) {
    switch (code) {
    case CURLE_OK: return WI_CURL_OK;
    case CURLE_URL_MALFORMAT: return WI_CURL_BAD_URL;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return WI_CURL_DNS;
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED: return WI_CURL_CONNECT;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return WI_CURL_LOST;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_USE_SSL_FAILED: return WI_CURL_TLS;
    case CURLE_OPERATION_TIMEDOUT: return WI_CURL_TIMEOUT;
    case CURLE_PARTIAL_FILE: return WI_CURL_SHORT;
    // libcurl says so for HTTP/0.9; other schemes are refused before it sees them.
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_CHUNK_FAILED:
    case CURLE_BAD_CONTENT_ENCODING: return WI_CURL_PROTOCOL;
    case CURLE_FILESIZE_EXCEEDED: return WI_CURL_TOO_LARGE;
    case CURLE_OUT_OF_MEMORY: return WI_CURL_MEMORY;
    case CURLE_WRITE_ERROR:
    case CURLE_ABORTED_BY_CALLBACK: return WI_CURL_STOPPED;
    default: return WI_CURL_OTHER;
    }
}

wi_curl_transfer *wi_curl_add(
    wi_curl_multi *multi, const wi_curl_request *request, wi_curl_outcome *outcome, const char **message) {
    CURLcode code = CURLE_OUT_OF_MEMORY;
    *message = NULL;
    wi_curl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) goto failed;
    transfer->request = *request;
    transfer->handle = curl_easy_init();
    if (!transfer->handle) goto failed;
    for (const char *line = request->headers; *line; line += strlen(line) + 1) {
        struct curl_slist *longer = curl_slist_append(transfer->headers, line);
        if (!longer) goto failed;
        transfer->headers = longer;
    }
    code = configure(transfer);
    if (code != CURLE_OK) goto failed;
    CURLMcode added = curl_multi_add_handle(multi->handle, transfer->handle);
    if (added == CURLM_OK) return transfer;
    code = added == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_FAILED_INIT;
    *message = curl_multi_strerror(added);
failed:
    *outcome = outcome_of(code);
    if (!*message) *message = curl_easy_strerror(code);
    if (transfer) destroy(transfer);
    return NULL;
}

void wi_curl_remove(wi_curl_multi *multi, wi_curl_transfer *transfer) {
    curl_multi_remove_handle(multi->handle, transfer->handle);
    destroy(transfer);
}

wi_curl_outcome wi_curl_resume(wi_curl_transfer *transfer) {
    return outcome_of(curl_easy_pause(transfer->handle, CURLPAUSE_CONT));
}

const char *wi_curl_perform(wi_curl_multi *multi) {
    int running = 0;
    CURLMcode code = curl_multi_perform(multi->handle, &running);
    return code == CURLM_OK ? NULL : curl_multi_strerror(code);
}

const char *wi_curl_wait(wi_curl_multi *multi, int timeout_ms) {
    CURLMcode code = curl_multi_poll(multi->handle, NULL, 0, timeout_ms, NULL);
    return code == CURLM_OK ? NULL : curl_multi_strerror(code);
}

void wi_curl_wakeup(wi_curl_multi *multi) { curl_multi_wakeup(multi->handle); }

void *wi_curl_next_finished(wi_curl_multi *multi, wi_curl_outcome *outcome, const char **message) {
    int left = 0;
    CURLMsg *news;
    while ((news = curl_multi_info_read(multi->handle, &left))) {
        if (news->msg != CURLMSG_DONE) continue;
        wi_curl_transfer *transfer = NULL;
        if (curl_easy_getinfo(news->easy_handle, CURLINFO_PRIVATE, &transfer) != CURLE_OK || !transfer) continue;
        CURLcode code = news->data.result;
        *outcome = outcome_of(code);
        *message = transfer->message[0] ? transfer->message : curl_easy_strerror(code);
        // Broken chunks have no code of their own.
        if (code == CURLE_RECV_ERROR && strstr(*message, "hunked")) *outcome = WI_CURL_PROTOCOL;
        return transfer->request.context;
    }
    return NULL;
}

void wi_curl_default_trust(const char **file, const char **folder) {
    *file = *folder = NULL;
#if LIBCURL_VERSION_NUM >= 0x075400
    pthread_once(&once, initialise);
    CURL *handle = global_result == CURLE_OK ? curl_easy_init() : NULL;
    if (!handle) return;
    // Both are constants of the library, which outlive the handle.
    if (curl_easy_getinfo(handle, CURLINFO_CAINFO, file) != CURLE_OK) *file = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_CAPATH, folder) != CURLE_OK) *folder = NULL;
    curl_easy_cleanup(handle);
#endif
}

int wi_curl_anonymous_file(const void *bytes, size_t length) {
#ifdef __linux__
    int file = memfd_create("webimage-certificates", MFD_CLOEXEC);
    for (size_t written = 0; file >= 0 && written < length;) {
        ssize_t count = write(file, (const char *)bytes + written, length - written);
        if (count > 0) {
            written += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            close(file);
            file = -1;
        }
    }
    return file;
#else
    (void)bytes;
    (void)length;
    return -1;
#endif
}

const char *wi_curl_version(void) {
    return curl_version();
}
