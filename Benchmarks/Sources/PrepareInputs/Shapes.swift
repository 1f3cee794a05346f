/// A thousand overlapping shapes on a square of 1000 units, half of them see-through, as the two vector formats write them.
enum Shapes {
    private struct Shape {
        let (x, y, side): (Int, Int, Int)
        let color: (red: Int, green: Int, blue: Int)
        let isFaint: Bool

        /// Scattered, and the same each time.
        init(_ number: Int) {
            func digit(_ factor: Int, _ range: Int) -> Int { (number &* factor &+ number / 7 &* 31) % range }
            (x, y, side) = (digit(389, 960), digit(733, 960), 20 + digit(53, 60))
            color = (digit(97, 256), digit(151, 256), digit(211, 256))
            isFaint = number.isMultiple(of: 2)
        }
    }

    private static let all = (0..<1_000).map(Shape.init)

    static var svg: [UInt8] {
        let shapes = all.map { shape in
            let fill = "fill=\"rgb(\(shape.color.red),\(shape.color.green),\(shape.color.blue))\""
            return """
                <rect x="\(shape.x)" y="\(shape.y)" width="\(shape.side)" height="\(shape.side)" \(fill) \
                fill-opacity="\(shape.isFaint ? 0.5 : 1)"/>
                """
        }
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000" viewBox="0 0 1000 1000">
            \(shapes.joined(separator: "\n"))
            </svg>

            """
        return [UInt8](text.utf8)
    }

    /// One page (ISO 32000-1, 7.5): objects, their places, a trailer.
    static var pdf: [UInt8] {
        let shapes = all.map { shape in
            let color = [shape.color.red, shape.color.green, shape.color.blue].map { "\(Double($0) / 255)" }
            return """
                /\(shape.isFaint ? "Faint" : "Solid") gs \(color.joined(separator: " ")) rg \
                \(shape.x) \(1_000 - shape.y - shape.side) \(shape.side) \(shape.side) re f
                """
        }
        let content = shapes.joined(separator: "\n")
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 1000 1000] /Contents 4 0 R \
            /Resources << /ExtGState << /Faint << /ca 0.5 >> /Solid << /ca 1 >> >> >> >>
            """,
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
        ]
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        for (number, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(number + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place)
            text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        text += "trailer << /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return [UInt8](text.utf8)
    }
}
