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

    init(multi: OpaquePointer, trust: TLSTrust) {
        self.multi = multi
        self.trust = TrustedCertificates(trust)
    }

    /// Obeys commands, moves bytes, ends what is over, then sleeps until there is more to do.
    ///
    /// - Throws: when libcurl's multi handle is broken: nothing more can be done with it.
    mutating func step(_ commands: [CurlLoop.Command]) throws(FetchError) {
        for command in commands { obey(command) }
        if let problem = wi_curl_perform(multi) { throw Self.breakdown(problem) }
        let isIdle = collectFinished() == 0
        for entry in active.values { entry.transfer.flush() }
        let pause = expireLate()
        guard isIdle else { return }
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
            } catch {
                transfer.end(.failure(error))
            }
        case .resume(let transfer):
            guard let entry = active[ObjectIdentifier(transfer)] else { return }
            transfer.willResume()
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

    /// Ends what made no progress in time; returns the milliseconds until the next transfer may be late.
    private mutating func expireLate() -> Int32 {
        let now = ContinuousClock.now
        var nearest: ContinuousClock.Instant?
        for transfer in active.values.map(\.transfer) {
            guard let deadline = transfer.deadline else { continue }
            if deadline <= now {
                finish(transfer, .failure(transfer.timeoutError))
            } else if nearest.map({ deadline < $0 }) ?? true {
                nearest = deadline
            }
        }
        guard let nearest else { return 60_000 }
        let (seconds, attoseconds) = (nearest - now).components
        guard seconds < 60 else { return 60_000 }
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) + 1
    }

    private static func breakdown(_ problem: UnsafePointer<CChar>) -> FetchError {
        FetchError(.connectionFailed, "libcurl failed: \(String(cString: problem)).")
    }
}
