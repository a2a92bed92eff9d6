import Glibc
import Host
import Motion
import Picture
import Rendering
import Stage
import Testing

@testable import App
@testable import Playback
@testable import Windowing

/// A film's pictures are made where they are shown from.
@MainActor @Suite struct LentRoomTests {
    private static let size = PixelSize(width: 320, height: 180)

    /// A window's part of it, with a shelf in memory that nobody else has.
    private final class Output: DirectOutput {
        final class Room: DirectMemory {
            let bytes: UnsafeMutableRawPointer
            let number: Int
            let shelf: PictureShelf
            init(_ number: Int, of shelf: PictureShelf) {
                (bytes, self.number, self.shelf) = (shelf.address(of: number), number, shelf)
            }
            func letGo() { shelf.release(number) }
        }

        var isDirect = true
        let shelf: PictureShelf
        /// How often a picture came that was made elsewhere.
        var copies = 0

        init() throws {
            let byteCount = PictureShelf.stride(of: size) * (PictureShelf.count + 1)
            let id = shmget(IPC_PRIVATE, byteCount, 0o600 | IPC_CREAT)
            let address = try #require(shmat(id, nil, 0))
            shmctl(id, IPC_RMID, nil)
            shelf = PictureShelf(size, in: SharedMemory(address), patience: .seconds(60))
        }

        func memory(for size: PixelSize) -> (any DirectMemory)? {
            copies += 1
            return nil
        }
        func lender(for size: PixelSize) -> (any PictureMemory)? { size == shelf.size ? shelf : nil }
        func claim(_ picture: PictureView) -> (any DirectMemory)? {
            shelf.claim(at: picture[plane: 0].base).map { Room($0, of: shelf) }
        }
    }

    @Test("each is, none is copied; the next ones come when one was shown, and each room comes back")
    func lent() throws {
        let output = try Output()
        do {
            let film = SteppedProgram.sample
            var options = PlayerOptions()
            options.sound = .none
            let signal = WakeSignal()
            let player = Player(
                location: film, options: options, access: .ffmpeg, wake: { signal.raise() }, report: { _ in })
            let video = VideoView(
                player: player, device: .direct, direct: output, surface: SurfaceID(rawValue: 1), log: FrameLog(),
                after: nil)
            let deadline = HostTime.now() + .seconds(60)
            var shown: Set<UnsafeMutableRawPointer> = []
            var count = 0
            while count < 30, HostTime.now() < deadline {
                let now = HostTime.now()
                player.advance(to: now)
                let hasNew = video.update(visibleAt: now)
                video.prepare(destination: Self.size)
                guard hasNew else {
                    signal.wait(until: .now() + .milliseconds(1))
                    continue
                }
                if shown.isEmpty, video.texture.directMemory == nil {
                    // It was decoded before it was known what is wanted.
                    output.copies = 0
                    continue
                }
                count += 1
                shown.insert(try #require(video.texture.directMemory?.bytes, "picture \(count)"))
                video.didPresent(at: now)
                if count == 20 {
                    // All that wait are there though no more is taken.
                    while player.pipeline.frames.fill.count < 2, HostTime.now() < deadline {}
                    #expect(player.pipeline.frames.fill.count >= 2)
                }
            }
            #expect(count == 30 && output.copies == 0)
            #expect((2...PictureShelf.count).contains(shown.count))
            video.texture.removePicture()
        }
        // None is out any more.
        #expect(
            (0..<PictureShelf.usualCount).allSatisfy { output.shelf.take(Self.size) == output.shelf.address(of: $0) })
    }
}
