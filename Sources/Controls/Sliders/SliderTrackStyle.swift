public import GlissadeGeometry
public import GlissadeLayers

/// The appearance of a progress bar or slider. Lengths are in points. Negative lengths and NaN count as 0.
public struct SliderTrackStyle: Hashable, Sendable {
    /// The default height of the bar at rest.
    public static let defaultBarHeight = 4.0
    /// The default height of the bar when hovered, focused or dragged.
    public static let defaultGrownBarHeight = 6.0
    /// The default diameter of the thumb at rest.
    public static let defaultDotHeight = 12.0
    /// The default diameter of the thumb when hovered, focused or dragged.
    public static let defaultGrownDotHeight = 14.0
    /// The default corner radius: half of the default grown height.
    public static let defaultCornerRadius = 3.0
    /// The default width of a mark.
    public static let defaultMarkWidth = 2.0
    /// The default distance by which the focus outline extends beyond the thumb.
    public static let defaultOutlineWidth = 3.0
    /// The default color of the focus outline.
    public static let defaultOutlineColor = Color(red: 0.48, green: 0.66, blue: 1)
    /// The default opacity of a disabled bar.
    public static let defaultDisabledOpacity = 0.4
    /// The default duration of the growing and shrinking animations.
    public static let defaultGrowDuration = Duration.milliseconds(120)

    /// The colors of a bar in one state, such as at rest.
    public struct Colors: Hashable, Sendable {
        /// The color of the whole bar, beneath the buffered and played parts.
        public var track: Color
        /// The color of the buffered parts.
        public var buffered: Color
        /// The color of the played part, from the start to the thumb.
        public var played: Color
        /// The color of the thumb, unless `thumbImage` replaces it.
        public var thumb: Color
        /// The color of the marks, such as chapter starts.
        public var mark: Color

        /// Creates the colors of one state.
        ///
        /// - Parameter accent: The color of the played part and the thumb.
        public init(
            accent: Color = .white, track: Color = Color(red: 1, green: 1, blue: 1, alpha: 0.22),
            buffered: Color = Color(red: 1, green: 1, blue: 1, alpha: 0.22),
            mark: Color = Color(red: 0, green: 0, blue: 0, alpha: 0.65)
        ) {
            self.track = track
            self.buffered = buffered
            self.played = accent
            self.thumb = accent
            self.mark = mark
        }
    }

    /// The height of the bar at rest.
    public var barHeight = Self.defaultBarHeight
    /// The height of the bar when hovered, focused or dragged.
    public var grownBarHeight = Self.defaultGrownBarHeight
    /// The diameter of the thumb at rest, if `showsThumbAtRest` is true.
    public var dotHeight = Self.defaultDotHeight
    /// The diameter of the thumb when hovered, focused or dragged.
    public var grownDotHeight = Self.defaultGrownDotHeight
    /// The corner radius of the bar and its ranges, clamped to half of their height.
    public var cornerRadius = Self.defaultCornerRadius
    /// An image drawn in place of the thumb, at the thumb's size; nil for a disc.
    public var thumbImage: ImageID?
    /// Whether the thumb is visible at rest. If false, the thumb appears as the bar grows.
    public var showsThumbAtRest = false
    /// The width of a mark.
    public var markWidth = Self.defaultMarkWidth
    /// How far the focus outline extends beyond the thumb, or beyond the bar if the bar is thicker than the thumb.
    public var outlineWidth = Self.defaultOutlineWidth
    /// The color of the focus outline.
    public var outlineColor = Self.defaultOutlineColor
    /// The opacity of a disabled bar, 0…1.
    public var disabledOpacity = Self.defaultDisabledOpacity
    /// The duration of the growing and shrinking animations.
    public var growDuration = Self.defaultGrowDuration
    /// The colors at rest.
    public var rest: Colors
    /// The colors of a progress bar during playback: a timed movement has been started, and the bar is not paused.
    public var inProgress: Colors
    /// The colors while the user is dragging the bar.
    public var dragged: Colors

    public init(rest: Colors = Colors(), inProgress: Colors? = nil, dragged: Colors? = nil) {
        self.rest = rest
        self.inProgress = inProgress ?? rest
        self.dragged = dragged ?? rest
    }
}
