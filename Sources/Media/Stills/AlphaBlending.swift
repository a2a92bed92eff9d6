package import GlissadeCFFmpeg
import GlissadePicture

/// What is seen through the transparent parts of a frame.
package enum Backdrop: Hashable, Sendable {
    /// Black, as around a film.
    case black
    /// A checkerboard in two grays, as around a still picture. Its squares are fixed to the frame.
    case checkerboard

    /// The grays of the checkerboard's squares, 0…255.
    package static let grays = (dark: 102, light: 153)

    /// The side of a square, in pixels: a sixty-fourth of the longer side, so that squares are seen at any scale, but at
    /// least 8.
    package static func square(width: Int, height: Int) -> Int { max(8, max(width, height) / 64) }
}

/// Lays frames with alpha over a backdrop.
///
/// Done in the frame's own samples before anything else: a converter or a scaler that ignored alpha would bring out
/// what hides under it, and one that scaled colors and alpha apart would fray the edges. A gray backdrop needs no color
/// matrix, since it has no chroma.
package struct AlphaBlending {
    /// What a frame's alpha asks for.
    package enum Need: Hashable, Sendable {
        /// Nothing: the frame has no alpha, or is opaque everywhere.
        case nothing
        /// `blend(_:over:)`.
        case blending
        /// A conversion to RGBA, and then another look: the samples are not in a form that can be blended.
        case conversion
    }

    private let descriptor: AVPixFmtDescriptor
    private let alpha: AVComponentDescriptor

    /// Nil if frames of `format` have no alpha.
    private init?(_ format: AVPixelFormat) {
        // Almost all frames end here: the rest of the descriptor is not read for them.
        guard let found = av_pix_fmt_desc_get(format), found.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 else {
            return nil
        }
        descriptor = found.pointee
        alpha = Self.component(Int(descriptor.nb_components) - 1, of: descriptor)
    }

    /// Returns what the alpha of `frame` asks for.
    ///
    /// - Parameter ignoresZero: Whether a frame without any opacity counts as opaque, for codecs whose fourth byte is
    ///   often just unused.
    package static func need(of frame: UnsafeMutablePointer<AVFrame>, ignoresZero: Bool = false) -> Need {
        guard let blending = AlphaBlending(AVPixelFormat(frame.pointee.format)) else { return .nothing }
        guard blending.canBlend else { return .conversion }
        return switch blending.extent(of: frame) {
        case .opaque: .nothing
        case .transparent: ignoresZero ? .nothing : .blending
        case .mixed: .blending
        }
    }

    /// Whether frames of `format` have alpha that `blend(_:over:)` cannot blend in their own samples.
    static func needsConversion(_ format: AVPixelFormat) -> Bool { AlphaBlending(format).map { !$0.canBlend } ?? false }

    /// Blends `frame`, which needs it and is writable, over `backdrop` in place. It is then opaque.
    package static func blend(_ frame: UnsafeMutablePointer<AVFrame>, over backdrop: Backdrop) {
        let format = AVPixelFormat(frame.pointee.format)
        guard let blending = AlphaBlending(format), blending.canBlend else { return }
        if blending.alpha.depth > 8 {
            blending.blend(frame, over: backdrop, format, UInt16.self)
        } else {
            blending.blend(frame, over: backdrop, format, UInt8.self)
        }
    }

    /// Whether samples are whole bytes or little-endian words of at most 16 bits.
    private var canBlend: Bool {
        let refused =
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT
        guard descriptor.flags & UInt64(refused) == 0, descriptor.nb_components >= 2 else { return false }
        let isWide = alpha.depth > 8
        if isWide, descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0 { return false }
        return (0..<Int(descriptor.nb_components)).allSatisfy { index in
            let component = Self.component(index, of: descriptor)
            return component.depth == alpha.depth && (8...16).contains(component.depth)
                && component.shift == alpha.shift && Int(component.step) % (isWide ? 2 : 1) == 0
                && Int(component.offset) % (isWide ? 2 : 1) == 0
        }
    }

    private static func component(_ index: Int, of descriptor: AVPixFmtDescriptor) -> AVComponentDescriptor {
        switch index {
        case 0: descriptor.comp.0
        case 1: descriptor.comp.1
        case 2: descriptor.comp.2
        default: descriptor.comp.3
        }
    }

    private func plane(
        _ index: Int32, of frame: UnsafeMutablePointer<AVFrame>
    ) -> (base: UnsafeMutablePointer<UInt8>, stride: Int)? {
        let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
        let (base, stride) =
            switch index {
            case 0: (data.0, strides.0)
            case 1: (data.1, strides.1)
            case 2: (data.2, strides.2)
            default: (data.3, strides.3)
            }
        return base.map { ($0, Int(stride)) }
    }

    // MARK: - Extent

    private enum Extent { case opaque, transparent, mixed }

    private func extent(of frame: UnsafeMutablePointer<AVFrame>) -> Extent {
        switch alpha.step {
        case 1: extent(of: frame, UInt8.self)
        case 2: extent(of: frame, UInt16.self)
        case 4: extent(of: frame, UInt32.self)
        case 8: extent(of: frame, UInt64.self)
        default: .mixed
        }
    }

    /// Looks at whole pixels of the alpha's plane as words, rather than at their alpha alone: the compiler vectorizes
    /// that, which takes a third of the time.
    private func extent<Word: FixedWidthInteger & UnsignedInteger>(
        of frame: UnsafeMutablePointer<AVFrame>, _: Word.Type
    ) -> Extent {
        guard let (base, stride) = plane(alpha.plane, of: frame) else { return .opaque }
        let width = Int(frame.pointee.width)
        let mask = Word((1 << Int(alpha.depth)) - 1) << Word(8 * alpha.offset + alpha.shift)
        var (all, any) = (Word.max, Word(0))
        for y in 0..<Int(frame.pointee.height) {
            let row = UnsafeRawPointer(base + y * stride)
            for x in 0..<width {
                let word = row.loadUnaligned(fromByteOffset: x &* MemoryLayout<Word>.size, as: Word.self)
                all &= word
                any |= word
            }
            // Neither can come back: what is left to see is that they are mixed.
            if all & mask != mask, any & mask != 0 { return .mixed }
        }
        return all & mask == mask ? .opaque : .transparent
    }

    // MARK: - Blending

    private func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ frame: UnsafeMutablePointer<AVFrame>, over backdrop: Backdrop, _ format: AVPixelFormat, _: Sample.Type
    ) {
        let isPremultiplied = glissade_is_premultiplied(frame) != 0
        let isRGB = PixelFormat.isRGB(format)
        let colors = Int(descriptor.nb_components) - 1
        for index in 0..<colors {
            let isChroma = !isRGB && index > 0
            blendComponent(
                Self.component(index, of: descriptor), isChroma: isChroma,
                levels: levels(backdrop, isChroma: isChroma, isRGB: isRGB, frame, format),
                isPremultiplied: isPremultiplied, frame, Sample.self)
        }
        makeOpaque(frame, Sample.self)
    }

    /// How a component blends: the samples of the backdrop's dark and light squares, and the one that means black or no
    /// chroma.
    private struct Levels {
        var dark: Int
        var light: Int
        var zero: Int
        /// The side of a square, in samples of the component.
        var square: (across: Int, down: Int)
    }

    private func levels(
        _ backdrop: Backdrop, isChroma: Bool, isRGB: Bool, _ frame: UnsafeMutablePointer<AVFrame>,
        _ format: AVPixelFormat
    ) -> Levels {
        let depth = Int(alpha.depth)
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let side = Backdrop.square(width: width, height: height)
        let square =
            isChroma
            ? (max(1, side >> Int(descriptor.log2_chroma_w)), max(1, side >> Int(descriptor.log2_chroma_h)))
            : (side, side)
        if isChroma {
            let middle = 1 << (depth - 1)
            return Levels(dark: middle, light: middle, zero: middle, square: square)
        }
        let isFull = isRGB || PixelFormat.range(of: frame, format) == .full
        let (black, span) =
            isFull ? (0, (1 << depth) - 1) : (16 << (depth - 8), 219 << (depth - 8))
        func level(_ gray: Int) -> Int { black + (gray * span + 127) / 255 }
        return switch backdrop {
        case .black: Levels(dark: black, light: black, zero: black, square: square)
        case .checkerboard:
            Levels(
                dark: level(Backdrop.grays.dark), light: level(Backdrop.grays.light), zero: black, square: square)
        }
    }

    private func blendComponent<Sample: FixedWidthInteger & UnsignedInteger>(
        _ component: AVComponentDescriptor, isChroma: Bool, levels: Levels, isPremultiplied: Bool,
        _ frame: UnsafeMutablePointer<AVFrame>, _: Sample.Type
    ) {
        guard let color = plane(component.plane, of: frame), let cover = plane(alpha.plane, of: frame) else { return }
        let size = MemoryLayout<Sample>.size
        let (step, coverStep) = (Int(component.step) / size, Int(alpha.step) / size)
        let shift = Int(alpha.shift)
        let most = (1 << Int(alpha.depth)) - 1
        let (across, down) = isChroma ? (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h)) : (0, 0)
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        for y in 0..<(height + (1 << down) - 1) >> down {
            let row = UnsafeMutableRawPointer(color.base + y * color.stride + Int(component.offset))
                .assumingMemoryBound(to: Sample.self)
            func coverRow(_ y: Int) -> UnsafePointer<Sample> {
                UnsafeRawPointer(cover.base + min(y, height - 1) * cover.stride + Int(alpha.offset))
                    .assumingMemoryBound(to: Sample.self)
            }
            let (upper, lower) = (coverRow(y << down), coverRow((y << down) + down))
            let isOddRow = y / levels.square.down % 2 == 1
            for x in 0..<(width + (1 << across) - 1) >> across {
                let left = x << across
                let right = min(left + across, width - 1)
                var opacity = Int(upper[left &* coverStep]) >> shift
                if across + down > 0 {
                    // The mean over the pixels that the chroma sample is for. Both are the same column or row where
                    // chroma has the full resolution.
                    opacity += Int(upper[right &* coverStep]) >> shift
                    opacity += Int(lower[left &* coverStep]) >> shift
                    opacity += Int(lower[right &* coverStep]) >> shift
                    opacity = (opacity + 2) / 4
                }
                opacity = min(opacity, most)
                if opacity == most { continue }
                let sample = Int(row[x &* step]) >> shift
                let level = (x / levels.square.across % 2 == 1) != isOddRow ? levels.light : levels.dark
                let rest = most - opacity
                let blended =
                    isPremultiplied
                    ? sample + ((level - levels.zero) * rest + most / 2) / most
                    : (sample * opacity + level * rest + most / 2) / most
                row[x &* step] = Sample(truncatingIfNeeded: min(max(blended, 0), most) << shift)
            }
        }
    }

    private func makeOpaque<Sample: FixedWidthInteger & UnsignedInteger>(
        _ frame: UnsafeMutablePointer<AVFrame>, _: Sample.Type
    ) {
        guard let (base, stride) = plane(alpha.plane, of: frame) else { return }
        let step = Int(alpha.step) / MemoryLayout<Sample>.size
        let most = Sample((1 << Int(alpha.depth)) - 1) << Sample(alpha.shift)
        for y in 0..<Int(frame.pointee.height) {
            let row = UnsafeMutableRawPointer(base + y * stride + Int(alpha.offset))
                .assumingMemoryBound(to: Sample.self)
            for x in 0..<Int(frame.pointee.width) { row[x &* step] = most }
        }
    }
}
