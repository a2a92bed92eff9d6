import GlissadeDanmaku
import GlissadeDanmakuFiles
import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeTestSupport
import Testing
import GlissadeTime

@Suite("Files of comments in Bilibili's format") struct CommentFileTests {
    static func read(_ xml: String) throws(CommentFile.Failure) -> CommentFile { try CommentFile(Array(xml.utf8)) }

    @Test("A comment's time, kind, size, color, user and text are read")
    func aCommentIsRead() throws {
        let file = try Self.read(
            """
            <?xml version="1.0" encoding="UTF-8"?><i><chatid>1</chatid>
            <d p="12.5,1,25,16711680,1600000000,0,1a2b,77">Hello &amp; 你好</d></i>
            """)
        #expect(
            file.comments == [
                MovingComment(
                    time: MediaTime(seconds: 12.5), text: "Hello & 你好", color: Color(red: 1, green: 0, blue: 0),
                    user: "1a2b")
            ])
        #expect(file.skippedCount == 0)
    }

    @Test(
        "The mode of a comment determines its kind",
        arguments: [
            (1, MovingComment.Kind.leftward), (2, .leftward), (3, .leftward), (4, .bottom), (5, .top), (6, .rightward),
        ])
    func modeDeterminesKind(mode: Int, kind: MovingComment.Kind) throws {
        #expect(try Self.read("<i><d p='1,\(mode),25,0,0,0,u,1'>x</d></i>").comments.map(\.kind) == [kind])
    }

    @Test("The comments of a file whose end is missing are read, and the file counts as damaged")
    func damaged() throws {
        let whole = "<i><d p='1,1,25,0'>a</d><d p='2,1,25,0'>b</d></i>"
        #expect(try !Self.read(whole).isDamaged)
        let careless = try Self.read("<i><d p='1,1,25,0'>a&b</d><d p='2,1,25,0'>c\u{8}d &nbsp;</d></i>\n")
        #expect(!careless.isDamaged && careless.comments.count == 2)
        for end in ["</i>", "<d p='2,1,25,0'>b</d></i>", "'>b</d></i>", ">"] {
            let start = try #require(whole.range(of: end, options: .backwards)).lowerBound
            let file = try Self.read(String(whole[..<start]))
            #expect(file.isDamaged && file.comments.first?.text == "a", "without \(end)")
        }
    }

    @Test("Comments with modes 7, 8 and 9 are skipped and counted")
    func otherModesAreSkipped() throws {
        let file = try Self.read(
            "<i><d p='1,7,25,0'>a</d><d p='1,8,25,0'>b</d><d p='1,9,25,0'>c</d><d p='1,1,25,0'>d</d></i>")
        #expect(file.comments.map(\.text) == ["d"])
        #expect(file.skippedCount == 3)
    }

    @Test(
        "A comment with an absurd time is skipped",
        arguments: ["-1", "nan", "inf", "", "one", "1e999", "-0.001"])
    func absurdTimesAreSkipped(time: String) throws {
        let file = try Self.read("<i><d p='\(time),1,25,0'>a</d></i>")
        #expect(file.comments.isEmpty && file.skippedCount == 1)
    }

    @Test(
        "A comment with an absurd color is white, and one with an absurd size has the usual size",
        arguments: ["-5", "nan", "1e300", "99999999999999999999", "red", ""])
    func absurdStylesAreReplaced(value: String) throws {
        let comment = try #require(try Self.read("<i><d p='1,1,\(value),\(value)'>a</d></i>").comments.first)
        #expect(comment.color == Color(red: 1, green: 1, blue: 1))
        #expect(comment.size.isFinite && comment.size > 0)
    }

    @Test("The text of a comment is cut after 1,000 characters")
    func longTextIsCut() throws {
        let file = try Self.read("<i><d p='1,1,25,0'>\(String(repeating: "長", count: 10240))</d></i>")
        #expect(file.comments.map(\.text) == [String(repeating: "長", count: 1000)])
    }

    @Test("A comment without visible text is skipped")
    func emptyTextIsSkipped() throws {
        let file = try Self.read("<i><d p='1,1,25,0'> \n </d><d p='1,1,25,0'/></i>")
        #expect(file.comments.isEmpty && file.skippedCount == 2)
    }

    @Test("A CDATA section is text")
    func cdataIsText() throws {
        #expect(try Self.read("<i><d p='1,1,25,0'><![CDATA[a<b]]></d></i>").comments.map(\.text) == ["a<b"])
    }

    @Test("The comments before the end of a truncated file are kept")
    func truncatedFileIsReadToItsEnd() throws {
        #expect(try Self.read("<i><d p='1,1,25,0'>a</d><d p='2,1,25,0'>b</d><d p='3,1").comments.count == 2)
    }

    @Test("A control character in the text does not lose the comments after it")
    func controlCharactersAreSurvived() throws {
        let file = try Self.read("<i><d p='1,1,25,0'>a\u{8}b</d><d p='2,1,25,0'>c</d></i>")
        #expect(file.comments.last?.text == "c")
    }

    @Test("A file with a document type is refused, so that no entity is expanded")
    func documentTypesAreRefused() {
        var entities = "<!ENTITY a0 'lol'>"
        for level in 1...9 {
            entities += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
        }
        #expect(throws: CommentFile.Failure.noComments) {
            try Self.read(
                """
                <?xml version="1.0"?><!DOCTYPE i [\(entities)<!ENTITY x SYSTEM "file:///etc/passwd">]>
                <i><d p='1,1,25,0'>&a9;</d><d p='1,1,25,0'>&x;!</d><d p='2,1,25,0'>after</d></i>
                """)
        }
    }

    @Test("A tag with hundreds of thousands of attributes ends the file, and the comments before it are kept")
    func attributesAreLimited() throws {
        let attributes = (0..<350_000).map { "a\($0)=''" }.joined(separator: " ")
        let file = try Self.read(
            "<i><d p='1,1,25,0'>before</d><d \(attributes) p='2,1,25,0'>b</d><d p='3,1,25,0'>c</d></i>")
        #expect(file.comments.map(\.text) == ["before"])
    }

    @Test("Equals signs in texts and values are not counted as attributes")
    func equalsSignsAreText() throws {
        let comment = "<d p='1,1,25,0' x='=>=\"='>\(String(repeating: "=", count: 5000))</d>"
        let file = try Self.read("<i>\(String(repeating: comment, count: 100))</i>")
        #expect(file.comments.count == 100)
    }

    @Test("A file in an encoding that hides its markup is refused", arguments: ["UTF-7", "utf-16", "x", "EBCDIC-US"])
    func encodingsAreLimited(name: String) throws {
        let comment = "<i><d p='1,1,25,0'>text</d></i>"
        #expect(throws: CommentFile.Failure.noComments) {
            try Self.read("<?xml version='1.0' encoding='\(name)'?>\(comment)")
        }
        for name in ["UTF-8", "gb18030", "ISO-8859-1"] {
            let file = try Self.read("<?xml version=\"1.0\" encoding=\"\(name)\"?>\(comment)")
            #expect(file.comments.count == 1, "\(name)")
        }
    }

    @Test("A file whose tags have many attributes each is read only in part")
    func comparisonsAreLimited() throws {
        let attributes = (0..<5000).map { "a\($0)=''" }.joined(separator: " ")
        let tag = "<d p='1,1,25,0'>a</d><e \(attributes)/>"
        let file = try Self.read("<i>\(String(repeating: tag, count: 20))</i>")
        #expect((1..<20).contains(file.comments.count))
    }

    @Test(
        "A file without comments is refused",
        arguments: ["", "not XML", "<movie><title>Film</title></movie>", "<i></i>", "<d>no attributes</d>"])
    func otherFilesAreRefused(contents: String) {
        #expect(throws: CommentFile.Failure.noComments) { try Self.read(contents) }
    }

    @Test("Random bytes are refused or read without a crash")
    func randomBytesAreSurvived() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            var bytes = Array("<i><d p='1,1,25,0'>abc</d><d p='2,4,18,255,0,0,u,1'>\u{1F600}</d></i>".utf8)
            for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255) }
            if let file = try? CommentFile(bytes) { #expect(file.comments.count <= 2) }
        }
    }

    @Test("100,000 comments are read")
    func manyCommentsAreRead() throws {
        var xml = "<i>"
        for index in 0..<100_000 {
            xml += "<d p='\(index / 30),1,25,16777215,0,0,u\(index % 50),\(index)'>x\(index)</d>"
        }
        let file = try Self.read(xml + "</i>")
        #expect(file.comments.count == 100_000)
        #expect(file.comments.last?.text == "x99999")
    }

    @Test("More than 200,000 comments are skipped")
    func tooManyCommentsAreSkipped() throws {
        let xml = "<i>" + String(repeating: "<d p='1,1,25,0'>x</d>", count: 200_010) + "</i>"
        let file = try Self.read(xml)
        #expect(file.comments.count == 200_000 && file.skippedCount == 10)
    }

    @Test("A missing file, a folder and a device are refused with the reason")
    func unreadableFilesAreRefused() throws {
        #expect(throws: CommentFile.Failure.unreadable(.missing)) { try CommentFile(BytePath("/nonexistent.xml")) }
        #expect(throws: CommentFile.Failure.unreadable(.folder)) { try CommentFile(BytePath("/")) }
        #expect(throws: CommentFile.Failure.unreadable(.notRegular)) { try CommentFile(BytePath("/dev/zero")) }
    }

    @Test("The files beside a video are named after it")
    func pathsBesideAVideo() {
        #expect(
            CommentFile.paths(beside: BytePath("/films/film.1.mkv")).map(\.displayPath) == [
                "/films/film.1.danmaku.xml", "/films/film.1.xml",
            ])
    }
}
