public import Controls
public import Navigation

/// What a page's bar shows at its ends: `Navigation` knows no controls, and takes whatever has a layer.
extension Button: BarItem {}
