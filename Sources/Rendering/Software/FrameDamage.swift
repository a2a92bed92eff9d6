import GlissadeGeometry
import GlissadeLayers

/// Tracks the last list drawn into each buffer of an output, to find the parts that must be redrawn.
///
/// Surfaces are compared by their generations. Raster images are compared by the generation of the whole cache.
///
/// Threads: any thread that holds `RenderLock`.
struct FrameDamage {
    /// The list last drawn into one buffer, with the generations of its surfaces and images at that time.
    private struct Record {
        var buffer = 0
        var size = PixelSize(width: 0, height: 0)
        var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
        var surfaces: [(id: SurfaceID, generation: Int?)] = []
        var images = 0

        func changes(of next: DisplayList, images: Int, generation: (SurfaceID) -> Int?) -> PixelRect? {
            guard images == self.images else { return nil }
            return next.damage(since: list) { id in
                guard let known = surfaces.first(where: { $0.id == id }) else { return true }
                return known.generation != generation(id)
            }
        }

        /// Copies `next` into the storage of the record, and notes the generations of its surfaces. The two lists do
        /// not share storage, so changing either does not copy it.
        mutating func take(_ next: DisplayList, generation: (SurfaceID) -> Int?) {
            (list.viewport, list.scale) = (next.viewport, next.scale)
            list.items.removeAll(keepingCapacity: true)
            list.items.append(contentsOf: next.items)
            surfaces.removeAll(keepingCapacity: true)
            for case .surface(let placement) in next.items
            where !surfaces.contains(where: { $0.id == placement.surface }) {
                surfaces.append((placement.surface, generation(placement.surface)))
            }
        }
    }

    /// The records, one for each buffer. The last record is that of the newest frame.
    private var records: [Record] = []
    /// The maximum number of records. If there are this many, the record of another buffer replaces the oldest one.
    private static let limit = 5
    /// The buffer ID for frames that were shown without a buffer.
    private static let noBuffer = -1

    /// Returns the area in which `list` differs from the newest frame: empty if nothing differs, nil if everything may
    /// differ.
    func changes(of list: DisplayList, images: Int, generation: (SurfaceID) -> Int?) -> PixelRect? {
        records.last?.changes(of: list, images: images, generation: generation)
    }

    /// Returns the part of `buffer` that must be redrawn to show `list`: empty if the buffer is up to date, nil if the
    /// whole buffer must be redrawn.
    func part(
        of list: DisplayList, buffer: FrameBuffer, images: Int, generation: (SurfaceID) -> Int?
    ) -> PixelRect? {
        records.first { $0.buffer == buffer.id && $0.size == buffer.size }?
            .changes(of: list, images: images, generation: generation)
    }

    /// Records that `list` is the newest frame, and that `buffer` contains it. If `buffer` is nil, the frame was shown
    /// without a buffer.
    mutating func draw(_ list: DisplayList, buffer: FrameBuffer?, images: Int, generation: (SurfaceID) -> Int?) {
        let id = buffer?.id ?? Self.noBuffer
        var record: Record
        if let index = records.firstIndex(where: { $0.buffer == id }) {
            record = records.remove(at: index)
        } else {
            record = records.count >= Self.limit ? records.removeFirst() : Record()
        }
        (record.buffer, record.size, record.images) = (id, buffer?.size ?? list.viewport, images)
        record.take(list, generation: generation)
        records.append(record)
    }
}
