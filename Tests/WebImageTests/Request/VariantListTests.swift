import Testing

@testable import WebImage

@Suite struct VariantListTests {
    private func list(_ names: [String], _ lines: [String]) -> VariantList? {
        lines.reduce(nil) { list, line in VariantList.change(of: list, adding: line, names: names).list }
    }

    @Test("The first variant makes a list, the next ones come behind it, and one that is there changes nothing")
    func adding() throws {
        let first = VariantList.change(of: nil, adding: "a", names: ["accept"])
        #expect(first.outdated.isEmpty && first.list?.names == ["accept"] && first.list?.lines == ["a"])
        let second = VariantList.change(of: first.list, adding: "b", names: ["accept"])
        #expect(second.outdated.isEmpty && second.list?.lines == ["a", "b"])
        let again = VariantList.change(of: second.list, adding: "a", names: ["accept"])
        #expect(again == VariantList.Change(outdated: [], list: nil))
    }

    @Test("One too many pushes the oldest out")
    func limit() throws {
        let lines = (0..<VariantList.limit).map(String.init)
        let change = VariantList.change(of: list(["accept"], lines), adding: "new", names: ["accept"])
        #expect(change.outdated == ["0"] && change.list?.lines == Array(lines.dropFirst()) + ["new"])
        let small = VariantList.change(of: list(["accept"], ["a", "b"]), adding: "c", names: ["accept"], limit: 2)
        #expect(small.outdated == ["a"] && small.list?.lines == ["b", "c"])
    }

    @Test("A server that tells variants apart by other fields, or no longer at all, outdates all that are there")
    func otherFields() throws {
        let old = list(["accept"], ["a", "b"])
        let other = VariantList.change(of: old, adding: "c", names: ["user-agent"])
        #expect(other.outdated == ["a", "b"] && other.list?.lines == ["c"] && other.list?.names == ["user-agent"])
        let same = VariantList.change(of: old, adding: "b", names: ["user-agent"])
        #expect(same.outdated == ["a"] && same.list?.lines == ["b"])
        let none = VariantList.change(of: old, adding: nil, names: [])
        #expect(none == VariantList.Change(outdated: ["a", "b"], list: nil))
        #expect(VariantList.change(of: nil, adding: nil, names: []) == VariantList.Change(outdated: [], list: nil))
    }
}
