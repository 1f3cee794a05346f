import Pixels

extension PixelSize {
    /// The largest size of the same shape that fits into a box, and no larger than it is.
    func fitted(into box: PixelSize) -> PixelSize {
        guard width > box.width || height > box.height else { return self }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        func side(_ length: Int, _ limit: Int) -> Int { max(1, min(limit, Int((Double(length) * scale).rounded()))) }
        return PixelSize(width: side(width, box.width), height: side(height, box.height))
    }
}
