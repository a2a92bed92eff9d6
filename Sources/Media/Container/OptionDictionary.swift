import CFFmpeg
import Glibc

/// Options for FFmpeg by their names, as it takes them where it opens something.
package struct OptionDictionary: ~Copyable {
    /// What FFmpeg is given; it takes out the options that it knows.
    package var pointer: OpaquePointer?

    package init() {}

    deinit {
        var pointer = pointer
        av_dict_free(&pointer)
    }

    /// FFmpeg's code: an option that could not be set, for want of memory, must not be forgotten.
    package mutating func set(_ name: String, _ value: String) -> CInt { av_dict_set(&pointer, name, value, 0) }
}

/// FFmpeg's code for having no memory.
package let outOfMemory = glissade_averror_from_errno(ENOMEM)
