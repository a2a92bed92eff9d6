import CCURL

/// libcurl, loaded when the first address is opened.
enum Curl {
    /// Nil where the library is not there.
    static let library: GlissadeCurl? = {
        var library = GlissadeCurl()
        return glissade_load_curl(&library) != 0 ? library : nil
    }()
}
