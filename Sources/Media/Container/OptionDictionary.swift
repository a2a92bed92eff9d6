import GlissadeCFFmpeg
import Glibc

/// An `AVDictionary` with a single owner, for the options of FFmpeg's open functions.
package struct OptionDictionary: ~Copyable {
    /// The dictionary; nil while it is empty. FFmpeg removes the options that it recognizes.
    package var pointer: OpaquePointer?

    package init() {}

    deinit {
        var pointer = pointer
        av_dict_free(&pointer)
    }

    /// Sets an option and returns FFmpeg's code. If the code is an error, the option is not set.
    package mutating func set(_ name: String, _ value: String) -> CInt { av_dict_set(&pointer, name, value, 0) }
}

/// The code that FFmpeg returns when memory runs out.
package let outOfMemory = glissade_averror_from_errno(ENOMEM)
