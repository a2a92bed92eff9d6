import GlissadePicture

/// An in-memory cache of posters or previews with a byte limit. Evicts first the pictures that have been out of view
/// the longest.
struct PosterMemoryCache<ID: Hashable> {
    private struct Place {
        var poster: Bitmap
        var lastSeen: Int
    }

    private var places: [ID: Place] = [:]
    private var time = 0
    private(set) var byteCount = 0
    let byteLimit: Int

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    subscript(id: ID) -> Bitmap? { places[id]?.poster }

    /// Marks the pictures of `ids` as visible, and all others as out of view.
    mutating func see(_ ids: some Sequence<ID>) {
        time += 1
        for id in ids { places[id]?.lastSeen = time }
    }

    /// Adds a picture. If the cache then exceeds its limit, evicts pictures that are out of view, possibly including
    /// the new one. Never evicts visible pictures.
    mutating func put(_ poster: Bitmap, for id: ID, isInSight: Bool) {
        remove(id)
        places[id] = Place(poster: poster, lastSeen: isInSight ? time : time - 1)
        byteCount += poster.pixels.count
        while byteCount > byteLimit,
            let oldest = places.min(by: { $0.value.lastSeen < $1.value.lastSeen }), oldest.value.lastSeen < time
        {
            remove(oldest.key)
        }
    }

    mutating func remove(_ id: ID) {
        if let old = places.removeValue(forKey: id) { byteCount -= old.poster.pixels.count }
    }
}
