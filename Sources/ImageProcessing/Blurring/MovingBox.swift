/// A moving average of `2 × radius + 1` samples and, with less weight, of the next one on either side, so that its width
/// need not be a whole number (Gwosdek, Grewenig, Bruhn and Weickert, "Theoretical Foundations of Gaussian Convolution by
/// Extended Box Filtering", 2011).
struct MovingBox: Hashable, Sendable {
    let radius: Int
    /// The weight of the outermost samples, from 0 to 1.
    let edge: Float
    /// One over the sum of all weights.
    let scale: Float

    init(radius: Int) {
        self.init(radius: radius, edge: 0)
    }

    /// The box that, `passes` times over, spreads as a Gaussian bell does.
    init(sigma: Double, passes: Int) {
        let variance = sigma * sigma / Double(passes)
        let radius = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let excess = radius * (radius + 1) - 3 * variance
        let room = variance - (radius + 1) * (radius + 1)
        self.init(radius: Int(radius), edge: (2 * radius + 1) * excess / (6 * room))
    }

    private init(radius: Int, edge: Double) {
        self.radius = radius
        self.edge = Float(edge)
        scale = Float(1 / (Double(radius * 2 + 1) + 2 * edge))
    }
}
