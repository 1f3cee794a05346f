import Foundation
import Synchronization
import Testing
import WebImage
import WebImageTesting

/// The pipeline from end to end, over a transport that answers from memory and a disk cache in a folder of its own.
@Suite struct PipelineTests {
    static let address = "https://example.org/photo.png"

    let scene: PipelineScene

    init() throws {
        scene = try PipelineScene()
        scene.transport.answer(Self.address, with: .body(try PipelineScene.png(64, 48), mediaType: "image/png"))
    }

    @Test("S034 S015: first from the network, then from memory, then, in a new process, from disk")
    func tiers() async throws {
        let request = try scene.request(Self.address)
        let first = try await scene.pipeline.response(for: request)
        #expect(first.tier == .network)
        #expect(first.bitmap.size == PixelSize(width: 64, height: 48))
        #expect(first.timings.fetch != nil && first.timings.decode != nil)
        #expect(try await scene.pipeline.response(for: request).tier == .memory)
        await scene.pipeline.finishWrites()

        let restarted = scene.restarted()
        let again = try await restarted.response(for: request)
        #expect(again.tier == .disk)
        #expect(again.bitmap.pixels == first.bitmap.pixels)
        #expect(again.byteCount == first.byteCount)
        #expect(again.timings.disk != nil && again.timings.fetch == nil)
        #expect(scene.transport.requests.count == 1)
    }

    @Test("S016 P4: a memory hit is there at once; a miss is nil and starts nothing")
    func memoryLookUp() async throws {
        let request = try scene.request(Self.address)
        #expect(scene.pipeline.cachedResponse(for: request) == nil)
        _ = try await scene.pipeline.response(for: request)
        #expect(scene.pipeline.cachedResponse(for: request)?.tier == .memory)
        var other = request
        other.target = TargetSize(width: 10)
        #expect(scene.pipeline.cachedResponse(for: other) == nil)
        var reading = request
        reading.caching.memory = []
        #expect(scene.pipeline.cachedResponse(for: reading) == nil)
    }

    @Test("P14 S070 S071 C143 C145: 200 callers, five sizes, one URL: one request, five pictures, 200 results")
    func coalescing() async throws {
        scene.transport.gate.close()
        let sizes = [8, 16, 24, 32, 40]
        let tasks = try (0..<200).map { index in
            scene.pipeline.task(for: try scene.request(Self.address, width: sizes[index % 5]))
        }
        await scene.transport.arrivals.reaches(1)
        scene.transport.gate.open()
        var widths: [Int: Int] = [:]
        for task in tasks { widths[try await task.response.bitmap.width, default: 0] += 1 }
        #expect(widths == Dictionary(uniqueKeysWithValues: sizes.map { ($0, 40) }))
        #expect(scene.transport.requests.count == 1)
        #expect(scene.coder.decodes.count == 5)
    }

    @Test("S100 S101 P18: codecs run on threads of the pipeline, never on the caller's or on Swift's own")
    func threads() async throws {
        _ = try await scene.pipeline.response(for: try scene.request(Self.address))
        #expect(scene.coder.threads.withLock { $0 } == ["webimage-cpu"])
    }

    @Test(
        "S074 S084 C172 C173 C308 P6: of 200 callers 199 leave and one gets the picture; when all leave the request is stopped"
    )
    func cancelling() async throws {
        scene.transport.gate.close()
        let tasks = try (0..<200).map { _ in scene.pipeline.task(for: try scene.request(Self.address)) }
        await scene.transport.arrivals.reaches(1)
        for task in tasks.dropLast() { task.cancel() }
        for task in tasks.dropLast() {
            let error = await #expect(throws: ImageError.self) { _ = try await task.response }
            #expect(error?.code == .cancelled)
        }
        scene.transport.gate.open()
        #expect(try await tasks[199].response.bitmap.width == 64)

        scene.transport.gate.close()
        let others = try (0..<3).map { scene.pipeline.task(for: try scene.request("https://example.org/\($0).png")) }
        await scene.transport.arrivals.reaches(4)
        for task in others { task.cancel() }
        for task in others { _ = try? await task.response }
        // The requests have left the gate with an error; a new one for the same URL is asked anew.
        scene.transport.gate.open()
        let retried = try scene.request("https://example.org/0.png")
        let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: retried) }
        #expect(error?.statusCode == 404)
        #expect(scene.transport.requests.count == 5)
    }

    @Test("P6 W003: of 20,000 loads that are cancelled right after their start none goes on", arguments: [true, false])
    func cancelledAtOnce(_ looksOnDisk: Bool) async throws {
        scene.transport.gate.close()
        var requests = try (0..<500).map { try scene.request("https://example.org/\($0).png") }
        if !looksOnDisk { for index in requests.indices { requests[index].caching.disk = [] } }
        for _ in 0..<20 {
            let tasks = requests.map { scene.pipeline.task(for: $0) }
            for task in tasks { task.cancel() }
            for task in tasks { _ = try? await task.response }
            // What had begun has to hear of it; would hang if one did not.
            while scene.fetcher.downloadCounts != (0, 0) { await Task.yield() }
        }
    }

    @Test("C007 C008 C151 C141: tasks can be counted, held back and cancelled all at once")
    func all() async throws {
        scene.pipeline.pauseDownloads(true)
        let tasks = try (0..<20).map { scene.pipeline.task(for: try scene.request("https://example.org/\($0).png")) }
        let held = scene.pipeline.task(for: try scene.request(Self.address))
        #expect(scene.pipeline.taskCount == 21)
        for task in tasks { task.cancel() }
        #expect(scene.pipeline.taskCount == 1 && scene.transport.requests.isEmpty)
        scene.pipeline.pauseDownloads(false)
        #expect(try await held.response.bitmap.width == 64)
        scene.transport.gate.close()
        let last = try (0..<5).map { scene.pipeline.task(for: try scene.request("https://example.org/x\($0).png")) }
        scene.pipeline.cancelAll()
        for task in last {
            let error = await #expect(throws: ImageError.self) { _ = try await task.response }
            #expect(error?.code == .cancelled)
        }
        #expect(scene.pipeline.taskCount == 0)
    }

    @Test("C058 C017 C239: steps of processing are part of the key, run in order, and the result is what memory keeps")
    func processing() async throws {
        var request = try scene.request(Self.address)
        let order = Mutex<[String]>([])
        request.processing = [
            .resize(TargetSize(width: 32)),
            .custom(
                CustomStep("note") { bitmap in
                    order.withLock { $0.append("\(bitmap.width)") }
                    return bitmap
                }),
        ]
        let first = try await scene.pipeline.response(for: request)
        #expect(first.bitmap.width == 32 && order.withLock { $0 } == ["32"] && first.timings.process != nil)
        #expect(try await scene.pipeline.response(for: request).tier == .memory)
        // Written in the background.
        await scene.pipeline.finishWrites()
        let plain = try await scene.pipeline.response(for: try scene.request(Self.address))
        #expect(plain.bitmap.width == 64 && plain.tier == .disk)
        request.processing = [.custom(CustomStep("fails") { _ in throw CancellationError() })]
        let error = await #expect(throws: ImageError.self) { _ = try await scene.pipeline.response(for: request) }
        #expect(error?.stage == .process)
    }

    @Test("W023 C144: who calls a header secret does not share with who does not")
    func secretNames() async throws {
        scene.transport.gate.close()
        var open = try scene.request(Self.address)
        open.headers["X-Api-Key"] = "1"
        var secret = open
        secret.options.sensitiveHeaders = ["X-Api-Key"]
        let tasks = [open, secret].map { scene.pipeline.task(for: $0) }
        await scene.transport.arrivals.reaches(2)
        scene.transport.gate.open()
        for task in tasks { #expect(try await task.response.tier == .network) }
        #expect(scene.transport.requests.map(\.sensitiveHeaders).contains(["X-Api-Key"]))
    }

    @Test("P13 C150 S080 S081: a download that waits overtakes the others when its task becomes more urgent")
    func priority() async throws {
        let scene = try PipelineScene(downloads: 1)
        scene.transport.gate.close()
        let tasks = try ["running", "first", "second"].map {
            scene.pipeline.task(for: try scene.request("https://example.org/\($0)"))
        }
        while scene.fetcher.downloadCounts != (1, 2) { await Task.yield() }
        let running = try #require(scene.transport.requests.first)
        let waiting = tasks.filter { $0.request.url != running.url }
        waiting[1].priority = .veryHigh
        scene.transport.gate.open()
        for task in tasks { _ = try? await task.response }
        #expect(scene.transport.requests.map(\.url) == [running.url, waiting[1].request.url, waiting[0].request.url])
    }

    @Test("P20 W012: cancelling the Swift task that awaits cancels the load")
    func structuredCancellation() async throws {
        scene.transport.gate.close()
        let request = try scene.request(Self.address)
        let work = Task { [pipeline = scene.pipeline] in try await pipeline.response(for: request) }
        await scene.transport.arrivals.reaches(1)
        work.cancel()
        let error = await #expect(throws: ImageError.self) { _ = try await work.value }
        #expect(error?.code == .cancelled)
    }

    @Test("W023: requests with different headers never share an answer")
    func identity() async throws {
        var first = try scene.request(Self.address)
        first.headers.append("Authorization", "Bearer one")
        var second = first
        second.headers = HTTPHeaders()
        second.headers.append("Authorization", "Bearer two")
        _ = try await scene.pipeline.response(for: first)
        #expect(try await scene.pipeline.response(for: second).tier == .network)
        #expect(scene.transport.requests.count == 2)
    }

    @Test("S086: watchers see progress, then one outcome, and the stream ends")
    func events() async throws {
        let body = try PipelineScene.png(300, 300)
        scene.transport.answer(Self.address, with: .body(body, mediaType: "image/png"))
        scene.transport.gate.close()
        let task = scene.pipeline.task(for: try scene.request(Self.address))
        let events = task.events
        scene.transport.gate.open()
        var received: [Int] = []
        var outcomes = 0
        for await event in events {
            switch event {
            case .progress(let progress):
                received.append(progress.received)
                #expect(progress.expected == body.count)
            case .provisional, .preview: Issue.record("nobody asked for it")
            case .finished(let result):
                outcomes += 1
                #expect(throws: Never.self) { _ = try result.get() }
            }
        }
        #expect(outcomes == 1)
        #expect(received == received.sorted() && received.last == body.count)
        var late: [Bool] = []
        for await event in task.events { if case .finished = event { late.append(true) } }
        #expect(late == [true])
    }

    @Test("P36: what must not be stored never reaches the disk")
    func noStore() async throws {
        let origin = try OriginServer()
        let scene = try PipelineScene(over: .http)
        let picture = OriginResponse.file(try PipelineScene.sample(of: .png))
        origin.route("/secret", picture.with("Cache-Control", "private, No-Store"))
        origin.route("/plain", picture.with("Cache-Control", "max-age=60"))
        for path in ["/secret", "/plain"] {
            _ = try await scene.pipeline.response(for: ImageRequest(url: origin.url(path)))
        }
        await scene.pipeline.finishWrites()
        #expect(scene.entryFiles.count == 1)
    }

    @Test("P15 P44: nothing secret of a request is written to disk")
    func secrets() async throws {
        let origin = try OriginServer()
        let scene = try PipelineScene(over: .http)
        origin.route("/picture", .file(try PipelineScene.sample(of: .png)))
        let url = try #require(URL(string: "http://me:pass-canary@127.0.0.1:\(origin.port)/picture?token=query-canary"))
        var request = ImageRequest(url: url)
        request.headers.append("Authorization", "Bearer header-canary")
        _ = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        let file = try #require(scene.entryFiles.first)
        let bytes = try #require(FileManager.default.contents(atPath: "\(scene.directory)/\(file)"))
        #expect(bytes.range(of: Data("127.0.0.1".utf8)) != nil)
        #expect(bytes.range(of: Data("canary".utf8)) == nil)
        #expect(try await scene.restarted().response(for: request).tier == .disk)
    }

    @Test("S145 S147 F33: the first store sweeps what is too old, and what a killed process left behind")
    func sweeping() async throws {
        _ = try await scene.pipeline.response(for: try scene.request(Self.address))
        await scene.pipeline.finishWrites()
        let orphan = "\(scene.directory)/v1/tmp/1-1"
        try Data("half an entry".utf8).write(to: URL(filePath: orphan))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: orphan)
        let old = "\(scene.directory)/\(try #require(scene.entryFiles.first { !$0.contains("tmp") }))"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -8 * 86_400)], ofItemAtPath: old)
        let restarted = scene.restarted()
        scene.transport.answer("https://example.org/other", with: .body(try PipelineScene.png(8, 8), mediaType: ""))
        _ = try await restarted.response(for: try scene.request("https://example.org/other"))
        for path in [orphan, old] { while FileManager.default.fileExists(atPath: path) { await Task.yield() } }
        #expect(scene.entryFiles.count == 1)
    }

    @Test("S064: Accept names what can be decoded, and then takes anything")
    func accept() async throws {
        let origin = try OriginServer()
        origin.route("/picture", .file(try PipelineScene.sample(of: .png)))
        let pipeline = ImagePipeline(
            configuration: ImagePipeline.Configuration(memoryCache: nil, diskCache: nil))
        _ = try await pipeline.response(for: ImageRequest(url: origin.url("/picture")))
        let request = try #require(origin.record.requests.first)
        let accept = try #require(request["Accept"])
        let all = Set(CoderRegistry.standard.decodableFormats.map(\.mediaType))
        // What no browser names is left to the ranges.
        let named = all.subtracting([
            "application/pdf", "image/x-dcraw", "image/vnd.microsoft.icon", ImageFormat.cur.mediaType,
        ])
        #expect(named.isSuperset(of: ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]))
        let types = accept.split(separator: ",").map(String.init)
        #expect(Set(types.dropLast(2)) == named && types.count == named.count + 2)
        #expect(types.suffix(2) == ["image/*;q=0.8", "*/*;q=0.5"])
        #expect(request["User-Agent"]?.hasPrefix("swift-web-image/") == true)
    }

    @Test("P24: the orientation of a picture is applied once, at every size", arguments: [nil, 40, 7])
    func orientation(width: Int?) async throws {
        let stored = try PipelineScene.png(60, 30)
        let plain = try await scene.load(stored, target: nil)
        #expect(plain.bitmap.size == PixelSize(width: 60, height: 30))
        let turned = try await scene.load(PipelineScene.turned(stored), target: width.map { TargetSize(width: $0) })
        #expect(turned.info.size == PixelSize(width: 30, height: 60))
        let expected = min(width ?? 30, 30)
        #expect(turned.bitmap.size == PixelSize(width: expected, height: expected * 2))
        if width == nil { #expect(turned.bitmap.pixels == (try plain.bitmap.oriented(by: .right)).pixels) }
    }

    @Test("C231: cover fills the box and cuts evenly; nothing is made larger")
    func cover() async throws {
        let target = TargetSize(width: 20, height: 20, fit: .cover)
        #expect(
            try await scene.load(PipelineScene.png(60, 30), target: target).bitmap.size
                == PixelSize(width: 20, height: 20))
        #expect(
            try await scene.load(PipelineScene.png(10, 40), target: target).bitmap.size
                == PixelSize(width: 10, height: 20))
    }
}
