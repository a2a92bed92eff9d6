extension Settings {
    /// A settings file that names every option with its default, and changes nothing: for a person to begin with.
    public static let sample = """
        # Glissade's settings: ~/.config/glissade/config.toml
        #
        # Every option is here with its default. Changes are heard of while Glissade runs, except for those that say how
        # a film begins. What is wrong is told on the terminal, and the rest is used. The format is TOML (https://toml.io).

        [playback]
        # How loud a film begins, in hundredths of its own level: 0 to 130.
        volume = 100
        # Whether it begins without a sound.
        muted = false
        # Seconds of film in a second: 0.1 to 8.
        speed = 1.0
        # Whether a film goes on where it was left.
        resume = true
        # Whether what is played is remembered at all; false also ends "resume".
        history = true
        # Whether a film begins again at its end.
        loop = false
        # What decodes pictures: "no" hardware; "auto", the hardware where there is some and it is of use; or a device by its
        # name, "vaapi" or "cuda", say (glissade play --help names all). What fails is gone on with in software.
        hwdec = "no"
        # Languages of sound tracks, the best first, like ["ja", "en"]; [] takes what the film says.
        audio-languages = []

        [subtitles]
        # Whether they are shown where there are any.
        visible = true
        # How large, of the size that they have by themselves: 0.25 to 4.
        scale = 1.0
        # Languages of subtitles, the best first; [] takes what the film says.
        languages = []

        [interface]
        # Seconds until the controls go, after the last move of the hand: 0.5 to 60.
        controls-timeout = 3.0
        # Whether films begin in fullscreen.
        fullscreen = false
        # Whether the window stays above others.
        on-top = false
        # Whether an upright film is turned by a quarter to fill a screen that lies, in fullscreen, and the other way round.
        fullscreen-turns = false
        # What draws: "auto", OpenGL where there is a GPU and the processor where there is none; "gles", OpenGL in any case; or
        # "software", the processor. Takes effect when Glissade is started.
        renderer = "auto"

        [floating]
        # Whether the film's page goes when the film floats in a window of its own.
        leaves-page = true

        [library]
        # How a folder is shown: "list", or "cards", which play in place; the key v changes it, too.
        view = "list"
        # Whether a card is heard before it was opened.
        sound = false
        # Where the film of a card goes that is scrolled out of view: on in the "corner" of the page, or to a "stop".
        out-of-view = "corner"
        # Whether at the end of a card's film the next one's begins.
        next = false

        # What a hand does on the film; false turns it off.
        [gestures]
        click = true                # shows or hides the controls
        double-click = true         # to fullscreen and back
        double-click-left = true    # in the outer quarter: 10 seconds back
        double-click-right = true   # in the outer quarter: 10 seconds on
        pop-drag = true             # to the right: back to the page before
        bound-drag = true           # to the left: the page bound to this one
        brightness-drag = true      # up or down in the left half
        volume-drag = true          # up or down in the right half
        dismiss-drag = true         # down from the middle third: out of fullscreen
        long-press = true           # double speed until it is let go
        wheel = true                # volume
        horizontal-wheel = true     # seeks
        pinch = true                # fits the film into the window, or fills the window

        # What keys do, where it is not what they do by default; "none" takes a key's default away.
        #
        # A key is the character that it types, or SPACE, ESC, ENTER, BS, TAB, DEL, INS, LEFT, RIGHT, UP, DOWN, HOME, END,
        # PGUP, PGDWN, F1 to F35, PLUS, SHARP, PLAYPAUSE, PLAY, PAUSE, STOP, NEXT, PREV, VOLUME_UP, VOLUME_DOWN or MUTE;
        # before it may stand Ctrl+, Alt+, Shift+ and Meta+. All of it in quotes:
        #
        #   "Ctrl+RIGHT" = "seek 10"
        #   "x" = "none"
        [keys]

        """
}
