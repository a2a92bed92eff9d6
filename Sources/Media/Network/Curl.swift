import CCURL

/// The functions of libcurl, which is loaded when the first web URL is opened.
enum Curl {
    /// The functions of the library; nil if the library is not installed or lacks one of them.
    static let library: GlissadeCurl? = {
        var library = GlissadeCurl()
        return glissade_load_curl(&library) != 0 ? library : nil
    }()
}
