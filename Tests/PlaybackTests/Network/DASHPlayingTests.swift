import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A film of 40 seconds in segments of a second, with two variants and two audio tracks.
@MainActor @Suite("DASH streams from web servers", .serialized)
struct DASHPlayingTests {
    private func harness(
        _ kind: StreamVariants.DASHKind, lines: Int? = nil, audio: PlayerOptions.Audio = .none
    ) throws -> (PlaybackHarness, HostileServer) {
        try StreamVariants.makeDASH(kind)
        let server = try Web.server()
        var options = PlayerOptions()
        options.network = Web.rules()
        options.screenLines = lines
        return (PlaybackHarness(server.address("/" + kind.name), options: options, audio: audio), server)
    }

    /// Makes a copy of the manifest with a timeline, in which `texts` are replaced, and returns its name.
    private func manifest(_ name: String, _ texts: [String: String]) throws -> String {
        try StreamVariants.makeDASH(.timeline)
        var text = try String(contentsOfFile: Clips.folder.path + "/dash-timeline.mpd", encoding: .utf8)
        for (old, new) in texts { text = text.replacingOccurrences(of: old, with: new) }
        _ = try Clips.file(name + ".mpd", data: Data(text.utf8))
        return name + ".mpd"
    }

    @Test(
        "A DASH stream lists its variants, can be sought, and plays to its end",
        arguments: StreamVariants.DASHKind.allCases)
    func playing(kind: StreamVariants.DASHKind) throws {
        let (harness, server) = try harness(kind)
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.container == "dash")
        #expect(info.isSeekable)
        #expect(abs((info.duration ?? .zero).inSeconds - 40) < 0.1)
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(info.variants.map(\.frameRate) == [25, 25])
        #expect(info.variants[0].bitRate ?? 0 > info.variants[1].bitRate ?? .max)
        #expect(info.variants.allSatisfy { $0.audioTracks.count == 2 })
        #expect(harness.nextFrame()?.number == 0)
        // The stream begins with audio, 21 ms before the first frame.
        #expect(harness.seek(to: .milliseconds(5030))?.number == 125)
        #expect(harness.seek(to: .zero)?.number == 0)
        harness.expectEnding()
        _ = consume server
    }

    @Test("A change of variant continues with the next frame, and keeps audio playing")
    func joining() throws {
        let (harness, server) = try harness(.timeline, lines: 100, audio: .silent)
        harness.open()
        #expect(harness.run { harness.shown.count >= 10 })
        #expect(harness.last?.codedSize.height == 90)
        #expect(harness.player.selectQuality(.variant(0), now: harness.now))
        #expect(harness.run(toHeight: 180))
        #expect(harness.isContinuous())
        #expect(harness.player.generation == 0 && harness.player.audioGeneration == 0)
        #expect(harness.problems.isEmpty)
        _ = consume server
    }

    @Test("The audio tracks have the languages of the manifest, and can be chosen")
    func languages() throws {
        let commentary = "<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\"commentary\"/>"
        let name = try manifest(
            "dash-languages",
            [
                "lang=\"eng\"": "lang=\"en\"", "lang=\"deu\"": "lang=\"de\"",
                "<Representation id=\"3\"": commentary + "<Representation id=\"3\"",
            ])
        let server = try Web.server()
        var options = PlayerOptions()
        options.network = Web.rules()
        let harness = PlaybackHarness(server.address("/" + name), options: options, audio: .silent)
        harness.open()
        #expect(harness.player.audioTracks.map(\.language) == ["en", "de"])
        #expect(harness.player.audioTracks.map(\.title) == [nil, "Commentary"])
        #expect(harness.run { harness.shown.count >= 5 })
        let other = try #require(harness.player.audioTracks.last?.index)
        harness.player.selectAudioTrack(other, now: harness.now)
        let count = harness.shown.count
        #expect(harness.run { harness.shown.count >= count + 25 })
        #expect(harness.player.selectedAudioTrack == other)
        #expect(try server.log().contains { $0.hasPrefix("/dash-timeline-3-001") })
        #expect(harness.problems.isEmpty)
    }

    @Test("A variant of which nothing can be read is not listed, wherever it is in the manifest")
    func missing() throws {
        for id in [0, 1] {
            let old = "<Representation id=\"\(id)\""
            let name = try manifest("dash-missing-\(id)", [old: "<Representation id=\"missing\""])
            let server = try Web.server()
            let harness = Web.harness(server.address("/" + name))
            let info = try #require(harness.open(), "\(harness.player.state)")
            #expect(info.variants.isEmpty)
            #expect(info.codedSize?.height == StreamVariants.heights[1 - id])
            #expect(harness.run { harness.shown.count >= 25 })
            #expect(harness.isContinuous())
        }
        let name = try manifest("dash-nothing", ["dash-timeline-": "no-such-"])
        let server = try Web.server()
        #expect(Web.refusal(server.address("/" + name)) == "HTTP error 404 Not Found")
    }

    @Test("A variant whose index or initialization is missing is not listed")
    func missingStart() throws {
        try StreamVariants.makeDASH(.index)
        let folder = Clips.folder.path
        let index = try String(contentsOfFile: folder + "/dash-index.mpd", encoding: .utf8)
        _ = try Clips.file(
            "dash-no-index.mpd", data: Data(index.replacingOccurrences(of: "dash-index-0", with: "no-such").utf8))
        let template = try manifest("dash-no-start", ["$RepresentationID$-init": "$RepresentationID$-no-such"])
        let server = try Web.server()
        let harness = Web.harness(server.address("/dash-no-index.mpd"))
        let info = try #require(harness.open(), "\(harness.player.state)")
        #expect(info.variants.isEmpty && info.codedSize?.height == StreamVariants.heights[1])
        #expect(harness.run { harness.shown.count >= 25 })
        #expect(Web.refusal(server.address("/" + template)) == "HTTP error 404 Not Found")
        let nothing = index.replacingOccurrences(of: "dash-index-", with: "no-such-")
        _ = try Clips.file("dash-no-indexes.mpd", data: Data(nothing.utf8))
        #expect(Web.refusal(server.address("/dash-no-indexes.mpd")) == "HTTP error 404 Not Found")
        let requests = try server.log().filter { $0.contains("no-such") || $0.contains("timeline-") }
        #expect(Set(requests).count == requests.count)
        #expect(!requests.contains { $0.contains("-001.m4s") })
    }

    @Test("If the indexes come too late, the reason is that the server does not respond")
    func lateIndexes() throws {
        try StreamVariants.makeDASH(.index)
        let index = try String(contentsOfFile: Clips.folder.path + "/dash-index.mpd", encoding: .utf8)
        let late = index.replacingOccurrences(of: "dash-index-", with: "silent/dash-index-")
        _ = try Clips.file("dash-late.mpd", data: Data(late.utf8))
        let server = try Web.server()
        let rules = Web.rules { $0.answerTimeout = .milliseconds(500) }
        #expect(Web.refusal(server.address("/dash-late.mpd"), rules) == "127.0.0.1 does not respond")
        #expect(try server.log().count == 2)
    }

    @Test("A manifest behind a long comment plays")
    func comment() throws {
        let comment = "<!--" + String(repeating: "x", count: 40_000) + "-->"
        let name = try manifest("dash-comment", ["<MPD": comment + "<MPD"])
        let server = try Web.server()
        for location in [
            server.address("/" + name), server.address("/no-ranges/" + name), Clips.folder.path + "/" + name,
        ] {
            let harness = Web.harness(location)
            #expect(harness.open()?.container == "dash", "\(harness.player.state)")
            #expect(harness.nextFrame()?.number == 0)
        }
    }

    @Test("A last segment that exists only by the rounded duration does not end the film with an error")
    func optionalSegment() throws {
        try StreamVariants.makeDASH(.numbers)
        let text = try String(contentsOfFile: Clips.folder.path + "/dash-numbers.mpd", encoding: .utf8)
        let longer = text.replacingOccurrences(
            of: "mediaPresentationDuration=\"[^\"]*\"", with: "mediaPresentationDuration=\"PT40.5S\"",
            options: .regularExpression)
        _ = try Clips.file("dash-longer.mpd", data: Data(longer.utf8))
        let server = try Web.server()
        let harness = Web.harness(server.address("/dash-longer.mpd"))
        harness.open()
        harness.seek(to: .seconds(38))
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 999 & 255)
        #expect(harness.player.state == .ended)
        #expect(harness.problems.isEmpty)
    }

    @Test("What cannot be played is refused with its reason, and nothing else is requested")
    func refusals() throws {
        let texts = [
            "live": ("type=\"static\"", "type=\"dynamic\"", "live DASH streams are not supported"),
            "locked": (
                "<SegmentTemplate", "<ContentProtection/><SegmentTemplate", "it is encrypted, which is not supported"
            ),
            "cut": ("</MPD>", "", "its DASH manifest is damaged"),
            "local": ("media=\"", "media=\"file:///", "its DASH manifest contains an invalid address"),
            "inner": ("media=\"", "media=\"glissade-dash://video/", "its DASH manifest contains an invalid address"),
        ]
        for (name, (old, new, reason)) in texts {
            let name = try manifest("dash-" + name, [old: new])
            let server = try Web.server()
            #expect(Web.refusal(server.address("/" + name)) == reason, "\(name)")
            #expect(try server.log() == ["/" + name])
        }
        // A playlist cannot name those that a manifest is translated into.
        for target in ["glissade-dash://main", "glissade-dash://video/0"] {
            let name = "inner-\(target.utf8.count).m3u8"
            _ = try Clips.file(name, data: Data(StreamVariants.master([(target, 160, 90, 1)]).utf8))
            let server = try Web.server()
            #expect(Web.refusal(server.address("/" + name)) != nil)
            #expect(try server.log() == ["/" + name])
        }
    }
}
