public import Geometry
public import Layers

/// How a progress bar or a slider looks. Lengths are in points; what is no length (negative, or no number) is none.
public struct SliderTrackStyle: Hashable, Sendable {
    /// The bar's height at rest.
    public static let defaultBarHeight = 4.0
    /// The bar's height under the pointer, with the keyboard on it, or in the hand.
    public static let defaultGrownBarHeight = 6.0
    /// The dot's diameter at rest, where it is shown then.
    public static let defaultDotHeight = 12.0
    /// The dot's diameter under the pointer, with the keyboard on it, or in the hand.
    public static let defaultGrownDotHeight = 14.0
    /// Half of the grown height: round ends at rest and grown.
    public static let defaultCornerRadius = 3.0
    /// How wide a mark is.
    public static let defaultMarkWidth = 2.0
    /// How far the outline that shows where the keyboard is reaches beyond the thumb.
    public static let defaultOutlineWidth = 3.0
    /// The outline's colour.
    public static let defaultOutlineColor = Color(red: 0.48, green: 0.66, blue: 1)
    /// The opacity of one that is disabled.
    public static let defaultDisabledOpacity = 0.4
    /// How long it takes to grow, and to shrink.
    public static let defaultGrowDuration = Duration.milliseconds(120)

    /// The colours in one state.
    public struct Colors: Hashable, Sendable {
        /// What is neither played nor buffered.
        public var track: Color
        public var buffered: Color
        /// From the beginning to the thumb.
        public var played: Color
        /// The dot; of a thumb that is an image, nothing.
        public var thumb: Color
        public var mark: Color

        /// - Parameter accent: of what is played, and of the dot.
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

    public var barHeight = Self.defaultBarHeight
    public var grownBarHeight = Self.defaultGrownBarHeight
    public var dotHeight = Self.defaultDotHeight
    public var grownDotHeight = Self.defaultGrownDotHeight
    /// Of the bar and its ranges; never more than half of their height.
    public var cornerRadius = Self.defaultCornerRadius
    /// In place of the dot, as high and as wide.
    public var thumbImage: ImageID?
    /// Whether the thumb shows at rest; otherwise it grows out of the bar with it.
    public var showsThumbAtRest = false
    public var markWidth = Self.defaultMarkWidth
    public var outlineWidth = Self.defaultOutlineWidth
    public var outlineColor = Self.defaultOutlineColor
    public var disabledOpacity = Self.defaultDisabledOpacity
    public var growDuration = Self.defaultGrowDuration
    /// While nothing moves it.
    public var rest: Colors
    /// While it is moved along by playing.
    public var inProgress: Colors
    /// While a hand has it.
    public var dragged: Colors

    public init(rest: Colors = Colors(), inProgress: Colors? = nil, dragged: Colors? = nil) {
        self.rest = rest
        self.inProgress = inProgress ?? rest
        self.dragged = dragged ?? rest
    }
}
