import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePicture
import GlissadePixelConversion
import Synchronization
import GlissadeTime

// Makes decoded frames fit for drawing or conversion to RGB. Runs on the decoder's thread.

extension VideoDecoder {
    /// Passes a frame to the conversion stage. If the frame's format cannot be shown, swscale converts the frame first.
    /// If that fails, a hardware decoder is marked as failed; for a software decoder, damaged data is reported. Takes
    /// ownership of `frame`.
    func deliver(_ frame: UnsafeMutablePointer<AVFrame>, _ decoding: inout Decoding) {
        guard let frame = bringDown(frame, &decoding) else { return }
        let request = request.withLock { $0 }
        decoding.meter.decoded()
        var isChanged = false
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        var format = PixelFormat(frame)
        if format.map({ !request.canShow($0) }) ?? true {
            let converted = decoding.converter.convert(
                frame, sizeLimit: request.sizeLimit, reducesDepth: !request.acceptsDeepSamples)
            av_frame_free(&owned)
            guard let converted else {
                if decoding.isOnHardware { return decoding.fail("it outputs a format that cannot be displayed") }
                return report(.damagedData(reason: "a frame has a format that cannot be displayed"))
            }
            owned = converted
            isChanged = true
            format = PixelFormat(converted)
        }
        // Either the frame could be shown as it was, or the converter has made one that can be.
        guard let owned, let format else {
            av_frame_free(&owned)
            return
        }
        let geometry = geometry(of: owned, decoding)
        let (time, duration) = (owned.pointee.pts, glissade_frame_duration(owned))
        stage.push(
            DecodedFrame(
                picture: DecodedPicture(owning: owned, format: format), request: request, geometry: geometry,
                presentationTime: MediaTime(nanoseconds: time), duration: .nanoseconds(duration),
                generation: decoding.generation.number, cost: decoding.meter.prepared(isChanged: isChanged)))
    }

    private func geometry(of frame: UnsafeMutablePointer<AVFrame>, _ decoding: borrowing Decoding) -> PixelGeometry {
        let turn = rotation(of: frame) ?? decoding.stream.configuration.rotation
        return PixelGeometry(
            pixelAspect: ratio(frame.pointee.sample_aspect_ratio) ?? decoding.stream.configuration.pixelAspect ?? 1,
            rotation: turn)
    }
}

extension FrameFormat {
    /// Whether frames of `format` are to be converted to BGRA: a size is requested, and the converter supports the
    /// format.
    func converts(_ format: PixelFormat) -> Bool {
        convertedSize?.isEmpty == false && PixelConverter.canConvert(format)
    }

    /// Whether frames of `format` can be shown without swscale: they fit `sizeLimit`, and can be drawn as they are or
    /// converted to BGRA.
    func canShow(_ format: PixelFormat) -> Bool {
        (acceptsDeepSamples || format.bitDepth == 8 || converts(format))
            && max(format.size.width, format.size.height) <= sizeLimit
    }
}
