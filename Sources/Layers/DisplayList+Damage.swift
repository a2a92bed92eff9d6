public import GlissadeGeometry

// The part of a target that must be redrawn when one display list replaces another.

extension DisplayList {
    /// Returns the bounding rectangle of the area to redraw when this list replaces `earlier`; empty if nothing
    /// changed.
    ///
    /// Returns nil if the lists cannot be compared because their viewports or scales differ. Does not detect an image
    /// whose content was replaced under the same ID.
    ///
    /// - Parameter hasNewPicture: Returns whether the surface has received a new frame since `earlier` was drawn.
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

// The items of a list that are visible in a part of the target.

extension DisplayList {
    /// Returns the index of the first item that may be visible in `part`. If an opaque item covers `part`, all earlier
    /// items are hidden there.
    public func firstSeen(in part: PixelRect) -> Int {
        items.lastIndex { $0.opaqueExtent?.contains(part) ?? false } ?? items.startIndex
    }
}

extension DisplayList.Item {
    /// The rectangle that the item is known to cover with opaque pixels; nil if no such rectangle is known.
    public var opaqueExtent: PixelRect? {
        switch self {
        case .fill(let rect, let color): return color.isOpaque ? rect : nil
        case .surface(let placement):
            guard placement.opacity >= 1, placement.quarterTurns == 0, placement.cornerRadius <= 0 else { return nil }
            return placement.clip.intersection(placement.destination)
        case .box, .image, .shadow: return nil
        }
    }

    /// The bounds of everything that the item draws.
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
