import GlissadeCCURL

/// The functions of libcurl, which is loaded on first use.
enum Curl {
    /// The functions of the library; nil if the library is not installed or lacks one of the functions.
    static let library: GlissadeCurl? = {
        var library = GlissadeCurl()
        return glissade_load_curl(&library) != 0 ? library : nil
    }()
}
