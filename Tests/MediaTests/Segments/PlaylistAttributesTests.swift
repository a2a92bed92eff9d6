import Testing

@testable import GlissadeMedia

@Suite("The attributes of tags in HLS playlists")
struct PlaylistAttributesTests {
    private func address(_ text: String) -> String? {
        PlaylistAttributes.value("URI", in: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "The value of an attribute is found wherever it is, and however it is written",
        arguments: [
            ("URI=\"a.mp4\"", "a.mp4"), ("BYTERANGE=\"9@0\",URI=\"a,b=c\"", "a,b=c"), ("URI=a.mp4", "a.mp4"),
            ("METHOD=AES-128,URI=http://h/k,IV=0x1", "http://h/k"), ("X=\"URI=\",URI=\"b\"", "b"),
            ("X=\",URI=\",URI=b", "b"), ("URI=\"a\",URI=\"b\"", "b"), ("URI=\"a\",URI=b c", "b"),
            (" ,\t,URI=\"a\"", "a"), ("X=1 URI=a", "a"), ("URI=\"a\\\"b\\\\c\"", "a\"b\\c"), ("URI=", ""),
            ("URI=\"a", "a"),
            ("URI=\"a\\", "a"), ("X=\\\",URI=a", "a"),
        ])
    func values(text: String, value: String) { #expect(address(text) == value) }

    @Test(
        "A part of another attribute is not taken for the attribute",
        arguments: [
            "", "URI", "XURI=a", "X-URI=\"a\"", "uri=a", "X=\"URI=a\"", "X=\"a\\\",URI=b\"", "=", "===", "\"URI=a\"",
        ])
    func others(text: String) { #expect(address(text) == nil) }
}
