#include "CControls.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// One thread a connection, each answering one request after the other: it waits for the end of a request's head and
// looks at nothing in it.

static int listener = -1;
static char *response;
static size_t response_count;

static int send_all(int socket, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return -1;
        bytes += sent;
        count -= (size_t)sent;
    }
    return 0;
}

static void *serve(void *argument) {
    int socket = (int)(intptr_t)argument;
    char head[8192];
    size_t filled = 0;
    for (;;) {
        ssize_t received = recv(socket, head + filled, sizeof head - 1 - filled, 0);
        if (received <= 0) break;
        filled += (size_t)received;
        head[filled] = 0;
        if (!strstr(head, "\r\n\r\n")) continue;
        filled = 0;
        if (send_all(socket, response, response_count) != 0) break;
    }
    close(socket);
    return NULL;
}

static void *accept_all(void *argument) {
    (void)argument;
    for (;;) {
        int socket = accept(listener, NULL, NULL);
        if (socket < 0) return NULL;
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)socket) == 0)
            pthread_detach(thread);
        else
            close(socket);
    }
}

int ctl_origin_start(size_t body_count, uint16_t *port) {
    response = calloc(1, body_count + 256);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (!response || listener < 0) return -1;
    int head = snprintf(response, 256, "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %zu\r\n\r\n", body_count);
    response_count = (size_t)head + body_count;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    pthread_t thread;
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0 ||
        pthread_create(&thread, NULL, accept_all, NULL) != 0)
        return -1;
    pthread_detach(thread);
    *port = ntohs(address.sin_port);
    return 0;
}
