import GlissadeCASS
import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture

/// A libass renderer with a given set of fonts. Confined to the subtitle thread. Creating the first renderer loads
/// libass.
struct AssRenderer: ~Copyable {
    private static let functions: GlissadeASS? = {
        var functions = GlissadeASS()
        return glissade_load_ass(&functions) != 0 ? functions : nil
    }()

    private let ass: GlissadeASS
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    /// The events in libass's track, in the order in which they were added.
    ///
    /// libass stacks overlapping lines, and keeps their positions when other lines end. This works only for lines that
    /// are in the track at the same time.
    private var lines: [SubtitleEvent] = []
    private var lastTime = Int64.min
    private var lineNumber = 0
    /// The number of full-width characters that fit on a line; nil if libass alone breaks the lines.
    private var columns: Int?
    /// How the colors of the track are corrected; nil if they need no correction.
    private var correction: ColorCorrection?

    /// The maximum number of lines in the track.
    private static let mostLines = 512
    /// The size limits of libass's caches: the glyph cache in glyphs, and the bitmap cache in MiB.
    private static let cacheLimits: (glyphs: CInt, megabytes: CInt) = (2000, 24)

    /// Creates a renderer with the given fonts. Returns nil if libass is not installed or cannot be initialized.
    init?(fonts: [SubtitleSource.Font]) {
        guard let ass = Self.functions, let library = ass.library_init() else { return nil }
        withUnsafePointer(to: ass) { glissade_ass_silence($0, library) }
        ass.set_extract_fonts(library, 1)
        for font in fonts {
            font.data.withUnsafeBytes { data in
                data.withMemoryRebound(to: CChar.self) {
                    ass.add_font(library, font.name, $0.baseAddress, CInt(clamping: $0.count))
                }
            }
        }
        guard let renderer = ass.renderer_init(library) else {
            ass.library_done(library)
            return nil
        }
        ass.set_fonts(renderer, nil, "sans-serif", CInt(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        ass.set_cache_limits(renderer, Self.cacheLimits.glyphs, Self.cacheLimits.megabytes)
        self.ass = ass
        self.library = library
        self.renderer = renderer
    }

    deinit {
        if let track { ass.free_track(track) }
        ass.renderer_done(renderer)
        ass.library_done(library)
    }

    /// Configures the renderer for a new placement or new styles.
    ///
    /// - Parameters:
    ///   - header: The script header, with the source's own styles or the built-in style.
    ///   - isStyled: Whether the lines have their own styles. If false, text without spaces is broken into lines too.
    mutating func configure(_ placement: SubtitlePlacement, header: String, isStyled: Bool) {
        let size = placement.size
        ass.set_frame_size(renderer, CInt(clamping: size.width), CInt(clamping: size.height))
        let storage = placement.videoSize ?? PixelSize(width: 0, height: 0)
        ass.set_storage_size(renderer, CInt(clamping: storage.width), CInt(clamping: storage.height))
        ass.set_font_scale(renderer, placement.scale)
        let fraction = Double(placement.bottomMargin) / Double(max(1, size.height)) / (1 - SubtitleStyle.bottomMargin)
        ass.set_line_position(renderer, 100 * min(1, max(0, fraction)))
        if let track { ass.free_track(track) }
        track = ass.new_track(library)
        lines = []
        lastTime = .min
        guard let track else { return }
        var header = Array(header.utf8).map { CChar(bitPattern: $0) } + [0]
        ass.process_codec_private(track, &header, CInt(clamping: header.count - 1))
        ass.set_check_readorder(track, 0)
        correction = ColorCorrection(script: Self.matrix(of: track), film: placement.filmMatrix)
        columns = nil
        // The bracket-matching feature stays off, because it makes libass 0.17.1 read out of bounds.
        if !isStyled, ass.track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1) < 0 {
            columns = LineBreaking.columns(for: placement)
        }
    }

    /// Removes all lines from the track, so that they no longer affect the layout of later lines.
    mutating func forget() {
        if let track { ass.flush_events(track) }
        lines = []
        lastTime = .min
    }

    /// The images that libass rendered for a set of events at one time. Valid until the next call to `draw`.
    struct Drawing {
        /// Whether the images differ from those of the previous call to `draw`.
        var isChanged: Bool
        var images: UnsafeMutablePointer<ASS_Image>?
        /// How the colors of the images are corrected; nil if they need no correction.
        var correction: ColorCorrection?
    }

    mutating func draw(_ events: [SubtitleEvent], at time: Int64) -> Drawing? {
        guard let track else { return nil }
        take(events, at: time, into: track)
        var change: CInt = 0
        let images = ass.render_frame(renderer, track, Self.milliseconds(time), &change)
        return Drawing(isChanged: change != 0, images: images, correction: correction)
    }

    /// Returns the matrix for which a script's colors are meant; nil if they are meant as they are.
    ///
    /// VSFilter, which defines this, uses BT.601 if the script says nothing. No film is known to be drawn with a matrix of
    /// full range.
    private static func matrix(of track: UnsafePointer<ASS_Track>) -> ColorMatrix? {
        switch track.pointee.YCbCrMatrix {
        case YCBCR_DEFAULT, YCBCR_BT601_TV: .bt601
        case YCBCR_BT709_TV: .bt709
        case YCBCR_SMPTE240M_TV: .smpte240
        case YCBCR_FCC_TV: .fcc
        default: nil
        }
    }

    /// Converts nanoseconds to milliseconds, rounding down.
    ///
    /// Used for the times of both events and pictures, so that equal times stay equal.
    private static func milliseconds(_ time: Int64) -> Int64 {
        time >= 0 ? time / 1_000_000 : -((999_999 - time) / 1_000_000)
    }

    private mutating func take(_ events: [SubtitleEvent], at time: Int64, into track: UnsafeMutablePointer<ASS_Track>) {
        defer { lastTime = time }
        let held = Set(lines)
        let new = events.filter { !held.contains($0) }
        let goesOn = time >= lastTime && new.count < events.count && lines.count + new.count <= Self.mostLines
        if goesOn, new.isEmpty { return }
        if !goesOn {
            ass.flush_events(track)
            lines = []
        }
        for event in goesOn ? new : events {
            guard case .line(let line) = event.content else { continue }
            lines.append(event)
            lineNumber &+= 1
            let start = Self.milliseconds(event.start)
            let end = max(start + 1, Self.milliseconds(event.end))
            let fields = columns.map { LineBreaking.broken(line.fields, columns: $0) } ?? line.fields
            var chunk = Array("\(lineNumber),\(fields)".utf8).map { CChar(bitPattern: $0) } + [0]
            ass.process_chunk(track, &chunk, CInt(clamping: chunk.count - 1), start, end - start)
        }
    }
}
