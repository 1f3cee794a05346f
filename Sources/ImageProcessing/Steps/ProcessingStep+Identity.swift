import Pixels

extension ProcessingStep {
    /// What tells the step from all others: its name and every parameter, in an order that stays.
    public var identity: [String] {
        switch self {
        case .resize(let target, let filter):
            [
                "resize", side(target.width), side(target.height), target.fit.rawValue,
                target.allowsUpscaling ? "up" : "down", "\(filter)",
            ]
        case .resizeExactly(let size, let mode, let filter):
            ["resizeExactly", "\(size.width)", "\(size.height)"] + mode.identity + ["\(filter)"]
        case .crop(let rect): ["crop", "\(rect.x)", "\(rect.y)", "\(rect.width)", "\(rect.height)"]
        case .cropToSize(let size, let gravity): ["cropToSize", "\(size.width)", "\(size.height)", gravity.rawValue]
        case .pad(let insets, let color):
            ["pad", "\(insets.top)", "\(insets.left)", "\(insets.bottom)", "\(insets.right)", color.hexadecimal]
        case .flip(let axis): ["flip", axis.rawValue]
        case .rotate(let degrees, let growsCanvas, let background):
            ["rotate", number(degrees), growsCanvas ? "grow" : "clip", background.hexadecimal]
        case .roundCorners(let radii, let border): ["roundCorners"] + radii.all.map(number) + identity(of: border)
        case .circle(let border): ["circle"] + identity(of: border)
        case .tint(let color, let mode): ["tint", color.hexadecimal, mode.rawValue]
        case .gaussianBlur(let sigma): ["gaussianBlur", number(sigma)]
        case .boxBlur(let radius, let passes): ["boxBlur", "\(radius)", "\(passes)"]
        case .sharpen(let sigma, let amount, let threshold):
            ["sharpen", number(sigma), number(amount), number(threshold)]
        case .colorMatrix(let matrix): ["colorMatrix"] + matrix.numbers.map { number(Double($0)) }
        case .overlay(let overlay): ["overlay"] + overlay.identity
        // The counts keep steps apart whose parts in a row would read the same.
        case .sequence(let steps):
            ["sequence"]
                + steps.flatMap { step in
                    let identity = step.identity
                    return ["\(identity.count)"] + identity
                }
        case .custom(let step): ["custom", step.name]
        }
    }

    /// No wanted side is 0; a side of 0 pixels, which is an error, is another text.
    private func side(_ length: Int?) -> String { length == 0 ? "none" : "\(length ?? 0)" }

    private func identity(of border: Border?) -> [String] {
        border.map { [number($0.width), $0.color.hexadecimal] } ?? []
    }
}

extension ScaleMode {
    fileprivate var identity: [String] {
        switch self {
        case .stretch: ["stretch"]
        case .letterbox(let color): ["letterbox", color.hexadecimal]
        case .cover(let gravity): ["cover", gravity.rawValue]
        }
    }
}

/// A number as the shortest text that gives the same again; the two zeros, which are equal, read the same.
func number(_ value: Double) -> String { "\(value + 0)" }
