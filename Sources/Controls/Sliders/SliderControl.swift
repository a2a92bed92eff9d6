public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeLayers
public import GlissadeTime

/// A control that the user drags along a bar: a progress bar or a slider.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public class SliderControl {
    /// The appearance of the control.
    public typealias Style = SliderTrackStyle
    /// The default `hitMargin`, in points.
    public static let defaultHitMargin = 16.0

    let track: SliderTrack

    /// - Parameter name: The name of the recognizer of drags.
    init(style: Style, name: String) {
        track = SliderTrack(style: style, hitMargin: Self.defaultHitMargin, name: name)
        layer.owner = self
    }

    /// The control's appearance.
    public final var style: Style {
        get { track.style }
        set { track.style = newValue }
    }
    /// The width of the margin around the bar in which a press still hits the bar, in points. The margin may extend
    /// beyond the parent layer.
    public final var hitMargin: Double {
        get { layer.hitMargin }
        set { layer.hitMargin = newValue.usableLength }
    }
    /// Whether the control is enabled. A disabled control is dimmed and takes no input. Presses on it go to the
    /// elements beneath.
    public final var isEnabled: Bool {
        get { track.isEnabled }
        set { track.isEnabled = newValue }
    }
    /// Whether the user is dragging the control.
    public final var isDragged: Bool { track.held != nil }

    /// The control's layer. `layout` sets its frame, which stays the same while the bar grows.
    public final var layer: Layer { track.layers.layer }

    /// Places the bar over the whole width of `frame`, centered vertically.
    ///
    /// - Parameters:
    ///   - frame: The frame in the parent's coordinates.
    ///   - scale: Device pixels per point; nil keeps the current scale.
    public final func layout(_ frame: Rect, scale: Double? = nil) {
        track.layers.layout(frame, scale: scale)
        track.owner?.show()
    }
}

// Input, except for keys and the wheel.

extension SliderControl: HoverTarget {
    public func hover(_ point: Point?, now: HostTime) { track.hover(point, now: now) }
}

extension SliderControl {
    /// The recognizer of drags.
    public var recognizers: [GestureRecognizer] { track.recognizers }
    /// Whether drags that start in the control never move the page: true while the control takes input.
    public var excludesPagePan: Bool { track.takesInput }

    /// The control's layer.
    public var focusLayer: Layer { layer }
    /// Whether the control takes input and is visible.
    public var canFocus: Bool { track.canFocus }
    /// Shows whether the control has the focus.
    public func setFocused(_ isFocused: Bool, now: HostTime) { track.setFocused(isFocused, now: now) }
}
