import Testing

@testable import GlissadeMedia

@Suite("The automatic choice of a variant")
struct VariantChoiceTests {
    private let ladder = [
        StreamVariant(videoTrack: 6, height: 1080, frameRate: 25, bitRate: 5_000_000),
        StreamVariant(videoTrack: 4, height: 720, frameRate: 50, bitRate: 3_000_000),
        StreamVariant(videoTrack: 2, height: 720, frameRate: 25, bitRate: 2_000_000),
        StreamVariant(videoTrack: 0, height: 240, frameRate: 25, bitRate: 300_000),
    ]

    @Test(
        "The best variant whose bit rate is under 0.8 of the measured rate is chosen",
        arguments: [
            (100_000_000, 0), (6_250_001, 0), (6_250_000, 1), (3_750_001, 1), (3_750_000, 2), (2_000_000, 3), (1, 3),
        ])
    func rate(bits: Int, index: Int) {
        #expect(VariantChoice.best(of: ladder, rate: Double(bits), lines: nil) == index)
    }

    @Test(
        "A variant has no more lines than the screen",
        arguments: [(2160, 0), (1080, 0), (1079, 1), (240, 3), (10, 3)])
    func lines(lines: Int, index: Int) {
        #expect(VariantChoice.best(of: ladder, rate: 1e9, lines: lines) == index)
        #expect(VariantChoice.best(of: ladder, rate: nil, lines: lines) == index)
    }

    @Test("Variants that cannot be played are never chosen")
    func excluding() {
        #expect(VariantChoice.best(of: ladder, rate: 1e9, lines: nil, excluding: [0, 1]) == 2)
        #expect(VariantChoice.best(of: ladder, rate: 1, lines: nil, excluding: [3]) == 2)
        #expect(VariantChoice.best(of: ladder, rate: 1, lines: nil, excluding: [0, 1, 2, 3]) == nil)
        #expect(VariantChoice.best(of: [], rate: 1, lines: nil) == nil)
    }

    @Test("Absurd properties count as unknown, and an absurd rate chooses some variant")
    func absurd() {
        let variants = [Int.min, -1, 0, Int.max].enumerated().map {
            StreamVariant(videoTrack: $0, height: $1, frameRate: .nan, bitRate: $1)
        }
        #expect(variants.allSatisfy { $0.height == nil && $0.bitRate == nil && $0.frameRate == nil })
        for rate in [0, -1, .infinity, -.infinity, .nan, 1e300] {
            #expect(VariantChoice.best(of: variants + ladder, rate: rate, lines: .min) != nil)
            #expect(VariantChoice.best(of: ladder, rate: rate, lines: .max) != nil)
        }
    }

    @Test("Hundreds of variants are cut to the best ones, and the one that plays is kept")
    func many() {
        let variants = (0..<500).map {
            StreamVariant(videoTrack: $0, height: 100 + $0, frameRate: 25, bitRate: 1000 + $0)
        }
        let sorted = StreamVariant.sorted(variants + variants, keeping: 3)
        #expect(sorted.count == StreamVariant.limit)
        #expect(sorted.first?.videoTrack == 499)
        #expect(sorted.last?.videoTrack == 3)
        #expect(StreamVariant.sorted([variants[0], variants[0]], keeping: 0).isEmpty)
    }

    @Test("The audio of another variant is the track with the same language or the same place")
    func audio() {
        func track(_ index: Int, _ language: String? = nil) -> MediaInfo.Track {
            MediaInfo.Track(
                index: index, kind: .audio(sampleRate: 48000, channelLayout: "stereo"), codec: "aac", profile: nil,
                sampleFormat: nil, language: language, title: nil, bitRate: nil, isDefault: false)
        }
        var info = MediaInfo(
            container: "hls", duration: nil, startTime: .zero, bitRate: nil, byteCount: nil, isSeekable: true,
            tracks: [track(0, "en"), track(1, "de"), track(2, "de"), track(3, "en"), track(4)], chapters: [],
            title: nil, videoTrack: 10, audioTrack: 1)
        info.variants = [
            StreamVariant(videoTrack: 10, audioTracks: [0, 1], height: 2, frameRate: nil, bitRate: nil),
            StreamVariant(videoTrack: 11, audioTracks: [2, 3], height: 1, frameRate: nil, bitRate: nil),
        ]
        #expect(info.variant == 0)
        #expect(info.audioTrack(0, inVariant: 1) == 3)
        #expect(info.audioTrack(1, inVariant: 1) == 2)
        #expect(info.audioTrack(2, inVariant: 1) == 2)
        #expect((0..<5).filter(info.isAudioOfVariant) == [0, 1, 4])
        info.useVariant(1)
        #expect(info.variant == 1 && info.audioTrack == 2)
        #expect((0..<5).filter(info.isAudioOfVariant) == [2, 3, 4])
    }
}

@Suite("The measured rate of a connection")
struct RateMeterTests {
    @Test("The rate is that of the bytes in the time that they took, and recent samples count most")
    func rate() throws {
        var meter = RateMeter()
        #expect(meter.bitsPerSecond == nil)
        meter.add(100, in: .seconds(1))
        #expect(meter.bitsPerSecond == nil)
        for _ in 0..<10 { meter.add(1_000_000, in: .seconds(1)) }
        let steady = try #require(meter.bitsPerSecond)
        #expect(abs(steady - 8_000_000) < 1)
        for _ in 0..<6 { meter.add(1_000_000, in: .seconds(10)) }
        #expect(try #require(meter.bitsPerSecond) < 900_000)
    }

    @Test("Absurd samples are ignored or bounded")
    func absurd() throws {
        var meter = RateMeter()
        meter.add(.max, in: .zero)
        meter.add(.min, in: .seconds(1))
        meter.add(1 << 20, in: .seconds(-1))
        let rate = try #require(meter.bitsPerSecond)
        #expect(rate.isFinite && rate > 0)
    }
}
