import GlissadeCFFmpeg
import Foundation
import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadePixelConversion

/// The memory of decoded frames, by real decoders.
@Suite("Frame pool") struct FramePoolTests {
    /// An open decoder, and what it has to decode.
    private final class Decoding {
        private var input: UnsafeMutablePointer<AVFormatContext>?
        private var context: UnsafeMutablePointer<AVCodecContext>?
        private let stream: CInt
        let pool: FramePool?

        init(_ path: String, threads: CInt, pool: FramePool?) throws {
            self.pool = pool
            try #require(avformat_open_input(&input, path, nil, nil) >= 0)
            try #require(avformat_find_stream_info(input, nil) >= 0)
            var codec: UnsafePointer<AVCodec>?
            stream = av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0)
            try #require(stream >= 0)
            context = avcodec_alloc_context3(codec)
            avcodec_parameters_to_context(context, try #require(input?.pointee.streams[Int(stream)]).pointee.codecpar)
            context?.pointee.thread_count = threads
            pool?.attach(to: try #require(context))
            try #require(avcodec_open2(context, codec, nil) >= 0)
        }

        deinit { close() }

        func close() {
            avcodec_free_context(&context)
            pool?.end()
            avformat_close_input(&input)
        }

        /// Gives every frame to `body`, which may take it.
        func run(_ body: (inout UnsafeMutablePointer<AVFrame>?) -> Void) {
            var packet = av_packet_alloc()
            defer { av_packet_free(&packet) }
            var isOver = false
            while !isOver {
                isOver = av_read_frame(input, packet) < 0
                if !isOver, packet?.pointee.stream_index != stream {
                    av_packet_unref(packet)
                    continue
                }
                _ = avcodec_send_packet(context, isOver ? nil : packet)
                av_packet_unref(packet)
                while true {
                    var frame = av_frame_alloc()
                    defer { av_frame_free(&frame) }
                    if avcodec_receive_frame(context, frame) < 0 { break }
                    body(&frame)
                }
            }
        }
    }

    private static func picture(_ frame: UnsafeMutablePointer<AVFrame>) -> Data {
        let format = AVPixelFormat(rawValue: frame.pointee.format)
        let (width, height) = (frame.pointee.width, frame.pointee.height)
        var bytes = Data(count: Int(av_image_get_buffer_size(format, width, height, 1)))
        let count = bytes.withUnsafeMutableBytes { bytes in
            withUnsafeBytes(of: &frame.pointee.data) { data in
                withUnsafeBytes(of: &frame.pointee.linesize) { strides in
                    av_image_copy_to_buffer(
                        bytes.bindMemory(to: UInt8.self).baseAddress, CInt(bytes.count),
                        data.bindMemory(to: UnsafePointer<UInt8>?.self).baseAddress,
                        strides.bindMemory(to: CInt.self).baseAddress, format, width, height, 1)
                }
            }
        }
        return count < 0 ? Data() : bytes
    }

    /// Noise that moves, and no size that anything divides.
    private static func noise(_ frames: Int, size: String, format: String) -> [String] {
        [
            "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25,noise=alls=20:allf=t:all_seed=7,format=\(format)",
            "-frames:v",
            "\(frames)",
        ]
    }

    static let films: [(name: String, size: String, format: String, codec: [String])] = [
        ("h264.mkv", "322x182", "yuv420p", ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]),
        ("h264-444.mkv", "129x71", "yuv444p", ["-c:v", "libx264", "-preset", "ultrafast"]),
        ("h264-10.mkv", "130x98", "yuv420p10le", ["-c:v", "libx264", "-preset", "ultrafast"]),
        ("hevc.mkv", "198x104", "yuv420p", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=0"]),
        (
            "hevc-422-10.mkv", "200x104", "yuv422p10le",
            ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=0"]
        ),
        ("vp9.mkv", "131x77", "yuv420p", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
        ("mpeg4.mkv", "131x77", "yuv420p", ["-c:v", "mpeg4", "-bf", "2"]),
        ("mpeg2.mkv", "176x144", "yuv422p", ["-c:v", "mpeg2video"]),
        ("ffv1.mkv", "131x77", "bgra", ["-c:v", "ffv1"]),
        ("ffv1-16.mkv", "33x17", "gray16le", ["-c:v", "ffv1"]),
        ("mjpeg.mkv", "131x77", "yuvj422p", ["-c:v", "mjpeg"]),
        ("huffyuv.mkv", "132x76", "rgb24", ["-c:v", "huffyuv"]),
        ("prores.mkv", "132x76", "yuv422p10le", ["-c:v", "prores_ks"]),
        ("av1.mkv", "132x76", "yuv420p", ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime"]),
        ("png.mkv", "131x77", "rgba", ["-c:v", "png"]),
        ("gif.gif", "131x77", "bgr8", []),
    ]

    @Test(
        "Frames decoded into the pool equal those in FFmpeg's own memory, with one thread and with several",
        arguments: films, [1, 3])
    func same(film: (name: String, size: String, format: String, codec: [String]), threads: CInt) throws {
        let path = try Clips.file(
            "pool-\(threads)-" + film.name, ffmpeg: Self.noise(12, size: film.size, format: film.format) + film.codec)
        var (own, pooled): ([Data], [Data]) = ([], [])
        try Decoding(path, threads: threads, pool: nil).run { frame in
            if let frame { own.append(Self.picture(frame)) }
        }
        let pool = FramePool()
        var isUsed = true
        try Decoding(path, threads: threads, pool: pool).run { frame in
            guard let frame, let buffer = frame.pointee.buf.0 else { return }
            pooled.append(Self.picture(frame))
            isUsed = isUsed && av_buffer_get_opaque(buffer) == Unmanaged.passUnretained(pool).toOpaque()
        }
        // dav1d has a pool of its own.
        #expect(isUsed == (film.name != "av1.mkv"))
        #expect(own.count == 12 && own.allSatisfy { !$0.isEmpty })
        #expect(pooled == own)
        #expect(pool.freeBytes == 0, "nothing is kept beyond the decoder")
    }

    @Test("Beyond the memory budget the decoder gets no frame, and what was taken is returned")
    func budget() throws {
        let film = Self.films[0]
        let path = try Clips.file(
            "pool-budget.mkv", ffmpeg: Self.noise(12, size: film.size, format: film.format) + film.codec)
        let bytes = ByteBudget(limit: 5 * 322 * 182 * 3 / 2)
        let pool = FramePool(budget: bytes)
        var kept: [UnsafeMutablePointer<AVFrame>?] = []
        defer { for index in kept.indices { av_frame_free(&kept[index]) } }
        let decoding = try Decoding(path, threads: 1, pool: pool)
        decoding.run { frame in
            kept.append(frame)
            frame = nil
        }
        #expect(pool.takeRefusal() && !pool.takeRefusal() && !kept.isEmpty && kept.count < 6)
        #expect(bytes.used > 0 && bytes.used <= bytes.limit)
        decoding.close()
        for index in kept.indices { av_frame_free(&kept[index]) }
        #expect(bytes.used == 0)
    }

    @Test("Buffers no longer needed at once are freed, and the others are reused")
    func givenBack() throws {
        let path = try Clips.file(
            "pool-long.mkv",
            ffmpeg: Self.noise(3 * PoolTrimmer.interval, size: "64x48", format: "yuv420p") + [
                "-c:v", "mpeg4", "-g", "12",
            ])
        let pool = FramePool()
        let decoding = try Decoding(path, threads: 1, pool: pool)
        var (held, places): ([UnsafeMutablePointer<AVFrame>?], Set<UnsafeMutablePointer<UInt8>?>) = ([], [])
        var (count, most, size) = (0, 0, 0)
        decoding.run { frame in
            count += 1
            size = (frame?.pointee.buf.0?.pointee.size ?? 0) + FramePool.alignment
            places.insert(frame?.pointee.data.0)
            if count <= 20 {
                held.append(frame)
                frame = nil
            } else {
                for index in held.indices { av_frame_free(&held[index]) }
                held = []
            }
            most = max(most, pool.freeBytes)
        }
        #expect(count == 3 * PoolTrimmer.interval)
        #expect(size > 64 * 48 * 3 / 2)
        #expect(most >= 19 * size, "they were there")
        #expect(pool.freeBytes <= 3 * size, "and are not")
        #expect(places.count < 40, "each is used again and again")
        decoding.close()
        #expect(pool.freeBytes == 0)
    }

    @Test("Converted frames' buffers that are no longer needed are freed, too")
    func pictures() {
        let (size, pool) = (1 << 20, PixelBufferPool())
        func pair() -> Set<UnsafeMutableRawPointer> {
            let first = pool.take(byteCount: size)
            let second = pool.take(byteCount: size)
            return [first.memory, second.memory]
        }
        var held: [Int: PixelBufferHolder] = [:]
        for index in 0..<4 { held[index] = PixelBufferHolder(pool.take(byteCount: size)) }
        held = [:]
        #expect(pool.idleCount == 4)
        for _ in 0..<PoolTrimmer.interval { _ = pair() }
        #expect(pool.idleCount == 2)
        // Two are needed, again and again, and stay the same.
        let used = pair()
        for _ in 0..<PoolTrimmer.interval * 2 { #expect(pair() == used) }
    }

    @Test("For frames of changing size buffers only grow, and smaller ones are freed")
    func growing() {
        let pool = PixelBufferPool(onlyGrows: true)
        func take(_ byteCount: Int) -> (memory: UnsafeMutableRawPointer, byteCount: Int) {
            let buffer = pool.take(byteCount: byteCount)
            return (buffer.memory, buffer.byteCount)
        }
        let large = take(1 << 20)
        for byteCount in [1 << 19, 0, 100, 1 << 20] { #expect(take(byteCount) == large) }
        let small = PixelBufferHolder(pool.take(byteCount: 7))
        #expect(small.buffer.byteCount == 1 << 20)
        #expect(take(1 << 21).byteCount == 1 << 21)
        #expect(pool.idleCount == 1)
        _ = consume small
        #expect(pool.idleCount == 1 && take(5).byteCount == 1 << 21)
    }

    private final class PixelBufferHolder {
        let buffer: PixelBuffer
        init(_ buffer: consuming PixelBuffer) { self.buffer = buffer }
    }

    @Test("Frames outlive their decoder and their pool")
    func outlived() throws {
        let path = try Clips.file(
            "pool-outlived.mkv",
            ffmpeg: Self.noise(8, size: "322x182", format: "yuv420p") + ["-c:v", "libx264", "-preset", "ultrafast"])
        var (held, pictures): ([UnsafeMutablePointer<AVFrame>?], [Data]) = ([], [])
        weak var gone: FramePool?
        do {
            let pool = FramePool()
            gone = pool
            try Decoding(path, threads: 2, pool: pool).run { frame in
                if let frame { pictures.append(Self.picture(frame)) }
                held.append(frame)
                frame = nil
            }
        }
        #expect(gone != nil, "its frames keep it")
        #expect(held.map { $0.map(Self.picture) } == pictures)
        #expect(held.count == 8)
        for index in held.indices { av_frame_free(&held[index]) }
        #expect(gone == nil)
    }

    @Test("A video that changes its size keeps playing, and buffers of the old size are freed")
    func resized() throws {
        let sizes = ["96x64", "322x182", "64x48"]
        let path = try Clips.file("pool-sizes.ts") { path in
            var joined = Data()
            for size in sizes {
                joined += try Clips.bytes(
                    Clips.file(
                        "pool-\(size).ts",
                        ffmpeg: Self.noise(10, size: size, format: "yuv420p") + [
                            "-c:v", "libx264", "-preset", "ultrafast",
                        ]))
            }
            try joined.write(to: URL(fileURLWithPath: path))
        }
        for threads in [1, 3] as [CInt] {
            var (own, pooled): ([Data], [Data]) = ([], [])
            try Decoding(path, threads: threads, pool: nil).run { frame in
                if let frame { own.append(Self.picture(frame)) }
            }
            let pool = FramePool()
            let decoding = try Decoding(path, threads: threads, pool: pool)
            var last = 0
            decoding.run { frame in
                if let frame { pooled.append(Self.picture(frame)) }
                last = frame?.pointee.buf.0?.pointee.size ?? 0
            }
            #expect(Set(own.map(\.count)).count == 3)
            #expect(pooled == own)
            // Each block has its own size before the frame.
            let block = last + FramePool.alignment
            #expect(last > 0 && pool.freeBytes % block == 0 && pool.freeBytes <= 12 * block)
        }
    }

    @Test("An impossible frame size is an error and no crash")
    func absurd() throws {
        let codec = try #require(avcodec_find_decoder(AV_CODEC_ID_MPEG4))
        var context = avcodec_alloc_context3(codec)
        defer { avcodec_free_context(&context) }
        let open = try #require(context)
        (open.pointee.width, open.pointee.height) = (64, 48)
        try #require(avcodec_open2(open, codec, nil) >= 0)
        for (width, height) in [(CInt.max, 2), (2, CInt.max), (CInt.max, CInt.max), (1 << 26, 1 << 26)]
            as [(CInt, CInt)]
        {
            #expect(FramePool.Layout(open, format: AV_PIX_FMT_YUV420P, width: width, height: height) == nil)
        }
        #expect(FramePool.Layout(open, format: AV_PIX_FMT_VAAPI, width: 64, height: 48) == nil)
        #expect(FramePool.Layout(open, format: AV_PIX_FMT_PAL8, width: 64, height: 48) == nil)
        #expect(FramePool.Layout(open, format: AV_PIX_FMT_NONE, width: 64, height: 48) == nil)
    }

    @Test("Planes are laid out one after another with the alignment that decoders need", arguments: 1..<70)
    func aligned(width: Int) throws {
        let codec = try #require(avcodec_find_decoder(AV_CODEC_ID_H264))
        var context = avcodec_alloc_context3(codec)
        defer { avcodec_free_context(&context) }
        let open = try #require(context)
        try #require(avcodec_open2(open, codec, nil) >= 0)
        for format in [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_GBRP, AV_PIX_FMT_GRAY8, AV_PIX_FMT_NV12] {
            open.pointee.pix_fmt = format
            let height = CInt(90 - width)
            let layout = try #require(FramePool.Layout(open, format: format, width: CInt(width), height: height))
            var (columns, rows) = (CInt(width), height)
            var alignments = [CInt](repeating: 1, count: 8)
            avcodec_align_dimensions2(open, &columns, &rows, &alignments)
            let planes = Int(av_pix_fmt_count_planes(format))
            var sizes = [Int](repeating: 0, count: 4)
            av_image_fill_plane_sizes(&sizes, format, rows, layout.strides.map { Int($0) })
            for plane in 0..<planes {
                let (stride, offset) = (layout.strides[plane], layout.offsets[plane])
                #expect(
                    stride % alignments[plane] == 0 && stride >= av_image_get_linesize(format, columns, CInt(plane)))
                #expect(offset % FramePool.alignment == 0 && offset >= FramePool.alignment)
                let next = plane + 1 < planes ? layout.offsets[plane + 1] : layout.size
                #expect(offset + sizes[plane] + 64 <= next)
            }
        }
    }
}
