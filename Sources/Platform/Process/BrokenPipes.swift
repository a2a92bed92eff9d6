import CSystem

/// Handles writes to a pipe that no process reads any more.
public enum BrokenPipes {
    /// From now on, such a write fails with EPIPE instead of ending the process with SIGPIPE.
    public static func ignore() { glissade_ignore_broken_pipes() }
}
