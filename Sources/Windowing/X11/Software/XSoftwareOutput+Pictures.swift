import GlissadeCXCB
public import GlissadeGeometry
import GlissadePlatform
public import GlissadeRendering
import GlissadeTime

/// Shows frames from the memory in which they were produced, without drawing. Either the server copies them into the
/// window, or the display reads them directly.
extension XSoftwareOutput {
    /// An `OutputPicture` that was shown, and that the server may still be reading.
    struct ShownPicture {
        let picture: OutputPicture
        let pixmap: UInt32
        let serial: UInt32
        /// The sequence number of the request that showed the picture.
        let request: UInt32
    }

    /// The maximum number of frames waiting to be shown.
    static let waitingLimit = 2

    public func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)? {
        guard method == .present, converter == nil, max(size.width, size.height) <= Self.longestEdge,
            stride * count <= Int(UInt32.max)
        else { return nil }
        return XPictures(size, stride: stride, count: count, depth: format.depth, on: connection)
    }

    public func canShow(_ picture: OutputPicture, inFrame size: PixelSize) throws(RenderingError) -> Bool {
        try connection.readEvents()
        guard takesPictures, method == .present, hasWindow, !isContentLost, size == sizeShown,
            let pictures = picture.pictures as? XPictures, pictures.fits(connection, depth: format.depth)
        else { return false }
        // If the display reads the last frame directly, a frame that covers only part of the window would require a
        // copy of the last one first.
        let isWhole = picture.rect == PixelRect(size: size)
        guard isWhole || !connection.hasDisplay || lastShown?.mode == .copy else { return false }
        let deadline = HostTime.now() + (isStalled ? .zero : Self.timeout)
        while pending.count >= Self.waitingLimit, HostTime.now() < deadline { try connection.wait(until: deadline) }
        return pending.count < Self.waitingLimit
    }

    public func show(_ picture: OutputPicture, changed: PixelRect) throws(RenderingError) {
        try connection.check()
        guard let pictures = picture.pictures as? XPictures, hasWindow else { return }
        shownCount += 1
        let serial = UInt32(truncatingIfNeeded: shownCount)
        let pixmap = pictures.pixmap(picture.index, for: window)
        let rect = picture.rect
        let part = changed.intersection(rect)
        let local = PixelRect(
            minX: part.minX - rect.minX, minY: part.minY - rect.minY, maxX: part.maxX - rect.minX,
            maxY: part.maxY - rect.minY)
        guard
            let cookie = present(
                pixmap, serial: serial, part == rect ? nil : local, x: rect.minX, y: rect.minY, at: nil)
        else { return }
        picture.holds.hold(picture.index)
        shownPictures.append(
            ShownPicture(picture: picture, pixmap: pixmap, serial: serial, request: cookie.sequence))
        pending.insert(serial)
        pollSoon()
        heldContent?.frameWasShown(sizeShown)
        xcb_flush(connection.raw)
        try connection.check()
    }

    /// Releases a shown picture that the server has finished reading.
    func pictureIsIdle(pixmap: UInt32, serial: UInt32) {
        guard let index = shownPictures.firstIndex(where: { $0.serial == serial && $0.pixmap == pixmap }) else {
            return
        }
        let shown = shownPictures.remove(at: index)
        shown.picture.holds.release(shown.picture.index)
    }

    /// Releases all shown pictures. Call when the server is no longer reading any of them.
    func picturesAreIdle() {
        for shown in shownPictures { shown.picture.holds.release(shown.picture.index) }
        shownPictures.removeAll(keepingCapacity: true)
    }

    /// If `error` belongs to a request that showed a picture, releases the picture, stops the showing of pictures, and
    /// returns true. Otherwise does nothing and returns false.
    func hasRefusedPicture(_ error: xcb_generic_error_t) -> Bool {
        guard let shown = shownPictures.first(where: { $0.request == error.full_sequence }) else { return false }
        pending.remove(shown.serial)
        pictureIsIdle(pixmap: shown.pixmap, serial: shown.serial)
        takesPictures = false
        isContentLost = true
        return true
    }
}
