import GlissadeCFFmpeg
import GlissadeGeometry
import Glibc
import GlissadePicture
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePixelConversion
@testable import GlissadePlayback

/// What is between the decoder and the queue, on real threads.
@Suite("Conversion stage") struct ConversionStageTests {
    private static let size = PixelSize(width: 32, height: 18)
    fileprivate static let small = PixelSize(width: 16, height: 9)

    /// Frame `number`, of gray that tells it.
    private func frame(
        _ number: Int, to size: PixelSize? = small, generation: Int = 0, retainsSource: Bool = false,
        prepare: Duration? = nil, memory: (any FrameAllocator)? = nil
    ) -> DecodedFrame {
        guard let frame = CodecFrame.picture(AV_PIX_FMT_GRAY8, width: Self.size.width, height: Self.size.height),
            let samples = frame.pointer.pointee.data.0
        else { fatalError("no memory") }
        samples.update(repeating: UInt8(number), count: Int(frame.pointer.pointee.linesize.0) * Self.size.height)
        let format = PixelFormat(size: Self.size, layout: .gray, range: .full)
        return DecodedFrame(
            picture: DecodedPicture(frame, format: format),
            request: FrameFormat(convertedSize: size, retainsSource: retainsSource, memory: memory),
            geometry: PixelGeometry(),
            presentationTime: MediaTime(nanoseconds: Int64(number)), duration: .milliseconds(16),
            generation: generation, cost: DecodingCost(decode: .milliseconds(1), prepare: prepare))
    }

    private struct Seen: Equatable {
        var time: Int64
        var level: UInt8
        var isConverted: Bool
    }

    /// Everything that comes until the end, as the frame loop would take it; less where that does not come.
    private func takeAll(_ queue: FrameQueue) -> [Seen] {
        var seen: [Seen] = []
        let isComplete = eventually(within: .seconds(60)) {
            while true {
                let hasEnded = queue.head().hasEnded
                guard let frame = queue.pop() else { return hasEnded }
                let level = frame.withPicture { $0[plane: 0].base.load(as: UInt8.self) }
                seen.append(
                    Seen(time: frame.presentationTime.nanoseconds, level: level, isConverted: frame.isConverted))
            }
        }
        if !isComplete { Issue.record("no end came") }
        return seen
    }

    /// Waits until `count` frames are queued and the threads that would queue more wait for a place.
    private func settle(_ queue: FrameQueue, _ count: Int) {
        _ = eventually(within: .seconds(60)) { queue.fill.count >= count }
        _ = try? eventually(within: .seconds(5)) {
            try ProcessStatus.awakeThreadCount(named: "resolver", "filling decoder") == 0
        }
    }

    /// The stage with `feed` on a thread as the decoder's, and what came out of its queue.
    private func run(_ feed: @escaping @Sendable (ConversionStage) -> Void) -> [Seen] {
        let queue = FrameQueue {}
        let stage = ConversionStage(frames: queue)
        let decoder = try! NamedThread(name: "filling decoder") {
            feed(stage)
            stage.finish()
        }
        let seen = takeAll(queue)
        queue.stop()
        decoder.join()
        return seen
    }

    @Test("Converted frames come out once each, in order, followed by the end")
    func order() {
        let seen = run { stage in
            for number in 0..<50 { stage.push(frame(number)) }
            stage.end(generation: 0)
        }
        let wanted = (0..<50).map { Seen(time: Int64($0), level: UInt8($0), isConverted: true) }
        #expect(seen == wanted)
    }

    @Test("Frames that are not converted keep their order among those that are")
    func mixed() {
        let isConverted: @Sendable (Int) -> Bool = { $0 / 3 % 2 == 1 }
        let seen = run { stage in
            for number in 0..<30 { stage.push(frame(number, to: isConverted(number) ? Self.small : nil)) }
            stage.end(generation: 0)
        }
        let wanted = (0..<30).map { Seen(time: Int64($0), level: UInt8($0), isConverted: isConverted($0)) }
        #expect(seen == wanted)
    }

    @Test("If no frame is to be converted all pass through, followed by the end")
    func untouched() {
        let seen = run { stage in
            stage.push(frame(3, to: nil))
            stage.push(frame(4, to: PixelSize(width: 0, height: 5)))
            stage.end(generation: 0)
        }
        #expect(seen.map(\.isConverted) == [false, false])
        #expect(seen.map(\.time) == [3, 4])
    }

    @Test("A seek releases the decoder, and earlier frames and ends are dropped")
    func generations() {
        let queue = FrameQueue {}
        let stage = ConversionStage(frames: queue)
        queue.flush(generation: 1)
        let decoder = try! NamedThread(name: "filling decoder") {
            for number in 0..<10 { stage.push(frame(number, generation: 1)) }
            stage.end(generation: 1)
            for number in 10..<15 { stage.push(frame(number, generation: 2)) }
            stage.end(generation: 2)
            stage.finish()
        }
        // The queue is full, one frame is in the stage, and one on the decoder's thread.
        settle(queue, ConversionStage.countLimit)
        queue.flush(generation: 2)
        let seen = takeAll(queue)
        queue.stop()
        decoder.join()
        #expect(seen.map(\.time) == Array(10..<15))
    }

    @Test("Stopping a full queue releases its waiters, and with a conversion stage it holds fewer frames")
    func stopped() {
        for isConverted in [true, false] {
            let queue = FrameQueue {}
            let stage = ConversionStage(frames: queue)
            let decoder = try! NamedThread(name: "filling decoder") {
                stage.push(frame(0))
                for number in 1..<20 { stage.push(frame(number, to: isConverted ? Self.small : nil)) }
                stage.end(generation: 0)
                stage.finish()
            }
            settle(queue, ConversionStage.countLimit)
            #expect(queue.fill.count == ConversionStage.countLimit)
            queue.stop()
            decoder.join()
            #expect(queue.fill.count == 0)
        }
    }

    @Test("The slot of a taken frame is freed when the frame is shown, the next is taken or playback ends")
    func room() {
        let queue = FrameQueue {}
        let stage = ConversionStage(frames: queue)
        let decoder = try! NamedThread(name: "filling decoder") {
            for number in 0..<40 { stage.push(frame(number)) }
            stage.end(generation: 0)
            for number in 40..<45 { stage.push(frame(number, generation: 1)) }
            stage.finish()
        }
        func time(_ frame: consuming VideoFrame?) -> Int64? { frame?.presentationTime.nanoseconds }
        let limit = ConversionStage.countLimit
        settle(queue, limit)
        for number in 0..<3 as Range<Int64> {
            #expect(time(queue.pop(.onceShown)) == number)
            settle(queue, limit - 1)
            #expect(queue.fill.count == limit - 1, "nothing comes while it is not shown")
            queue.didPresent()
            settle(queue, limit)
            #expect(queue.fill.count == limit)
        }
        // Nobody says that they are shown.
        for number in 3..<8 as Range<Int64> {
            #expect(time(queue.pop(.onceShown)) == number)
            settle(queue, limit - 1)
        }
        #expect(time(queue.pop()) == 8)
        settle(queue, limit)
        #expect(queue.fill.count == limit, "one that keeps none frees that of the one before")
        #expect(time(queue.pop(.ahead)) == 9)
        settle(queue, limit + 1)
        #expect(queue.fill.count == limit + 1, "one more where it is late")
        #expect(time(queue.pop(.onceShown)) == 10)
        settle(queue, limit)
        #expect(queue.fill.count == limit)
        _ = queue.pop(.onceShown)
        queue.flush(generation: 1)
        settle(queue, limit)
        #expect(queue.fill.count == limit, "a seek frees it")
        #expect(time(queue.pop(.onceShown)) == 40)
        queue.stop()
        decoder.join()
        #expect(time(queue.pop(.onceShown)) == nil)
    }

    /// Lends what it has, and knows who has it.
    private final class FixedAllocator: FrameAllocator {
        private let rooms: Mutex<[UInt]>
        private let allocated = Mutex<[UInt]>([])
        let count: Int

        init(_ count: Int) {
            self.count = count
            rooms = Mutex(
                (0..<count).map { _ in
                    UInt(bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 16 * 9 * 4, alignment: 64))
                })
        }

        deinit { for room in rooms.withLock({ $0 }) { UnsafeMutableRawPointer(bitPattern: room)?.deallocate() } }

        var freeCount: Int { rooms.withLock { $0.count } }
        func hasAllocated(_ address: UnsafeRawPointer) -> Bool {
            allocated.withLock { $0.contains(UInt(bitPattern: address)) }
        }
        func take(_ size: PixelSize) -> UnsafeMutableRawPointer? {
            guard size == ConversionStageTests.small, let room = rooms.withLock({ $0.popLast() }) else { return nil }
            allocated.withLock { $0.append(room) }
            return UnsafeMutableRawPointer(bitPattern: room)
        }
        func giveBack(_ memory: UnsafeMutableRawPointer) { rooms.withLock { $0.append(UInt(bitPattern: memory)) } }
    }

    @Test("Frames use the allocator's memory while there is some, then their own, and give it back")
    func allocatorWithFewFrames() {
        let allocator = FixedAllocator(2)
        do {
            var resolver = PixelConverter()
            func isAllocated(_ frame: borrowing VideoFrame) -> Bool {
                frame.withPicture { allocator.hasAllocated($0[plane: 0].base) }
            }
            func level(_ frame: borrowing VideoFrame) -> UInt8 {
                frame.withPicture { $0[plane: 0].base.load(as: UInt8.self) }
            }
            let first = frame(7, memory: allocator).finish(&resolver, .current)
            let second = frame(8, memory: allocator).finish(&resolver, .current)
            #expect(isAllocated(first) && isAllocated(second) && allocator.freeCount == 0)
            let third = frame(9, memory: allocator).finish(&resolver, .current)
            #expect(!isAllocated(third) && third.isConverted)
            #expect([level(first), level(second), level(third)] == [7, 8, 9])
            _ = consume first
            #expect(allocator.freeCount == 1)
            let other = frame(10, to: Self.size, memory: allocator).finish(&resolver, .current)
            #expect(!isAllocated(other) && allocator.freeCount == 1, "one of another size")
            let plain = frame(11, to: nil, memory: allocator).finish(&resolver, .current)
            #expect(!isAllocated(plain) && allocator.freeCount == 1, "one that is not resolved")
        }
        #expect(allocator.freeCount == 2)
    }

    @Test("A frame keeps its source if asked to, and the conversion counts towards its cost")
    func kept() {
        var resolver = PixelConverter()
        for retainsSource in [false, true] {
            let finished = frame(9, retainsSource: retainsSource, prepare: .seconds(1)).finish(&resolver, .current)
            #expect(finished.hasPlanes == retainsSource)
            #expect(finished.isConverted && finished.format.size == Self.small && finished.codedSize == Self.size)
            #expect(finished.cost.prepare ?? .zero > .seconds(1))
            #expect(finished.cost.decode == .milliseconds(1))
        }
        let plain = frame(9, to: nil).finish(&resolver, .current)
        #expect(plain.cost.prepare == nil && plain.hasPlanes && !plain.isConverted)
    }
}
