public import Geometry
public import Layers

/// The appearance of a progress bar or slider. Lengths are points; invalid lengths count as 0.
public struct SliderTrackStyle: Hashable, Sendable {
    /// The bar's height at rest.
    public static let defaultBarHeight = 4.0
    /// The bar's height when hovered, focused or dragged.
    public static let defaultGrownBarHeight = 6.0
    /// The thumb's diameter at rest, if it is shown then.
    public static let defaultDotHeight = 12.0
    /// The thumb's diameter when hovered, focused or dragged.
    public static let defaultGrownDotHeight = 14.0
    /// Half of the grown height: rounded ends at rest and grown.
    public static let defaultCornerRadius = 3.0
    /// The width of a mark.
    public static let defaultMarkWidth = 2.0
    /// How far the focus outline extends beyond the thumb.
    public static let defaultOutlineWidth = 3.0
    /// The outline's color.
    public static let defaultOutlineColor = Color(red: 0.48, green: 0.66, blue: 1)
    /// The opacity while disabled.
    public static let defaultDisabledOpacity = 0.4
    /// The duration of growing and shrinking.
    public static let defaultGrowDuration = Duration.milliseconds(120)

    /// The colors of one state.
    public struct Colors: Hashable, Sendable {
        /// The part that is neither played nor buffered.
        public var track: Color
        /// The part that is loaded but not played.
        public var buffered: Color
        /// From the start to the thumb.
        public var played: Color
        /// The thumb, unless `thumbImage` replaces it.
        public var thumb: Color
        /// The marks, such as chapters.
        public var mark: Color

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

    /// The bar's height at rest.
    public var barHeight = Self.defaultBarHeight
    /// The bar's height when hovered, focused or dragged.
    public var grownBarHeight = Self.defaultGrownBarHeight
    /// The thumb's diameter at rest.
    public var dotHeight = Self.defaultDotHeight
    /// The thumb's diameter when hovered, focused or dragged.
    public var grownDotHeight = Self.defaultGrownDotHeight
    /// The corner radius of the bar and its ranges; at most half of their height.
    public var cornerRadius = Self.defaultCornerRadius
    /// An image in place of the thumb, of the same size.
    public var thumbImage: ImageID?
    /// Whether the thumb shows at rest; otherwise it grows with the bar.
    public var showsThumbAtRest = false
    /// The width of a mark along the bar.
    public var markWidth = Self.defaultMarkWidth
    /// How far the focus outline extends beyond the thumb.
    public var outlineWidth = Self.defaultOutlineWidth
    /// The color of the focus outline.
    public var outlineColor = Self.defaultOutlineColor
    /// The opacity while disabled, 0…1.
    public var disabledOpacity = Self.defaultDisabledOpacity
    /// The duration of growing and shrinking.
    public var growDuration = Self.defaultGrowDuration
    /// At rest.
    public var rest: Colors
    /// While playback moves the thumb.
    public var inProgress: Colors
    /// While it is dragged.
    public var dragged: Colors

    public init(rest: Colors = Colors(), inProgress: Colors? = nil, dragged: Colors? = nil) {
        self.rest = rest
        self.inProgress = inProgress ?? rest
        self.dragged = dragged ?? rest
    }
}
