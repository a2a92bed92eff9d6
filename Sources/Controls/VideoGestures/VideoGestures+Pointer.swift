import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput
import GlissadeTime

// Pointer input: which recognizers see a press, and which gestures they trigger.

extension VideoGestures: @MainActor GestureTarget {
    public var targetOnMovingPage: (any GestureTarget)? { itemPressTarget }
}

extension VideoGestures: @MainActor GestureRecognizerDelegate {
    public func shouldReceive(_ pointer: PointerEvent, by recognizer: GestureRecognizer) -> Bool {
        if isLocked { return recognizer === clicks }
        let point = pointer.position
        if recognizer === itemPress { return isOnItem(pointer) }
        if recognizer === clicks || recognizer === longPress, isOnItem(pointer) { return false }
        if recognizer === clicks { return isOn(.click) && !goesOnSkipping(pointer) }
        if recognizer === repeats { return goesOnSkipping(pointer) }
        // Refused where a double click does nothing, so that a click there need not wait for a second one.
        if recognizer === doubleClicks { return doubleClick(at: point) != nil && !goesOnSkipping(pointer) }
        if recognizer === longPress { return isOn(.longPress) }
        if recognizer === drags {
            return !frame.size.isEmpty && (isOn(levelDrag(at: point)) || canDismiss(from: point))
        }
        if recognizer === wheelPan { return isOn(.horizontalWheel) }
        return isOn(.pinch) || isOn(.volumeDrag)
    }

    public func shouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        recognizer !== wheelPan || beginWheelPan()
    }

    /// A press on an item goes on when the press takes over a moving page. A drag of the page makes it fail.
    public func shouldRecognizeSimultaneously(_ recognizer: GestureRecognizer, with other: GestureRecognizer) -> Bool {
        recognizer === itemPress && !recognizers.contains { $0 === other }
    }

    /// Whether a press is on an item. A click that repeats a skip is not, even if an item is there.
    private func isOnItem(_ press: PointerEvent) -> Bool {
        !goesOnSkipping(press) && hasItem?(press.position, press.time) ?? false
    }

    private func goesOnSkipping(_ press: PointerEvent) -> Bool {
        guard let skips, press.time <= skips.until, isOn(skips.gesture) else { return false }
        return outerDoubleClick(at: press.position) == skips.gesture
    }
}

// If `shouldTrigger` refuses a gesture, the recognizer continues, but no callback is called. `shouldTrigger` may call
// `cancel`, so `isActive` is checked afterwards.

extension VideoGestures {
    func tapChanged(_ tap: GestureRecognizer) {
        guard tap.state == .recognized else { return }
        let (point, now) = (tap.location, tap.time)
        if isLocked {
            if tap === clicks { onLockedClick?(point, now) }
        } else if tap === clicks {
            if allows(.click, at: point) { onClick?(point, now) }
        } else if tap === repeats {
            if let skips { skip(skips.gesture, at: point, now: now) }
        } else if let gesture = doubleClick(at: point), allows(gesture, at: point) {
            if gesture == .doubleClick {
                onDoubleClick?(point, now)
            } else {
                skip(gesture, at: point, now: now)
            }
        }
    }

    func itemPressChanged() {
        switch itemPress.state {
        case .recognized: onItemPress?(.clicked(itemPress.location), itemPress.time)
        case .failed, .cancelled: onItemPress?(.cancelled, itemPress.time)
        case .possible, .began, .changed, .ended: break
        }
    }

    private func skip(_ gesture: VideoGesture, at point: Point, now: HostTime) {
        skips = (gesture, now + skipTimeout)
        onSkip?(gesture == .doubleClickLeft ? .zero - skipStep : skipStep, point, now)
    }

    func longPressChanged() {
        let now = longPress.time
        switch longPress.state {
        case .began:
            guard allows(.longPress, at: longPress.location), longPress.isActive else { return }
            isLongPressed = true
            onLongPress?(true, now)
        case .ended, .cancelled:
            guard isLongPressed else { return }
            isLongPressed = false
            onLongPress?(false, now)
        case .possible, .changed, .recognized, .failed: break
        }
    }

    func dragChanged() {
        let now = drags.time
        switch drags.state {
        case .began:
            if drags.translation.y > 0, canDismiss(from: drags.pressLocation) { return beginDismissing(now: now) }
            beginLevel(levelDrag(at: drags.pressLocation), at: drags.pressLocation, by: drags, drags.translation.y)
        case .changed:
            if isDismissing {
                onDismissDrag?(.changed(drags.translation), now)
            } else {
                moveLevel(to: drags.translation.y, now: now)
            }
        case .ended, .cancelled:
            if isDismissing { return endDismissing(now: now) }
            endLevel(isCancelled: drags.state == .cancelled, now: now)
        case .possible, .recognized, .failed: break
        }
    }

    private func beginLevel(
        _ gesture: VideoGesture, at point: Point, by recognizer: GestureRecognizer, _ translation: Double
    ) {
        guard allows(gesture, at: point), recognizer.isActive else { return }
        let begun = LevelDragState(
            gesture: gesture, translation: translation, span: frame.size.height * dragSpan)
        levelDrag = begun
        onLevelDrag?(begun.level, .began, recognizer.time)
        moveLevel(to: translation, now: recognizer.time)
    }

    private func endLevel(isCancelled: Bool, now: HostTime) {
        guard let ended = levelDrag else { return }
        levelDrag = nil
        onLevelDrag?(ended.level, isCancelled ? .cancelled : .ended, now)
    }

    private func beginDismissing(now: HostTime) {
        guard allows(.dismissDrag, at: drags.pressLocation), drags.isActive else { return }
        isDismissing = true
        onDismissDrag?(.began, now)
        if isDismissing { onDismissDrag?(.changed(drags.translation), now) }
    }

    private func endDismissing(now: HostTime) {
        isDismissing = false
        onDismissDrag?(drags.state == .ended ? .ended(velocity: drags.velocity) : .cancelled, now)
    }

    private func moveLevel(to translation: Double, now: HostTime) {
        guard levelDrag?.move(to: translation) == true, let levelDrag else { return }
        onLevelDrag?(levelDrag.level, .changed(levelDrag.delta), now)
    }

    func pinchChanged() {
        let now = pinch.time
        switch pinch.state {
        case .began:
            isPinchDecided = false
            guard allows(.pinch, at: pinch.location), pinch.isActive else { return }
            isPinched = true
            onPinch?(.began, now)
        case .changed:
            if !isPinchDecided, isOn(.volumeDrag), pinch.isVerticalDrag { return becomeVolumeDrag(now: now) }
            if abs(pinch.distanceChange) >= Self.pinchTravel { isPinchDecided = true }
            if isPinched { onPinch?(.changed(pinch.scale), now) } else { moveLevel(to: pinch.translation.y, now: now) }
        case .ended, .cancelled:
            guard isPinched else { return endLevel(isCancelled: pinch.state == .cancelled, now: now) }
            isPinched = false
            onPinch?(.ended(pinch.state == .ended ? scaling(pinch.scale) : nil), now)
        case .possible, .recognized, .failed: break
        }
    }

    /// Turns a pinch into a drag with two fingers, which changes the volume. The pinch ends without effect.
    private func becomeVolumeDrag(now: HostTime) {
        isPinchDecided = true
        if isPinched {
            isPinched = false
            onPinch?(.ended(nil), now)
        }
        beginLevel(.volumeDrag, at: pinch.location, by: pinch, pinch.translation.y)
    }

    private func scaling(_ scale: Double) -> Scaling? {
        if scale >= pinchThreshold { return .fill }
        return scale <= 1 / pinchThreshold ? .fit : nil
    }
}
