// Written by Scripts/snippets from the README and the articles. They only have to compile; nobody calls them.
// swift-format-ignore-file
import Foundation
import WebImage

enum Snippets {
    /// README.md, block 1.
    static func readme1(url: URL) async throws {

        let url = URL(string: "https://example.com/photo.jpg")!
        let picture = try await ImagePipeline.shared.image(for: url, target: TargetSize(width: 400))
        print("\(picture.width) × \(picture.height) pixels")
    }

    /// README.md, block 3.
    static func readme3(url: URL) async throws {
        let request = ImageRequest(url: url, target: TargetSize(width: 300, height: 300, fit: .cover), priority: .high)
        let task = ImagePipeline.shared.task(for: request)
        for await event in task.events {
            if case .progress(let progress) = event { print("\(progress.received) of \(progress.expected ?? 0) bytes") }
        }
        let response = try await task.response
        print("from \(response.tier.rawValue) in \(response.timings.total)")
    }

    /// Sources/WebImage/WebImage.docc/HowCachingWorks.md, block 1.
    static func howcachingworks1(url: URL) async throws {
        var request = ImageRequest(url: url, target: TargetSize(width: 200))
        request.caching.diskContent = .results
        let thumbnail = try await ImagePipeline.shared.response(for: request)
        print(thumbnail.bitmap.size)
    }

    /// Sources/WebImage/WebImage.docc/HowCachingWorks.md, block 2.
    static func howcachingworks2(url: URL) async throws {
        let request = ImageRequest(url: url)
        _ = try await ImagePipeline.shared.image(for: url)
        await ImagePipeline.shared.finishWrites()
        try ImagePipeline.shared.setAttachment([1, 2, 3], named: "thumbhash", of: request)
        print(ImagePipeline.shared.attachment("thumbhash", of: request) ?? [])
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 1.
    static func loadingandhttpcaching1(url: URL) async throws {
        let task = ImagePipeline.shared.task(for: ImageRequest(url: url, priority: .low))
        task.priority = .veryHigh
        for await event in task.events {
            if case .progress(let progress) = event { print("\(progress.received) bytes") }
        }
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 2.
    static func loadingandhttpcaching2(url: URL) async throws {
        let response = try await ImagePipeline.shared.response(for: ImageRequest(url: url))
        print(response.tier.rawValue, response.freshness.rawValue)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 3.
    static func loadingandhttpcaching3(url: URL) async throws {
        let request = ImageRequest(url: url, caching: CachePolicy(rule: .revalidate))
        for await event in ImagePipeline.shared.task(for: request).events {
            switch event {
            case .preview(let part): print("show \(part.bitmap.height) rows of \(part.size.height)")
            case .provisional(let cached): print("show \(cached.bitmap.width) pixels for now")
            case .finished(.success(let response)) where response.freshness == .revalidated: print("nothing to change")
            case .finished(let outcome): print(try outcome.get().bitmap.width)
            case .progress: break
            }
        }
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 4.
    static func loadingandhttpcaching4(url: URL) async throws {
        let request = ImageRequest(url: url, caching: CachePolicy(rule: .lifetime(.seconds(3_600))))
        let picture = try await ImagePipeline.shared.response(for: request).bitmap
        print(picture.width)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 5.
    static func loadingandhttpcaching5(url: URL) async throws {
        let request = ImageRequest(url: url, caching: CachePolicy(rule: .cacheOnly))
        do throws(ImageError) {
            print(try await ImagePipeline.shared.response(for: request).freshness == .stale)
        } catch {
            guard error.code == .notCached else { throw error }
            print("not here")
        }
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 6.
    static func loadingandhttpcaching6(url: URL) async throws {
        let response = try await ImagePipeline.shared.response(for: ImageRequest(url: url, caching: .reload))
        print(response.tier == .network)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 7.
    static func loadingandhttpcaching7(url: URL) async throws {
        var options = RequestOptions()
        options.keyFilter = .presigned
        let picture = try await ImagePipeline.shared.response(for: ImageRequest(url: url, options: options)).bitmap
        print(picture.width)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 8.
    static func loadingandhttpcaching8(url: URL) async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.tiers = [DiskTier(DiskCache(.init(directory: "/mnt/pictures")))]
        let response = try await ImagePipeline(configuration: configuration).response(for: ImageRequest(url: url))
        print(response.tier == .shared)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 9.
    static func loadingandhttpcaching9(url: URL) async throws {
        let signing = FetchHooks(request: { request in
            var request = request
            request.headers["X-Signature"] = "…"
            return request
        })
        var options = RequestOptions()
        options.hooks = RequestHooks("signing/1", signing)
        let data = try await ImagePipeline.shared.data(for: ImageRequest(url: url, options: options))
        print(data.bytes.count)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 10.
    static func loadingandhttpcaching10(url: URL) async throws {
        var settings = Fetcher.Configuration()
        settings.credentials.set(try .bearer("token"), forHost: "images.example.com")
        settings.responses.mediaTypes = ["image/*"]
        let trust = TLSTrust(additionalCertificateFiles: ["/etc/company/ca.pem"])
        let http = CurlTransport(configuration: .init(trust: trust, addresses: .publicOnly))
        let fetcher = Fetcher(configuration: settings, transports: [http, DataURLTransport()], cookies: CookieJar())
        let pipeline = ImagePipeline(configuration: .init(fetcher: fetcher))
        print(try await pipeline.image(for: url).width)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 11.
    static func loadingandhttpcaching11(url: URL) async throws {
        let batch = ImagePrefetcher.shared.prefetch(urls: [url])
        for await progress in batch.updates { print("\(progress.ended) of \(progress.total)") }
        let figures = await batch.summary
        print("\(figures.failed) failed")
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 12.
    static func loadingandhttpcaching12(url: URL) async throws {
        struct Slow: PipelineObserver {
            func observe(_ event: PipelineEvent) {
                if event.run > .seconds(1) { print("\(event.stage.rawValue) of \(event.redactedURL): \(event.run)") }
            }
        }
        let observer: any PipelineObserver = Slow()
        print(observer)
    }

    /// Sources/WebImage/WebImage.docc/LoadingAndHTTPCaching.md, block 13.
    static func loadingandhttpcaching13(url: URL) async throws {
        let response = try await ImagePipeline.shared.response(for: ImageRequest(url: url))
        for sentence in response.trail.sentences(tier: response.tier) { print(sentence) }
    }

    /// Sources/WebImage/WebImage.docc/PlayingAnimations.md, block 1.
    static func playinganimations1(url: URL) async throws {
        var request = ImageRequest(url: url, target: TargetSize(width: 320))
        request.options.animation = .moving
        let response = try await ImagePipeline.shared.response(for: request)
        if let animation = response.animation {
            print("\(animation.frameCount) frames, plays \(animation.loopCount) times")
        }
    }

    /// Sources/WebImage/WebImage.docc/PlayingAnimations.md, block 2.
    static func playinganimations2(url: URL) async throws {
        var request = ImageRequest(url: url)
        request.options.animation = .moving
        let response = try await ImagePipeline.shared.response(for: request)
        guard let animation = response.animation else { return }

        let player = AnimatedImagePlayer(animation, poster: response.bitmap)
        player.mode = .bounce
        player.loopCount = 3
        player.play()
        for await frame in player.frames {
            print("frame \(frame.index), \(frame.bitmap.size)")
        }
    }

    /// Sources/WebImage/WebImage.docc/PlayingAnimations.md, block 3.
    static func playinganimations3(url: URL) async throws {
        var request = ImageRequest(url: url)
        request.options.animation = .moving
        request.options.previews = .shown
        var player: AnimatedImagePlayer?
        for await event in ImagePipeline.shared.task(for: request).events {
            switch event {
            case .preview(let preview):
                // Nil while the first frames are on their way.
                guard let animation = preview.animation else { continue }
                if player == nil {
                    player = AnimatedImagePlayer(animation, poster: preview.bitmap, isGrowing: true)
                    player?.play()
                }
                player?.extend(to: animation, isGrowing: true)
            case .finished(.success(let response)):
                if let animation = response.animation { player?.extend(to: animation, isGrowing: false) }
            default: break
            }
        }
    }

    /// Sources/WebImage/WebImage.docc/PlayingAnimations.md, block 4.
    static func playinganimations4(url: URL) async throws {
        FrameBudget.shared.limit = 128 << 20
        print("\(FrameBudget.shared.heldBytes) bytes of frames")
    }

    /// Sources/WebImage/WebImage.docc/ProcessingPictures.md, block 1.
    static func processingpictures1(url: URL) async throws {
        var request = ImageRequest(url: url, target: TargetSize(width: 400))
        request.processing = [
            .cropToSize(PixelSize(width: 300, height: 300)),
            .gaussianBlur(sigma: 4),
            .circle(border: Border(width: 3, color: .white)),
        ]
        let avatar = try await ImagePipeline.shared.response(for: request)
        print("\(avatar.bitmap.size) pixels")
    }

    /// Sources/WebImage/WebImage.docc/ProcessingPictures.md, block 2.
    static func processingpictures2(url: URL) async throws {
        let bitmap = try await ImagePipeline.shared.image(for: url)
        let upright = try ProcessingStep.rotate(degrees: 90).apply(to: bitmap)
        let corner = upright.color(x: 0, y: 0)
        print(upright.size, corner?.hexadecimal ?? "none")
    }

    /// Sources/WebImage/WebImage.docc/ProcessingPictures.md, block 3.
    static func processingpictures3(url: URL) async throws {
        let logo = try await ImagePipeline.shared.image(for: url, target: TargetSize(width: 120))
        let marked: [ProcessingStep] = [
            .resizeExactly(PixelSize(width: 800, height: 600), mode: .letterbox(.black)),
            .colorMatrix(.saturation(1.2)),
            .overlay(Overlay(logo, name: "logo-2026", right: -16, down: -16, opacity: 0.6)),
        ]
        print(marked.map(\.identity))
    }

    /// Sources/WebImage/WebImage.docc/ProcessingPictures.md, block 4.
    static func processingpictures4(url: URL) async throws {
        let hash = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        let placeholder = try hash.bitmap(size: PixelSize(width: 32, height: 21))
        print(hash.averageColor, placeholder.size)

        let picture = try await ImagePipeline.shared.image(for: url)
        let thumb = try ThumbHash(of: picture)
        let frame = try picture.dominantColor() ?? .black
        print(thumb.base64, thumb.aspectRatio, frame)
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 1.
    static func webimage1(url: URL) async throws {
        let picture = try await ImagePipeline.shared.image(for: url, target: TargetSize(width: 400))
        print("\(picture.width) × \(picture.height) pixels")
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 2.
    static func webimage2(url: URL) async throws {
        let task = ImagePipeline.shared.task(for: ImageRequest(url: url, priority: .low))
        task.priority = .high
        for await case .progress(let progress) in task.events { print(progress.received) }
        let response = try await task.response
        print("from \(response.tier.rawValue)")
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 3.
    static func webimage3(url: URL) async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.diskCache = nil
        configuration.cpuThreads = 1
        let pipeline = ImagePipeline(configuration: configuration)
        let picture = try await pipeline.image(for: url)
        print("\(picture.width) × \(picture.height)")
    }

}
