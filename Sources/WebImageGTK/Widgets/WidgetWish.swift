#if GTK
import Pixels
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a widget is asked to show.
enum WidgetWish {
    case nothing
    case address(URL)
    case request(ImageRequest)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// Whether it says itself how large the picture is to be.
    var hasTarget: Bool {
        if case .request(let request) = self { request.target != nil } else { false }
    }

    /// The request for it, with its keys computed as seldom as can be.
    ///
    /// - Parameters:
    ///   - target: for what has none of its own.
    ///   - animation: for what says nothing of it.
    func request(target: TargetSize?, animation: AnimationPolicy) -> ImageRequest? {
        switch self {
        case .nothing: return nil
        case .address(let url):
            var options = RequestOptions()
            options.animation = animation
            return ImageRequest(url: url, target: target, options: options)
        case .request(var request):
            if let target, request.target == nil { request.target = target }
            if request.options.animation == .still, animation != .still { request.options.animation = animation }
            return request
        }
    }
}
#endif
