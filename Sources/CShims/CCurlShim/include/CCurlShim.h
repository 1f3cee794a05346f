// libcurl's multi interface with types: Swift cannot call variadic functions, so every option is set here.
//
// One thread owns a multi handle and every transfer in it. Only wi_curl_wakeup may be called from another thread.
#ifndef CCURLSHIM_H
#define CCURLSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

/// Why a transfer ended, in families that callers can act on.
typedef enum {
    WI_CURL_OK = 0,
    WI_CURL_BAD_URL,
    WI_CURL_SCHEME,
    WI_CURL_DNS,
    WI_CURL_CONNECT,
    WI_CURL_LOST,       // the connection went away after it was made
    WI_CURL_TLS,
    WI_CURL_TIMEOUT,
    WI_CURL_SHORT,      // fewer body bytes than the head or the chunks announced
    WI_CURL_PROTOCOL,
    WI_CURL_TOO_LARGE,
    WI_CURL_MEMORY,
    WI_CURL_STOPPED,    // a callback said so
    WI_CURL_OTHER
} wi_curl_outcome;

/// What a body callback answers.
typedef enum {
    WI_CURL_TAKEN,
    WI_CURL_PAUSE,      // nothing was taken; the same bytes come again after wi_curl_resume
    WI_CURL_STOP
} wi_curl_verdict;

typedef struct {
    const char *url;
    /// "Name: value" lines, or "Name;" for an empty value: one after the other, each with its NUL, an empty one last.
    const char *headers;
    /// Milliseconds for resolving and connecting; libcurl divides them among the addresses of a host.
    long connect_timeout_ms;
    /// NULL leaves the choice to the environment (http_proxy and so on), "" forbids proxies.
    const char *proxy;
    /// Trusted certificates in PEM form, as a file or as a text, used instead of the system's file. libcurl keeps what
    /// it read of a file for later connections (7.87); a text it reads again for each. Both NULL: its own choice.
    const char *certificate_file;
    const void *certificate_text;
    size_t certificate_text_length;
    /// Whether the system's folder is trusted beside them. With it nothing is kept for later connections.
    bool keeps_certificate_folder;
    /// Waits for a connection that is being made to the same host, which HTTP/2 may then share, instead of making another.
    bool waits_for_connection;
    /// Skips every check of who the server is. The connection is still encrypted.
    bool trusts_anyone;

    /// Given to every callback and back by wi_curl_next_finished.
    void *context;
    /// One line of the head or of the trailers with its line end. Answers false to stop.
    bool (*on_header)(void *context, const char *line, size_t length);
    wi_curl_verdict (*on_body)(void *context, const void *bytes, size_t length);
    /// Called with each address before a connection is tried; NULL allows all.
    bool (*allows_address)(void *context, const struct sockaddr *address, unsigned int length);
    /// Called before the request is sent, over a new connection or a kept one; NULL allows all.
    bool (*allows_peer)(void *context, const char *address, int port);
} wi_curl_request;

typedef struct wi_curl_multi wi_curl_multi;
typedef struct wi_curl_transfer wi_curl_transfer;

/// NULL when the library could not be set up.
wi_curl_multi *wi_curl_open(long idle_connections);
/// Every transfer must have been removed.
void wi_curl_close(wi_curl_multi *multi);

/// Starts a transfer. NULL on failure; `message` is then a static sentence.
wi_curl_transfer *wi_curl_add(
    wi_curl_multi *multi, const wi_curl_request *request, wi_curl_outcome *outcome, const char **message);
/// Takes a transfer out, closes its connection unless the transfer had ended well, and frees it.
void wi_curl_remove(wi_curl_multi *multi, wi_curl_transfer *transfer);
/// Lets a paused transfer go on. The body callback may run inside this call.
wi_curl_outcome wi_curl_resume(wi_curl_transfer *transfer);

/// Does all work that is ready. Returns NULL, or a sentence when the multi handle is broken.
const char *wi_curl_perform(wi_curl_multi *multi);
/// Sleeps until a socket is ready, libcurl's own timer fires, the time is over, or somebody calls wi_curl_wakeup.
const char *wi_curl_wait(wi_curl_multi *multi, int timeout_ms);
/// Ends the wait. May be called from any thread.
void wi_curl_wakeup(wi_curl_multi *multi);

/// The context of the next transfer that ended, NULL if there is none. `message` is valid until it is removed.
void *wi_curl_next_finished(wi_curl_multi *multi, wi_curl_outcome *outcome, const char **message);

/// The file and the folder of certificates that libcurl trusts by default, static texts; NULL where it has none or is
/// too old to say (before 7.84).
void wi_curl_default_trust(const char **file, const char **folder);

/// A file without a name that holds these bytes; -1 where the system has none.
int wi_curl_anonymous_file(const void *bytes, size_t length);

/// The name and version of the library in use, "libcurl/7.88.1" for example.
const char *wi_curl_version(void);

#endif
