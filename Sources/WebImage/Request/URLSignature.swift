/// A way of signing addresses: by which items of the query it is known and which belong to it.
struct URLSignature: Hashable, Sendable {
    /// The items that an address signed in this way always has.
    let marks: Set<String>
    /// Everything that goes with the signature, the marks among it.
    let items: Set<String>

    private init(marks: Set<String>, others: Set<String>) {
        self.marks = marks
        items = marks.union(others)
    }

    /// Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
    static let amazonV4 = URLSignature(
        marks: ["X-Amz-Signature"],
        others: [
            "X-Amz-Algorithm", "X-Amz-Content-Sha256", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
            "X-Amz-Region-Set", "X-Amz-Security-Token", "X-Amz-SignedHeaders",
        ])

    /// Amazon S3 User Guide, "Signing and authenticating REST requests", query string request authentication.
    static let amazonV2 = URLSignature(
        marks: ["AWSAccessKeyId", "Signature"], others: ["Expires", "x-amz-security-token"])

    /// Amazon CloudFront Developer Guide, "Use signed URLs", for canned and for custom policies.
    static let cloudFront = URLSignature(
        marks: ["Key-Pair-Id", "Signature"], others: ["Expires", "Hash-Algorithm", "Policy"])

    /// Google Cloud Storage, "Signed URLs", V4 signing.
    static let googleV4 = URLSignature(
        marks: ["X-Goog-Signature"],
        others: ["X-Goog-Algorithm", "X-Goog-Credential", "X-Goog-Date", "X-Goog-Expires", "X-Goog-SignedHeaders"])

    /// Google Cloud Storage, "V2 signing process".
    static let googleV2 = URLSignature(marks: ["GoogleAccessId", "Signature"], others: ["Expires"])
}
