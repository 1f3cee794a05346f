// The one place that sets up OpenSSL, so that it is set up in one way whoever needs it first.
#ifndef CCRYPTOSHIM_H
#define CCRYPTOSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sets up OpenSSL without its clean-up at the process's exit: that frees what threads of ours, which end or still speak
/// TLS at the same moment, are about to use. May be called from any thread, as often as one likes. Without effect where
/// the program has set OpenSSL up before.
void wi_crypto_prepare(void);

/// SHA-256 (FIPS 180-4). Answers false when OpenSSL has none: no memory, or a policy of the system.
bool wi_crypto_sha256(const void *bytes, size_t length, uint8_t digest[32]);

#endif
