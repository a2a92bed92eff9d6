import CFFmpeg
import Host
import Motion
import Picture
import Testing

@testable import Playback

/// What is between the decoder and the queue, on real threads.
@Suite("From the decoder into the queue") struct ResolvingStageTests {
    private static let size = PixelSize(width: 32, height: 18)
    private static let small = PixelSize(width: 16, height: 9)

    /// Frame `number`, of gray that tells it.
    private func frame(
        _ number: Int, to size: PixelSize? = small, generation: Int = 0, keepsPlanes: Bool = false
    ) -> UnfinishedFrame {
        guard let frame = av_frame_alloc() else { fatalError("no memory") }
        frame.pointee.format = AV_PIX_FMT_GRAY8.rawValue
        (frame.pointee.width, frame.pointee.height) = (CInt(Self.size.width), CInt(Self.size.height))
        guard av_frame_get_buffer(frame, 0) >= 0, let memory = frame.pointee.data.0 else { fatalError("no memory") }
        memory.update(repeating: UInt8(number), count: Int(frame.pointee.linesize.0) * Self.size.height)
        let format = PictureFormat(size: Self.size, layout: .gray, range: .full)
        return UnfinishedFrame(
            picture: DecodedPicture(owning: frame, format: format),
            request: PictureRequest(resolvedSize: size, keepsPlanes: keepsPlanes), geometry: PictureGeometry(),
            presentationTime: MediaTime(nanoseconds: Int64(number)), duration: .milliseconds(16),
            generation: generation, cost: DecodingCost(decode: .milliseconds(1)))
    }

    private struct Seen: Equatable {
        var time: Int64
        var level: UInt8
        var isResolved: Bool
    }

    /// Everything that comes until the end, as the frame loop would take it.
    private func takeAll(_ queue: FrameQueue, _ signal: WakeSignal) -> [Seen] {
        var seen: [Seen] = []
        let deadline = HostTime.now() + .seconds(60)
        while HostTime.now() < deadline {
            let hasEnded = queue.glance().hasEnded
            if let frame = queue.pop() {
                let level = frame.withPicture { $0[plane: 0].base.load(as: UInt8.self) }
                seen.append(
                    Seen(
                        time: frame.presentationTime.nanoseconds, level: level, isResolved: frame.isResolved))
            } else if hasEnded {
                return seen
            } else {
                signal.wait(until: .now() + .milliseconds(1))
            }
        }
        return seen
    }

    /// The stage with `feed` on a thread as the decoder's, and what came out of its queue.
    private func run(generation: Int = 0, _ feed: @escaping @Sendable (ResolvingStage, FrameQueue) -> Void) -> [Seen] {
        let signal = WakeSignal()
        let queue = FrameQueue { signal.raise() }
        queue.flush(generation: generation)
        let stage = ResolvingStage(frames: queue)
        let decoder = Thread(name: "decoder") {
            feed(stage, queue)
            stage.finish()
        }
        let seen = takeAll(queue, signal)
        decoder.join()
        return seen
    }

    @Test("Frames come out resolved, each once, in their order, and the end behind them")
    func order() {
        let seen = run { stage, _ in
            for number in 0..<50 { stage.push(frame(number)) }
            stage.end(generation: 0)
        }
        let wanted = (0..<50).map { Seen(time: Int64($0), level: UInt8($0), isResolved: true) }
        #expect(seen == wanted)
    }

    @Test("Frames that are not to be resolved keep their place among those that are")
    func mixed() {
        let isResolved: @Sendable (Int) -> Bool = { $0 / 3 % 2 == 1 }
        let seen = run { stage, _ in
            for number in 0..<30 { stage.push(frame(number, to: isResolved(number) ? Self.small : nil)) }
            stage.end(generation: 0)
        }
        let wanted = (0..<30).map { Seen(time: Int64($0), level: UInt8($0), isResolved: isResolved($0)) }
        #expect(seen == wanted)
    }

    @Test("Where none is to be resolved none is, and the end comes")
    func untouched() {
        let seen = run { stage, _ in
            stage.push(frame(3, to: nil))
            stage.push(frame(4, to: PixelSize(width: 0, height: 5)))
            stage.end(generation: 0)
        }
        #expect(seen.map(\.isResolved) == [false, false])
        #expect(seen.map(\.time) == [3, 4])
    }

    @Test("After a seek, what was decoded before it does not come out, and its end ends nothing")
    func generations() {
        let seen = run(generation: 2) { stage, _ in
            for number in 0..<5 { stage.push(frame(number, generation: 1)) }
            stage.end(generation: 1)
            for number in 10..<15 { stage.push(frame(number, generation: 2)) }
            stage.end(generation: 2)
        }
        #expect(seen.map(\.time) == Array(10..<15))
    }

    @Test("A queue that is stopped while it is full keeps nobody waiting")
    func stopped() {
        let queue = FrameQueue {}
        let stage = ResolvingStage(frames: queue)
        let isFull = Monitor(false)
        let decoder = Thread(name: "decoder") {
            for number in 0..<20 {
                stage.push(frame(number))
                if number == 3 { isFull.update { $0 = true } }
            }
            stage.end(generation: 0)
            stage.finish()
        }
        // Three wait in the queue, the fourth in the stage; the fifth on the decoder's thread.
        let wasFull: Void? = isFull.wait(until: .now() + .seconds(60)) { $0 ? () : nil }
        #expect(wasFull != nil && queue.fill.count < FrameQueue.countLimit)
        queue.stop()
        decoder.join()
        #expect(queue.fill.count == 0)
    }

    @Test("Frames that wait are never more than the limit, with the one in the stage")
    func limit() {
        let signal = WakeSignal()
        let queue = FrameQueue { signal.raise() }
        let stage = ResolvingStage(frames: queue)
        let decoder = Thread(name: "decoder") {
            for number in 0..<20 { stage.push(frame(number)) }
            stage.end(generation: 0)
            stage.finish()
        }
        var most = 0
        var count = 0
        while count < 20 {
            most = max(most, queue.fill.count)
            if queue.pop() != nil { count += 1 } else { signal.wait(until: .now() + .milliseconds(1)) }
        }
        decoder.join()
        #expect(most <= FrameQueue.countLimit - 1)
    }

    @Test("A frame that was asked to keeps its samples, and what resolving took is added to its cost")
    func kept() {
        var resolver = PictureResolver()
        for keepsPlanes in [false, true] {
            let finished = frame(9, keepsPlanes: keepsPlanes).finish(&resolver, .current)
            #expect(finished.hasPlanes == keepsPlanes)
            #expect(finished.isResolved && finished.format.size == Self.small && finished.codedSize == Self.size)
            #expect(finished.cost.prepare != nil)
            #expect(finished.cost.decode == .milliseconds(1))
        }
        let plain = frame(9, to: nil).finish(&resolver, .current)
        #expect(plain.cost.prepare == nil && plain.hasPlanes && !plain.isResolved)
    }
}
