import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeSettings

/// The colors, sizes, text styles and control styles of the program's pages.
enum Theme {
    // MARK: Colors

    static let background = gray(0.075)
    /// The color of bars and other surfaces above the background.
    static let raised = gray(0.115)
    /// The color of the line below the recent files in the library, and of the line above the miniplayer.
    static let separator = Color(red: 1, green: 1, blue: 1, alpha: 0.07)
    /// The background of the miniplayer while the pointer is over it.
    static let raisedHover = gray(0.14)
    static let hover = Color(red: 1, green: 1, blue: 1, alpha: 0.045)
    static let press = Color(red: 1, green: 1, blue: 1, alpha: 0.09)
    static let selection = Color(red: 0.36, green: 0.55, blue: 1, alpha: 0.22)
    static let accent = Color(red: 0.48, green: 0.66, blue: 1)
    static let text = Color(red: 0.95, green: 0.95, blue: 0.965)
    static let secondaryText = Color(red: 0.62, green: 0.625, blue: 0.66)
    static let posterBackground = gray(0.17)
    static let posterIcon = gray(0.5)
    /// The dark tint over the poster of the playing file in a list, and over a card whose video is fullscreen or
    /// floating.
    static let posterScrim = Color(red: 0, green: 0, blue: 0, alpha: 0.55)
    /// The background of the progress bar on a poster or card.
    static let playedTrack = Color(red: 0, green: 0, blue: 0, alpha: 0.6)
    /// The color of the disc behind a button or an icon over the video.
    static let disc = Color(red: 0, green: 0, blue: 0, alpha: 0.5)
    static let mark = Color(red: 1, green: 1, blue: 1)
    /// The background of the navigation bar over the video.
    ///
    /// White text on it stays readable over a white frame.
    static let overlay = Color(red: 0, green: 0, blue: 0, alpha: 0.86)
    /// The background of the player's controls: transparent at the upper edge, and darkest at the lower edge. White
    /// text on it stays readable over a white frame.
    static let controlsScrim = Gradient(
        from: Color(red: 0, green: 0, blue: 0, alpha: 0), to: Color(red: 0, green: 0, blue: 0, alpha: 0.82))
    /// The background of a card without a poster.
    static let cardBackground = gray(0.125)
    /// The tint over the video in the corner miniplayer, behind the buttons.
    static let cornerScrim = Color(red: 0, green: 0, blue: 0, alpha: 0.45)
    static let batteryOutline = gray(0.8)
    static let batteryCharging = Color(red: 0.35, green: 0.82, blue: 0.45)
    static let batteryLow = Color(red: 0.96, green: 0.36, blue: 0.3)
    /// The background of the bubble that shows a held comment.
    static let commentBubble = Color(red: 0.08, green: 0.08, blue: 0.09, alpha: 0.94)
    static let popover = gray(0.145)
    static let popoverShadow = Layer.Shadow(
        color: Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: 18, offset: Point(x: 0, y: 4))
    /// The background behind cover art or its placeholder, and behind the subtitle lines in a floating window.
    static let stage = Gradient(from: gray(0.15), to: gray(0.055))

    // MARK: Sizes, in points

    static let barHeight = 48.0
    static let rowHeight = 84.0
    static let posterSize = Size(width: 112, height: 63)
    static let posterRadius = 6.0
    /// The maximum width of a card's picture area, which is 16:9.
    static let cardWidth = 880.0
    /// The minimum width of a card's picture area.
    static let narrowestCard = 120.0
    static let cardRadius = 14.0
    /// The space above the first row of a list and below the last row.
    static let listPadding = 6.0
    /// How far the background of the navigation bar over the video extends below the bar. The background fades out
    /// from top to bottom.
    static let overlayFade = 52.0
    static let coverRadius = 12.0
    /// The maximum width and height of cover art.
    static let coverSide = 480.0
    /// The maximum width and height of the placeholder for missing cover art.
    static let coverSignSide = 240.0
    static let margin = 16.0
    static let miniBarHeight = 90.0
    static let buttonSide = 40.0
    /// The width and height of the play button in the center of the video.
    static let centreSide = 76.0
    /// The maximum width of the contents of a list row. Longer lines would be hard to read.
    static let readableWidth = 1080.0
    static let detailRowHeight = 30.0

    // MARK: Text

    static let rowTitle = TextStyle(size: 15, weight: .medium, color: text)
    static let playingRowTitle = TextStyle(size: 15, weight: .semibold, color: accent)
    static let rowDetail = TextStyle(size: 13, color: secondaryText, hasTabularDigits: true)
    static let cardTitle = TextStyle(size: 17, weight: .semibold, color: text)
    static let playingCardTitle = TextStyle(size: 17, weight: .semibold, color: accent)
    static let barTitle = TextStyle(size: 15, weight: .semibold, color: text)
    static let sectionTitle = TextStyle(size: 12, weight: .semibold, color: accent)
    static let detailLabel = TextStyle(size: 14, color: secondaryText)
    static let detailValue = TextStyle(size: 14, color: text, hasTabularDigits: true)
    static let coverTitle = TextStyle(size: 22, weight: .semibold, color: text)
    static let coverDetail = TextStyle(size: 15, color: secondaryText, hasTabularDigits: true)
    static let emptyTitle = TextStyle(size: 17, weight: .medium, color: secondaryText)

    static let controlTime = TextStyle(size: 13, weight: .medium, color: text, hasTabularDigits: true)
    static let statusText = TextStyle(size: 13, weight: .medium, color: text, hasTabularDigits: true)
    static let previewTime = TextStyle(size: 13, weight: .semibold, color: text, hasTabularDigits: true)
    static let previewChapter = TextStyle(size: 12, color: secondaryText)

    // MARK: Controls

    static let button = Button.Style(color: text, onColor: accent)
    static let barButton = Button.Style(color: Color(red: 0.92, green: 0.92, blue: 0.94))
    static let timeButton: Button.Style = {
        var style = Button.Style(color: text)
        style.text = controlTime
        style.cornerRadius = 6
        return style
    }()
    /// The style of the button below a sign that fills the page.
    static let signButton: Button.Style = {
        var style = Button.Style(color: accent)
        style.text = TextStyle(size: 15, weight: .medium, color: accent)
        style.cornerRadius = 19
        return style
    }()
    static let cornerButton = Button.Style(color: text, iconFraction: 0.6)
    /// The style of the play button, which is drawn on a disc in the center of the video.
    static let centreButton = Button.Style(color: text, iconFraction: 0.46)
    static let progress = SliderTrackStyle(
        rest: SliderTrackStyle.Colors(accent: accent), dragged: SliderTrackStyle.Colors(accent: text))
    static let volume = SliderTrackStyle(rest: SliderTrackStyle.Colors(accent: text))
    static let menu: Menu.Style = {
        var style = Menu.Style()
        style.width = 320
        return style
    }()
    static let toast = Toast.Style()
    static let spinner = Spinner.Style()

    /// Returns the style of the progress bar that the settings describe.
    static func progress(_ settings: Settings.ProgressBar) -> SliderTrackStyle {
        var style = SliderTrackStyle(
            rest: SliderTrackStyle.Colors(accent: Color(rgb: settings.color)),
            dragged: SliderTrackStyle.Colors(accent: Color(rgb: settings.draggedColor)))
        (style.barHeight, style.grownBarHeight) = (settings.thickness, settings.thickness + 2)
        (style.dotHeight, style.grownDotHeight) = (settings.thumb, settings.thumb + 2)
        style.cornerRadius = style.grownBarHeight / 2
        style.showsThumbAtRest = settings.showsThumb
        return style
    }

    private static func gray(_ value: Double) -> Color {
        Color(red: value, green: value, blue: value + value * 0.09)
    }
}

extension Color {
    /// Creates an opaque color from 0xRRGGBB.
    init(rgb: Int) {
        func component(_ shift: Int) -> Double { Double(rgb >> shift & 0xFF) / 255 }
        self.init(red: component(16), green: component(8), blue: component(0))
    }
}
