import ImageCaching
import ImageFetching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EntryMetadata {
    /// What is kept beside a response's bytes: where they came from, and the headers that revalidation needs
    /// (RFC 9111 §4.3.1). Credentials in the URL are left out.
    init(request: ImageRequest, head: ResponseHead?) {
        var fields = ["url": request.url.redacted]
        for name in ["content-type", "etag", "last-modified", "cache-control", "expires", "date", "age", "vary"] {
            if let value = head?.headers[name] { fields[name] = value }
        }
        self.init(fields)
    }
}
