import CASS
import CFFmpeg
import Geometry
import Picture

/// libass, set up for one source of lines. On the subtitle thread; the library is loaded when the first is made.
struct AssRenderer: ~Copyable {
    private static let functions: GlissadeASS? = {
        var functions = GlissadeASS()
        return glissade_load_ass(&functions) != 0 ? functions : nil
    }()

    private let ass: GlissadeASS
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    /// What the track holds, and up to when it was asked: lines that overlap are stacked in the order in which they come,
    /// and keep their places while others go, which libass does only for lines that it has seen together.
    private var lines: [SubtitleEvent] = []
    private var lastTime = Int64.min
    private var lineNumber = 0
    /// How many wide signs fit on a line, where text without spaces has to be broken here.
    private var columns: Int?

    /// More than this is not kept together; it is never needed for what is on show at once.
    private static let mostLines = 512
    /// For the caches of glyphs (a number) and of their bitmaps (MiB).
    private static let cacheLimits: (glyphs: CInt, megabytes: CInt) = (2000, 24)

    /// Nil where the library is not there.
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

    /// What lines are set for.
    ///
    /// - Parameters:
    ///   - header: the script's header, for a source that has its own styles as for one that has ours.
    ///   - isStyled: whether lines were written for this form, with its old rules of breaking and direction.
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
        // Not its matching of brackets: libass 0.17.1 reads past its end in that.
        if !isStyled, ass.track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1) < 0 {
            columns = LineBreaking.columns(for: placement)
        }
    }

    /// Draws what comes next as if it were the first.
    mutating func forget() {
        if let track { ass.flush_events(track) }
        lines = []
        lastTime = .min
    }

    /// What libass draws of `events` at `time`, in nanoseconds; valid until the next call.
    struct Drawing {
        /// Whether it differs from the one before.
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

    /// Rounded down, as the events' times are: what begins or ends at `time` does so for libass.
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
