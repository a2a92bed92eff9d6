public import Geometry

// What has to be drawn anew where a list was drawn before.

extension DisplayList {
    /// The part of the target that looks otherwise than it did with `earlier`, where somebody knows of the pictures of
    /// surfaces; empty where nothing does.
    ///
    /// Nil where the lists do not say: they are for targets of different sizes or scales. An image that was given anew
    /// under its old name is not seen.
    /// - Parameter hasNewPicture: whether a surface's picture is another one than it was with `earlier`.
    public func damage(since earlier: DisplayList, _ hasNewPicture: (SurfaceID) -> Bool) -> PixelRect? {
        guard viewport == earlier.viewport, scale == earlier.scale else { return nil }
        let shared = min(items.count, earlier.items.count)
        var first = 0
        while first < shared, items[first] == earlier.items[first] { first += 1 }
        var last = 0
        while last < shared - first, items[items.count - 1 - last] == earlier.items[earlier.items.count - 1 - last] {
            last += 1
        }
        var part: PixelRect?
        func add(_ item: Item) {
            let extent = item.extent
            if !extent.isEmpty { part = part?.union(extent) ?? extent }
        }
        for index in first..<(items.count - last) { add(items[index]) }
        for index in first..<(earlier.items.count - last) { add(earlier.items[index]) }
        for item in items {
            if case .surface(let placement) = item, hasNewPicture(placement.surface) { add(item) }
        }
        return part?.intersection(PixelRect(size: viewport)) ?? PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }
}

// What of a list is seen in a part of the target.

extension DisplayList {
    /// The first item of which something may be seen in `part`: all before it is covered there.
    public func firstSeen(in part: PixelRect) -> Int {
        items.lastIndex { $0.opaqueExtent?.contains(part) ?? false } ?? items.startIndex
    }
}

extension DisplayList.Item {
    /// Where nothing beneath it is seen; nil where that is nowhere, or no rectangle.
    public var opaqueExtent: PixelRect? {
        switch self {
        case .fill(let rect, let color): return color.isOpaque ? rect : nil
        case .surface(let placement):
            guard placement.opacity >= 1, placement.turn == 0, placement.cornerRadius <= 0 else { return nil }
            return placement.clip.intersection(placement.destination)
        case .box, .image, .shadow: return nil
        }
    }

    /// Nothing of it is drawn outside.
    var extent: PixelRect {
        switch self {
        case .fill(let rect, _): rect
        case .box(let placement): placement.clip.intersection(placement.destination)
        case .surface(let placement): placement.clip
        case .image(let placement): placement.clip.intersection(placement.destination)
        case .shadow(let placement): placement.clip
        }
    }
}
