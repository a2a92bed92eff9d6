import CCURL

/// libcurl, loaded when the first URL is opened.
enum Curl {
    /// Nil if the library is not installed.
    static let library: GlissadeCurl? = {
        var library = GlissadeCurl()
        return glissade_load_curl(&library) != 0 ? library : nil
    }()
}
