/// What the user has changed about how a film looks.
///
/// One value that travels with the request for frames and is stamped on each converted frame, so that it is known what
/// a frame already contains. What it does not contain is added when it is drawn.
public struct PictureAdjustments: Hashable, Sendable {
    /// How much brighter or darker the film is.
    public var brightness: Brightness

    public init(brightness: Brightness = .unchanged) { self.brightness = brightness }

    /// No adjustments: frames as they were decoded.
    public static let none = PictureAdjustments()

    /// The offset to add to R', G' and B', each of which is 0…1.
    public var brightnessOffset: Double { brightness.brightnessOffset }

    /// Returns the offset that is still to be added, when it is drawn, to a frame that already contains `applied`.
    public func brightnessOffset(beyond applied: PictureAdjustments) -> Double {
        brightnessOffset - applied.brightnessOffset
    }
}
