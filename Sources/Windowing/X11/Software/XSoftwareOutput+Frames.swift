import GlissadeCXCB
import GlissadeGeometry
import Glibc
import GlissadePlatform
import GlissadeRendering
import GlissadeTime

/// Allocates and reuses frames.
extension XSoftwareOutput {
    /// Returns a frame of `size` that the server is not reading. If necessary, waits up to `timeout` for such a frame,
    /// unless the last call already found none.
    ///
    /// Returns nil if the server is still using all frames. With `.socket`, also returns nil if the server has not read
    /// the previous frame yet.
    func nextFrame(_ size: PixelSize) throws(RenderingError) -> XFrame? {
        let deadline = HostTime.now() + (isStalled ? .zero : Self.timeout)
        while true {
            readAnswer()
            let idle = syncRequest == nil ? idleFrame(size) : nil
            if let idle {
                if idle.size == size || resize(idle, to: size) {
                    dropSurplus(but: idle)
                    isStalled = false
                    return idle
                }
                frames.removeAll { $0 === idle }
                continue
            }
            let isLate = HostTime.now() >= deadline
            if frames.count < (isLate ? Self.largestCount : usualCount), syncRequest == nil {
                if let frame = makeFrame(size) { return frame }
                try connection.check()
                if frames.isEmpty {
                    guard useNextMethod() else { throw .allocation(size, code: 0) }
                    continue
                }
                // Makes do with the existing frames.
            }
            guard !isLate else {
                // Forgets how the display showed the last frame, because that may have changed.
                lastShown = nil
                isStalled = true
                return nil
            }
            try connection.wait(until: deadline)
        }
    }

    /// Returns a frame that the server is not reading; nil if there is none. Prefers frames of `size` and, among those,
    /// the frame shown last, which needs the least redrawing.
    private func idleFrame(_ size: PixelSize) -> XFrame? {
        var best: XFrame?
        for frame in frames where !frame.isBusy {
            if best.map({ ($0.size == size ? 1 : 0, $0.serial) < (frame.size == size ? 1 : 0, frame.serial) }) ?? true {
                best = frame
            }
        }
        return best
    }

    /// Clears `syncRequest` if the server has replied to that request.
    func readAnswer() {
        guard let asked = syncRequest else { return }
        var reply: UnsafeMutableRawPointer?
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        guard xcb_poll_for_reply(connection.raw, asked, &reply, &error) != 0 else { return }
        free(reply)
        free(error)
        syncRequest = nil
    }

    /// Releases an idle frame other than `frame`, if there are more frames than usual.
    private func dropSurplus(but frame: XFrame) {
        guard frames.count > usualCount, let surplus = frames.firstIndex(where: { !$0.isBusy && $0 !== frame })
        else { return }
        frames.remove(at: surplus)
    }

    private func resize(_ frame: XFrame, to size: PixelSize) -> Bool {
        guard frame.resize(to: size) else { return false }
        frame.id = newID()
        if method == .present { frame.makePixmap(for: window) }
        return true
    }

    /// Creates a frame for the current method and adds the frame to `frames`. Returns nil if memory runs out, or if the
    /// server refuses to share the memory.
    private func makeFrame(_ size: PixelSize) -> XFrame? {
        // Reserves addresses for at least the screen's size, so that a growing window's frames can grow in place.
        // Reserved addresses cost nothing.
        let screen = connection.screenSize
        let widest = PixelSize(
            width: max(size.width + size.width / 4, screen.width),
            height: max(size.height + size.height / 4, screen.height))
        func memory(_ stride: Int, isShared: Bool) -> FrameMemory? {
            FrameMemory(capacity: stride * widest.height, isShared: isShared)
        }
        let isShared = method != .socket
        guard let pixels = memory(format.stride(width: widest.width), isShared: isShared) else { return nil }
        var drawing: FrameMemory?
        if converter != nil {
            guard let memory = memory(widest.width * 4, isShared: false) else { return nil }
            drawing = memory
        }
        // Allocates before the server attaches the memory: an access to a missing page could kill the server too.
        guard pixels.resize(to: format.stride(width: size.width) * size.height) else { return nil }
        var segment: UInt32 = 0
        if isShared {
            let descriptor = pixels.duplicate()
            guard descriptor >= 0 else { return nil }
            segment = xcb_generate_id(connection.raw)
            // XCB closes the descriptor.
            guard connection.isDone(xcb_shm_attach_fd_checked(connection.raw, segment, descriptor, 0)) else {
                return nil
            }
        }
        let frame = XFrame(pixels, segment: segment, drawing: drawing, format: format, on: connection)
        guard resize(frame, to: size) else { return nil }
        frames.append(frame)
        return frame
    }

    /// Switches to the next method and releases all frames except the frame being drawn. If there is no next method,
    /// returns false and changes nothing.
    func useNextMethod() -> Bool {
        guard let next = method.next else { return false }
        method = next
        // Any later method can show the frame being drawn.
        frames = taken.map { [$0] } ?? []
        pending = []
        picturesAreIdle()
        presentation?.end()
        presentation = nil
        isContentLost = true
        return true
    }
}
