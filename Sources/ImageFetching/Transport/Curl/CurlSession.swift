import CCurlShim

/// What the loop's thread knows: the transfers that libcurl works on. Never leaves that thread.
struct CurlSession {
    private struct Active {
        let transfer: CurlTransfer
        let handle: OpaquePointer
    }

    private let multi: OpaquePointer
    private var active: [ObjectIdentifier: Active] = [:]

    init(multi: OpaquePointer) {
        self.multi = multi
    }

    /// Obeys commands, moves bytes, ends what is over, then sleeps until there is more to do.
    mutating func step(_ commands: [CurlLoop.Command]) {
        for command in commands { obey(command) }
        if let problem = wi_curl_perform(multi) { return breakDown(problem) }
        let isIdle = collectFinished() == 0
        for entry in active.values { entry.transfer.flush() }
        let pause = expireLate()
        guard isIdle else { return }
        if let problem = wi_curl_wait(multi, pause) { breakDown(problem) }
    }

    mutating func endAll(_ error: FetchError) {
        for transfer in active.values.map(\.transfer) { finish(transfer, .failure(error)) }
    }

    private mutating func obey(_ command: CurlLoop.Command) {
        switch command {
        case .start(let transfer):
            guard !transfer.isOver else { return }
            var message: UnsafePointer<CChar>?
            let handle = transfer.withRequest { request in
                withUnsafePointer(to: request) { wi_curl_add(multi, $0, &message) }
            }
            guard let handle else {
                let reason = message.map { String(cString: $0) } ?? "unknown reason"
                transfer.end(.failure(FetchError(.outOfMemory, "libcurl could not start the transfer: \(reason)")))
                return
            }
            active[ObjectIdentifier(transfer)] = Active(transfer: transfer, handle: handle)
        case .resume(let transfer):
            guard let entry = active[ObjectIdentifier(transfer)] else { return }
            transfer.willResume()
            // A failure comes back as the transfer's end.
            _ = wi_curl_resume(entry.handle)
        case .cancel(let transfer):
            finish(transfer, .failure(.cancelled))
        }
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

    private mutating func breakDown(_ problem: UnsafePointer<CChar>) {
        endAll(FetchError(.connectionFailed, "libcurl failed: \(String(cString: problem))"))
    }
}
