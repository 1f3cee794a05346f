/// A function of 0…1 as a table over the argument's square root, read with straight lines between the entries.
///
/// The root puts most entries near zero, where eyes and curves are steep: sRGB's curve is met to 3 parts in ten million.
struct RootTable: Sendable {
    private static let steps = 4_096
    private let values: [Float]

    init(_ function: (Double) -> Double) {
        values = (0...Self.steps + 1).map { step in
            let root = min(Double(step) / Double(Self.steps), 1)
            return Float(function(root * root))
        }
    }

    /// - Parameter argument: what is outside 0…1, or no number, is taken as the nearer end.
    subscript(argument: Float) -> Float {
        let place = max(0, min(1, argument)).squareRoot() * Float(Self.steps)
        let index = Int(place)
        return values[index] + (values[index + 1] - values[index]) * (place - Float(index))
    }
}
