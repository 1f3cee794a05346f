/// Three rows of three numbers.
struct ColorMatrix: Sendable {
    let values: [Double]

    /// - Parameter values: nine, row by row.
    init(_ values: [Double]) {
        self.values = values
    }

    /// From light of these primaries to CIE XYZ, where their white has a luminance of one.
    init(_ chromaticities: Chromaticities) {
        func column(_ point: Chromaticities.Point) -> [Double] {
            [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
        }
        let columns = [chromaticities.red, chromaticities.green, chromaticities.blue].map(column)
        let primaries = ColorMatrix((0..<9).map { columns[$0 % 3][$0 / 3] })
        let white = column(chromaticities.white)
        let inverse = primaries.inverse.values
        let scales = stride(from: 0, to: 9, by: 3).map { row -> Double in
            inverse[row] * white[0] + inverse[row + 1] * white[1] + inverse[row + 2] * white[2]
        }
        values = primaries.values.enumerated().map { $1 * scales[$0 % 3] }
    }

    static func * (left: ColorMatrix, right: ColorMatrix) -> ColorMatrix {
        ColorMatrix(
            (0..<9).map { place -> Double in
                let (row, column) = (place / 3 * 3, place % 3)
                let terms = (0..<3).map { left.values[row + $0] * right.values[3 * $0 + column] }
                return terms[0] + terms[1] + terms[2]
            })
    }

    /// The matrix must be invertible, as that of primaries which span a triangle is.
    var inverse: ColorMatrix {
        ColorMatrix(cofactors.map { $0 / determinant })
    }

    var isInvertible: Bool { abs(determinant) > 1e-6 }

    private var determinant: Double {
        values[0] * cofactors[0] + values[1] * cofactors[3] + values[2] * cofactors[6]
    }

    private var cofactors: [Double] {
        let m = values
        func cofactor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[b] - m[c] * m[d] }
        return [
            cofactor(4, 8, 5, 7), cofactor(2, 7, 1, 8), cofactor(1, 5, 2, 4),
            cofactor(5, 6, 3, 8), cofactor(0, 8, 2, 6), cofactor(2, 3, 0, 5),
            cofactor(3, 7, 4, 6), cofactor(1, 6, 0, 7), cofactor(0, 4, 1, 3),
        ]
    }
}
