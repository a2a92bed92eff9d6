import CGLFW
import Glibc
import Motion
import Rendering

/// Rooms for pictures of one size in memory that an X server has too: some that are lent, and one for the frame loop's own.
@MainActor final class SharedPictures {
    let image: SharedImage
    /// Nil where the system has memory for one picture only.
    let shelf: PictureShelf?
    /// What the frame loop writes itself, each picture where the one before was: the server has taken that by then.
    let own: Room
    private let lent: [Room]

    init?(_ size: PixelSize, _ xshm: GlissadeXShm, _ display: UnsafeMutableRawPointer) {
        let stride = PictureShelf.stride(of: size)
        func image(_ count: Int) -> SharedImage? { SharedImage(size, byteCount: stride * count, xshm, display) }
        if let image = image(PictureShelf.count + 1) {
            let shelf = PictureShelf(size, in: image.memory)
            (self.image, self.shelf) = (image, shelf)
            lent = (0..<PictureShelf.count).map { Room(shelf.address(of: $0), of: image, on: shelf, number: $0) }
            own = Room(shelf.address(of: PictureShelf.count), of: image)
        } else if let image = image(1) {
            (self.image, shelf, lent) = (image, nil, [])
            own = Room(image.memory.address, of: image)
        } else {
            return nil
        }
    }

    /// The room that begins at `address`, kept from being lent until it is let go; nil where none of those lent does.
    func claim(at address: UnsafeRawPointer) -> Room? { shelf?.claim(at: address).map { lent[$0] } }

    /// Room for one of the pictures.
    final class Room: DirectMemory {
        let image: SharedImage
        let bytes: UnsafeMutableRawPointer
        private let shelf: PictureShelf?
        private let number: Int

        fileprivate init(
            _ bytes: UnsafeMutableRawPointer, of image: SharedImage, on shelf: PictureShelf? = nil, number: Int = 0
        ) {
            (self.bytes, self.image, self.shelf, self.number) = (bytes, image, shelf, number)
        }

        func letGo() { shelf?.release(number) }
    }
}

/// How a server is shown pictures out of memory that it has too.
@MainActor final class SharedImage {
    let size: PixelSize
    let memory: SharedMemory
    private let image: UnsafeMutablePointer<GlissadeXImage>
    /// The image refers to it: it stays where it is.
    private let segment: UnsafeMutablePointer<GlissadeShmInfo>
    private var xshm: GlissadeXShm
    private let display: UnsafeMutableRawPointer

    init?(_ size: PixelSize, byteCount: Int, _ xshm: GlissadeXShm, _ display: UnsafeMutableRawPointer) {
        var functions = xshm
        let segment = UnsafeMutablePointer<GlissadeShmInfo>.allocate(capacity: 1)
        guard
            let image = glissade_make_shared_image(
                &functions, display, Int32(size.width), Int32(size.height), byteCount, segment),
            let address = segment.pointee.address
        else {
            segment.deallocate()
            return nil
        }
        (self.size, self.image, self.segment, self.xshm, self.display) = (size, image, segment, xshm, display)
        memory = SharedMemory(address)
    }

    isolated deinit {
        glissade_free_shared_image(&xshm, display, image, segment)
        segment.deallocate()
    }

    /// The image, of the picture at that address of the memory.
    func pointing(at bytes: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GlissadeXImage> {
        image.pointee.data = bytes.assumingMemoryBound(to: CChar.self)
        return image
    }
}

/// A segment of memory that processes share, while this one has it.
final class SharedMemory: @unchecked Sendable {
    // @unchecked: what is in it is the business of whom it is lent to.
    let address: UnsafeMutableRawPointer

    /// Takes over what is attached at `address`.
    init(_ address: UnsafeMutableRawPointer) { self.address = address }

    deinit { shmdt(address) }
}
