import Foundation
import ImageCaching
import Testing
import WebImage
import WebImageTesting

/// Slots over a real pipeline, with a target that writes down what it is told.
@MainActor
struct ImageSlotTests {
    private let scene: PipelineScene
    private let target = RecordingTarget()
    private let slot: ImageSlot
    private let cat = "https://example.org/cat.png"
    private let dog = "https://example.org/dog.png"
    private let red = StandIn.color(red: 255, green: 0, blue: 0)

    init() throws {
        scene = try PipelineScene()
        slot = ImageSlot(pipeline: scene.pipeline, target: target)
        scene.transport.answer(cat, with: .body(try PipelineScene.png(16, 12), mediaType: "image/png"))
        scene.transport.answer(dog, with: .body(try PipelineScene.png(20, 10), mediaType: "image/png"))
    }

    @Test("S007 S012 S024 S031: one call shows the placeholder, then the picture, and says so on the main actor")
    func oneCall() async throws {
        let completions = Tally()
        let load = slot.show(try scene.request(cat), settings: SlotSettings(placeholder: red)) { outcome in
            MainActor.assertIsolated()
            #expect(outcome.response?.tier == .network)
            completions.add()
        }
        #expect(target.contents() == [.placeholder])
        #expect(await load.outcome.response?.bitmap.size == PixelSize(width: 16, height: 12))
        #expect(target.contents() == [.placeholder, .picture])
        #expect(target.activities().first == .began)
        #expect(target.activities().last == .ended)
        await completions.reaches(1)
        #expect(slot.shown?.bitmap.size.width == 16)
    }

    @Test("S001: transport, files, decoder, observer and view are seams; a load goes through what a program puts there")
    func parts() async throws {
        let files = FaultyFileSystem()
        files.fail(.create, ENOSPC)
        let scene = try PipelineScene(files: files)
        scene.transport.answer(cat, with: .body(try PipelineScene.png(16, 12), mediaType: "image/png"))
        slot.pipeline = scene.pipeline
        #expect(await slot.show(try scene.request(cat)).outcome.response != nil)
        await scene.pipeline.finishWrites()
        #expect(scene.transport.requests.count == 1 && scene.coder.decodes.count == 1)
        #expect(scene.events.of(.load).count == 1 && target.contents() == [.picture])
        // The file system that is full is the one that was handed over.
        #expect(scene.entryFiles.isEmpty && scene.warnings.count == 1)
    }

    @Test(
        "P4 S016 W013: a picture in memory is shown before the call returns, without a placeholder, and told of after it"
    )
    func memoryHit() async throws {
        _ = try await scene.pipeline.response(for: scene.request(cat))
        var settings = SlotSettings(placeholder: red, transition: .crossFade)
        let completions = Tally()
        for round in 1...100 {
            let load = slot.show(try scene.request(cat), settings: settings) { _ in completions.add() }
            #expect(load.currentOutcome?.response?.tier == .memory)
            #expect(completions.count < round)
            await completions.reaches(round)
        }
        #expect(target.contents() == Array(repeating: .picture, count: 100))
        #expect(target.activities().isEmpty)
        #expect(completions.count == 100)
        settings.arrival.transitionRule = .always
        slot.show(try scene.request(cat), settings: settings)
        #expect(target.events.last == .shown(.picture, in: .image, transition: .crossFade))
    }

    @Test("S028 S033 S034: from the origin at first, then from memory, and from the disk when memory has lost it")
    func order() async throws {
        _ = await slot.show(try scene.request(cat), settings: SlotSettings(placeholder: red)).outcome
        await scene.pipeline.finishWrites()
        let second = slot.show(try scene.request(cat), settings: SlotSettings(placeholder: red))
        #expect(second.currentOutcome?.response?.tier == .memory)
        slot.pipeline = scene.restarted()
        slot.reset()
        let third = slot.show(try scene.request(cat), settings: SlotSettings(placeholder: red))
        #expect(await third.outcome.response?.tier == .disk)
        #expect(target.contents() == [.placeholder, .picture, .picture, .nothing, .placeholder, .picture])
        #expect(scene.transport.requests.count == 1)
    }

    @Test("P9: a disk that does not answer holds no call up, nor the main actor, and its pictures come when it does")
    func stuckDisk() async throws {
        let files = FaultyFileSystem()
        let scene = try PipelineScene(files: files)
        scene.transport.answer(cat, with: .body(try PipelineScene.png(16, 12), mediaType: "image/png"))
        let request = try scene.request(cat)
        _ = try await scene.pipeline.response(for: request)
        await scene.pipeline.finishWrites()
        slot.pipeline = scene.restarted()
        let gates = [FaultyFileSystem.Call.openForReading, .read, .openDirectory].map { files.hold($0) }
        // Whoever waited for the disk here would wait for ever: the gates are opened behind it.
        let loads = (0..<100).map { _ in slot.show(request) }
        let turns = Tally()
        for _ in 0..<100 { Task { turns.add() } }
        await turns.reaches(100)
        #expect(loads.last?.currentOutcome == nil && slot.isLoading)
        for gate in gates { gate.open() }
        #expect(await loads.last?.outcome.response?.tier == .disk)
    }

    @Test("C296 C044: a transition is for pictures that were not in memory, unless it is forced")
    func transitions() async throws {
        let settings = SlotSettings(placeholder: nil, transition: .slide(from: .left))
        _ = await slot.show(try scene.request(cat), settings: settings).outcome
        _ = await slot.show(try scene.request(cat), settings: settings).outcome
        #expect(
            target.events.filter { if case .shown(.picture, _, _) = $0 { true } else { false } } == [
                .shown(.picture, in: .image, transition: .slide(from: .left)),
                .shown(.picture, in: .image, transition: nil),
            ])
    }

    @Test(
        "S009 S011 S018 S025 S026 W012: what is overtaken leaves the pipeline and ends once, as superseded; cancelling ends once"
    )
    func superseded() async throws {
        scene.transport.gate.close()
        let endings = Tally()
        let first = slot.show(try scene.request(cat)) { outcome in
            if case .superseded = outcome { endings.add() }
        }
        let second = slot.show(try scene.request(dog))
        await endings.reaches(1)
        if case .superseded = await first.outcome {} else { Issue.record("\(await first.outcome)") }
        #expect(scene.pipeline.taskCount == 1)
        slot.cancel()
        slot.cancel()
        let error = try #require(await second.outcome.error)
        #expect(error.code == .cancelled)
        #expect(scene.pipeline.taskCount == 0)
        scene.transport.gate.open()
        #expect(target.contents().allSatisfy { $0 == .nothing })
        #expect(endings.count == 1)
    }

    @Test("C051 S021: what is not to be cancelled goes on for the caches and is not shown")
    func withoutCancelling() async throws {
        scene.transport.gate.close()
        var settings = SlotSettings()
        settings.cancelsPrevious = false
        let first = slot.show(try scene.request(cat), settings: settings)
        let task = try #require(first.task)
        let second = slot.show(try scene.request(dog), settings: settings)
        #expect(scene.pipeline.taskCount == 2)
        scene.transport.gate.open()
        #expect(try await task.response.bitmap.width == 16)
        #expect(await second.outcome.response?.bitmap.width == 20)
        #expect(slot.shown?.bitmap.width == 20)
        #expect(scene.pipeline.cachedResponse(for: try scene.request(cat)) != nil)
    }

    @Test("P5: a reused view never shows the picture of before, also when the new one fails", arguments: [false, true])
    func reuse(keepsPrevious: Bool) async throws {
        _ = await slot.show(try scene.request(cat)).outcome
        var settings = SlotSettings()
        settings.waiting.keepsPrevious = keepsPrevious
        let load = slot.show(try scene.request("https://example.org/none.png"), settings: settings)
        #expect(target.contents().last == (keepsPrevious ? .picture : .nothing))
        let error = try #require(await load.outcome.error)
        #expect(error.statusCode == 404)
        #expect(target.contents().last == .nothing)
    }

    @Test("P4: the same address anew keeps its picture until the new one is there")
    func sameItem() async throws {
        _ = await slot.show(try scene.request(cat)).outcome
        _ = await slot.show(try scene.request(cat, width: 8), settings: SlotSettings(placeholder: red)).outcome
        #expect(target.contents() == [.picture, .picture])
        #expect(slot.shown?.bitmap.width == 8)
    }

    @Test("S155 C035: a placeholder that is to come late comes only after a failure")
    func lateplaceholder() async throws {
        var settings = SlotSettings(placeholder: red)
        settings.waiting.placeholderTime = .afterFailure
        _ = await slot.show(try scene.request(cat), settings: settings).outcome
        #expect(target.contents() == [.picture])
        _ = await slot.show(try scene.request("https://example.org/none.png"), settings: settings).outcome
        #expect(target.contents() == [.picture, .nothing, .placeholder])
        slot.show(nil, settings: settings)
        #expect(target.contents().last == .placeholder)
    }

    @Test("S032 C289: no address ends what was on its way, stops the indicator, and is an error")
    func noAddress() async throws {
        scene.transport.gate.close()
        let first = slot.show(try scene.request(cat))
        let load = slot.show(nil, settings: SlotSettings(placeholder: nil, failurePicture: red))
        if case .superseded = await first.outcome {} else { Issue.record("it was not superseded") }
        let error = try #require(await load.outcome.error)
        #expect(error.code == .invalidRequest)
        #expect(target.contents() == [.failure])
        #expect(target.activities() == [.began, .ended])
        #expect(scene.pipeline.taskCount == 0)
    }

    @Test("S030 C037 C291: a picture that the caller sets is left to the caller")
    func notSet() async throws {
        var settings = SlotSettings(placeholder: red)
        settings.arrival.showsPicture = false
        let load = slot.show(try scene.request(cat), settings: settings)
        #expect(await load.outcome.response != nil)
        #expect(slot.show(try scene.request(cat), settings: settings).currentOutcome?.response != nil)
        #expect(target.contents() == [.placeholder])
    }

    @Test("C052 C297 W008: a load can end with its transition, and ends also when that never does")
    func waitsForTransition() async throws {
        target.endsTransitions = false
        var settings = SlotSettings(placeholder: nil, transition: .crossFade)
        settings.arrival.waitsForTransition = true
        let shown = Tally()
        target.onShow = { content, _ in if case .picture = content { shown.add() } }
        let first = slot.show(try scene.request(cat), settings: settings)
        await shown.reaches(1)
        #expect(first.currentOutcome == nil)
        target.endTransitions()
        #expect(first.currentOutcome?.response?.bitmap.width == 16)

        let second = slot.show(try scene.request(dog), settings: settings)
        await shown.reaches(2)
        slot.close()
        #expect(await second.outcome.response?.bitmap.width == 20)
    }

    @Test("S029 C290 C295 C300 C301: address and progress are at hand during the load and after it")
    func state() async throws {
        scene.transport.gate.close()
        let load = slot.show(try scene.request(cat))
        #expect(slot.url?.absoluteString == cat)
        #expect(slot.progress == nil)
        #expect(slot.isLoading)
        scene.transport.gate.open()
        let response = try #require(await load.outcome.response)
        #expect(load.url == slot.url)
        #expect(slot.url?.absoluteString == cat)
        #expect(slot.progress == FetchProgress(received: response.byteCount, expected: response.byteCount))
        #expect(slot.progress?.fraction == 1)
        #expect(FetchProgress(received: 5, expected: nil).fraction == nil)
        #expect(!slot.isLoading)
    }

    @Test(
        "C053 C292 C293 C294 W007: the slots of a view load by themselves, and one without an address has the first one's"
    )
    func slots() async throws {
        let binding = ImageBinding(pipeline: scene.pipeline, target: target)
        #expect(binding.url(in: .image) == nil)
        let first = binding[.image].show(try scene.request(cat))
        let second = binding[.background].show(try scene.request(dog))
        #expect(await first.outcome.response?.bitmap.width == 16)
        #expect(await second.outcome.response?.bitmap.width == 20)
        #expect(binding.url(in: .background)?.absoluteString == dog)
        #expect(binding.url(in: .alternate)?.absoluteString == cat)
        #expect(target.contents(of: .background) == [.picture])
        binding[.image].cancel()
        #expect(binding[.image] === binding[.image])
    }

    @Test("S010: a slot whose view goes away ends its load and keeps nothing alive")
    func ends() async throws {
        scene.transport.gate.close()
        var binding: ImageBinding? = ImageBinding(pipeline: scene.pipeline, target: target)
        let load = binding?[.image].show(try scene.request(cat))
        weak let kept = binding?[.image]
        binding = nil
        #expect(kept == nil)
        let error = try #require(await load?.outcome.error)
        #expect(error.code == .cancelled)
        #expect(scene.pipeline.taskCount == 0)
    }

    @Test("a load whose size is not known waits for it; a view that grows gets more pixels, unseen")
    func sizes() async throws {
        let load = slot.show(try scene.request(cat), waitsForSize: true)
        #expect(slot.needsSize)
        #expect(scene.pipeline.taskCount == 0)
        slot.fit(TargetSize(width: 8, height: 8))
        #expect(await load.outcome.response?.bitmap.width == 8)
        slot.fit(TargetSize(width: 7, height: 7))
        #expect(!slot.isLoading)
        let shown = Tally()
        target.onShow = { _, _ in shown.add() }
        slot.fit(TargetSize(width: 12, height: 12))
        await shown.reaches(1)
        #expect(slot.shown?.bitmap.width == 12)
        // The original is no larger than that.
        slot.fit(TargetSize(width: 40, height: 40))
        await shown.reaches(2)
        #expect(slot.shown?.bitmap.width == 16)
        slot.fit(TargetSize(width: 80, height: 80))
        #expect(!slot.isLoading)
        #expect(target.contents() == [.picture, .picture, .picture])
    }

    @Test(
        "a picture that was cut for a box comes anew for another shape, and a size that changes in a transition counts")
    func laterSizes() async throws {
        let load = slot.show(try scene.request(cat), waitsForSize: true)
        slot.fit(TargetSize(width: 8, height: 8, fit: .cover))
        #expect(await load.outcome.response?.bitmap.size == PixelSize(width: 8, height: 8))
        let shown = Tally()
        target.onShow = { content, _ in if case .picture = content { shown.add() } }
        slot.fit(TargetSize(width: 8, height: 8))
        await shown.reaches(1)
        #expect(slot.shown?.bitmap.size == PixelSize(width: 8, height: 6))

        target.endsTransitions = false
        var settings = SlotSettings(placeholder: nil, transition: .crossFade)
        settings.arrival.waitsForTransition = true
        var request = try scene.request(dog)
        request.target = TargetSize(width: 6, height: 6)
        slot.show(request, settings: settings)
        await shown.reaches(2)
        slot.fit(TargetSize(width: 12, height: 12))
        #expect(slot.shown?.bitmap.width == 6)
        target.endTransitions()
        await shown.reaches(3)
        #expect(slot.shown?.bitmap.width == 12)
    }

    @Test("the same address anew, or in another size, goes on with the download that runs")
    func joinsDownload() async throws {
        scene.transport.gate.close()
        var request = try scene.request(cat)
        slot.show(request)
        while scene.transport.requests.isEmpty { await Task.yield() }
        request.target = TargetSize(width: 8, height: 8)
        let second = slot.show(request)
        slot.fit(TargetSize(width: 10, height: 10))
        scene.transport.gate.open()
        #expect(await second.outcome.response?.bitmap.width == 10)
        #expect(scene.transport.requests.count == 1 && scene.pipeline.taskCount == 0)
    }

    @Test("C030: what is stored is shown while the origin is asked, and stays if that fails")
    func revalidation() async throws {
        _ = try await scene.pipeline.response(for: scene.request(cat))
        scene.transport.answer(cat, with: .status(500))
        var request = try scene.request(cat)
        request.caching.rule = .revalidate
        let load = slot.show(request, settings: SlotSettings(placeholder: nil, failurePicture: red))
        _ = await load.outcome
        #expect(target.contents().last == .picture)
        #expect(slot.shown != nil)
    }

    @Test("a view that is hidden has its load lowered to the lowest priority and raised again")
    func hidden() async throws {
        scene.transport.gate.close()
        let load = slot.show(try scene.request(cat))
        slot.setHidden(true)
        #expect(load.task?.priority == .veryLow)
        slot.setHidden(false)
        #expect(load.task?.priority == .normal)
        scene.transport.gate.open()
        #expect(await load.outcome.response != nil)
    }

    @Test("P5 P4: 3,000 binds in random order with cancels, hiding and clearing; the last one is shown, each ends once")
    func storm() async throws {
        var generator = SeededGenerator(seed: 41)
        let endings = Tally()
        var count = 0
        for number in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: slot.cancel()
            case 1: slot.setHidden(Bool.random(using: &generator))
            case 2: slot.reset()
            case 3: await Task.yield()
            default:
                let address = ["cat", "dog", "none"].randomElement(using: &generator) ?? "cat"
                count += 1
                slot.show(try scene.request("https://example.org/\(address).png", width: 4 + number % 12)) { _ in
                    endings.add()
                }
            }
        }
        let last = slot.show(try scene.request(dog)) { _ in endings.add() }
        slot.setHidden(false)
        #expect(await last.outcome.response?.bitmap.width == 20)
        await endings.reaches(count + 1)
        #expect(slot.shown?.bitmap.width == 20)
        #expect(endings.count == count + 1)
    }
}
