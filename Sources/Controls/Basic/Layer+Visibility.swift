import Layers

extension Layer {
    /// Whether neither it nor anything that it is in is hidden, or on its way to be clear.
    var isEffectivelyVisible: Bool {
        var layer: Layer? = self
        while let current = layer {
            if current.isHidden || !(current.opacity > 0) { return false }
            layer = current.superlayer
        }
        return true
    }
}
