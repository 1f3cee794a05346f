import CCurlShim

/// What the loop's thread knows: the transfers that libcurl works on. Never leaves that thread.
struct CurlSession {
    private struct Active {
        let transfer: CurlTransfer
        let handle: OpaquePointer
    }

    private let multi: OpaquePointer
    private var trust: TrustedCertificates
    private var active: [ObjectIdentifier: Active] = [:]
    /// When something that is held back for a moment has to be given to its reader.
    private var nextDelivery: ContinuousClock.Instant?
    /// Not later than the first deadline of all transfers.
    private var nextDeadline: ContinuousClock.Instant?

    init(multi: OpaquePointer, trust: TLSTrust) {
        self.multi = multi
        self.trust = TrustedCertificates(trust)
    }

    /// Obeys commands, moves bytes and ends what is over.
    ///
    /// - Returns: whether there may be more to do at once.
    /// - Throws: when libcurl's multi handle is broken: nothing more can be done with it.
    mutating func step(_ commands: [CurlLoop.Command]) throws(FetchError) -> Bool {
        for command in commands { obey(command) }
        if let problem = wi_curl_perform(multi) { throw Self.breakdown(problem) }
        return collectFinished() > 0
    }

    /// Gives readers what is due and ends what made no progress in time.
    ///
    /// - Parameter hasNews: whether something has come for a reader since the last call.
    /// - Returns: how long nothing will be due, in milliseconds.
    mutating func deliver(hasNews: Bool, at now: ContinuousClock.Instant) -> Int32 {
        if hasNews || nextDelivery.map({ $0 <= now }) ?? false {
            nextDelivery = active.values.lazy.compactMap { $0.transfer.flush(at: now) }.min()
        }
        if let nextDeadline, nextDeadline <= now { expireLate(at: now) }
        let next = [nextDelivery, nextDeadline].lazy.compactMap(\.self).min() ?? now + .seconds(60)
        let (seconds, attoseconds) = (next - now).components
        return seconds < 60 ? Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) + 1 : 60_000
    }

    /// Sleeps until there is more to do, somebody wakes the thread, or the milliseconds are over.
    func wait(_ pause: Int32) throws(FetchError) {
        if let problem = wi_curl_wait(multi, pause) { throw Self.breakdown(problem) }
    }

    mutating func endAll(_ error: FetchError) {
        for transfer in active.values.map(\.transfer) { finish(transfer, .failure(error)) }
    }

    private mutating func obey(_ command: CurlLoop.Command) {
        switch command {
        case .start(let transfer):
            guard !transfer.isOver else { return }
            do throws(FetchError) {
                let handle = try start(transfer)
                active[ObjectIdentifier(transfer)] = Active(transfer: transfer, handle: handle)
                watch(transfer)
            } catch {
                transfer.end(.failure(error))
            }
        case .resume(let transfer):
            guard let entry = active[ObjectIdentifier(transfer)] else { return }
            transfer.willResume()
            watch(transfer)
            // A failure comes back as the transfer's end.
            _ = wi_curl_resume(entry.handle)
        case .cancel(let transfer):
            finish(transfer, .failure(.cancelled))
        }
    }

    private mutating func start(_ transfer: CurlTransfer) throws(FetchError) -> OpaquePointer {
        let certificates = transfer.isSecure ? try trust.source() : .standard
        var outcome = WI_CURL_OTHER
        var message: UnsafePointer<CChar>?
        let handle = transfer.withRequest(certificates) { request in
            withUnsafePointer(to: request) { wi_curl_add(multi, $0, &outcome, &message) }
        }
        if let handle { return handle }
        let reason = message.map { String(cString: $0) } ?? "unknown reason"
        throw FetchError(outcome, reason, url: transfer.request.url, head: nil)
    }

    private mutating func finish(_ transfer: CurlTransfer, _ result: Result<Void, FetchError>) {
        if let entry = active.removeValue(forKey: ObjectIdentifier(transfer)) { wi_curl_remove(multi, entry.handle) }
        transfer.end(result)
    }

    private mutating func collectFinished() -> Int {
        var count = 0
        var outcome = WI_CURL_OK
        var message: UnsafePointer<CChar>?
        while let context = wi_curl_next_finished(multi, &outcome, &message) {
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            // The message lives in the handle, which `finish` frees.
            let result = transfer.result(of: outcome, message.map { String(cString: $0) } ?? "")
            finish(transfer, result)
            count += 1
        }
        return count
    }

    private mutating func expireLate(at now: ContinuousClock.Instant) {
        for transfer in active.values.map(\.transfer) where transfer.deadline.map({ $0 <= now }) ?? false {
            finish(transfer, .failure(transfer.timeoutError))
        }
        nextDeadline = active.values.lazy.compactMap(\.transfer.deadline).min()
    }

    /// Has the deadline of a transfer looked at in time. Progress moves it on, which is seen only then.
    private mutating func watch(_ transfer: CurlTransfer) {
        guard let deadline = transfer.deadline else { return }
        nextDeadline = nextDeadline.map { min($0, deadline) } ?? deadline
    }

    private static func breakdown(_ problem: UnsafePointer<CChar>) -> FetchError {
        FetchError(.connectionFailed, "libcurl failed: \(String(cString: problem)).")
    }
}
