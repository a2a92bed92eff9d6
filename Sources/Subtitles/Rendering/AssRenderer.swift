import CASS
import CFFmpeg
import Geometry
import Picture

/// A libass renderer for one source. Confined to the subtitle thread; the library is loaded with the first renderer.
struct AssRenderer: ~Copyable {
    private static let functions: GlissadeASS? = {
        var functions = GlissadeASS()
        return glissade_load_ass(&functions) != 0 ? functions : nil
    }()

    private let ass: GlissadeASS
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    /// The events in the track, and the last time rendered. Overlapping lines are stacked in order of appearance and
    /// keep their positions when others end, which libass can do only for lines that are in the track together.
    private var lines: [SubtitleEvent] = []
    private var lastTime = Int64.min
    private var lineNumber = 0
    /// How many full-width characters fit on a line; nil if libass breaks text without spaces itself.
    private var columns: Int?

    /// The most lines to keep in the track, more than are ever on screen at once.
    private static let mostLines = 512
    /// Limits of the glyph cache (glyphs) and the bitmap cache (MiB).
    private static let cacheLimits: (glyphs: CInt, megabytes: CInt) = (2000, 24)

    /// Nil if the library is not installed.
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

    /// Sets up rendering at a new placement or for new styles.
    ///
    /// - Parameters:
    ///   - header: the script header, with the source's own styles or the built-in one.
    ///   - isStyled: whether the lines were written as a script, for libass's traditional line breaking and text
    ///     direction.
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
        columns = nil
        // Not the bracket-matching feature: libass 0.17.1 reads out of bounds in it.
        if !isStyled, ass.track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1) < 0 {
            columns = LineBreaking.columns(for: placement)
        }
    }

    /// Clears the track, as if nothing had been rendered.
    mutating func forget() {
        if let track { ass.flush_events(track) }
        lines = []
        lastTime = .min
    }

    /// libass's output for `events` at `time`, in nanoseconds; valid until the next call.
    struct Drawing {
        /// Whether it differs from the previous one.
        var isChanged: Bool
        var images: UnsafeMutablePointer<ASS_Image>?
    }

    mutating func draw(_ events: [SubtitleEvent], at time: Int64) -> Drawing? {
        guard let track else { return nil }
        take(events, at: time, into: track)
        var change: CInt = 0
        let images = ass.render_frame(renderer, track, Self.milliseconds(time), &change)
        return Drawing(isChanged: change != 0, images: images)
    }

    /// Rounded down like the events' times, so that an event that starts or ends at `time` does so for libass as well.
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
