import Pixels

extension Bitmap {
    /// Every pixel through a matrix.
    func recolored(by matrix: ColorMatrix, kernels: PixelKernels = .native) throws -> Bitmap {
        for number in matrix.numbers {
            let most = Double(ColorMatrix.largestNumber)
            try ProcessingError.check(Double(number), "number in the colour matrix", in: -most...most)
        }
        if matrix == .identity { return self }
        let format = format.widened(alpha: !matrix.keepsAlpha, color: !matrix.keepsGray)
        // By columns: what each old channel adds to all new ones.
        let rows = [matrix.red, matrix.green, matrix.blue, matrix.alpha]
        func column(_ index: Int) -> Pixel { Pixel(rows[0][index], rows[1][index], rows[2][index], rows[3][index]) }
        let (red, green, blue, alpha) = (column(0), column(1), column(2), column(3))
        let offset = matrix.offset
        var result = try converted(to: format, kernels: kernels)
        try result.editRows(kernels: kernels) { _, row in
            for x in 0..<width {
                let pixel = row[x]
                let straight = pixel.w > 0 ? pixel / pixel.w : .zero
                var made = offset + alpha * pixel.w
                made += red * straight.x + green * straight.y + blue * straight.z
                let opacity = min(max(made.w, 0), 1)
                made *= opacity
                made.w = opacity
                row[x] = made
            }
        }
        return result
    }
}
