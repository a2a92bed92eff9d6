/// A clockwise rotation in steps of 90°, used to show a frame upright.
public enum QuarterTurns: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    case quarter = 1
    case half = 2
    case threeQuarters = 3

    /// Creates the rotation nearest to `degrees`, which is measured clockwise; `.none` if `degrees` is not finite.
    public init(degreesClockwise degrees: Double) {
        guard degrees.isFinite else {
            self = .none
            return
        }
        let quarters = Int((degrees / 90).rounded().truncatingRemainder(dividingBy: 4))
        self = QuarterTurns(rawValue: ((quarters % 4) + 4) % 4) ?? .none
    }

    /// Whether the rotation swaps width and height.
    public var swapsAxes: Bool { self == .quarter || self == .threeQuarters }

    /// Returns the rotation by `first` and then by `second`.
    public static func + (first: QuarterTurns, second: QuarterTurns) -> QuarterTurns {
        QuarterTurns(rawValue: (first.rawValue + second.rawValue) % 4) ?? .none
    }
}

extension Size {
    /// Returns the size of an area of this size after `rotation`.
    public func rotated(by rotation: QuarterTurns) -> Size {
        rotation.swapsAxes ? Size(width: height, height: width) : self
    }
}

extension PixelSize {
    /// Returns the size of an area of this size after `rotation`.
    public func rotated(by rotation: QuarterTurns) -> PixelSize {
        rotation.swapsAxes ? PixelSize(width: height, height: width) : self
    }
}

extension PixelRect {
    /// Returns the rectangle after a rotation of the area that contains it.
    ///
    /// - Parameter size: The size of the area before the rotation. The area's top-left corner is at the origin before
    ///   and after the rotation.
    public func rotated(by rotation: QuarterTurns, in size: PixelSize) -> PixelRect {
        let (width, height) = (size.width, size.height)
        return switch rotation {
        case .none: self
        case .quarter: PixelRect(minX: height - maxY, minY: minX, maxX: height - minY, maxY: maxX)
        case .half: PixelRect(minX: width - maxX, minY: height - maxY, maxX: width - minX, maxY: height - minY)
        case .threeQuarters: PixelRect(minX: minY, minY: width - maxX, maxX: maxY, maxY: width - minX)
        }
    }
}

/// The sine and cosine of an angle given in quarter turns, exact at multiples of 90°.
public enum QuarterTurn {
    /// The sine of `quarters` · 90°.
    public static func sine(_ quarters: Double) -> Double { cosine(quarters - 1) }

    /// The cosine of `quarters` · 90°.
    public static func cosine(_ quarters: Double) -> Double {
        switch abs(quarters.remainder(dividingBy: 4)) {
        case 0: 1
        case 1: 0
        case 2: -1
        case let rest: GlissadeGeometry.cosine(rest * .pi / 2)
        }
    }
}
