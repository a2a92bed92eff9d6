import GlissadeCSystem

/// Controls what happens when the process writes to a pipe or socket whose other end is closed.
package enum BrokenPipes {
    /// Makes a write to a closed pipe or socket fail with EPIPE from now on, instead of ending the process with
    /// SIGPIPE.
    package static func ignore() { glissade_ignore_broken_pipes() }
}
