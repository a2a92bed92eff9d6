//! Draws the first second of a film into memory, each frame at the size at which it is seen, and reads the pixels back.

import GlissadeFilm
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeTime

let path = CommandLine.arguments.dropFirst().first ?? "Media/sample.mp4"
let size = PixelSize(width: 64, height: 36)
let output = SoftwareMemoryOutput()
let renderer = SoftwareRenderer(output: output, images: ImageCache())

var options = PlayerOptions()
options.audio = .silent
options.pictures = FilmScreen.format(for: renderer.traits)
let signal = WakeSignal()
let player = Player(location: path, options: options, wake: { signal.raise() }, report: { print($0) })
let film = FilmScreen(
    player: player, renderer: renderer, surface: SurfaceID(rawValue: 1), log: FrameLog(), after: nil)
film.place(destination: size)

var list = DisplayList(viewport: size)
let all = PixelRect(size: size)
list.items = [.surface(SurfacePlacement(surface: film.surface, destination: all, clip: all))]
while player.state != .ended, player.position(at: .now()) < .seconds(1) {
    let now = HostTime.now()
    player.advance(to: now)
    if case .failed(let error) = player.state { fatalError("\(error)") }
    if film.take(by: now) != nil {
        film.fit()
        try renderer.draw(list) { $0 == film.surface ? film.target : nil }
        try renderer.present()
        film.didPresent(at: .now())
        print("\(film.shownTime?.seconds ?? 0) s: \(output.readPixels().prefix(3))")
    }
    signal.wait(until: [player.nextFrameDue, player.nextWake(now: now)].compactMap { $0 }.min())
}
player.retire()
