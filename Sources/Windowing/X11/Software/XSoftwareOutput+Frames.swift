import CXCB
import Geometry
import Glibc
import Platform
import Rendering
import Time

/// Where frames come from: how many there are, and what memory they are in.
extension XSoftwareOutput {
    /// A frame that nobody reads from, of that size; nil where the display keeps all of them, or the server has not read the
    /// frame before by the connection: that is not filled any further.
    func nextFrame(_ size: PixelSize) throws(RenderingError) -> XFrame? {
        let deadline = HostTime.now() + (isStalled ? .zero : Self.patience)
        while true {
            readAnswer()
            let idle = question == nil ? idleFrame(size) : nil
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
            if frames.count < (isLate ? Self.largestCount : usualCount), question == nil {
                if let frame = makeFrame(size) { return frame }
                try connection.check()
                if frames.isEmpty {
                    guard useNextWay() else { throw .allocation(size, code: 0) }
                    continue
                }
                // Those that there are go on by turns.
            }
            guard !isLate else {
                // What is thought of the display's count may be wrong.
                lastShown = nil
                isStalled = true
                return nil
            }
            try connection.wait(until: deadline)
        }
    }

    /// A frame that nobody reads from: of those of that size, where there are some, the one shown last, of which the least is
    /// to be drawn again.
    private func idleFrame(_ size: PixelSize) -> XFrame? {
        var best: XFrame?
        for frame in frames where !frame.isBusy {
            if best.map({ ($0.size == size ? 1 : 0, $0.serial) < (frame.size == size ? 1 : 0, frame.serial) }) ?? true {
                best = frame
            }
        }
        return best
    }

    /// Takes the server's answer by the connection, where it has come.
    func readAnswer() {
        guard let asked = question else { return }
        var reply: UnsafeMutableRawPointer?
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        guard xcb_poll_for_reply(connection.raw, asked, &reply, &error) != 0 else { return }
        free(reply)
        free(error)
        question = nil
    }

    /// Lets a frame go that is no longer needed.
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

    /// Makes a frame for the way that is taken; nil where there is no memory for it, or the server refuses it.
    private func makeFrame(_ size: PixelSize) -> XFrame? {
        // Room for the screen at least, so that a window that grows has its memory grow in place: addresses cost nothing.
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
        // Before the server has it: what is not there is no memory of the server's either.
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

    /// Goes on by the next way, with nothing of this one but the frame that is being drawn. False where there is none.
    func useNextWay() -> Bool {
        guard let next = method.next else { return false }
        method = next
        // What is being drawn can be shown by any later way.
        frames = taken.map { [$0] } ?? []
        pending = []
        picturesAreIdle()
        presentation?.end()
        presentation = nil
        isContentLost = true
        return true
    }
}
