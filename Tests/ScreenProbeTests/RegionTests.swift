import Testing
import GlissadeScreenProbe

@Suite("Regions and columns") struct RegionTests {
    @Test("A region is parsed with and without its name")
    func read() {
        #expect(Region("1,2,30,40") == Region(name: "picture", x: 1..<31, y: 2..<42))
        #expect(Region("bar=0,630,160,90") == Region(name: "bar", x: 0..<160, y: 630..<720))
    }

    @Test(
        "Malformed regions are refused",
        arguments: ["", "=", "1,2,3", "1,2,3,4,5", "a,b,c,d", "=1,2,3,4", "x=1,2,3", "-1,0,5,5", "0,0,0,5", "0,0,5,-5"])
    func refused(text: String) { #expect(Region(text) == nil) }

    @Test("A column is a percentage or an offset from the left edge, within its region")
    func columns() throws {
        let region = try #require(Region("100,0,200,50"))
        #expect(Column("90%")?.place(in: region) == 280)
        #expect(Column("0%")?.place(in: region) == 100)
        #expect(Column("100%")?.place(in: region) == 299)
        #expect(Column("12")?.place(in: region) == 112)
        #expect(Column("200")?.place(in: region) == nil)
        for text in ["", "%", "101%", "-1%", "-1", "x", "1.5", "nan%"] { #expect(Column(text) == nil, "\(text)") }
    }
}
