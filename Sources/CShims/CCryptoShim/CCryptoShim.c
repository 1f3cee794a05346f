#include "CCryptoShim.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

void wi_crypto_prepare(void) {
    // A failure shows in whatever is done next.
    (void)OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

bool wi_crypto_sha256(const void *bytes, size_t length, uint8_t digest[32]) {
    unsigned int count = 0;
    wi_crypto_prepare();
    return EVP_Digest(bytes, length, digest, &count, EVP_sha256(), NULL) == 1 && count == 32;
}
