import GlissadeGeometry
import GlissadePicture
import GlissadePlayback
import GlissadeRendering
import GlissadeTime

/// Fits frames to the size at which they are seen, and uploads them to a target.
///
/// The only place that decides whether a frame is shown as it is, is converted from its planes, or is rescaled. The
/// main thread and the film thread use the same fitter, with `RenderLock` held.
struct FrameFitter: ~Copyable {
    /// How a frame comes to the size at which it is seen.
    enum Way: Hashable, Sendable {
        /// As it is: the renderer draws planes, or the frame was converted for this goal. Also a frame that can be
        /// neither converted nor rescaled.
        case exact
        /// Its planes are converted to RGB at the goal's size.
        case convert
        /// The frame has been converted at another size and lost its planes, so its RGB pixels are scaled.
        case rescale
    }

    /// What a frame shall be like.
    struct Goal: Hashable, Sendable {
        /// The size on screen in device pixels, in the orientation of the stored frame.
        var size: PixelSize
        /// The largest size expected for the next frames, while the size keeps changing; otherwise nil.
        var capacity: PixelSize?
        /// The adjustments that the frame shall contain, if it is converted.
        var adjustments = PictureAdjustments.none
    }

    /// What a frame is like before it is fitted.
    struct Source: Hashable, Sendable {
        var size: PixelSize
        /// Whether it was converted to RGB.
        var isConverted: Bool
        /// Whether its decoded planes are there.
        var hasPlanes: Bool
        var adjustments = PictureAdjustments.none
    }

    /// What became of a frame.
    struct Fitted: Sendable {
        var presentationTime: MediaTime
        /// The size that was asked for.
        var size: PixelSize
        /// The size for which the frame's pixels were converted; nil if they are as decoded.
        var convertedSize: PixelSize?
        /// The adjustments that the uploaded frame contains.
        var adjustments: PictureAdjustments
        /// False if the frame was scaled from pixels of another size.
        var isSharp: Bool
        /// How long it took to convert or rescale the frame; nil if it was uploaded as it was.
        var conversion: Duration?
        /// How long the upload took.
        var upload: Duration
        /// Why the frame was not uploaded, in which case the target keeps the previous one; nil if it was.
        var error: RenderingError?
    }

    /// Whether frames are converted to RGB at their size on screen. If false, they are uploaded as decoded.
    let converts: Bool
    private var rescaler = FrameRescaler()

    init(converts: Bool) { self.converts = converts }

    /// Decides how a frame is fitted.
    ///
    /// - Parameter converts: Whether the renderer wants converted frames.
    static func way(of source: Source, to goal: Goal, converts: Bool) -> Way {
        guard converts else { return .exact }
        if source.isConverted, source.size == goal.size, source.adjustments == goal.adjustments { return .exact }
        if source.hasPlanes { return .convert }
        return source.isConverted && source.size != goal.size ? .rescale : .exact
    }

    /// Fits `frame` to `goal` and uploads it to `target`.
    ///
    /// The caller holds `RenderLock`: the frame may be written over the one that the target shows.
    mutating func fit(_ frame: borrowing VideoFrame, for goal: Goal, into target: any VideoTarget) -> Fitted {
        let began = HostTime.now()
        var source = Source(
            size: frame.format.size, isConverted: frame.isConverted, hasPlanes: frame.hasPlanes,
            adjustments: frame.adjustments)
        var way = Self.way(of: source, to: goal, converts: converts)
        var upload: Upload?
        if way == .convert {
            upload = rescaler.withPicture(
                of: frame, size: goal.size, capacity: goal.capacity, memory: Self.memory(of: target, for: goal),
                adjustments: goal.adjustments
            ) { Upload($0, capacity: goal.capacity, to: target) }
            if upload == nil {
                source.hasPlanes = false
                way = Self.way(of: source, to: goal, converts: converts)
            }
        }
        if way == .rescale {
            upload = rescaler.withScaledPicture(
                of: frame, size: goal.size, capacity: goal.capacity, memory: Self.memory(of: target, for: goal)
            ) { Upload($0, capacity: goal.capacity, to: target) }
        } else if way == .exact, source.isConverted, goal.capacity == nil {
            // Frames now arrive already converted to this size, so the rescaler may soon release its memory.
            rescaler.wasNotNeeded()
        }
        let isResolved = upload != nil
        let done = upload ?? frame.withPicture { Upload($0, capacity: goal.capacity, to: target) }
        let isConverted = isResolved && way == .convert
        return Fitted(
            presentationTime: frame.presentationTime, size: goal.size,
            convertedSize: isConverted ? goal.size : source.isConverted ? source.size : nil,
            adjustments: isConverted ? goal.adjustments : source.adjustments, isSharp: way != .rescale,
            conversion: isResolved ? done.began - began : nil,
            upload: done.ended - (isResolved ? done.began : began), error: done.error)
    }

    private static func memory(of target: any VideoTarget, for goal: Goal) -> (any FrameAllocator)? {
        target.overwritingAllocator(for: goal.size, capacity: goal.capacity ?? goal.size)
    }

    /// An upload, and its times. A result rather than variables outside of the closures that upload: those would be
    /// allocated for each frame.
    private struct Upload {
        let began: HostTime
        let ended: HostTime
        let error: RenderingError?

        init(_ picture: PixelView, capacity: PixelSize?, to target: any VideoTarget) {
            began = .now()
            var failure: RenderingError?
            do throws(RenderingError) { try target.upload(picture, capacity: capacity) } catch { failure = error }
            error = failure
            ended = .now()
        }
    }
}
