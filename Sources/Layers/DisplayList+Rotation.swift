import GlissadeGeometry

extension DisplayList {
    /// Rotates everything that the list draws clockwise by 90°. The viewport's width and height are swapped.
    ///
    /// The list is changed in place. Nothing is allocated, unless another list shares the storage of `items`.
    public mutating func rotateClockwise() {
        let size = viewport
        for index in items.indices { items[index].rotateClockwise(in: size) }
        viewport = size.rotated(by: .quarter)
    }
}

extension DisplayList.Item {
    /// Rotates the item clockwise by 90°, together with the target.
    ///
    /// - Parameter size: The size of the target before the rotation.
    fileprivate mutating func rotateClockwise(in size: PixelSize) {
        func rotated(_ rect: PixelRect) -> PixelRect { rect.rotated(by: .quarter, in: size) }
        switch self {
        case .fill(let rect, let color):
            self = .fill(rotated(rect), color)
        case .box(var placement):
            placement.destination = rotated(placement.destination)
            placement.clip = rotated(placement.clip)
            placement.gradient = placement.gradient.rotatedClockwise
            self = .box(placement)
        case .surface(var placement):
            // Rotations about the same center commute, so this is also right if `quarterTurns` is not 0.
            placement.destination = rotated(placement.destination)
            placement.clip = rotated(placement.clip)
            placement.rotation = placement.rotation + .quarter
            self = .surface(placement)
        case .image(var placement):
            placement.destination = rotated(placement.destination)
            placement.clip = rotated(placement.clip)
            placement.rotation = placement.rotation + .quarter
            self = .image(placement)
        case .shadow(var placement):
            placement.caster = rotated(placement.caster)
            placement.clip = rotated(placement.clip)
            self = .shadow(placement)
        }
    }
}

extension Gradient {
    /// The gradient after a clockwise rotation of the box by 90°: the left edge becomes the top edge, and the top edge
    /// becomes the right edge.
    fileprivate var rotatedClockwise: Gradient {
        switch axis {
        case .horizontal: Gradient(from: start, to: end, axis: .vertical)
        case .vertical: Gradient(from: end, to: start, axis: .horizontal)
        }
    }
}
