import CSystem

/// What becomes of the process when it writes into a pipe that nobody reads any more.
public enum BrokenPipes {
    /// The write fails from now on, and the process lives.
    public static func ignore() { glissade_ignore_broken_pipes() }
}
