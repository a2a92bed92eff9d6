import CPixman
import Geometry

/// How pixman sees rows of pixels in memory that somebody else owns, which must outlive it. Main thread.
final class PixmanImage {
    enum Format {
        /// Blue, green, red, and a byte that means nothing.
        case opaque
        /// Blue, green, red, alpha; premultiplied.
        case premultiplied
        /// One byte a pixel: how much of it is covered.
        case coverage

        var bytesPerPixel: Int { self == .coverage ? 1 : 4 }

        fileprivate var code: pixman_format_code_t {
            switch self {
            case .opaque: PIXMAN_x8r8g8b8
            case .premultiplied: PIXMAN_a8r8g8b8
            case .coverage: PIXMAN_a8
            }
        }
    }

    /// What is done with what is there.
    enum Operation {
        case replace, over, add

        fileprivate var code: pixman_op_t {
            switch self {
            case .replace: PIXMAN_OP_SRC
            case .over: PIXMAN_OP_OVER
            case .add: PIXMAN_OP_ADD
            }
        }
    }

    /// Wider or higher images are none to pixman as soon as they are scaled (`analyze_extent` in pixman.c).
    static let sizeLimit = 16384

    private let image: OpaquePointer

    /// - Parameters:
    ///   - memory: the first row; 4 divides its address and `stride`, which is in bytes.
    ///   - repeats: whether the image goes on in all directions, over and over.
    init(
        _ format: Format, memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, repeats: Bool = false
    ) {
        let image = pixman_image_create_bits_no_clear(
            format.code, CInt(size.width), CInt(size.height), memory.assumingMemoryBound(to: UInt32.self),
            CInt(stride))
        guard let image else { fatalError("pixman takes no image of \(size.width)x\(size.height)") }
        self.image = image
        if repeats { pixman_image_set_repeat(image, PIXMAN_REPEAT_NORMAL) }
    }

    deinit { pixman_image_unref(image) }

    /// Has it sampled at other places than its pixels' own: bilinear, its edge going on for ever.
    ///
    /// - Parameters:
    ///   - corner: the position, in its pixels, of the top left corner of what is drawn next.
    ///   - across: from there to the next pixel on the right.
    ///   - down: and to the next one below.
    ///   - isExact: whether each position is the middle of a pixel.
    func place(corner: SIMD2<Double>, across: SIMD2<Double>, down: SIMD2<Double>, isExact: Bool = false) {
        func fixed(_ value: Double) -> pixman_fixed_t {
            pixman_fixed_t(min(max((value * 65536).rounded(), -2_147_483_647), 2_147_483_647))
        }
        var transform = pixman_transform()
        transform.matrix.0 = (fixed(across.x), fixed(down.x), fixed(corner.x))
        transform.matrix.1 = (fixed(across.y), fixed(down.y), fixed(corner.y))
        transform.matrix.2 = (0, 0, 65536)
        pixman_image_set_transform(image, &transform)
        pixman_image_set_filter(image, isExact ? PIXMAN_FILTER_NEAREST : PIXMAN_FILTER_BILINEAR, nil, 0)
        pixman_image_set_repeat(image, PIXMAN_REPEAT_PAD)
    }

    /// Draws `source` over `rect` of this image, which must lie in it; from `position` of the source and of the mask
    /// on.
    func draw(
        _ operation: Operation, _ source: PixmanImage, from position: (x: Int, y: Int) = (0, 0),
        mask: PixmanImage? = nil, at maskPosition: (x: Int, y: Int) = (0, 0), to rect: PixelRect
    ) {
        pixman_image_composite32(
            operation.code, source.image, mask?.image, image, CInt(position.x), CInt(position.y),
            CInt(maskPosition.x), CInt(maskPosition.y), CInt(rect.minX), CInt(rect.minY), CInt(rect.width),
            CInt(rect.height))
    }
}
