import Foundation
import Synchronization
import WebImage

/// What one would write first: a dictionary, and a doubly linked list of objects from the last used to the longest unused.
final class LinkedListCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Node {
        let key: Key
        var value: Value
        unowned(unsafe) var newer: Node?
        unowned(unsafe) var older: Node?

        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    private struct State: ~Copyable {
        var nodes: [Key: Node] = [:]
        var newest: Node?
        var oldest: Node?

        mutating func unlink(_ node: Node) {
            if let newer = node.newer { newer.older = node.older } else { newest = node.older }
            if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
            node.newer = nil
            node.older = nil
        }

        mutating func makeNewest(_ node: Node) {
            node.older = newest
            newest?.newer = node
            newest = node
            if oldest == nil { oldest = node }
        }
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func value(forKey key: Key) -> Value? {
        state.withLock { state in
            guard let node = state.nodes[key] else { return nil }
            state.unlink(node)
            state.makeNewest(node)
            return node.value
        }
    }

    func insert(_ value: Value, forKey key: Key) {
        state.withLock { state in
            if let node = state.nodes[key] {
                node.value = value
                state.unlink(node)
                state.makeNewest(node)
                return
            }
            if state.nodes.count >= capacity, let oldest = state.oldest {
                state.unlink(oldest)
                state.nodes[oldest.key] = nil
            }
            let node = Node(key: key, value: value)
            state.nodes[key] = node
            state.makeNewest(node)
        }
    }
}

/// A key as Foundation's cache takes it: an object.
final class KeyObject: NSObject {
    private let key: KeyDigest

    init(_ key: KeyDigest) { self.key = key }

    override var hash: Int { key.hashValue }

    override func isEqual(_ object: Any?) -> Bool { (object as? KeyObject)?.key == key }
}
