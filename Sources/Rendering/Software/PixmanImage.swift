import GlissadeCPixman
import GlissadeGeometry

/// A pixman image of pixels in memory that is owned elsewhere and must outlive the image.
///
/// Threads: any thread that holds `RenderLock`.
final class PixmanImage {
    enum Format {
        /// Four bytes per pixel: blue, green, red, and an unused one.
        case opaque
        /// Four bytes per pixel: blue, green, red and alpha; premultiplied.
        case premultiplied
        /// One byte per pixel: its coverage, 0…255.
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

    /// How the pixels drawn are combined with the destination.
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

    /// The largest width or height of an image. Pixman rejects larger images when they are scaled (`analyze_extent` in
    /// pixman.c).
    static let sizeLimit = 16384

    private let image: OpaquePointer

    /// - Parameters:
    ///   - memory: The first row, 4-byte aligned.
    ///   - stride: The bytes from one row to the next; a multiple of 4.
    ///   - repeats: Whether the image is tiled when it is the source for an area larger than itself. Has no effect
    ///     after the first call of `place`.
    init(
        _ format: Format, memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, repeats: Bool = false
    ) {
        let image = pixman_image_create_bits_no_clear(
            format.code, CInt(size.width), CInt(size.height), memory.assumingMemoryBound(to: UInt32.self),
            CInt(stride))
        guard let image else { fatalError("pixman rejects an image of \(size.width)x\(size.height)") }
        self.image = image
        if repeats { pixman_image_set_repeat(image, PIXMAN_REPEAT_NORMAL) }
    }

    deinit { pixman_image_unref(image) }

    /// Sets how later draws sample this image: with a transform, and with bilinear interpolation unless `isExact` is
    /// true. Beyond the edges, the edge pixels are repeated.
    ///
    /// - Parameters:
    ///   - corner: The position in the image, in pixels, that corresponds to the top left corner of the destination.
    ///   - across: The step in the image for a step of one pixel to the right in the destination.
    ///   - down: The step in the image for a step of one pixel downward in the destination.
    ///   - isExact: Whether every sampled position is a pixel center, so that no interpolation is needed.
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

    /// Composites `source` through `mask` onto the rectangle `rect`, which must be inside this image. `position` and
    /// `maskPosition` are the pixels of the source and the mask that correspond to the top left corner of `rect`.
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
