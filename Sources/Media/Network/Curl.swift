import CCURL

/// The libcurl functions, loaded when the first web URL is opened.
enum Curl {
    /// The functions; nil if the library is not installed.
    static let library: GlissadeCurl? = {
        var library = GlissadeCurl()
        return glissade_load_curl(&library) != 0 ? library : nil
    }()
}
