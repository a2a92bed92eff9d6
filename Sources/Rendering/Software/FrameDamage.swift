import Geometry
import Layers

/// What was drawn into each of an output's buffers last, and from that what has to be drawn anew. Main thread.
///
/// Surfaces are told from each other by their generations, stills by that of them all.
struct FrameDamage {
    /// What was drawn into one buffer.
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

        /// Copied into its own storage: a list that two had would be copied by the one who makes the next.
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

    /// The last is that of the newest frame.
    private var records: [Record] = []
    /// Buffers beyond that are taken for new ones.
    private static let limit = 5
    /// Stands for the frames that are in no buffer.
    private static let noBuffer = -1

    /// What looks otherwise than in the newest frame; nil where all may.
    func changes(of list: DisplayList, images: Int, generation: (SurfaceID) -> Int?) -> PixelRect? {
        records.last?.changes(of: list, images: images, generation: generation)
    }

    /// What of a buffer looks otherwise than it will; nil where all may.
    func part(
        of list: DisplayList, buffer: FrameBuffer, images: Int, generation: (SurfaceID) -> Int?
    ) -> PixelRect? {
        records.first { $0.buffer == buffer.id && $0.size == buffer.size }?
            .changes(of: list, images: images, generation: generation)
    }

    /// `list` is in the buffer now; in none where that is nil, and the newest frame all the same.
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
